// SPDX-License-Identifier: MIT
#include "compiler/clang/emitter.h"

#include <algorithm>
#include <memory>
#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

namespace
{

constexpr size_t KEPT_BYTES = 1 << 20;
constexpr size_t MOST_SUNK_BLOCKS = 2000;

size_t count_lanes(const llvm::Type *type)
{
    return llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
}

// How many blocks the code generator sees of a function, about: gathers and scatters that
// the machine lacks become one for each lane.
size_t count_blocks(const llvm::Function &function)
{
    size_t count = function.size();

    for (const llvm::Instruction &in : llvm::instructions(function)) {
        const auto *const call = llvm::dyn_cast<llvm::IntrinsicInst>(&in);

        if (!call)
            continue;
        if (call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
            count += count_lanes(call->getType());
        else if (call->getIntrinsicID() == llvm::Intrinsic::masked_scatter)
            count += count_lanes(call->getArgOperand(0)->getType());
    }
    return count;
}

bool holds_large_code(const llvm::Module &module)
{
    return std::any_of(module.begin(), module.end(), [](const llvm::Function &function) {
        return count_blocks(function) > MOST_SUNK_BLOCKS;
    });
}

// Sinking moves instructions nearer to their uses, and takes the square of the blocks:
// six of nine seconds of a function with 3,600.
class large_code_gate final : public llvm::OptPassGate
{
#if LLVM_VERSION_MAJOR >= 22
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override
#else
    bool shouldRunPass(const llvm::StringRef pass, llvm::StringRef) override
#endif
    {
        return pass != "machine-sink" && pass != "Machine code sinking"; // LLVM 19's name
    }

    bool isEnabled() const override
    {
        return true;
    }
};

// Runs the passes without those that large code is not worth.
void run(llvm::legacy::PassManager &passes, llvm::Module &module)
{
    large_code_gate gate;

    if (!holds_large_code(module)) {
        passes.run(module);
        return;
    }
    module.getContext().setOptPassGate(gate);
    passes.run(module);
    module.getContext().setOptPassGate(llvm::getGlobalPassGate());
}

} // namespace

struct tf_emitter {
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream{object};
    llvm::legacy::PassManager passes; // before the stream that it writes to
};

extern "C" struct tf_emitter *tf_emitter_new(LLVMTargetMachineRef machine)
{
    auto emitter = std::make_unique<tf_emitter>();

    if (reinterpret_cast<llvm::TargetMachine *>(machine)->addPassesToEmitFile(
            emitter->passes, emitter->stream, nullptr, llvm::CodeGenFileType::ObjectFile))
        return nullptr;
    return emitter.release();
}

extern "C" void tf_emitter_free(struct tf_emitter *emitter)
{
    delete emitter;
}

extern "C" const void *tf_emitter_object(struct tf_emitter *emitter, LLVMModuleRef module,
                                         size_t *bytes)
{
    if (emitter->object.capacity() > KEPT_BYTES)
        emitter->object = {};
    emitter->object.clear();
    run(emitter->passes, *llvm::unwrap(module));
    *bytes = emitter->object.size();
    return emitter->object.data();
}

// LLVM 22 wants a triple taken apart where older ones want its text.
#if LLVM_VERSION_MAJOR >= 22
using target_name = llvm::Triple;
#else
using target_name = llvm::StringRef;
#endif

static std::unique_ptr<llvm::MCSubtargetInfo> facts_of(const char *triple,
                                                       llvm::StringRef cpu)
{
    const target_name name(triple);
    std::string error;
    const llvm::Target *const target = llvm::TargetRegistry::lookupTarget(name, error);

    return std::unique_ptr<llvm::MCSubtargetInfo>(
        target ? target->createMCSubtargetInfo(name, cpu, "") : nullptr);
}

extern "C" bool tf_emitter_knows(const char *triple, const char *cpu)
{
    // Asking for facts of an unknown one is what LLVM complains of.
    const auto any = facts_of(triple, "");

    if (!any || !any->isCPUStringValid(cpu))
        return false;
    // Those of 32 bits have names like all others.
    const auto own = facts_of(triple, cpu);
    return !llvm::Triple(triple).isX86() || own->checkFeatures("+64bit");
}
