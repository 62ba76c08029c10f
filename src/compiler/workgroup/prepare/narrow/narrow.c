// SPDX-License-Identifier: MIT
// Which values, and whether that pays.
#include "compiler/workgroup/prepare/narrow/narrow.h"

#include <stddef.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/operation/divisor.h"
#include "compiler/workgroup/prepare/narrow/narrow_parts.h"

enum {
    DIVISION = 4,      // operations that one by a constant takes beside others
    MOST_WEIGHT = 1024 // of a loop
};

struct tf_narrow_value *tf_narrow_value(const struct tf_narrow *n, LLVMValueRef value)
{
    const struct tf_value *const v = tf_shape_value(n->shapes, value);

    return v ? &n->values[v - n->shapes->values] : NULL;
}

struct tf_interval tf_narrow_range(const struct tf_narrow *n, LLVMValueRef value)
{
    const struct tf_narrow_value *v;

    if (LLVMIsAConstant(value))
        return tf_interval_of_constant(value);
    v = tf_narrow_value(n, value);
    return v ? v->range : tf_interval_unknown;
}

bool tf_narrow_is_operation(const struct tf_narrow_value *v)
{
    return v && (v->role == TF_NARROW_OPERATION || v->role == TF_NARROW_COMPARISON);
}

static unsigned elements_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static bool is_wide(LLVMTypeRef type)
{
    return tf_interval_bits(type) == 32 || tf_interval_bits(type) == 64;
}

unsigned tf_narrow_first(LLVMValueRef instruction)
{
    return LLVMIsASelectInst(instruction) ? 1 : 0;
}

unsigned tf_narrow_count(LLVMValueRef instruction)
{
    return tf_interval_call(instruction) == TF_INTERVAL_ABS ? 1 : 2;
}

bool tf_narrow_is_cut(LLVMValueRef user)
{
    return LLVMIsATruncInst(user) && tf_interval_bits(LLVMTypeOf(user)) <= TF_NARROW_BITS;
}

// ---- what might be narrow

static bool is_operation(LLVMValueRef i)
{
    return LLVMIsABinaryOperator(i) || LLVMIsASelectInst(i) ||
           tf_interval_call(i) != TF_INTERVAL_NO_CALL;
}

static struct tf_interval range_of(const struct tf_narrow *n, LLVMValueRef i)
{
    struct tf_interval of[2];

    if (!is_wide(LLVMTypeOf(i)))
        return tf_interval_unknown;
    if (LLVMIsAZExtInst(i) || LLVMIsASExtInst(i))
        return tf_interval_of_extension(i);
    if (!is_operation(i))
        return tf_interval_unknown;
    for (unsigned k = 0; k < 2; k++)
        of[k] = tf_narrow_range(n, LLVMGetOperand(i, tf_narrow_first(i) + k));
    return tf_interval_of(i, of);
}

static bool fits(struct tf_interval range)
{
    return tf_interval_fits_signed(range) || tf_interval_fits_unsigned(range);
}

static enum tf_narrow_role role_of(const struct tf_value *v, struct tf_interval range)
{
    const LLVMValueRef i = v->instruction;

    if (LLVMIsAICmpInst(i))
        return v->shape.kind == TF_SHAPE_VARYING &&
                       is_wide(LLVMTypeOf(LLVMGetOperand(i, 0)))
                   ? TF_NARROW_COMPARISON
                   : TF_NARROW_OTHER;
    if (!fits(range))
        return TF_NARROW_OTHER;
    if (LLVMIsAZExtInst(i) || LLVMIsASExtInst(i))
        return TF_NARROW_LEAF;
    return v->shape.kind == TF_SHAPE_VARYING && !v->shape.unless ? TF_NARROW_OPERATION
                                                                 : TF_NARROW_OTHER;
}

// What all lanes share is cut once for all of them.
static bool is_at_hand(const struct tf_narrow *n, LLVMValueRef value)
{
    const struct tf_narrow_value *const v = tf_narrow_value(n, value);

    if (LLVMIsAConstant(value))
        return true;
    if (!v)
        return false;
    return v->role == TF_NARROW_OPERATION || v->role == TF_NARROW_LEAF ||
           (fits(v->range) && tf_is_uniform(n->shapes, value));
}

// Whether all numbers that an instruction reads lie in such an interval.
static bool all_fit(const struct tf_narrow *n, LLVMValueRef i,
                    bool (*fit)(struct tf_interval))
{
    for (unsigned k = 0; k < tf_narrow_count(i); k++) {
        if (!fit(tf_narrow_range(n, LLVMGetOperand(i, tf_narrow_first(i) + k))))
            return false;
    }
    return true;
}

