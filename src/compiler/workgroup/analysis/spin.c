// SPDX-License-Identifier: MIT
// Loops that wait for another work-item. The lane that would end the wait may be one of
// the gang, held up until all lanes have left the loop: such kernels run item by item.
#include "compiler/workgroup/analysis/spin.h"
#include "compiler/workgroup/analysis/facts.h"

// ---- retries

struct retry {
    const struct tf_cfg *cfg;
    unsigned loop;
};

static bool is_exchange(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) &&
           LLVMGetInstructionOpcode(value) == LLVMAtomicCmpXchg;
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

// How OpenCL 1 reads: by a change that changes nothing.
static bool changes_nothing(LLVMValueRef change)
{
    switch ((int)LLVMGetAtomicRMWBinOp(change)) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
        return is_zero(LLVMGetOperand(change, 1));
    default:
        return false;
    }
}

static bool is_part(LLVMValueRef value, unsigned index)
{
    return LLVMIsAExtractValueInst(value) && LLVMGetIndices(value)[0] == index &&
           is_exchange(LLVMGetOperand(value, 0));
}

// Whether `value` is what was found at the address, as it was.
static bool was_found(const struct retry *r, LLVMValueRef value, LLVMValueRef address,
                      unsigned depth)
{
    enum { MAX_DEPTH = 6 };

    if (!tf_cfg_makes(r->cfg, r->loop, value))
        return true; // in the first round
    if (depth == MAX_DEPTH)
        return false;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
        return LLVMGetOperand(value, 0) == address;
    case LLVMAtomicRMW:
        return LLVMGetOperand(value, 0) == address && changes_nothing(value);
    case LLVMExtractValue:
        return is_part(value, 0) &&
               LLVMGetOperand(LLVMGetOperand(value, 0), 0) == address;
    case LLVMBitCast:
    case LLVMFreeze:
        return was_found(r, LLVMGetOperand(value, 0), address, depth + 1);
    case LLVMSelect: // of what an exchange has found if it has failed
        return is_part(LLVMGetOperand(value, 0), 1) &&
               was_found(r, LLVMGetOperand(value, 2), address, depth + 1);
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
            if (!was_found(r, LLVMGetIncomingValue(value, i), address, depth + 1))
                return false;
        }
        return true;
    default:
        return false;
    }
}

// A retry expects what it has found: some lane succeeds in each round. One that waits for
// a constant, or for a number that it makes of what it has found, may wait for ever.
static bool is_retry(const struct retry *r, LLVMValueRef exchange)
{
    const LLVMValueRef expected = LLVMGetOperand(exchange, 1);

    return tf_cfg_makes(r->cfg, r->loop, expected) &&
           was_found(r, expected, LLVMGetOperand(exchange, 0), 0);
}

bool tf_spin_succeeds(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef value)
{
    const struct retry in_loop = {cfg, loop}, *const r = &in_loop;
    LLVMValueRef found, expected;

    if (is_part(value, 1))
        return is_retry(r, LLVMGetOperand(value, 0));
    if (!LLVMIsAICmpInst(value) || (LLVMGetICmpPredicate(value) != LLVMIntEQ &&
                                    LLVMGetICmpPredicate(value) != LLVMIntNE))
        return false;
    found = LLVMGetOperand(value, 0);
    expected = LLVMGetOperand(value, 1);
    if (!is_part(found, 0)) {
        found = expected;
        expected = LLVMGetOperand(value, 0);
    }
    return is_part(found, 0) && LLVMGetOperand(LLVMGetOperand(found, 0), 1) == expected &&
           is_retry(r, LLVMGetOperand(found, 0));
}

// ---- waiting

struct search {
    const struct tf_facts *f;
    unsigned loop;
    bool *seen; // per value
};

static bool is_in(const struct search *s, const struct tf_value *v)
{
    return v && tf_cfg_in_loop(&s->f->cfg, s->loop, v->block);
}

static bool waits(const struct search *s, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(&s->f->usual, value);

    if (!is_in(s, v) || s->seen[v - s->f->usual.values])
        return false;
    s->seen[v - s->f->usual.values] = true;
    if (tf_spin_succeeds(&s->f->cfg, s->loop, value))
        return false;
    switch ((int)v->opcode) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMLoad:
        return LLVMGetVolatile(value) ||
               LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    default:
        break;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, i);

        if (!LLVMValueIsBasicBlock(operand) && waits(s, operand))
            return true;
    }
    return false;
}

bool tf_facts_spin(struct tf_facts *f)
{
    for (unsigned l = 0; l < f->cfg.loop_count; l++) {
        struct search s = {.f = f, .loop = l};

        if (!f->usual.divergent[l])
            continue;
        s.seen = TF_ARENA_NEW(&f->arena, bool, f->usual.value_count);
        for (unsigned b = 0; b < f->cfg.block_count; b++) {
            const LLVMValueRef condition = tf_cfg_condition(&f->cfg, b);

            if (f->cfg.loops[l].has[b] && condition && waits(&s, condition))
                return true;
        }
    }
    return false;
}
