// SPDX-License-Identifier: MIT
// The ways that the library has for machines of several kinds (builtins/lib/math.h). It
// asks roots for what the machine has; once that is known, one way is left.
#ifndef TF_COMPILER_CODEGEN_ARITHMETIC_WAYS_H
#define TF_COMPILER_CODEGEN_ARITHMETIC_WAYS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_str;

struct tf_ways {
    // Of estimates of inverse roots: 14 of all reals (AVX-512), 12 of floats (SSE) or 0.
    unsigned estimate_bits;
    bool has_fma; // of floats and doubles, as instructions
};

// Answers the roots __tf_estimate_bits and __tf_has_fma. Before anything else looks at
// the kernel: the other ways vanish. False after a failure, with a line in the log.
bool tf_ways_decide(LLVMModuleRef module, const struct tf_ways *ways, struct tf_str *log);

#endif // TF_COMPILER_CODEGEN_ARITHMETIC_WAYS_H
