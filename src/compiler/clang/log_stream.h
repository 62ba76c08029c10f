// SPDX-License-Identifier: MIT
// Diagnostics on their way to the caller's log.
#ifndef TF_COMPILER_CLANG_LOG_STREAM_H
#define TF_COMPILER_CLANG_LOG_STREAM_H

#include <cstddef>
#include <cstdint>

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

class log_stream final : public llvm::raw_ostream
{
  public:
    log_stream(void (*write)(void *, const char *, size_t), void *user)
        : llvm::raw_ostream(true), write_(write), user_(user)
    {
    }

  private:
    // Clang's words for samplers of values that are not known before the program runs
    // are its own about itself.
    void write_impl(const char *text, size_t bytes) override
    {
        static const llvm::StringRef theirs =
            "internal error: could not emit constant value \"abstractly\"";
        static const llvm::StringRef ours = "a sampler has to be a constant";
        const bool is_theirs = llvm::StringRef(text, bytes) == theirs;

        write_(user_, is_theirs ? ours.data() : text, is_theirs ? ours.size() : bytes);
        written_ += bytes;
    }
    uint64_t current_pos() const override
    {
        return written_;
    }

    void (*write_)(void *, const char *, size_t);
    void *user_;
    uint64_t written_ = 0;
};

// Clang stops at 20 errors, but at no number of warnings, and each may show a line of 4
// KB that grows eightfold when its bytes cannot be shown: 4 KB of source once gave a log
// of 58 MB.
class bounded_printer final : public clang::TextDiagnosticPrinter
{
  public:
    template <class Options>
    bounded_printer(log_stream &log, Options &&options)
        : clang::TextDiagnosticPrinter(log, options), log_(log)
    {
    }

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override
    {
        if (info.getID() == clang::diag::note_ovl_too_many_candidates) {
            if (!left_out_)
                log_ << "note: " << info.getArgSInt(0) << " more are left out\n";
            return;
        }
        if (level != clang::DiagnosticsEngine::Note) // these share their warning's fate
            left_out_ =
                level < clang::DiagnosticsEngine::Error && log_.tell() >= most_bytes;
        if (!left_out_) {
            clang::TextDiagnosticPrinter::HandleDiagnostic(level, info);
            return;
        }
        clang::DiagnosticConsumer::HandleDiagnostic(level, info); // counts
        if (!said_)
            log_ << "warning: further warnings are left out: the log is long\n";
        said_ = true;
    }

  private:
    static constexpr uint64_t most_bytes = 512 << 10;

    log_stream &log_;
    bool left_out_ = false, said_ = false;
};

#endif
