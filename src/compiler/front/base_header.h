// SPDX-License-Identifier: MIT
// The texts of opencl-c-base.h, which every program includes first, and of
// opencl-c-more.h, which that includes where __TF_MORE_FUNCTIONS is defined.
#ifndef TF_COMPILER_FRONT_BASE_HEADER_H
#define TF_COMPILER_FRONT_BASE_HEADER_H

#include <stddef.h>

extern const char tf_base_header[]; // ends at tf_base_header_end, no byte 0
extern const char tf_base_header_end[];
extern const char tf_more_header[];
extern const char tf_more_header_end[];

#endif // TF_COMPILER_FRONT_BASE_HEADER_H
