// SPDX-License-Identifier: MIT
// Loads from small tables of constants as permutations of registers.
#include "compiler/workgroup/gang/table.h"

#include "compiler/workgroup/gang/gang_access.h"

enum {
    MIN_ELEMENTS = 2,
    MAX_ELEMENTS = 32,
    LANE_BITS = 32,     // of a permutation; smaller elements are extended
    PERMUTE_BITS = 256, // registers of processors that permute 32-bit elements freely
    MAX_DEPTH = 8,
};

// ---- tables

static LLVMTypeRef element_of(LLVMTypeRef type, uint64_t *count)
{
    *count = 1;
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        *count *= LLVMGetArrayLength2(type);
        type = LLVMGetElementType(type);
    }
    return type;
}

static bool is_element(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return true;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 8 || LLVMGetIntTypeWidth(type) == 16 ||
               LLVMGetIntTypeWidth(type) == 32;
    default:
        return false;
    }
}

bool tf_is_table(LLVMTargetDataRef layout, LLVMValueRef value)
{
    LLVMTypeRef type;
    uint64_t count;

    (void)layout;
    if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value) ||
        !LLVMGetInitializer(value))
        return false;
    type = LLVMGlobalGetValueType(value);
    return is_element(element_of(type, &count)) && count >= MIN_ELEMENTS &&
           count <= MAX_ELEMENTS;
}

// Element `at` of the array, counted through all its dimensions.
static LLVMValueRef element_at(LLVMValueRef array, uint64_t at)
{
    LLVMTypeRef type = LLVMTypeOf(array);

    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        uint64_t inner;

        type = LLVMGetElementType(type);
        element_of(type, &inner);
        array = LLVMGetAggregateElement(array, (unsigned)(at / inner));
        at %= inner;
        if (!array)
            return NULL;
    }
    return array;
}

static bool is_number(LLVMValueRef constant)
{
    return constant && (LLVMIsAConstantInt(constant) || LLVMIsAConstantFP(constant) ||
                        LLVMIsAUndefValue(constant) || LLVMIsNull(constant));
}

// ---- what can be loaded so

struct table {
    LLVMValueRef global;
    LLVMTypeRef element;
    uint64_t count, element_bytes;
    int64_t first; // the constant part of the index
};

// Adds an address to the constant part; false if it is no number of elements.
static bool add_address(const struct gang *g, LLVMValueRef gep, uint64_t each,
                        int64_t *bytes)
{
    const LLVMTargetDataRef layout = g->shapes.layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);

        if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return false;
        if (i > 1)
            type = LLVMGetElementType(type);
        if (LLVMABISizeOfType(layout, type) % each && !LLVMIsAConstantInt(index))
            return false;
        if (LLVMIsAConstantInt(index))
            *bytes += LLVMConstIntGetSExtValue(index) *
                      (int64_t)LLVMABISizeOfType(layout, type);
    }
    return true;
}

static bool find_table(const struct gang *g, const struct tf_value *load, struct table *t)
{
    const LLVMTypeRef type = LLVMTypeOf(load->instruction);
    LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);
    int64_t bytes = 0;

    t->element_bytes =
        LLVMTypeIsSized(type) ? LLVMABISizeOfType(g->shapes.layout, type) : 0;
    if (load->opcode != LLVMLoad || load->shape.kind != TF_SHAPE_VARYING ||
        gang_is_ordered(load->instruction) || t->element_bytes == 0)
        return false;
    for (unsigned depth = 0; LLVMIsAInstruction(pointer); depth++) {
        const struct tf_value *v = tf_shape_value(&g->shapes, pointer);
        const bool is_gep = LLVMIsAGetElementPtrInst(pointer) != NULL;

        // Its indices must be at hand.
        if (depth == MAX_DEPTH || (!is_gep && !LLVMIsAAddrSpaceCastInst(pointer)) ||
            v->block != load->block ||
            (is_gep && !add_address(g, pointer, t->element_bytes, &bytes)))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    if (!tf_is_table(g->shapes.layout, pointer) || bytes % (int64_t)t->element_bytes)
        return false;
    t->global = pointer;
    t->element = element_of(LLVMGlobalGetValueType(pointer), &t->count);
    t->first = bytes / (int64_t)t->element_bytes;
    for (uint64_t i = 0; i < t->count; i++) {
        if (!is_number(element_at(LLVMGetInitializer(pointer), i)))
            return false;
    }
    return t->element == type;
}

