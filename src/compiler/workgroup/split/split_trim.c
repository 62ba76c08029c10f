// SPDX-License-Identifier: MIT
// Regions in which only the first items of a dimension have anything to do: `if (lid < n)
// a[lid] += a[lid + n];` between two barriers. Such a region opens with a branch on a
// comparison of a local id with a value that the group shares, and what an item does on
// the other way nobody notices. Its loop then ends with the last item that has work, and
// gangs whose lanes all have some need no masks.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/workgroup/split/split_parts.h"

enum {
    MAX_TERMS = 4,
    ID_BITS = 32,
    MAX_TWICE = 200,       // instructions of a region that is made with and without masks
    LEAST_STEPS = 4,       // of a tree
    LEAST_PARTS = 8,       // of what may be one
    MOST_STRAIGHT = 24000, // instructions of all turns in trees: most of them go away
    MOST_OF_PARTS = 8000,  // in others, of the machine's
    MOST_OF_TURN = 128,    // where all items have work
};

// ---- constants and vectors of lanes

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

// Whether lane i of the constant is lane 0's and i * step.
static bool is_ramp(LLVMValueRef vector, int64_t step)
{
    LLVMValueRef first;

    if (!LLVMIsConstant(vector) || !is_vector(vector))
        return false;
    first = LLVMGetAggregateElement(vector, 0);
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
        const LLVMValueRef element = LLVMGetAggregateElement(vector, i);

        if (!element || !LLVMIsAConstantInt(element) ||
            LLVMConstIntGetSExtValue(element) !=
                LLVMConstIntGetSExtValue(first) + (int64_t)i * step)
            return false;
    }
    return true;
}

// The scalar that all lanes have, or NULL.
static LLVMValueRef splat_of(LLVMValueRef value)
{
    if (!is_vector(value))
        return NULL;
    if (LLVMIsConstant(value))
        return is_ramp(value, 0) ? LLVMGetAggregateElement(value, 0) : NULL;
    return tf_ir_splat_of(value);
}

// ---- local ids

static bool is_low_mask(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == UINT32_MAX;
}

// The dimension whose id of the item's first work-item the scalar is, or TF_SPLIT_NONE.
// Groups are too small for an id to reach bit 31.
static unsigned id_dimension(const struct tf_split *s, LLVMValueRef value)
{
    while (LLVMIsAZExtInst(value) || LLVMIsATruncInst(value) ||
           (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAnd &&
            is_low_mask(LLVMGetOperand(value, 1)))) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) < ID_BITS)
            return TF_SPLIT_NONE;
        value = LLVMGetOperand(value, 0);
    }
    for (unsigned d = 0; d < 3; d++) {
        if (value == LLVMGetParam(s->in->function, TF_ITEM_LID + d))
            return d;
    }
    return TF_SPLIT_NONE;
}

// The same for the ids of all lanes.
static unsigned ids_dimension(const struct tf_split *s, LLVMValueRef value)
{
    LLVMValueRef base = NULL;

    if (!is_vector(value))
        return id_dimension(s, value);
    while (LLVMIsAZExtInst(value))
        value = LLVMGetOperand(value, 0);
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAdd)
        return TF_SPLIT_NONE;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef ramp = LLVMGetOperand(value, i);

        if (is_ramp(ramp, 1) &&
            LLVMConstIntGetSExtValue(LLVMGetAggregateElement(ramp, 0)) == 0)
            base = splat_of(LLVMGetOperand(value, 1 - i));
    }
    return base && id_dimension(s, base) == 0 ? 0 : TF_SPLIT_NONE;
}

// ---- comparisons

static bool set_limit(struct tf_split_trim *t, LLVMIntPredicate p, unsigned dim,
                      LLVMValueRef limit)
{
    if (p != LLVMIntULT && p != LLVMIntULE && p != LLVMIntSLT && p != LLVMIntSLE &&
        p != LLVMIntEQ)
        return false;
    t->dim = dim;
    t->limit = limit;
    t->inclusive = p == LLVMIntULE || p == LLVMIntSLE || p == LLVMIntEQ;
    t->with_sign = p == LLVMIntSLT || p == LLVMIntSLE;
    t->exact = p != LLVMIntEQ;
    return true;
}

