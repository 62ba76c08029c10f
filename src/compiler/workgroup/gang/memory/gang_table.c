// SPDX-License-Identifier: MIT
// Loads from small tables of constants as permutations of registers. An index that is out
// of range, in lanes that are not active or in a program that is not defined, takes any
// element.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/gang/value/gang_emit.h"
#include "compiler/workgroup/plan/permute.h"

static LLVMValueRef index_of(struct gang *g, const struct tf_table *t,
                             const struct tf_value *load)
{
    LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);
    LLVMValueRef sum = gang_splat(g, gang_int(g, (uint32_t)t->first));

    for (; LLVMIsAInstruction(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        LLVMTypeRef type;

        if (!LLVMIsAGetElementPtrInst(pointer))
            continue;
        type = LLVMGetGEPSourceElementType(pointer);
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++) {
            const LLVMValueRef index = LLVMGetOperand(pointer, i);
            LLVMValueRef lanes;
            uint64_t step;

            if (i > 1)
                type = LLVMGetElementType(type);
            if (LLVMIsAConstantInt(index))
                continue;
            step = LLVMABISizeOfType(g->shapes->layout, type) / t->element_bytes;
            lanes = LLVMBuildIntCast2(g->b, gang_vector(g, index),
                                      LLVMVectorType(g->i32, g->width), true, "");
            lanes = LLVMBuildMul(g->b, lanes, gang_splat(g, gang_int(g, step)), "");
            sum = LLVMBuildAdd(g->b, sum, lanes, "");
        }
    }
    return sum;
}

// Elements from `start` on, as 32 bits each.
static LLVMValueRef part_of_table(struct gang *g, const struct tf_table *t,
                                  unsigned start)
{
    const unsigned lanes = tf_permute_lanes(g->plan, t);
    const bool is_small = t->element_bytes < 4;
    const LLVMTypeRef type = is_small ? g->i32 : t->element;
    LLVMValueRef *elements = TF_ARENA_NEW(&g->arena, LLVMValueRef, lanes);

    for (unsigned i = 0; i < lanes; i++) {
        const LLVMValueRef element = start + i < t->count ? tf_table_element(t, start + i)
                                                          : LLVMConstNull(t->element);

        elements[i] = !LLVMIsAConstantInt(element) && !LLVMIsAConstantFP(element)
                          ? LLVMConstNull(type)
                      : is_small ? gang_int(g, LLVMConstIntGetZExtValue(element))
                                 : element;
    }
    return LLVMConstVector(elements, lanes);
}

// The form that the code generator makes one permutation of.
static LLVMValueRef permute(struct gang *g, LLVMValueRef from, LLVMValueRef index)
{
    const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(from));
    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(from));

    for (unsigned i = 0; i < lanes; i++) {
        const LLVMValueRef at = LLVMBuildExtractElement(g->b, index, gang_int(g, i), "");

        result = LLVMBuildInsertElement(g->b, result,
                                        LLVMBuildExtractElement(g->b, from, at, ""),
                                        gang_int(g, i), "");
    }
    return result;
}

static LLVMValueRef same_in_all(struct gang *g, uint64_t n, unsigned lanes)
{
    LLVMValueRef *all = TF_ARENA_NEW(&g->arena, LLVMValueRef, lanes);

    for (unsigned i = 0; i < lanes; i++)
        all[i] = gang_int(g, n);
    return LLVMConstVector(all, lanes);
}

// From the parts of the table with the numbers `first` up to `last`: as many lanes as one
// permutation has. `index` is any number.
static LLVMValueRef look_up(struct gang *g, const struct tf_table *t, LLVMValueRef index,
                            unsigned first, unsigned last)
{
    const unsigned lanes = tf_permute_lanes(g->plan, t), middle = (first + last + 1) / 2;
    LLVMValueRef low, high, bit;

    if (first == last) {
        index = LLVMBuildAnd(g->b, index, same_in_all(g, lanes - 1, lanes), "");
        return permute(g, part_of_table(g, t, first * lanes), index);
    }
    low = look_up(g, t, index, first, middle - 1);
    high = look_up(g, t, index, middle, last);
    bit = LLVMBuildICmp(g->b, LLVMIntUGE, index,
                        same_in_all(g, (uint64_t)middle * lanes, lanes), "");
    return LLVMBuildSelect(g->b, bit, high, low, "");
}

// `count` lanes of a vector, from `start` on; lanes past its end are any of it.
static LLVMValueRef cut(struct gang *g, LLVMValueRef vector, unsigned start,
                        unsigned count)
{
    const unsigned have = LLVMGetVectorSize(LLVMTypeOf(vector));
    int *from = TF_ARENA_NEW(&g->arena, int, count);

    for (unsigned i = 0; i < count; i++)
        from[i] = (int)((start + i) % have);
    return gang_permute(g, vector, NULL, from, count);
}

static LLVMValueRef concatenate(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    const unsigned half = LLVMGetVectorSize(LLVMTypeOf(a));
    int *from = TF_ARENA_NEW(&g->arena, int, 2 * half);

    for (unsigned i = 0; i < 2 * half; i++)
        from[i] = (int)i;
    return gang_permute(g, a, b, from, 2 * half);
}

// Lanes `start` up to `start + count`.
static LLVMValueRef look_up_lanes(struct gang *g, const struct tf_table *t,
                                  LLVMValueRef index, unsigned start, unsigned count)
{
    const unsigned lanes = tf_permute_lanes(g->plan, t), half = count / 2;

    if (count > lanes)
        return concatenate(g, look_up_lanes(g, t, index, start, half),
                           look_up_lanes(g, t, index, start + half, half));
    return cut(
        g,
        look_up(g, t, cut(g, index, start, lanes), 0, tf_permute_parts(g->plan, t) - 1),
        0, count);
}

void gang_table_load(struct gang *g, struct tf_value *load)
{
    struct tf_table t;
    LLVMValueRef made;

    if (!tf_table_of(g->shapes, load, &t))
        return;
    made = look_up_lanes(g, &t, index_of(g, &t, load), 0, g->width);
    if (t.element_bytes < 4)
        made = LLVMBuildTrunc(g->b, made, LLVMVectorType(t.element, g->width), "");
    gang_define(g, load, NULL, made);
}
