// SPDX-License-Identifier: MIT
// The same in 16 bits, and extensions for those who read more. What was promised of wide
// arithmetic (no overflow, no bits lost) is not said again of the narrow one.
#include <stddef.h>
#include <string.h>

#include "compiler/ir/vector/vector_parts.h"
#include "compiler/workgroup/prepare/narrow/narrow_parts.h"

static LLVMTypeRef narrow_type(LLVMTypeRef wide)
{
    const LLVMTypeRef i16 = LLVMInt16TypeInContext(LLVMGetTypeContext(wide));

    return LLVMGetTypeKind(wide) == LLVMVectorTypeKind
               ? LLVMVectorType(i16, LLVMGetVectorSize(wide))
               : i16;
}

// Constants, and what all lanes share, are cut.
static LLVMValueRef narrowed(const struct tf_narrow *n, LLVMValueRef value)
{
    const struct tf_narrow_value *const v = tf_narrow_value(n, value);

    return v && v->made ? v->made
                        : LLVMBuildTrunc(n->b, value, narrow_type(LLVMTypeOf(value)), "");
}

static LLVMValueRef make_leaf(const struct tf_narrow *n, LLVMValueRef leaf)
{
    const LLVMValueRef from = LLVMGetOperand(leaf, 0);
    const LLVMTypeRef type = narrow_type(LLVMTypeOf(leaf));

    return LLVMTypeOf(from) == type
               ? from
               : LLVMBuildCast(n->b, LLVMGetInstructionOpcode(leaf), from, type, "");
}

// ---- operations

static const char *name_of(enum tf_interval_call what, bool has_sign)
{
    switch (what) {
    case TF_INTERVAL_SMIN:
    case TF_INTERVAL_UMIN:
        return has_sign ? "llvm.smin" : "llvm.umin";
    case TF_INTERVAL_SMAX:
    case TF_INTERVAL_UMAX:
        return has_sign ? "llvm.smax" : "llvm.umax";
    case TF_INTERVAL_USUB_SAT:
        return "llvm.usub.sat";
    case TF_INTERVAL_ABS:
    case TF_INTERVAL_NO_CALL:
    default:
        return "llvm.abs";
    }
}

static LLVMValueRef make_call(const struct tf_narrow *n, LLVMValueRef call,
                              const LLVMValueRef *of)
{
    const enum tf_interval_call what = tf_interval_call(call);
    const char *const name = name_of(what, tf_narrow_has_sign(n, call));
    const LLVMTypeRef i1 = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
    LLVMTypeRef types[] = {LLVMTypeOf(of[0])};
    const LLVMValueRef fn =
        LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(n->facts->of.fn),
                                    LLVMLookupIntrinsicID(name, strlen(name)), types, 1);
    LLVMValueRef args[] = {of[0],
                           what == TF_INTERVAL_ABS ? LLVMConstInt(i1, 0, false) : of[1]};

    return LLVMBuildCall2(n->b, LLVMGlobalGetValueType(fn), fn, args, 2, "");
}

// SSE2 has comparisons with signs alone, as it has minima.
static LLVMIntPredicate predicate(LLVMIntPredicate p, bool has_sign)
{
    switch ((int)p) {
    case LLVMIntUGT:
    case LLVMIntSGT:
        return has_sign ? LLVMIntSGT : LLVMIntUGT;
    case LLVMIntUGE:
    case LLVMIntSGE:
        return has_sign ? LLVMIntSGE : LLVMIntUGE;
    case LLVMIntULT:
    case LLVMIntSLT:
        return has_sign ? LLVMIntSLT : LLVMIntULT;
    case LLVMIntULE:
    case LLVMIntSLE:
        return has_sign ? LLVMIntSLE : LLVMIntULE;
    default:
        return p;
    }
}

static LLVMValueRef number(LLVMTypeRef type, uint64_t n)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? tf_vector_of(type, n)
                                                       : LLVMConstInt(type, n, false);
}

// Whether a quotient of numbers of so many bits by `d` is the high half of a product of
// 16 bits, shifted (Granlund and Montgomery 1994): of all 16, it often takes more.
static bool is_product(int64_t d, unsigned bits)
{
    for (unsigned k = TF_NARROW_BITS; k < 2 * TF_NARROW_BITS; k++) {
        const int64_t power = (int64_t)1 << k, factor = power / d + 1;

        if (factor <= UINT16_MAX && ((factor * d - power) << bits) <= power)
            return true;
    }
    return false;
}

