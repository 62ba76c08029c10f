// SPDX-License-Identifier: MIT
#include "compiler/clang/pass_runner.h"

#include <llvm-c/Error.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

extern "C" {
#include "base/time.h"
}

static llvm::TargetMachine *unwrap_machine(LLVMTargetMachineRef machine)
{
    return reinterpret_cast<llvm::TargetMachine *>(machine);
}

// The function that a pass is about to run on, or NULL for larger pieces.
static const llvm::Function *function_of(llvm::Any &piece)
{
    if (const auto *function = llvm::any_cast<const llvm::Function *>(&piece))
        return *function;
    if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&piece))
        return (*loop)->getHeader()->getParent();
    return nullptr;
}

struct tf_pass_runner {
    explicit tf_pass_runner(LLVMTargetMachineRef for_machine)
        : machine(for_machine), builder(unwrap_machine(for_machine))
    {
        callbacks.registerShouldRunOptionalPassCallback(
            [this](llvm::StringRef, llvm::Any piece) { return may_run(piece); });
        // The first one that is registered stays.
        loops.registerPass(
            [this] { return llvm::PassInstrumentationAnalysis(&callbacks); });
        functions.registerPass(
            [this] { return llvm::PassInstrumentationAnalysis(&callbacks); });
        components.registerPass(
            [this] { return llvm::PassInstrumentationAnalysis(&callbacks); });
        modules.registerPass(
            [this] { return llvm::PassInstrumentationAnalysis(&callbacks); });
        builder.registerLoopAnalyses(loops);
        builder.registerFunctionAnalyses(functions);
        builder.registerCGSCCAnalyses(components);
        builder.registerModuleAnalyses(modules);
        builder.crossRegisterProxies(loops, functions, components, modules);
    }

    // Whoever runs passes changes the code between two runs: nothing that is known of it
    // outlives one.
    void forget()
    {
        loops.clear();
        functions.clear();
        components.clear();
        modules.clear();
    }

    bool may_run(llvm::Any &piece)
    {
        const llvm::Function *function = function_of(piece);

        if (function && function->hasOptNone())
            return false;
        if (end_ns != UINT64_MAX && !cut)
            cut = tf_time_cpu_ns() > end_ns;
        return !cut;
    }

    // The passes of a text, or NULL with *error set.
    template <typename manager>
    manager *parse(llvm::StringMap<manager> &known, const char *passes, char **error)
    {
        const auto at = known.find(passes);

        *error = nullptr;
        if (at != known.end())
            return &at->second;
        manager made;
        if (llvm::Error failure = builder.parsePassPipeline(made, passes)) {
            *error = LLVMGetErrorMessage(llvm::wrap(std::move(failure)));
            return nullptr;
        }
        return &known.try_emplace(passes, std::move(made)).first->second;
    }

    LLVMTargetMachineRef machine;
    uint64_t end_ns = UINT64_MAX;
    bool cut = false;
    llvm::PassInstrumentationCallbacks callbacks;
    llvm::PassBuilder builder;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::StringMap<llvm::ModulePassManager> module_passes;
    llvm::StringMap<llvm::FunctionPassManager> function_passes;
};

extern "C" struct tf_pass_runner *tf_pass_runner_new(LLVMTargetMachineRef machine)
{
    return new tf_pass_runner(machine);
}

extern "C" void tf_pass_runner_free(struct tf_pass_runner *runner)
{
    delete runner;
}

extern "C" LLVMTargetMachineRef tf_pass_runner_machine(
    const struct tf_pass_runner *runner)
{
    return runner->machine;
}

extern "C" char *tf_pass_runner_module(struct tf_pass_runner *runner,
                                       LLVMModuleRef module, const char *passes,
                                       uint64_t end_ns)
{
    char *error;
    auto *manager = runner->parse(runner->module_passes, passes, &error);

    if (!manager)
        return error;
    runner->end_ns = end_ns;
    runner->cut = false;
    manager->run(*llvm::unwrap(module), runner->modules);
    runner->forget();
    return nullptr;
}

extern "C" char *tf_pass_runner_function(struct tf_pass_runner *runner,
                                         LLVMValueRef function, const char *passes,
                                         uint64_t end_ns)
{
    char *error;
    auto *manager = runner->parse(runner->function_passes, passes, &error);

    if (!manager)
        return error;
    runner->end_ns = end_ns;
    runner->cut = false;
    manager->run(*llvm::unwrap<llvm::Function>(function), runner->functions);
    runner->forget();
    return nullptr;
}
