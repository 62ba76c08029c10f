// SPDX-License-Identifier: MIT
// 128-bit content hash: not cryptographic, the same on every machine.
#ifndef TF_BASE_HASH_H
#define TF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct tf_hash {
    uint64_t lo, hi;
};

struct tf_hash tf_hash_bytes(const void *data, size_t bytes, uint64_t seed);

#endif // TF_BASE_HASH_H
