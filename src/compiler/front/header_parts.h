// SPDX-License-Identifier: MIT
// Most of what opencl-c-base.h declares most programs do not name, and reading it took
// half of the front end's time for a small kernel.
#ifndef TF_COMPILER_FRONT_HEADER_PARTS_H
#define TF_COMPILER_FRONT_HEADER_PARTS_H

#include <stddef.h>

#include "abi/compiler.h"

// `header` without the parts that the program cannot name, tf_free(). NULL: it may name
// all of it (it has headers, pastes words together) or there is no memory. What is missed
// all the same is an error of the program: the caller tries again with the whole.
char *tf_header_parts(const struct tf_compile_in *in, const char *header, size_t bytes,
                      size_t *out_bytes);

#endif // TF_COMPILER_FRONT_HEADER_PARTS_H
