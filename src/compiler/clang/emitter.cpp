// SPDX-License-Identifier: MIT
#include "compiler/clang/emitter.h"

#include <memory>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

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
