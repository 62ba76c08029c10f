// SPDX-License-Identifier: MIT
#include "compiler/clang/emitter.h"

#include <memory>
#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

namespace
{

constexpr size_t KEPT_BYTES = 1 << 20;

}

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
    emitter->passes.run(*llvm::unwrap(module));
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
