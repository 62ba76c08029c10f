// SPDX-License-Identifier: MIT
// TREFOIL_DUMP: writes the IR of chosen stages to stderr.
#ifndef TF_COMPILER_IR_DUMP_H
#define TF_COMPILER_IR_DUMP_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum tf_dump_stage {
    TF_DUMP_FRONTEND, // "frontend": what Clang made
    TF_DUMP_LINK,     // "link": with the built-ins
    TF_DUMP_CLEANUP,  // "cleanup": ready for the work-group former
    TF_DUMP_GANG,     // "gang": lanes, before they are optimized
    TF_DUMP_WG,       // "wg": one entry function
    TF_DUMP_ASM,      // "asm": machine code as text (written by code generation)
    TF_DUMP_SHAPE,    // "shape": before "gang", what lanes know of each value
    TF_DUMP_SPLIT,    // "split": after "gang", kernels cut at their barriers
    TF_DUMP_CFG,      // "cfg": before "shape", control flow
    TF_DUMP_PLAN,     // "plan": after "shape", the form of each instruction
};

bool tf_dump_on(enum tf_dump_stage stage);
bool tf_dump_any_on(void);
// Writes the module if the stage is on.
void tf_dump(enum tf_dump_stage stage, LLVMModuleRef module);

#endif // TF_COMPILER_IR_DUMP_H
