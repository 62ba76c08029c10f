// SPDX-License-Identifier: MIT
// The text of opencl-c-base.h, which every program includes first.
#ifndef TF_COMPILER_FRONT_BASE_HEADER_H
#define TF_COMPILER_FRONT_BASE_HEADER_H

#include <stddef.h>

extern const char tf_base_header[]; // ends at tf_base_header_end, no byte 0
extern const char tf_base_header_end[];

#endif // TF_COMPILER_FRONT_BASE_HEADER_H
