// SPDX-License-Identifier: MIT
// SPIR-V modules written down word by word.
#ifndef TF_TESTS_SUPPORT_SPIRV_WORDS_H
#define TF_TESTS_SUPPORT_SPIRV_WORDS_H

#include <stdint.h>

#define OP(opcode, words) ((uint32_t)(words) << 16 | (opcode))
#define SPIRV_HEADER(minor, bound) 0x07230203, 0x00010000 | (minor) << 8, 0, bound, 0

// Only constants: %1 bool, %2 int, %3 long, %4 char, %5 half, and a spec constant of
// each, SpecId 10 to 14; 20 is %4's again by way of a group; 30 is decorated, but not
// there.
__attribute__((unused)) static const uint32_t spirv_constants[] = {
    SPIRV_HEADER(0, 40),
    OP(17, 2),
    6, // OpCapability Kernel
    OP(14, 3),
    2,
    2, // OpMemoryModel Physical64 OpenCL
    OP(71, 4),
    11,
    1,
    10, // OpDecorate SpecId
    OP(71, 4),
    12,
    1,
    11,
    OP(71, 4),
    13,
    1,
    12,
    OP(71, 4),
    14,
    1,
    13,
    OP(71, 4),
    15,
    1,
    14,
    OP(71, 4),
    16,
    1,
    20,
    OP(73, 2),
    16, // OpDecorationGroup
    OP(74, 3),
    16,
    17, // OpGroupDecorate
    OP(71, 4),
    39,
    1,
    30,
    OP(20, 2),
    1, // OpTypeBool
    OP(21, 4),
    2,
    32,
    0, // OpTypeInt
    OP(21, 4),
    3,
    64,
    0,
    OP(21, 4),
    4,
    8,
    0,
    OP(22, 3),
    5,
    16, // OpTypeFloat
    OP(48, 3),
    1,
    11, // OpSpecConstantTrue
    OP(50, 4),
    2,
    12,
    7, // OpSpecConstant
    OP(50, 5),
    3,
    13,
    1,
    2,
    OP(50, 4),
    4,
    14,
    3,
    OP(50, 4),
    5,
    15,
    0x3c00,
    OP(50, 4),
    4,
    17,
    4,
};

#endif // TF_TESTS_SUPPORT_SPIRV_WORDS_H