// `splat(id) == {c, c - 1, c - 2, ..}` is what LLVM makes of a comparison with a
// constant.
static bool read_turned_equality(const struct tf_split *s, LLVMValueRef compare,
                                 struct tf_split_trim *t)
{
    const LLVMValueRef ramp = LLVMGetOperand(compare, 1);
    const LLVMValueRef id = splat_of(LLVMGetOperand(compare, 0));

    return LLVMGetICmpPredicate(compare) == LLVMIntEQ && id && is_ramp(ramp, -1) &&
           LLVMConstIntGetSExtValue(LLVMGetAggregateElement(ramp, 0)) >= 0 &&
           id_dimension(s, id) == 0 &&
           set_limit(t, LLVMIntEQ, 0, LLVMGetAggregateElement(ramp, 0));
}

static bool is_shared(const struct tf_split *s, LLVMValueRef value)
{
    unsigned number;

    if (!value || LLVMIsAArgument(value))
        return false;
    number = tf_split_value_number(s, value);
    return number == TF_SPLIT_NONE || !s->values[number].varying;
}

// Whether the value is a sum of parts without sign that does not wrap, and the id of
// dimension 0 one of them.
static bool has_first_id(const struct tf_split *s, LLVMValueRef sum, unsigned depth)
{
    if (id_dimension(s, sum) == 0)
        return true;
    return depth < MAX_TERMS && LLVMIsAInstruction(sum) &&
           LLVMGetInstructionOpcode(sum) == LLVMAdd && LLVMGetNUW(sum) &&
           (has_first_id(s, LLVMGetOperand(sum, 0), depth + 1) ||
            has_first_id(s, LLVMGetOperand(sum, 1), depth + 1));
}

// The power of two that the value is divided by, a constant, or 0.
static uint64_t constant_divisor(LLVMValueRef value)
{
    uint64_t by;

    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMLShr ||
        !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return 0;
    by = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    return by < ID_BITS ? 1ull << by : 0;
}

// `linear id / S == 0`: only the first sub-group has work.
static bool read_first_sub_group(const struct tf_split *s, LLVMValueRef compare,
                                 bool inverted, struct tf_split_trim *t)
{
    const LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    LLVMValueRef number = LLVMGetOperand(compare, 0);
    uint64_t size;

    if (is_vector(compare) || (inverted ? tf_ir_inverse(p) : p) != LLVMIntEQ ||
        !LLVMIsAConstantInt(LLVMGetOperand(compare, 1)) ||
        !LLVMIsNull(LLVMGetOperand(compare, 1)))
        return false;
    // What a truncation drops is known to be 0, or it might be all that is not.
    if (LLVMIsATruncInst(number) && LLVMGetNUW(number))
        number = LLVMGetOperand(number, 0);
    size = constant_divisor(number);
    return size > 0 && has_first_id(s, LLVMGetOperand(number, 0), 0) &&
           set_limit(t, LLVMIntEQ, 0, LLVMConstInt(LLVMTypeOf(number), size - 1, false));
}

static bool read_compare(const struct tf_split *s, LLVMValueRef compare, bool inverted,
                         struct tf_split_trim *t)
{
    const bool lanes = is_vector(compare);
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);

    if (lanes && inverted)
        return false;
    if (lanes && read_turned_equality(s, compare, t))
        return true;
    if (read_first_sub_group(s, compare, inverted, t))
        return true;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef id = LLVMGetOperand(compare, i);
        LLVMValueRef limit = LLVMGetOperand(compare, 1 - i);
        const unsigned dim = LLVMGetTypeKind(LLVMTypeOf(limit)) == LLVMPointerTypeKind
                                 ? TF_SPLIT_NONE
                                 : ids_dimension(s, id);

        if (i == 1)
            p = tf_ir_swapped(p);
        if (dim == TF_SPLIT_NONE)
            continue;
        if (lanes)
            limit = splat_of(limit);
        if (is_shared(s, limit) &&
            set_limit(t, inverted ? tf_ir_inverse(p) : p, dim, limit))
            return true;
    }
    return false;
}

static bool is_false(LLVMValueRef value)
{
    return LLVMIsConstant(value) && LLVMIsNull(value);
}

