// SPDX-License-Identifier: MIT
// LLVM's inference of address spaces takes the number of the flat one from the target;
// spir64 has none to ask, and the C interface cannot say it.
#include "compiler/clang/clang_frontend.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

extern "C" void tf_clang_infer_spaces(LLVMModuleRef module, unsigned generic_space)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    llvm::FunctionPassManager passes;

    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    passes.addPass(llvm::InferAddressSpacesPass(generic_space));
    for (llvm::Function &function : *llvm::unwrap(module))
        if (!function.isDeclaration())
            passes.run(function, functions);
}
