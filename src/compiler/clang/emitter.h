// SPDX-License-Identifier: MIT
// LLVM's code generator for one machine, kept. The C interface makes its passes anew for
// each module: a tenth of the time that a small kernel takes. And which processors there
// are: of others the C interface only complains, on standard error and at each use.
#ifndef TF_COMPILER_CLANG_EMITTER_H
#define TF_COMPILER_CLANG_EMITTER_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_emitter;

// Used by one thread at a time; to be freed before the machine. NULL: the machine makes
// no objects.
struct tf_emitter *tf_emitter_new(LLVMTargetMachineRef machine);
void tf_emitter_free(struct tf_emitter *emitter); // NULL is allowed

// The object of a module, which it changes. Borrowed until the next one.
const void *tf_emitter_object(struct tf_emitter *emitter, LLVMModuleRef module,
                              size_t *bytes);

// Whether code for `triple` can be made for the processor. LLVM is initialized.
bool tf_emitter_knows(const char *triple, const char *cpu);

#ifdef __cplusplus
}
#endif

#endif // TF_COMPILER_CLANG_EMITTER_H