// Lanes of one permutation.
static unsigned lanes_of(const struct gang *g, const struct table *t)
{
    const unsigned most = g->wg->vector_bits / LANE_BITS;

    return most > 8 && t->count <= 8 && g->width <= 8 ? 8 : most;
}

static unsigned parts_of(const struct gang *g, const struct table *t)
{
    return ((unsigned)t->count + lanes_of(g, t) - 1) / lanes_of(g, t);
}

unsigned gang_table_operations(const struct gang *g, const struct tf_value *load)
{
    const unsigned most = g->wg->vector_bits / LANE_BITS;
    struct table t;

    if (g->wg->vector_bits < PERMUTE_BITS || !find_table(g, load, &t))
        return 0;
    return (2 * parts_of(g, &t) + 1) * ((g->width + most - 1) / most);
}

// ---- the code

static LLVMValueRef index_of(struct gang *g, const struct table *t,
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
            step = LLVMABISizeOfType(g->shapes.layout, type) / t->element_bytes;
            lanes = LLVMBuildIntCast2(g->b, gang_vector(g, index),
                                      LLVMVectorType(g->i32, g->width), true, "");
            lanes = LLVMBuildMul(g->b, lanes, gang_splat(g, gang_int(g, step)), "");
            sum = LLVMBuildAdd(g->b, sum, lanes, "");
        }
    }
    return sum;
}

// Elements from `start` on, as 32 bits each.
static LLVMValueRef part_of_table(struct gang *g, const struct table *t, unsigned start)
{
    const unsigned lanes = lanes_of(g, t);
    const bool is_small = t->element_bytes < 4;
    const LLVMTypeRef type = is_small ? g->i32 : t->element;
    LLVMValueRef *elements = TF_ARENA_NEW(&g->arena, LLVMValueRef, lanes);

    for (unsigned i = 0; i < lanes; i++) {
        const LLVMValueRef element =
            start + i < t->count ? element_at(LLVMGetInitializer(t->global), start + i)
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
static LLVMValueRef look_up(struct gang *g, const struct table *t, LLVMValueRef index,
                            unsigned first, unsigned last)
{
    const unsigned lanes = lanes_of(g, t), middle = (first + last + 1) / 2;
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

static LLVMValueRef join(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    const unsigned half = LLVMGetVectorSize(LLVMTypeOf(a));
    int *from = TF_ARENA_NEW(&g->arena, int, 2 * half);

    for (unsigned i = 0; i < 2 * half; i++)
        from[i] = (int)i;
    return gang_permute(g, a, b, from, 2 * half);
}

// Lanes `start` up to `start + count`.
static LLVMValueRef look_up_lanes(struct gang *g, const struct table *t,
                                  LLVMValueRef index, unsigned start, unsigned count)
{
    const unsigned lanes = lanes_of(g, t), half = count / 2;

    if (count > lanes)
        return join(g, look_up_lanes(g, t, index, start, half),
                    look_up_lanes(g, t, index, start + half, half));
    return cut(g, look_up(g, t, cut(g, index, start, lanes), 0, parts_of(g, t) - 1), 0,
               count);
}

bool gang_table_load(struct gang *g, struct tf_value *load)
{
    struct table t;
    LLVMValueRef made;

    if (!gang_table_operations(g, load) || !find_table(g, load, &t))
        return false;
    made = look_up_lanes(g, &t, index_of(g, &t, load), 0, g->width);
    if (t.element_bytes < 4)
        made = LLVMBuildTrunc(g->b, made, LLVMVectorType(t.element, g->width), "");
    gang_define(g, load, NULL, made);
    return true;
}