bool tf_narrow_has_sign(const struct tf_narrow *n, LLVMValueRef instruction)
{
    return all_fit(n, instruction, tf_interval_fits_signed);
}

static bool compares_without_sign(LLVMValueRef comparison)
{
    const LLVMIntPredicate p = LLVMGetICmpPredicate(comparison);

    return p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntULT || p == LLVMIntULE;
}

// Sums, products and choices are right whatever 16 bits take their operands for.
static bool is_modular(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
        return true;
    default:
        return false;
    }
}

static bool is_right(const struct tf_narrow *n, LLVMValueRef i)
{
    if (is_modular(i))
        return true;
    if (tf_interval_call(i) == TF_INTERVAL_ABS) // has no form without a sign
        return tf_narrow_has_sign(n, i);
    return all_fit(n, i, tf_interval_fits_unsigned) ||
           (!(LLVMIsAICmpInst(i) && compares_without_sign(i)) &&
            tf_narrow_has_sign(n, i));
}

// Masks of 32 bits would have to be made shorter for choices of 16.
static bool has_fit_condition(const struct tf_narrow *n, LLVMValueRef choice)
{
    const LLVMValueRef condition = LLVMGetOperand(choice, 0);
    const struct tf_narrow_value *const v = tf_narrow_value(n, condition);

    return tf_is_uniform(n->shapes, condition) || (v && v->role == TF_NARROW_COMPARISON);
}

// Between narrow numbers, be they made so here or by the program.
static bool is_narrow_choice(const struct tf_narrow *n, LLVMValueRef user)
{
    const unsigned bits = tf_interval_bits(LLVMTypeOf(user));

    return LLVMIsASelectInst(user) && ((bits > 1 && bits <= TF_NARROW_BITS) ||
                                       tf_narrow_is_operation(tf_narrow_value(n, user)));
}

static bool serves_choices(const struct tf_narrow *n, LLVMValueRef comparison)
{
    for (LLVMUseRef u = LLVMGetFirstUse(comparison); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (!is_narrow_choice(n, user) || LLVMGetOperand(user, 0) != comparison)
            return false;
    }
    return true;
}

static bool stays(const struct tf_narrow *n, LLVMValueRef i)
{
    for (unsigned k = 0; k < tf_narrow_count(i); k++) {
        if (!is_at_hand(n, LLVMGetOperand(i, tf_narrow_first(i) + k)))
            return false;
    }
    if (LLVMIsASelectInst(i) && !has_fit_condition(n, i))
        return false;
    return is_right(n, i) && (!LLVMIsAICmpInst(i) || serves_choices(n, i));
}

// Whether one is none any longer.
static bool look_again(const struct tf_narrow *n, unsigned at)
{
    if (!tf_narrow_is_operation(&n->values[at]) ||
        stays(n, n->shapes->values[at].instruction))
        return false;
    n->values[at].role = TF_NARROW_OTHER;
    return true;
}

// All that could be, less those that need others which are none. There and back: one turn
// does for nearly all.
static void find(const struct tf_narrow *n)
{
    const unsigned count = n->shapes->value_count;
    bool fewer = true;

    for (unsigned i = 0; i < count; i++) {
        const struct tf_value *const v = &n->shapes->values[i];

        n->values[i].tree = i;
        n->values[i].range = range_of(n, v->instruction);
        n->values[i].role = role_of(v, n->values[i].range);
    }
    while (fewer) {
        fewer = false;
        for (unsigned i = 0; i < count; i++)
            fewer |= look_again(n, i);
        for (unsigned i = count; i-- > 0;)
            fewer |= look_again(n, i);
    }
}

// ---- components

static unsigned root_of(const struct tf_narrow *n, unsigned at)
{
    while (n->values[at].tree != at) {
        n->values[at].tree = n->values[n->values[at].tree].tree;
        at = n->values[at].tree;
    }
    return at;
}

static void join(const struct tf_narrow *n, unsigned at)
{
    const LLVMValueRef i = n->shapes->values[at].instruction;

    for (unsigned k = 0; k < tf_narrow_first(i) + tf_narrow_count(i); k++) {
        const struct tf_narrow_value *const v = tf_narrow_value(n, LLVMGetOperand(i, k));

        if (v && v->role != TF_NARROW_OTHER)
            n->values[root_of(n, (unsigned)(v - n->values))].tree = root_of(n, at);
    }
}

