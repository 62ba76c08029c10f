// SPDX-License-Identifier: MIT
#include "compiler/workgroup/target/target.h"

#include <stddef.h>
#include <string.h>

#include "compiler/workgroup/target/costs.h"

// An operation on 128 bits takes what one on a number does, and a move more where it
// writes to its first operand.
enum { MOVE = 1 };

// What follows from the width alone: levels of instructions differ in it.
static void add_abilities(struct tf_target *t, unsigned vector_bits)
{
    t->vector_bits = vector_bits;
    t->at_once = vector_bits >= 512 ? t->costs.wide_at_once : t->costs.at_once;
    t->registers = vector_bits >= 512 ? 28 : 13;
    t->gathers = t->permutes = vector_bits >= 256;
    t->scatters = t->gathers_masked = t->masks_free = vector_bits >= 512;
    t->gathers_fast = vector_bits >= 512 && t->costs.gather <= t->costs.own_element;
    t->permutes_long = t->permutes_short = vector_bits >= 512;
    t->masked_bytes = vector_bits >= 512 ? 1 : vector_bits >= 256 ? 4 : 0;
    // Without an instruction a long product is made of short ones, which fill the time.
    if (vector_bits < 512)
        t->costs.long_product_latency = t->costs.add_latency;
    if (vector_bits <= 128)
        t->costs.vector = t->costs.scalar + MOVE;
    t->costs.shuffle = vector_bits >= 512 ? t->costs.vector : 3 * t->costs.vector;
    t->costs.small_shuffle = 3 * t->costs.vector;
}

struct tf_target tf_target_of(const char *model, unsigned vector_bits)
{
    const struct tf_family *family = tf_family_of(model);
    struct tf_target t = {.family = family->name, .costs = family->costs};

    if (vector_bits > family->store_bits)
        t.stream_bits = family->store_bits;
    if (vector_bits == family->unseen_bits)
        t.unseen_bytes = 2 * vector_bits / 8;
    add_abilities(&t, vector_bits);
    return t;
}

struct tf_target tf_target_narrow(const struct tf_target *target, unsigned vector_bits)
{
    struct tf_target t = *target;

    add_abilities(&t, vector_bits);
    t.stream_bits = t.unseen_bytes = 0;
    return t;
}

bool tf_target_masks(const struct tf_target *target, uint64_t element_bytes)
{
    return target->masked_bytes && element_bytes >= target->masked_bytes;
}
