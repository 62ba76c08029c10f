// SPDX-License-Identifier: MIT
#include "compiler/workgroup/target/costs.h"

#include <stddef.h>
#include <string.h>

// What nobody has measured on a family: figures of Zen 4 and 5, rounded.
#define USUAL                                                                          \
    .scalar = 5, .vector = 10, .division = 60, .scalar_division = 50,                  \
    .integer_division = 60, .by_constant = 40, .long_division = 70, .gather = 16,      \
    .scatter = 20, .slow_element = 32, .own_element = 20, .own_store = 25,             \
    .own_wait = 10, .masked = 3, .atomic = 60, .local_atomic = 20,                     \
    .local_atomic_lane = 150, .barrier = 110, .call = 200, .lane_loop = 20,            \
    .atomic_lane = 20, .branch = 30, .missed = 10, .unguessed = 75, .add_latency = 40, \
    .division_latency = 130, .load_latency = 80, .move_latency = 10,                   \
    .product_latency = 40, .long_product_latency = 40, .item_load_latency = 50,        \
    .item_far_latency = 140, .at_once = 3, .wide_at_once = 2

// A family's row names what was measured to be different there.
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
static const struct tf_family families[] = {
    // A store of 64 bytes goes out in two halves: from memory it is slower by a fifth
    // than two stores of 32, and equally fast in all caches. Microcode scatters.
    {.name = "zen4",
     .models = {"znver4"},
     .store_bits = 256,
     .costs = {USUAL, .scatter = 40, .at_once = 4}},
    // 2026-11-22, family 26 model 2, AMD EPYC: gather 11 to 13, scatter 12, division 48;
    // four vectors at once of any width (xorshift, whose rounds are a chain of six).
    {.name = "zen5",
     .models = {"znver5"},
     .store_bits = 512,
     .unseen_bits = 512,
     .costs = {USUAL, .division = 48, .scalar_division = 24, .integer_division = 57,
               .gather = 12, .scatter = 12, .atomic = 194, .local_atomic = 17,
               .at_once = 4, .wide_at_once = 4}},
    // 2026-11-28, family 6 model 85 stepping 7 (Cascade Lake): gather 21 to 22 with
    // AVX-512, 34 with AVX2, loads one by one at known distances 11, by indices out of a
    // vector 16; scatter 12, division 54 (of 512 bits 113), of 32 bits 70, of 64 bits
    // 237 by itself. Later ones have that microcode, too, and were not measured. Products
    // of 32 bits are two operations after each other, of 64 bits three. Of words side by
    // side that are changed atomically, one by one, each takes lanes 6 ns more than items
    // (2^21 sums, CPU time 32 ms and 19).
    {.name = "skylake",
     .models = {"skylake-avx512", "cascadelake", "cooperlake"},
     .store_bits = 512,
     .costs = {USUAL, .scalar_division = 30, .integer_division = 70, .gather = 22,
               .own_element = 14, .scatter = 12, .atomic = 190, .atomic_lane = 80,
               .product_latency = 100, .long_product_latency = 150}},
    {.name = "unknown", .models = {NULL}, .store_bits = 512, .costs = {USUAL}},
};
#pragma GCC diagnostic pop

enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

static bool is_one_of(const struct tf_family *family, const char *model)
{
    for (size_t i = 0; family->models[i]; i++) {
        if (!strcmp(family->models[i], model))
            return true;
    }
    return false;
}

const struct tf_family *tf_family_of(const char *model)
{
    for (size_t i = 0; model && i < FAMILIES; i++) {
        if (is_one_of(&families[i], model))
            return &families[i];
    }
    return &families[FAMILIES - 1];
}
