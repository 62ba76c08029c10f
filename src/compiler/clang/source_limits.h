// SPDX-License-Identifier: MIT
// What a program may cost the front end.
#ifndef TF_COMPILER_CLANG_SOURCE_LIMITS_H
#define TF_COMPILER_CLANG_SOURCE_LIMITS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>

#include "compiler/compile_job.h"

// Clang recurses along expressions and statements without a bound of its own, and macros
// grow without one. These bounds end the job before the stack or the memory ends the
// process; they lie far above what programs need.
class source_limits
{
  public:
    explicit source_limits(clang::CompilerInstance &ci)
        : ci_(ci), pp_(ci.getPreprocessor()),
          first_offset_(ci.getSourceManager().getNextLocalOffset())
    {
    }

    void on_token(const clang::Token &token)
    {
        if (tf_compile_job_stack_bytes() > max_stack_bytes)
            fail(token.getLocation(), "the program is nested too deeply");
        if (++tokens_ > max_tokens)
            fail(token.getLocation(), "the program is too long after macro expansion");
        if (token.is(clang::tok::kw_asm))
            refuse_assembly(token.getLocation());
        follow(token);
        if (++chain_ > max_chain)
            fail(token.getLocation(), "an expression is too long");
    }

    void on_expansion(const clang::Token &name)
    {
        if (ci_.getSourceManager().getNextLocalOffset() - first_offset_ > max_offset)
            fail(name.getLocation(), "macros expand to too much text");
    }

  private:
    // Counts the tokens that one syntax tree may chain: anew at each statement, and at
    // each element of an initializer list.
    void follow(const clang::Token &token)
    {
        using namespace clang::tok;
        const bool in_list = !open_.empty() && open_.back();

        if (token.isOneOf(l_brace, l_paren, l_square))
            open_.push_back(token.is(l_brace) && (last_ == equal || in_list));
        else if (token.isOneOf(r_brace, r_paren, r_square) && !open_.empty())
            open_.pop_back();
        if (token.isOneOf(semi, l_brace, r_brace) || (token.is(comma) && in_list))
            chain_ = 0;
        last_ = token.getKind();
    }

    // Not left to validate(): what has no instruction (a label, a block at file scope)
    // has no position there.
    void refuse_assembly(clang::SourceLocation at)
    {
        clang::DiagnosticsEngine &diagnostics = ci_.getDiagnostics();

        diagnostics.Report(
            at, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                            "inline assembly is not supported"));
    }

    [[noreturn]] void fail(clang::SourceLocation at, const char *what)
    {
        const clang::PresumedLoc where = ci_.getSourceManager().getPresumedLoc(
            ci_.getSourceManager().getExpansionLoc(at));
        const char *file = where.isValid() ? where.getFilename() : "kernel.cl";
        const unsigned line = where.isValid() ? where.getLine() : 0;
        const unsigned column = where.isValid() ? where.getColumn() : 0;
        tf_compile_job_leave(TF_COMPILER_BAD_SOURCE, "%s:%u:%u: fatal error: %s\n", file,
                             line, column, what);
    }

    // Clang moves deep recursion to another stack when 8 MiB are near: stop before.
    static constexpr size_t max_stack_bytes = 7u << 20;
    static constexpr uint64_t max_tokens = 16u << 20;
    static constexpr uint64_t max_chain = 500000;
    static constexpr uint64_t max_offset = 512u << 20;

    clang::CompilerInstance &ci_;
    clang::Preprocessor &pp_;
    uint64_t first_offset_;
    uint64_t tokens_ = 0;
    uint64_t chain_ = 0;
    std::vector<bool> open_; // brackets; true for the brace of an initializer list
    clang::tok::TokenKind last_ = clang::tok::unknown;
};

#endif // TF_COMPILER_CLANG_SOURCE_LIMITS_H
