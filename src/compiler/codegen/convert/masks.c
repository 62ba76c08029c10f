// SPDX-License-Identifier: MIT
// With AVX2 a mask is what a comparison leaves: all bits of each element. LLVM looks at
// one block at a time, and takes masks from block to block as bytes, or words, where
// there are more lanes than a register has floats: each block, and each round of a loop,
// makes narrow ones of wide ones and wide ones again, in some ten operations. Here what
// goes from block to block is as wide as the comparison left it: of 32 bits a lane. Where
// it is wanted, its sign is asked for, which blends and masked accesses go by anyway.
// (Before AVX, without them, that is an operation more: collatz took 0.86 of its time so,
// transform_float4 1.18.)
#include "compiler/codegen/convert/masks.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/job/arena.h"

enum {
    LANE_BITS = 32,
    LEAST_BITS = 128, // of the vector: fewer are one register of LLVM's as well
    MOST_REGISTERS = 4,
};

struct mask {
    LLVMValueRef narrow, wide;
};

struct masks {
    struct tf_arena arena;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    unsigned most_lanes;
    struct tf_map numbers; // of masks
    struct mask *masks;
    unsigned count;
};

static bool is_mask(const struct masks *m, LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetElementType(type) != LLVMInt1TypeInContext(LLVMGetTypeContext(type)))
        return false;
    return LLVMGetVectorSize(type) * LANE_BITS > LEAST_BITS &&
           LLVMGetVectorSize(type) <= m->most_lanes;
}

static bool is_phi(LLVMValueRef value)
{
    return LLVMIsAPHINode(value) != NULL;
}

static bool goes_on(LLVMValueRef mask)
{
    const LLVMBasicBlockRef block = LLVMGetInstructionParent(mask);

    for (LLVMUseRef u = LLVMGetFirstUse(mask); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (is_phi(user) || LLVMGetInstructionParent(user) != block)
            return true;
    }
    return false;
}

// Whether a mask is made of others lane by lane.
static bool is_logic(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return false;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
    case LLVMFreeze:
        return true;
    default:
        return false;
    }
}

static bool is_all_ones(LLVMValueRef constant)
{
    return LLVMConstAllOnes(LLVMTypeOf(constant)) == constant;
}

static LLVMTypeRef wide_type(LLVMValueRef mask)
{
    const LLVMTypeRef type = LLVMTypeOf(mask);

    return LLVMVectorType(LLVMIntTypeInContext(LLVMGetTypeContext(type), LANE_BITS),
                          LLVMGetVectorSize(type));
}

static void add(struct masks *m, LLVMValueRef mask)
{
    tf_map_put(&m->numbers, mask, m->count);
    m->masks[m->count++].narrow = mask;
}

// Those that go on, and all that these are made of in their block by logic.
static void find(struct masks *m, LLVMValueRef function)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        count += is_mask(m, i);
    }
    m->masks = TF_ARENA_NEW(&m->arena, struct mask, count + 1);
    m->numbers.arena = &m->arena;
    tf_map_reserve(&m->numbers, count + 1);
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (is_mask(m, i) && (is_phi(i) || goes_on(i)))
            add(m, i);
    }
    for (unsigned k = 0; k < m->count; k++) {
        const LLVMValueRef mask = m->masks[k].narrow;

        for (int i = 0; is_logic(mask) && i < LLVMGetNumOperands(mask); i++) {
            const LLVMValueRef operand = LLVMGetOperand(mask, (unsigned)i);

            if (is_logic(operand) && is_mask(m, operand) &&
                tf_map_get(&m->numbers, operand) == TF_MAP_NONE)
                add(m, operand);
        }
    }
}

static LLVMValueRef wide_of(struct masks *m, LLVMValueRef mask);

static LLVMValueRef wide_operand(struct masks *m, LLVMValueRef mask, unsigned at)
{
    return wide_of(m, LLVMGetOperand(mask, at));
}