// Finds an upper limit in one term of a conjunction.
static bool read_terms(const struct tf_split *s, LLVMValueRef condition, unsigned depth,
                       struct tf_split_trim *t)
{
    const bool is_both =
        LLVMIsAInstruction(condition) &&
        (LLVMGetInstructionOpcode(condition) == LLVMAnd ||
         (LLVMIsASelectInst(condition) && is_false(LLVMGetOperand(condition, 2))));

    if (LLVMIsAICmpInst(condition)) {
        if (!read_compare(s, condition, false, t))
            return false;
        t->whole = depth == 0 && t->exact ? condition : NULL;
        t->whole_is = true;
        return true;
    }
    return is_both && depth < MAX_TERMS &&
           (read_terms(s, LLVMGetOperand(condition, 0), depth + 1, t) ||
            read_terms(s, LLVMGetOperand(condition, 1), depth + 1, t));
}

// The mask that is tested for an active lane, or NULL.
static LLVMValueRef tested_mask(LLVMValueRef condition, bool *inverted)
{
    const char *name = tf_ir_called_name(condition);
    LLVMValueRef bits;

    if (name && strncmp(name, "llvm.vector.reduce.or.v", 23) == 0)
        return LLVMGetOperand(condition, 0);
    if (!LLVMIsAICmpInst(condition) || !is_false(LLVMGetOperand(condition, 1)))
        return NULL;
    bits = LLVMGetOperand(condition, 0);
    if (!LLVMIsABitCastInst(bits) || !is_vector(LLVMGetOperand(bits, 0)))
        return NULL;
    *inverted = LLVMGetICmpPredicate(condition) == LLVMIntEQ;
    return *inverted || LLVMGetICmpPredicate(condition) == LLVMIntNE
               ? LLVMGetOperand(bits, 0)
               : NULL;
}

// The mask whose bits a switch looks at: what LLVM makes of tests for no lane and for
// all.
static LLVMValueRef switched_mask(LLVMValueRef end)
{
    const LLVMValueRef bits = LLVMGetOperand(end, 0);

    return LLVMIsABitCastInst(bits) && is_vector(LLVMGetOperand(bits, 0))
               ? LLVMGetOperand(bits, 0)
               : NULL;
}

static bool read_switch(const struct tf_split *s, LLVMValueRef end,
                        struct tf_split_trim *t, unsigned *idle)
{
    const LLVMValueRef mask = switched_mask(end);

    for (*idle = 1; *idle < LLVMGetNumSuccessors(end); ++*idle) {
        if (is_false(tf_llvm_case_value(end, *idle)))
            return mask && read_terms(s, mask, 0, t);
    }
    return false;
}

// Sets *idle to the way of the items that have nothing to do.
static bool read_branch(const struct tf_split *s, LLVMValueRef end,
                        struct tf_split_trim *t, unsigned *idle)
{
    const LLVMValueRef condition = LLVMGetOperand(end, 0);
    bool inverted = false;
    LLVMValueRef mask;

    if (LLVMIsASwitchInst(end))
        return read_switch(s, end, t, idle);
    if (!LLVMIsAInstruction(condition) || LLVMGetNumSuccessors(end) != 2)
        return false;
    mask = tested_mask(condition, &inverted);
    *idle = inverted ? 0 : 1;
    if (mask)
        return read_terms(s, mask, 0, t);
    if (read_terms(s, condition, 0, t))
        return true;
    *idle = 0; // if (lid >= n)
    if (!LLVMIsAICmpInst(condition) || !read_compare(s, condition, true, t))
        return false;
    t->whole = t->exact ? condition : NULL;
    t->whole_is = false;
    return true;
}

// ---- whether items above the limit do nothing

static bool does_nothing(const struct tf_split *s, unsigned block, bool is_start)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[block].block);

    for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
        const struct tf_split_value *v = &s->values[i];

        if (v->value == end || v->dropped)
            continue;
        if (LLVMIsAPHINode(v->value) ? !is_start && v->place == TF_SPLIT_SLOT
                                     : v->varying && !v->cheap)
            return false;
    }
    return true;
}

