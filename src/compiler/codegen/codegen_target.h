// SPDX-License-Identifier: MIT
// The machine that code is generated for, as LLVM wants to hear it.
#ifndef TF_COMPILER_CODEGEN_CODEGEN_TARGET_H
#define TF_COMPILER_CODEGEN_CODEGEN_TARGET_H

#include <stdbool.h>

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Code generator for one instruction level: used by one thread at a time.
struct tf_machine {
    struct tf_machine *next;
    char *triple, *cpu, *features;
    bool is_fast; // the code, that is
    LLVMTargetMachineRef llvm;
    LLVMTargetDataRef layout;
    struct tf_emitter *emitter;
};

// PIC, small code model. Machines are kept for the next kernel: making one, and what LLVM
// derives from the attributes of the first function that it sees, costs milliseconds.
// NULL with the reason in `log`.
struct tf_machine *tf_codegen_take_machine(const struct tf_generate_in *in,
                                           struct tf_str *log);
// One that nobody had before, and the end of it; NULL is allowed.
struct tf_machine *tf_codegen_new_machine(const struct tf_generate_in *in,
                                          struct tf_str *log);
void tf_codegen_free_machine(struct tf_machine *machine);
// Gives it back; NULL is allowed. One that is not given back (a fatal error of LLVM left
// the job) is lost.
void tf_codegen_keep_machine(struct tf_machine *machine);

// Turns the module into one for `machine`: triple, data layout, attributes of the
// instruction level on every function. Sizes and offsets of OpenCL types are the same in
// the spir64 layout that it had.
void tf_codegen_retarget(LLVMModuleRef module, const struct tf_machine *machine,
                         const struct tf_generate_in *in);

// To be called of optimized code. Vectors of 17 and more bytes or shorts whose number is
// no power of two (char3 of many lanes) send the legalizer of LLVM 22 for x86 round and
// round for ever, between two ways of writing a shuffle; functions that have some are
// told that one of them is slow.
void tf_codegen_calm_shuffles(LLVMModuleRef module, const struct tf_generate_in *in);

#endif // TF_COMPILER_CODEGEN_CODEGEN_TARGET_H
