// SPDX-License-Identifier: MIT
// Vectors of the program whose elements are taken out of others at indices of the run.
// They lie lane after lane, so that a register holds some lanes' vectors as a whole, and
// permutes each of them by itself.
#include "compiler/ir/vector/permutation.h"

#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

// Vectors of `size` elements, lane after lane, as vectors of `span`, the larger number:
// what is new is anything.
static LLVMValueRef lengthen(struct gang *g, LLVMValueRef wide, unsigned size,
                             unsigned span)
{
    int *from = TF_ARENA_NEW(&g->arena, int, g->width *span);

    if (size == span)
        return wide;
    for (unsigned i = 0; i < g->width * span; i++)
        from[i] = i % span < size ? (int)(i / span * size + i % span) : -1;
    return gang_permute(g, wide, NULL, from, g->width * span);
}

static LLVMValueRef shorten(struct gang *g, LLVMValueRef wide, unsigned span,
                            unsigned size)
{
    int *from = TF_ARENA_NEW(&g->arena, int, g->width *size);

    if (size == span)
        return wide;
    for (unsigned i = 0; i < g->width * size; i++)
        from[i] = (int)(i / size * span + i % size);
    return gang_permute(g, wide, NULL, from, g->width * size);
}

// Indices that the program has one by one, as a vector of `p->count` for each lane.
static LLVMValueRef interleave(struct gang *g, const struct tf_permutation *p)
{
    const unsigned all = p->count * g->width;
    int *spread = TF_ARENA_NEW(&g->arena, int, all);
    int *blend = TF_ARENA_NEW(&g->arena, int, all);
    LLVMValueRef made = LLVMGetPoison(LLVMVectorType(g->i32, all)), index;

    for (unsigned k = 0; k < p->count; k++) {
        index = LLVMBuildIntCast2(g->b, gang_vector(g, p->indices[k]),
                                  LLVMVectorType(g->i32, g->width), false, "");
        for (unsigned i = 0; i < all; i++) {
            spread[i] = (int)(i / p->count);
            blend[i] = (int)(i % p->count == k ? all + i : i);
        }
        index = gang_permute(g, index, NULL, spread, all);
        made = gang_permute(g, made, index, blend, all);
    }
    return made;
}

void gang_permutation(struct gang *g, struct tf_value *v)
{
    const struct tf_permuting by = {.module = LLVMGetGlobalParent(g->to),
                                    .b = g->b,
                                    .register_bits = g->plan->target.vector_bits};
    struct tf_permutation p = {0};
    LLVMValueRef index, made;
    unsigned span;

    (void)tf_permutation_of(v->instruction, &p);
    span = tf_permutation_span(&p);
    index = p.index ? gang_vector(g, p.index) : interleave(g, &p);
    made =
        tf_permute_segments(&by, lengthen(g, gang_vector(g, p.from), p.from_count, span),
                            lengthen(g, index, p.count, span), span);
    gang_define(g, v, NULL, shorten(g, made, span, p.count));
}
