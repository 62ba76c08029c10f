// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/operation/table.h"

#include "compiler/workgroup/analysis/access.h"

enum {
    MIN_ELEMENTS = 2,
    MAX_ELEMENTS = 32,
    MAX_SMALL_BYTES = 256, // of elements of 8 and 16 bits
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
    case LLVMDoubleTypeKind:
        return true;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 8 || LLVMGetIntTypeWidth(type) == 16 ||
               LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64;
    default:
        return false;
    }
}

// Of an element of 8 or 16 bits; 0: it is larger.
static uint64_t bytes_of_small(LLVMTypeRef type)
{
    const unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind
                              ? LLVMGetIntTypeWidth(type)
                              : MAX_SMALL_BYTES;

    return bits <= 16 ? bits / 8 : 0;
}

bool tf_is_table(LLVMValueRef value)
{
    LLVMTypeRef type;
    uint64_t count;

    if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value) ||
        !LLVMGetInitializer(value))
        return false;
    type = LLVMGlobalGetValueType(value);
    type = element_of(type, &count);
    return is_element(type) && count >= MIN_ELEMENTS &&
           (count <= MAX_ELEMENTS || count * bytes_of_small(type) - 1 < MAX_SMALL_BYTES);
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

static bool has_numbers(const struct tf_table *t)
{
    const LLVMValueRef all = LLVMGetInitializer(t->global);

    if (LLVMIsAConstantDataArray(all))
        return true;
    for (uint64_t i = 0; i < t->count; i++) {
        if (!is_number(element_at(all, i)))
            return false;
    }
    return true;
}

// ---- what can be loaded so

// Adds an address to the constant part; false if it is no number of elements.
static bool add_address(const struct tf_shapes *s, LLVMValueRef gep, uint64_t each,
                        int64_t *bytes)
{
    const LLVMTargetDataRef layout = s->layout;
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

bool tf_table_of(const struct tf_shapes *s, const struct tf_value *load,
                 struct tf_table *t)
{
    const LLVMTypeRef type = LLVMTypeOf(load->instruction);
    LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);
    int64_t bytes = 0;

    t->element_bytes = LLVMTypeIsSized(type) ? LLVMABISizeOfType(s->layout, type) : 0;
    if (load->opcode != LLVMLoad || load->shape.kind != TF_SHAPE_VARYING ||
        tf_access_is_ordered(load->instruction) || t->element_bytes == 0)
        return false;
    for (unsigned depth = 0; LLVMIsAInstruction(pointer); depth++) {
        const struct tf_value *v = tf_shape_value(s, pointer);
        const bool is_gep = LLVMIsAGetElementPtrInst(pointer) != NULL;

        // Its indices must be at hand.
        if (depth == MAX_DEPTH || (!is_gep && !LLVMIsAAddrSpaceCastInst(pointer)) ||
            v->block != load->block ||
            (is_gep && !add_address(s, pointer, t->element_bytes, &bytes)))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    if (!tf_is_table(pointer) || bytes % (int64_t)t->element_bytes)
        return false;
    t->global = pointer;
    t->element = element_of(LLVMGlobalGetValueType(pointer), &t->count);
    t->first = bytes / (int64_t)t->element_bytes;
    return t->element == type && has_numbers(t);
}

LLVMValueRef tf_table_element(const struct tf_table *table, uint64_t at)
{
    return element_at(LLVMGetInitializer(table->global), at);
}
