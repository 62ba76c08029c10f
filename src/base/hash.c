// SPDX-License-Identifier: MIT
// Two 64-bit lanes. Each block of 16 bytes is mixed in by steps that are one-to-one in
// the state (xor, rotate, add, multiply by an odd number), so that no block can erase
// what came before; the lanes feed each other, and a final mix spreads the last block
// over both.
#include "base/hash.h"

#include <string.h>

#define K1 0x9e3779b97f4a7c15u // 2^64 / golden ratio
#define K2 0xd1342543de82ef95u // odd numbers with well spread bits
#define K3 0xaef17502108ef2d9u
#define K4 0xf1357aea2e62a9c5u

static uint64_t rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

// Little endian on every machine.
static uint64_t load64(const unsigned char *p)
{
    uint64_t x = 0;

    for (int i = 7; i >= 0; i--)
        x = x << 8 | p[i];
    return x;
}

static uint64_t spread(uint64_t x)
{
    x = (x ^ x >> 32) * K3;
    x = (x ^ x >> 29) * K2;
    return x ^ x >> 32;
}

static struct tf_hash mix(struct tf_hash h, const unsigned char *block)
{
    h.lo = (rotate(h.lo ^ load64(block) * K1, 31) + h.hi) * K2;
    h.hi = (rotate(h.hi ^ load64(block + 8) * K3, 33) + h.lo) * K4;
    return h;
}

struct tf_hash tf_hash_bytes(const void *data, size_t bytes, uint64_t seed)
{
    struct tf_hash h = {seed ^ K4, (uint64_t)bytes * K1 + seed};
    const unsigned char *p = data;
    unsigned char last[16] = {0};
    size_t i;

    for (i = 0; bytes - i >= 16; i += 16)
        h = mix(h, p + i);
    if (i < bytes) {
        memcpy(last, p + i, bytes - i);
        h = mix(h, last);
    }
    h.lo = spread(h.lo + rotate(h.hi, 17));
    h.hi = spread(h.hi + h.lo);
    h.lo += h.hi;
    return h;
}
