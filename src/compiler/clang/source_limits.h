// SPDX-License-Identifier: MIT
// What a program may cost the front end.
#ifndef TF_COMPILER_CLANG_SOURCE_LIMITS_H
#define TF_COMPILER_CLANG_SOURCE_LIMITS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

#include "compiler/job/compile_job.h"

// Clang recurses along expressions and statements without a bound of its own, and macros
// grow without one. These bounds end the compilation before the stack or the memory
// ends the process; they lie far above what programs need.
class source_limits
{
  public:
    explicit source_limits(clang::CompilerInstance &ci)
        : ci_(ci), first_offset_(ci.getSourceManager().getNextLocalOffset())
    {
    }

    // Once a bound is passed the parser sees the end of the program, and unwinds by
    // itself.
    void on_token(const clang::Token &token)
    {
        // Found here and not by validate(): a label has no position there.
        if (token.is(clang::tok::kw_asm))
            report(clang::DiagnosticsEngine::Error, token.getLocation(),
                   "inline assembly is not supported");
        follow(token);
        if (tf_compile_job_stack_bytes() > max_stack_bytes)
            stop(token.getLocation(), "the program is nested too deeply");
        else if (++tokens_ > max_tokens)
            stop(token.getLocation(), "the program is too long after macro expansion");
        else if (++chain_ > max_chain)
            stop(token.getLocation(), "an expression is too long");
        if (stopped_)
            make_end(const_cast<clang::Token &>(token));
    }

    void on_expansion(const clang::Token &name)
    {
        if (ci_.getSourceManager().getNextLocalOffset() - first_offset_ > max_offset)
            stop(name.getLocation(), "macros expand to too much text");
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

    void report(clang::DiagnosticsEngine::Level level, clang::SourceLocation at,
                const char *what)
    {
        clang::DiagnosticsEngine &diagnostics = ci_.getDiagnostics();

        diagnostics.Report(at, diagnostics.getCustomDiagID(level, "%0")) << what;
    }

    void stop(clang::SourceLocation at, const char *what)
    {
        if (!stopped_)
            report(clang::DiagnosticsEngine::Fatal, at, what);
        stopped_ = true;
    }

    // The watcher is not meant to change tokens, but the preprocessor hands out its own.
    static void make_end(clang::Token &token)
    {
        const clang::SourceLocation at = token.getLocation();

        token.startToken();
        token.setKind(clang::tok::eof);
        token.setLocation(at);
    }

    // Clang moves deep recursion to another stack when 8 MiB are near: stop before.
    static constexpr size_t max_stack_bytes = 7u << 20;
    static constexpr uint64_t max_tokens = 8u << 20;
    static constexpr uint64_t max_chain = 200000;
    static constexpr uint64_t max_offset = 512u << 20;

    clang::CompilerInstance &ci_;
    bool stopped_ = false;
    uint64_t first_offset_;
    uint64_t tokens_ = 0;
    uint64_t chain_ = 0;
    std::vector<bool> open_; // brackets; true for the brace of an initializer list
    clang::tok::TokenKind last_ = clang::tok::unknown;
};

#endif // TF_COMPILER_CLANG_SOURCE_LIMITS_H
