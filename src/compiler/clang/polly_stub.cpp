// SPDX-License-Identifier: MIT
// Debian's static LLVM registers the Polly loop optimizer in every pass pipeline. Trefoil
// does not use it; this empty registration keeps its 10 MB out of the library.
#include <llvm/Config/llvm-config.h>
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder &) {}};
}