// From the way on until the next entry.
static bool is_idle_way(const struct tf_split *s, unsigned from, unsigned to)
{
    bool *seen = TF_ARENA_NEW(s->arena, bool, s->block_count);
    unsigned *stack = TF_ARENA_NEW(s->arena, unsigned, 2 * s->block_count);
    unsigned depth = 0;

    if (s->blocks[to].entry != TF_SPLIT_NONE)
        return tf_split_phis_are_free(s, from, s->blocks[to].entry);
    stack[depth++] = to;
    seen[to] = true;
    while (depth > 0) {
        const unsigned at = stack[--depth];
        const struct tf_split_block *b = &s->blocks[at];

        if (!does_nothing(s, at, false) || tf_split_is_varying_branch(s, at))
            return false;
        for (unsigned k = 0; k < b->succ_count; k++) {
            const unsigned next = b->succs[k], entry = s->blocks[next].entry;

            if (entry != TF_SPLIT_NONE && !tf_split_phis_are_free(s, at, entry))
                return false;
            if (entry == TF_SPLIT_NONE && !seen[next]) {
                seen[next] = true;
                stack[depth++] = next;
            }
        }
    }
    return true;
}

// ---- limits that are known before the region begins

static bool is_known_at(const struct tf_split *s, const struct tf_split_region *r,
                        unsigned entry, LLVMValueRef value)
{
    const unsigned number = tf_split_value_number(s, value);
    const struct tf_split_value *v;

    if (number == TF_SPLIT_NONE)
        return true;
    v = &s->values[number];
    if (!v->cheap) {
        // What the region computes anew has two values there.
        for (unsigned k = 0; k < r->block_count; k++) {
            if (r->blocks[k] == v->block &&
                !(v->block == r->start && LLVMIsAPHINode(value)))
                return false;
        }
        return v->place != TF_SPLIT_NOWHERE && tf_split_is_live(v, entry);
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_known_at(s, r, entry, LLVMGetOperand(value, i)))
            return false;
    }
    return true;
}

// The mask that is tested for all lanes, or NULL.
static LLVMValueRef mask_of_all(LLVMValueRef end)
{
    LLVMValueRef all, bits;

    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return NULL;
    all = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(all) || LLVMGetICmpPredicate(all) != LLVMIntEQ)
        return NULL;
    bits = LLVMGetOperand(all, 0);
    return LLVMIsABitCastInst(bits) && is_vector(LLVMGetOperand(bits, 0)) &&
                   LLVMIsAConstantInt(LLVMGetOperand(all, 1)) &&
                   LLVMConstIntGetSExtValue(LLVMGetOperand(all, 1)) == -1
               ? LLVMGetOperand(bits, 0)
               : NULL;
}

static bool asks_for_any(LLVMValueRef end, LLVMValueRef mask)
{
    bool inverted;

    if (LLVMIsASwitchInst(end))
        return switched_mask(end) == mask;
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
           tested_mask(LLVMGetCondition(end), &inverted) == mask;
}

// A region that is made twice asks first whether all lanes are active. The block that
// asks, if not, whether any is; or the same block.
static unsigned behind_test_for_all(const struct tf_split *s, unsigned block)
{
    const LLVMValueRef mask =
        mask_of_all(LLVMGetBasicBlockTerminator(s->blocks[block].block));
    unsigned some;

    if (!mask)
        return block;
    some = s->blocks[block].succs[1];
    return s->blocks[some].entry == TF_SPLIT_NONE && s->blocks[some].pred_count == 1 &&
                   does_nothing(s, some, false) &&
                   asks_for_any(LLVMGetBasicBlockTerminator(s->blocks[some].block), mask)
               ? some
               : block;
}

static bool find_trim(struct tf_split *s, unsigned entry, struct tf_split_trim *t)
{
    const struct tf_split_region *r = &s->regions[entry];
    unsigned block = r->start, idle;
    const struct tf_split_block *b;

    for (;;) {
        b = &s->blocks[block];
        if (!does_nothing(s, block, block == r->start))
            return false;
        if (b->succ_count != 1)
            break;
        if (s->blocks[b->succs[0]].entry != TF_SPLIT_NONE ||
            s->blocks[b->succs[0]].pred_count != 1)
            return false;
        block = b->succs[0];
    }
    block = behind_test_for_all(s, block);
    b = &s->blocks[block];
    return b->succ_count >= 2 && b->succs[0] != b->succs[1] &&
           read_branch(s, LLVMGetBasicBlockTerminator(b->block), t, &idle) &&
           is_idle_way(s, block, b->succs[idle]) && is_known_at(s, r, entry, t->limit);
}

