// SPDX-License-Identifier: MIT
// Elements of the program's vectors, which lie lane after lane in one long vector.
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

static unsigned elements(LLVMValueRef vector)
{
    return LLVMGetVectorSize(LLVMTypeOf(vector));
}

static unsigned constant(LLVMValueRef index)
{
    return (unsigned)LLVMConstIntGetZExtValue(index);
}

static void extract(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef vector = LLVMGetOperand(v->instruction, 0);
    const unsigned size = elements(vector);
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);
    const unsigned at = constant(LLVMGetOperand(v->instruction, 1));

    for (unsigned i = 0; i < g->width; i++)
        from[i] = (int)(i * size + at);
    gang_define(g, v, NULL,
                gang_permute(g, gang_vector(g, vector), NULL, from, g->width));
}

static void insert(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef vector = LLVMGetOperand(v->instruction, 0);
    const LLVMValueRef element = LLVMGetOperand(v->instruction, 1);
    const unsigned size = elements(vector), count = size * g->width;
    int *from = TF_ARENA_NEW(&g->arena, int, count);
    LLVMValueRef wide;
    const unsigned at = constant(LLVMGetOperand(v->instruction, 2));

    for (unsigned i = 0; i < count; i++)
        from[i] = (int)(i / size);
    wide = gang_permute(g, gang_vector(g, element), NULL, from, count);
    for (unsigned i = 0; i < count; i++)
        from[i] = (int)(i % size == at ? count + i : i);
    gang_define(g, v, NULL, gang_permute(g, gang_vector(g, vector), wide, from, count));
}

void gang_element(struct gang *g, struct tf_value *v)
{
    if (v->opcode == LLVMExtractElement)
        extract(g, v);
    else
        insert(g, v);
}

void gang_shuffle(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef a = LLVMGetOperand(v->instruction, 0);
    const LLVMValueRef b = LLVMGetOperand(v->instruction, 1);
    const unsigned size = elements(a), made = LLVMGetNumMaskElements(v->instruction);
    int *from = TF_ARENA_NEW(&g->arena, int, made * g->width);
    const bool one = LLVMIsUndef(b);

    for (unsigned lane = 0; lane < g->width; lane++) {
        for (unsigned i = 0; i < made; i++) {
            const int at = LLVMGetMaskValue(v->instruction, i);
            int *to = &from[lane * made + i];

            if (at < 0 || (one && at >= (int)size))
                *to = -1;
            else if (at < (int)size)
                *to = (int)(lane * size) + at;
            else
                *to = (int)(g->width * size + lane * size) + at - (int)size;
        }
    }
    gang_define(g, v, NULL,
                gang_permute(g, gang_vector(g, a), one ? NULL : gang_vector(g, b), from,
                             made * g->width));
}
