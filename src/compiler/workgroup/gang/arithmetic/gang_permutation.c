// SPDX-License-Identifier: MIT
// Vectors of the program whose elements are taken out of others at indices of the run.
// They lie lane after lane, so that a register holds some lanes' vectors as a whole, and
// permutes each of them by itself.
#include "compiler/ir/vector/permutation.h"

#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

// Vectors of `have` elements, lane after lane, as vectors of `want`: what is new is
// anything.
static LLVMValueRef resize(struct gang *g, LLVMValueRef wide, unsigned have,
                           unsigned want)
{
    int *from = TF_ARENA_NEW(&g->arena, int, g->width *want);

    if (have == want)
        return wide;
    for (unsigned i = 0; i < g->width * want; i++)
        from[i] = i % want < have ? (int)(i / want * have + i % want) : -1;
    return gang_permute(g, wide, NULL, from, g->width * want);
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
    made = tf_permute_segments(&by, resize(g, gang_vector(g, p.from), p.from_count, span),
                               resize(g, index, p.count, span), span);
    gang_define(g, v, NULL, resize(g, made, span, p.count));
}