struct users {
    unsigned narrow, cut, wide;
};

static struct users users_of(const struct tf_narrow *n, LLVMValueRef value)
{
    struct users all = {0};

    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (tf_narrow_is_operation(tf_narrow_value(n, user)))
            all.narrow++;
        else if (tf_narrow_is_cut(user))
            all.cut++;
        else
            all.wide++;
    }
    return all;
}

// Of a bit that is the answer of a comparison of numbers that stay wide: for the lanes of
// 16 bits it must be packed, to 32 and more it is there as it is.
static bool is_wide_answer(const struct tf_narrow *n, LLVMValueRef bit)
{
    const struct tf_narrow_value *const v = tf_narrow_value(n, bit);

    if (tf_interval_bits(LLVMTypeOf(bit)) != 1 || !LLVMIsACmpInst(bit))
        return false;
    return LLVMIsAFCmpInst(bit) ||
           ((!v || v->role == TF_NARROW_OTHER) &&
            tf_interval_bits(LLVMTypeOf(LLVMGetOperand(bit, 0))) > TF_NARROW_BITS);
}

// What an extension to 32 bits takes, and is not needed any more: of 16 bits, all of it.
static void weigh_leaf(const struct tf_narrow *n, LLVMValueRef i, int64_t registers,
                       struct tf_narrow_value *root)
{
    const struct users users = users_of(n, i);
    const bool has_all =
        tf_interval_bits(LLVMTypeOf(LLVMGetOperand(i, 0))) == TF_NARROW_BITS;

    if (!users.narrow || tf_is_uniform(n->shapes, i))
        return;
    if (is_wide_answer(n, LLVMGetOperand(i, 0)))
        root->loss += registers;
    else if (!users.wide)
        root->gain += registers * (has_all ? 2 : 1);
    else if (!has_all)
        root->loss += registers;
}

static void weigh(const struct tf_narrow *n, unsigned at)
{
    const struct tf_value *const v = &n->shapes->values[at];
    struct tf_narrow_value *const root = &n->values[root_of(n, at)];
    const bool compares = n->values[at].role == TF_NARROW_COMPARISON;
    const LLVMTypeRef type =
        LLVMTypeOf(compares ? LLVMGetOperand(v->instruction, 0) : v->instruction);
    const uint64_t weight = tf_facts_weight(n->facts, v->block);
    // Those of 16 bits that the result takes; of 64, four for one.
    const int64_t registers =
        (int64_t)elements_of(type) * (int64_t)(!weight                ? 1
                                               : weight > MOST_WEIGHT ? MOST_WEIGHT
                                                                      : weight);
    struct users users;

    if (n->values[at].role == TF_NARROW_LEAF) {
        weigh_leaf(n, v->instruction, registers, root);
        return;
    }
    root->gain += registers * (tf_interval_bits(type) == 64 ? 3 : 1) *
                  (tf_ir_is_division(v->opcode) ? DIVISION : 1);
    if (compares)
        return;
    users = users_of(n, v->instruction);
    root->gain += registers * (int64_t)users.cut;
    root->loss += users.wide ? registers * (tf_interval_bits(type) == 64 ? 4 : 2) : 0;
}

bool tf_narrow_pays(const struct tf_narrow *n, unsigned value)
{
    const struct tf_narrow_value *const root = &n->values[root_of(n, value)];

    return 2 * root->gain > 3 * root->loss;
}

static bool find_trees(const struct tf_narrow *n)
{
    const unsigned count = n->shapes->value_count;
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        if (tf_narrow_is_operation(&n->values[i]))
            join(n, i);
    }
    for (unsigned i = 0; i < count; i++) {
        if (n->values[i].role != TF_NARROW_OTHER)
            weigh(n, i);
    }
    for (unsigned i = 0; i < count; i++)
        any |= n->values[i].role == TF_NARROW_OPERATION && tf_narrow_pays(n, i);
    return any;
}

bool tf_prepare_narrow(const struct tf_facts *facts)
{
    struct tf_narrow n = {.facts = facts, .shapes = &facts->shapes};
    struct tf_arena arena = {0};
    bool any;

    if (facts->unfit[0])
        return false;
    n.values = TF_ARENA_NEW(&arena, struct tf_narrow_value, n.shapes->value_count + 1);
    find(&n);
    any = find_trees(&n);
    if (any) {
        n.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(facts->of.fn)));
        tf_narrow_emit(&n);
        LLVMDisposeBuilder(n.b);
    }
    tf_arena_finish(&arena);
    return any;
}
