// SPDX-License-Identifier: MIT
#include "compiler/ir/vector/high_product.h"

#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

static LLVMValueRef take_factor(struct gang *g, const struct tf_factor *factor)
{
    return LLVMBuildTrunc(g->b, gang_vector(g, factor->wide), gang_type(g, g->i64), "");
}

void gang_high_product(struct gang *g, struct tf_value *v)
{
    const LLVMTypeRef type = gang_type(g, LLVMTypeOf(v->instruction));
    struct tf_high_product product;
    LLVMValueRef factors[2];

    (void)tf_high_product_of(v->instruction, &product);
    for (unsigned i = 0; i < 2; i++)
        factors[i] = take_factor(g, &product.factors[i]);
    gang_define(g, v, NULL, tf_high_product_build(g->b, factors, &product, type));
}
