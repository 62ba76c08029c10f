// SPDX-License-Identifier: MIT
// The program-scope variables of a program in packed form: the size of their block, how
// it starts, and where pointers into it stand. link() makes it, devices make one block of
// it per program, program binaries carry it. Read back without trust.
//
//     struct tf_program_data | image, padded to 8 bytes | pointers
//
// Byte order is the device's, which is the host's.
#ifndef TF_ABI_PROGRAM_DATA_H
#define TF_ABI_PROGRAM_DATA_H

#include <stdint.h>

// The largest block that is ever made.
#define TF_PROGRAM_DATA_MAX_BYTES ((uint64_t)1 << 30)

struct tf_program_data {
    uint64_t block_bytes;    // of the block
    uint64_t align_bytes;    // of its address, a power of two
    uint64_t image_bytes;    // how the block starts; zeros follow
    uint64_t pointer_count;  //
    uint64_t variable_bytes; // CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
};

// A pointer at `offset_bytes` of the block holds the block's address plus `target_bytes`.
struct tf_program_pointer {
    uint64_t offset_bytes;
    uint64_t target_bytes; // modulo 2^64; may point anywhere, as C's may
};

#endif // TF_ABI_PROGRAM_DATA_H