// A mask that changes nothing tells LLVM how few bits there are.
static LLVMValueRef dividend(const struct tf_narrow *n, LLVMValueRef division)
{
    const LLVMValueRef whole = LLVMGetOperand(division, 0);
    const int64_t most = tf_narrow_range(n, whole).high;
    const int64_t d = tf_narrow_range(n, LLVMGetOperand(division, 1)).low;
    const LLVMValueRef made = narrowed(n, whole);
    unsigned bits = 1;

    while (((int64_t)1 << bits) <= most)
        bits++;
    if (bits >= TF_NARROW_BITS || !(d & (d - 1)) || is_product(d, TF_NARROW_BITS) ||
        !is_product(d, bits))
        return made;
    return LLVMBuildAnd(n->b, made, number(LLVMTypeOf(made), ((uint64_t)1 << bits) - 1),
                        "");
}

// The operation for numbers without sign does for those that have none.
static LLVMOpcode opcode_of(const struct tf_narrow *n, LLVMValueRef i)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

    if (tf_narrow_range(n, LLVMGetOperand(i, 0)).low < 0)
        return opcode;
    switch ((int)opcode) {
    case LLVMAShr:
        return LLVMLShr;
    case LLVMSDiv:
        return LLVMUDiv;
    case LLVMSRem:
        return LLVMURem;
    default:
        return opcode;
    }
}

static LLVMValueRef make_binary(const struct tf_narrow *n, LLVMValueRef i)
{
    const LLVMOpcode opcode = opcode_of(n, i);
    const LLVMValueRef first = opcode == LLVMUDiv || opcode == LLVMURem
                                   ? dividend(n, i)
                                   : narrowed(n, LLVMGetOperand(i, 0));

    return LLVMBuildBinOp(n->b, opcode, first, narrowed(n, LLVMGetOperand(i, 1)), "");
}

static LLVMValueRef make(const struct tf_narrow *n, LLVMValueRef i)
{
    const unsigned first = tf_narrow_first(i);
    LLVMValueRef of[2] = {0};

    if (LLVMIsABinaryOperator(i))
        return make_binary(n, i);
    for (unsigned k = 0; k < tf_narrow_count(i); k++)
        of[k] = narrowed(n, LLVMGetOperand(i, first + k));
    if (LLVMIsASelectInst(i))
        return LLVMBuildSelect(n->b, LLVMGetOperand(i, 0), of[0], of[1], "");
    if (LLVMIsAICmpInst(i))
        return LLVMBuildICmp(n->b,
                             predicate(LLVMGetICmpPredicate(i), tf_narrow_has_sign(n, i)),
                             of[0], of[1], "");
    return make_call(n, i, of);
}

// ---- those who read results

static LLVMValueRef cut(const struct tf_narrow *n, LLVMValueRef made, LLVMTypeRef type)
{
    return LLVMTypeOf(made) == type ? made : LLVMBuildTrunc(n->b, made, type, "");
}

static LLVMValueRef widened(const struct tf_narrow *n, const struct tf_narrow_value *v,
                            LLVMTypeRef type)
{
    return tf_interval_fits_unsigned(v->range) ? LLVMBuildZExt(n->b, v->made, type, "")
                                               : LLVMBuildSExt(n->b, v->made, type, "");
}

// Cuts stay where they are, unread, until all is written: others may have been made of
// them.
static void serve(const struct tf_narrow *n, LLVMValueRef i,
                  const struct tf_narrow_value *v)
{
    bool is_read = false;

    LLVMPositionBuilderBefore(n->b, i);
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);
        const struct tf_narrow_value *const other = tf_narrow_value(n, user);

        if (tf_narrow_is_cut(user))
            LLVMReplaceAllUsesWith(user, cut(n, v->made, LLVMTypeOf(user)));
        else if (!tf_narrow_is_operation(other) || !other->made)
            is_read = true;
    }
    if (v->role == TF_NARROW_COMPARISON)
        LLVMReplaceAllUsesWith(i, v->made);
    else if (is_read)
        LLVMReplaceAllUsesWith(i, widened(n, v, LLVMTypeOf(i)));
}

static void erase(const struct tf_narrow *n, unsigned at)
{
    const LLVMValueRef i = n->shapes->values[at].instruction;
    const bool is_done = n->values[at].made || tf_narrow_is_cut(i);

    if (is_done && !LLVMGetFirstUse(i))
        LLVMInstructionEraseFromParent(i);
}

void tf_narrow_emit(struct tf_narrow *n)
{
    const unsigned count = n->shapes->value_count;

    for (unsigned i = 0; i < count; i++) {
        struct tf_narrow_value *const v = &n->values[i];
        const LLVMValueRef instruction = n->shapes->values[i].instruction;

        if (v->role == TF_NARROW_OTHER || !tf_narrow_pays(n, i))
            continue;
        LLVMPositionBuilderBefore(n->b, instruction);
        v->made =
            v->role == TF_NARROW_LEAF ? make_leaf(n, instruction) : make(n, instruction);
    }
    for (unsigned i = 0; i < count; i++) {
        if (n->values[i].made && n->values[i].role != TF_NARROW_LEAF)
            serve(n, n->shapes->values[i].instruction, &n->values[i]);
    }
    for (unsigned i = count; i-- > 0;)
        erase(n, i);
}