// One mask where another one is set, or wherever it is not, which LLVM says as a choice.
static LLVMValueRef wide_choice(struct masks *m, LLVMValueRef choice)
{
    const LLVMValueRef which = LLVMGetOperand(choice, 0);
    const LLVMValueRef yes = wide_operand(m, choice, 1);
    const LLVMValueRef no = wide_operand(m, choice, 2);
    const bool is_and = LLVMIsNull(no), is_or = LLVMIsConstant(yes) && is_all_ones(yes);
    LLVMValueRef wide;

    if (LLVMGetTypeKind(LLVMTypeOf(which)) != LLVMVectorTypeKind || !(is_and || is_or)) {
        LLVMPositionBuilderBefore(m->b, choice);
        return LLVMBuildSelect(m->b, which, yes, no, "");
    }
    wide = wide_of(m, which);
    LLVMPositionBuilderBefore(m->b, choice);
    return is_and ? LLVMBuildAnd(m->b, wide, LLVMBuildFreeze(m->b, yes, ""), "")
                  : LLVMBuildOr(m->b, wide, LLVMBuildFreeze(m->b, no, ""), "");
}

// The same logic of wide masks.
static LLVMValueRef wide_logic(struct masks *m, LLVMValueRef mask)
{
    LLVMValueRef a, b;

    if (LLVMGetInstructionOpcode(mask) == LLVMSelect)
        return wide_choice(m, mask);
    a = wide_operand(m, mask, 0);
    if (LLVMGetInstructionOpcode(mask) == LLVMFreeze) {
        LLVMPositionBuilderBefore(m->b, mask);
        return LLVMBuildFreeze(m->b, a, "");
    }
    b = wide_operand(m, mask, 1);
    LLVMPositionBuilderBefore(m->b, mask);
    return LLVMBuildBinOp(m->b, LLVMGetInstructionOpcode(mask), a, b, "");
}

// A comparison, say: it is made wide where it is.
static LLVMValueRef extend(struct masks *m, LLVMValueRef mask)
{
    LLVMValueRef next =
        LLVMIsAInstruction(mask)
            ? LLVMGetNextInstruction(mask)
            : LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetParamParent(mask)));

    while (is_phi(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(m->b, next);
    return LLVMBuildSExt(m->b, mask, wide_type(mask), "");
}

static LLVMValueRef make_wide(struct masks *m, LLVMValueRef mask)
{
    if (is_phi(mask)) { // what comes in is added later
        LLVMPositionBuilderBefore(m->b, mask);
        return LLVMBuildPhi(m->b, wide_type(mask), "");
    }
    if (is_logic(mask))
        return wide_logic(m, mask);
    return extend(m, mask);
}

static LLVMValueRef wide_of(struct masks *m, LLVMValueRef mask)
{
    unsigned number;

    if (LLVMIsAConstant(mask))
        return LLVMBuildSExt(m->b, mask, wide_type(mask), "");
    number = tf_map_get(&m->numbers, mask);
    if (number == TF_MAP_NONE)
        return extend(m, mask);
    if (!m->masks[number].wide)
        m->masks[number].wide = make_wide(m, mask);
    return m->masks[number].wide;
}

static void fill_phi(struct masks *m, const struct mask *phi)
{
    const unsigned count = LLVMCountIncoming(phi->narrow);

    for (unsigned k = 0; k < count; k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi->narrow, k);
        LLVMValueRef value = wide_of(m, LLVMGetIncomingValue(phi->narrow, k));

        LLVMAddIncoming(phi->wide, &value, &from, 1);
    }
}

// Whether nothing of it is left: others take its wide form.
static bool vanishes(const struct masks *m, LLVMValueRef value)
{
    return (is_phi(value) || is_logic(value)) &&
           tf_map_get(&m->numbers, value) != TF_MAP_NONE;
}

static bool is_question(LLVMValueRef value)
{
    const LLVMValueRef with = LLVMIsAICmpInst(value) ? LLVMGetOperand(value, 1) : NULL;

    return with && LLVMIsConstant(with) &&
           (LLVMGetICmpPredicate(value) == LLVMIntEQ ||
            LLVMGetICmpPredicate(value) == LLVMIntNE) &&
           (LLVMIsNull(with) || is_all_ones(with));
}

// Whether it is the mask as a number, of which is only asked whether any, or all, of its
// bits are set.
static bool is_count(LLVMValueRef value)
{
    if (!LLVMIsABitCastInst(value) ||
        LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        if (!is_question(LLVMGetUser(u)))
            return false;
    }
    return true;
}

