// SPDX-License-Identifier: MIT
// Loads from small tables of constants as permutations of registers. An index that is out
// of range, in lanes that are not active or in a program that is not defined, takes any
// element.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/gang/value/gang_emit.h"
#include "compiler/workgroup/plan/permute.h"

// An index without a mask that keeps it in a table which fills registers: permutations
// take the bits they need.
static LLVMValueRef without_mask(const struct gang *g, const struct tf_table *t,
                                 LLVMValueRef index)
{
    LLVMValueRef mask;

    if (t->count !=
            (uint64_t)tf_permute_lanes(g->plan, t) * tf_permute_parts(g->plan, t) ||
        tf_permute_parts(g->plan, t) > 2 || t->first != 0 ||
        !LLVMIsABinaryOperator(index) || LLVMGetInstructionOpcode(index) != LLVMAnd ||
        !gang_is_at_hand(g, index))
        return index;
    mask = LLVMGetOperand(index, 1);
    return LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) == t->count - 1
               ? LLVMGetOperand(index, 0)
               : index;
}

LLVMValueRef gang_table_index(struct gang *g, const struct tf_table *t,
                              const struct tf_value *load, LLVMTypeRef type)
{
    const bool is_long = t->element_bytes > sizeof(uint32_t);
    LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);
    const uint64_t all = ~0ull >> (64 - LLVMGetIntTypeWidth(type));
    LLVMValueRef sum = gang_splat(g, LLVMConstInt(type, (uint64_t)t->first & all, false));

    for (; LLVMIsAInstruction(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        LLVMTypeRef from;

        if (!LLVMIsAGetElementPtrInst(pointer))
            continue;
        from = LLVMGetGEPSourceElementType(pointer);
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++) {
            LLVMValueRef index = LLVMGetOperand(pointer, i), lanes;
            uint64_t step;

            if (i > 1)
                from = LLVMGetElementType(from);
            if (LLVMIsAConstantInt(index))
                continue;
            step = LLVMABISizeOfType(g->shapes->layout, from) / t->element_bytes;
            if (is_long && step == 1)
                index = without_mask(g, t, index);
            lanes = LLVMBuildIntCast2(g->b, gang_vector(g, index),
                                      LLVMVectorType(type, g->width), true, "");
            lanes = LLVMBuildMul(g->b, lanes,
                                 gang_splat(g, LLVMConstInt(type, step, false)), "");
            sum = LLVMBuildAdd(g->b, sum, lanes, "");
        }
    }
    return sum;
}

// Elements from `start` on, as 32 bits each, or 64.
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

// Elements of 64 bits, out of one register or two: `last` is `first` or the next.
static LLVMValueRef permute_long(struct gang *g, const struct tf_table *t,
                                 LLVMValueRef index, unsigned first, unsigned last)
{
    const bool is_real = LLVMGetTypeKind(t->element) == LLVMDoubleTypeKind;
    const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(index));
    LLVMValueRef args[3];

    args[0] = part_of_table(g, t, first * lanes);
    args[1] = index;
    if (first == last)
        return gang_intrinsic(g,
                              is_real ? "llvm.x86.avx512.permvar.df.512"
                                      : "llvm.x86.avx512.permvar.di.512",
                              NULL, 0, args, 2);
    args[2] = part_of_table(g, t, last * lanes);
    return gang_intrinsic(g,
                          is_real ? "llvm.x86.avx512.vpermi2var.pd.512"
                                  : "llvm.x86.avx512.vpermi2var.q.512",
                          NULL, 0, args, 3);
}

static LLVMValueRef same_in_all(struct gang *g, LLVMTypeRef type, uint64_t n,
                                unsigned lanes)
{
    LLVMValueRef *all = TF_ARENA_NEW(&g->arena, LLVMValueRef, lanes);

    for (unsigned i = 0; i < lanes; i++)
        all[i] = LLVMConstInt(type, n, false);
    return LLVMConstVector(all, lanes);
}

// From the parts of the table with the numbers `first` up to `last`: as many lanes as one
// permutation has. `index` is any number.
static LLVMValueRef look_up(struct gang *g, const struct tf_table *t, LLVMValueRef index,
                            unsigned first, unsigned last)
{
    const bool is_long = t->element_bytes > sizeof(uint32_t);
    const unsigned lanes = tf_permute_lanes(g->plan, t);
    // Two parts that one operation serves begin with an even one: an index's bits say
    // which.
    const unsigned half = (first + last + 1) / 2,
                   middle = half + (is_long ? half % 2 : 0);
    const LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(index));
    LLVMValueRef low, high, bit;

    if (is_long && last - first <= 1)
        return permute_long(g, t, index, first, last);
    if (first == last) {
        index = LLVMBuildAnd(g->b, index, same_in_all(g, type, lanes - 1, lanes), "");
        return permute(g, part_of_table(g, t, first * lanes), index);
    }
    low = look_up(g, t, index, first, middle - 1);
    high = look_up(g, t, index, middle, last);
    bit = LLVMBuildICmp(g->b, LLVMIntUGE, index,
                        same_in_all(g, type, (uint64_t)middle * lanes, lanes), "");
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

LLVMValueRef gang_concatenate(struct gang *g, LLVMValueRef a, LLVMValueRef b)
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
        return gang_concatenate(g, look_up_lanes(g, t, index, start, half),
                                look_up_lanes(g, t, index, start + half, half));
    return cut(
        g,
        look_up(g, t, cut(g, index, start, lanes), 0, tf_permute_parts(g->plan, t) - 1),
        0, count);
}

void gang_table_load(struct gang *g, struct tf_value *load)
{
    struct tf_word_table words;
    struct tf_table t;
    LLVMTypeRef type;
    LLVMValueRef made;

    if (!tf_table_of(g->shapes, load, &t))
        return;
    if (tf_word_table_of(&t, &words)) {
        gang_word_table_load(g, load, &t, &words);
        return;
    }
    type = t.element_bytes > sizeof(uint32_t) ? g->i64 : g->i32;
    made = look_up_lanes(g, &t, gang_table_index(g, &t, load, type), 0, g->width);
    if (t.element_bytes < 4)
        made = LLVMBuildTrunc(g->b, made, LLVMVectorType(t.element, g->width), "");
    gang_define(g, load, NULL, made);
}