static unsigned size_of(const struct tf_split *s, const struct tf_split_region *r)
{
    unsigned size = 0;

    for (unsigned k = 0; k < r->block_count; k++)
        size += s->blocks[r->blocks[k]].size;
    return size;
}

void tf_split_find_trims(struct tf_split *s)
{
    s->trims = TF_ARENA_NEW(s->arena, struct tf_split_trim, s->entry_count);
    if (s->mode != TF_SPLIT_TOGETHER)
        return;
    for (unsigned i = 0; i < s->entry_count; i++) {
        struct tf_split_trim t = {0};

        if (s->regions[i].without_items || !find_trim(s, i, &t))
            continue;
        t.found = true;
        // A scalar test of a gang is one of its first lane.
        if (t.dim != 0 || (s->in->width > 1 && t.whole && !is_vector(t.whole)) ||
            size_of(s, &s->regions[i]) > MAX_TWICE)
            t.whole = NULL;
        s->trims[i] = t;
    }
}

// ---- the steps of a tree

// Blocks are in reverse postorder.
static bool has_loop(const struct tf_split *s, const struct tf_split_region *r)
{
    for (unsigned k = 0; k < r->block_count; k++) {
        const struct tf_split_block *b = &s->blocks[r->blocks[k]];

        for (unsigned i = 0; i < b->succ_count; i++) {
            if (s->blocks[b->succs[i]].entry == TF_SPLIT_NONE &&
                b->succs[i] <= r->blocks[k])
                return true;
        }
    }
    return false;
}

bool tf_split_is_straight(const struct tf_split *s, unsigned entry)
{
    const struct tf_split_region *r = &s->regions[entry];
    const unsigned most = s->trims[entry].found ? MAX_TWICE : MOST_OF_TURN;

    return s->is_straight && !r->without_items && size_of(s, r) <= most &&
           !has_loop(s, r);
}

// A gather or scatter that the machine has no (fast) instruction for.
static bool is_taken_apart(const struct tf_target *target, LLVMValueRef call)
{
    return (!target->gathers_fast && tf_ir_calls(call, "llvm.masked.gather.")) ||
           (!target->scatters && tf_ir_calls(call, "llvm.masked.scatter."));
}

// Instructions of the machine that become of a region, as far as is easily seen: of a
// lane its address, its access, and to move it from or to the vector.
static unsigned code_of(const struct tf_split *s, const struct tf_split_region *r)
{
    enum { EACH_LANE = 3 };
    unsigned size = size_of(s, r);

    for (unsigned k = 0; k < r->block_count; k++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, s->blocks[r->blocks[k]].block)
        {
            if (is_taken_apart(&s->wg->wishes->target, i))
                size += EACH_LANE * s->in->width;
        }
    }
    return size;
}

static unsigned turns_of(const struct tf_split *s, unsigned entry)
{
    const struct tf_split_trim *t = &s->trims[entry];
    uint64_t end;

    if (!tf_split_is_straight(s, entry))
        return 0;
    if (!t->found || !LLVMIsAConstantInt(t->limit))
        return s->in->gangs;
    end = LLVMConstIntGetZExtValue(t->limit) + t->inclusive;
    end = (end + s->in->width - 1) / s->in->width;
    return end < s->in->gangs ? (unsigned)end : s->in->gangs;
}

// Where groups have one size, and numbers say which items have work in the steps of a
// tree, the turns of short regions stand one after the other, and all their addresses in
// local memory are known.
void tf_split_find_steps(struct tf_split *s)
{
    uint64_t instructions = 0, code = 0;
    unsigned steps = 0, unknown = 0;

    if (s->mode != TF_SPLIT_TOGETHER || !s->in->gangs)
        return;
    s->is_straight = true;
    for (unsigned i = 0; i < s->entry_count; i++) {
        if (s->trims[i].found && LLVMIsAConstantInt(s->trims[i].limit))
            steps++;
        else
            unknown += s->trims[i].found;
        instructions += (uint64_t)turns_of(s, i) * size_of(s, &s->regions[i]);
        code += (uint64_t)turns_of(s, i) * code_of(s, &s->regions[i]);
    }
    s->is_straight =
        (steps >= LEAST_STEPS && instructions <= MOST_STRAIGHT) ||
        (s->entry_count >= LEAST_PARTS && unknown == 0 && code <= MOST_OF_PARTS);
}