static LLVMValueRef fold(struct masks *m, const char *name, LLVMValueRef wide)
{
    LLVMTypeRef type = LLVMTypeOf(wide);
    const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(
        m->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);

    return LLVMBuildCall2(m->b, LLVMGlobalGetValueType(fn), fn, &wide, 1, "");
}

// Asks the wide mask whether any, or all, lanes are set.
static void ask_at_once(struct masks *m, const struct mask *mask, LLVMValueRef number)
{
    while (LLVMGetFirstUse(number)) {
        const LLVMValueRef question = LLVMGetUser(LLVMGetFirstUse(number));
        const bool any = LLVMIsNull(LLVMGetOperand(question, 1));
        LLVMValueRef folded;

        LLVMPositionBuilderBefore(m->b, question);
        folded =
            fold(m, any ? "llvm.vector.reduce.or" : "llvm.vector.reduce.and", mask->wide);
        LLVMReplaceAllUsesWith(question,
                               LLVMBuildICmp(m->b, LLVMGetICmpPredicate(question), folded,
                                             any ? LLVMConstNull(LLVMTypeOf(folded))
                                                 : LLVMConstAllOnes(LLVMTypeOf(folded)),
                                             ""));
        LLVMInstructionEraseFromParent(question);
    }
}

// Asks for the signs of the wide mask where `user` wants the mask.
static void ask_for_signs(struct masks *m, const struct mask *mask, LLVMValueRef user)
{
    LLVMValueRef signs;

    LLVMPositionBuilderBefore(m->b, user);
    signs = LLVMBuildICmp(m->b, LLVMIntSLT, mask->wide,
                          LLVMConstNull(LLVMTypeOf(mask->wide)), "");
    for (int i = 0; i < LLVMGetNumOperands(user); i++) {
        if (LLVMGetOperand(user, (unsigned)i) == mask->narrow)
            LLVMSetOperand(user, (unsigned)i, signs);
    }
}

static void settle_users(struct masks *m, const struct mask *mask)
{
    const LLVMBasicBlockRef block = LLVMGetInstructionParent(mask->narrow);
    const bool stays = !vanishes(m, mask->narrow);
    LLVMUseRef next;

    for (LLVMUseRef u = LLVMGetFirstUse(mask->narrow); u; u = next) {
        const LLVMValueRef user = LLVMGetUser(u);

        next = LLVMGetNextUse(u);
        while (next && LLVMGetUser(next) == user)
            next = LLVMGetNextUse(next);
        if (vanishes(m, user) || (stays && LLVMGetInstructionParent(user) == block))
            continue;
        if (is_count(user))
            ask_at_once(m, mask, user);
        else
            ask_for_signs(m, mask, user);
    }
}

static void settle(LLVMValueRef function, LLVMBuilderRef b, unsigned most_lanes)
{
    struct masks m = {
        .module = LLVMGetGlobalParent(function), .b = b, .most_lanes = most_lanes};

    find(&m, function);
    for (unsigned k = 0; k < m.count; k++)
        (void)wide_of(&m, m.masks[k].narrow);
    for (unsigned k = 0; k < m.count; k++) {
        if (is_phi(m.masks[k].narrow))
            fill_phi(&m, &m.masks[k]);
    }
    for (unsigned k = 0; k < m.count; k++)
        settle_users(&m, &m.masks[k]);
    for (unsigned k = 0; k < m.count; k++) {
        const LLVMValueRef narrow = m.masks[k].narrow;

        if (vanishes(&m, narrow))
            LLVMReplaceAllUsesWith(narrow, LLVMGetPoison(LLVMTypeOf(narrow)));
    }
    for (unsigned k = 0; k < m.count; k++) {
        if (vanishes(&m, m.masks[k].narrow))
            LLVMInstructionEraseFromParent(m.masks[k].narrow);
    }
    tf_arena_finish(&m.arena);
}

void tf_masks_settle(LLVMModuleRef module, unsigned vector_bits)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f))
            settle(f, b, MOST_REGISTERS * vector_bits / LANE_BITS);
    }
    LLVMDisposeBuilder(b);
}
