// SPDX-License-Identifier: MIT
// Which passes a thread is in, as LLVM itself would say it after a crash.
#include <llvm/Support/PrettyStackTrace.h>
#include <llvm/Support/Signals.h>

#include "compiler/clang/clang_frontend.h"

void tf_clang_watch_passes(void)
{
    llvm::setBugReportMsg("");
    llvm::EnablePrettyStackTrace();
}

void tf_clang_print_passes(void)
{
    llvm::sys::RunSignalHandlers();
}
