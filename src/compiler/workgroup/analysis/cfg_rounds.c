// SPDX-License-Identifier: MIT
// How often loops go round whose counter ends at a constant: borders of tiles are loaded
// by `for (i = get_local_id(0); i < 20; i += 16)`, once and seldom twice.
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/cfg.h"

// From below up to a constant, by a constant.
struct counter {
    int64_t first, end, step; // first: 0 where it is not known
    bool is_known;            // first
};

static bool constant_of(LLVMValueRef value, int64_t *out)
{
    enum { MOST = 1 << 30 };
    int64_t n;

    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    n = LLVMConstIntGetSExtValue(value);
    if (n < 0 || n > MOST)
        return false;
    *out = n;
    return true;
}

// The counter that the compared number is, or is that of the next round.
static LLVMValueRef phi_of(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd)
        value = LLVMGetOperand(value, 0);
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) ==
                                        cfg->blocks[cfg->loops[loop].head].block
               ? value
               : NULL;
}

static bool find_steps(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef phi,
                       struct counter *c)
{
    bool found = false;

    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        const LLVMValueRef from = LLVMGetIncomingValue(phi, k);
        const unsigned block = tf_cfg_number(cfg, LLVMGetIncomingBlock(phi, k));

        if (!tf_cfg_in_loop(cfg, loop, block)) {
            c->is_known = constant_of(from, &c->first);
            continue;
        }
        if (found || !LLVMIsABinaryOperator(from) ||
            LLVMGetInstructionOpcode(from) != LLVMAdd || LLVMGetOperand(from, 0) != phi ||
            !constant_of(LLVMGetOperand(from, 1), &c->step) || c->step == 0)
            return false;
        found = true;
    }
    return found;
}

// Whether the loop goes on behind the block while such a counter is below its end.
static bool find_counter(const struct tf_cfg *cfg, unsigned loop, unsigned block,
                         struct counter *c)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(cfg, block);
    const bool stays = tf_cfg_in_loop(cfg, loop, b->succs[0]);
    LLVMIntPredicate p;
    LLVMValueRef phi;

    if (!condition || !LLVMIsAICmpInst(condition) || b->succ_count != 2 ||
        stays == tf_cfg_in_loop(cfg, loop, b->succs[1]))
        return false;
    p = LLVMGetICmpPredicate(condition);
    p = stays ? p : tf_ir_inverse(p);
    phi = phi_of(cfg, loop, LLVMGetOperand(condition, 0));
    return (p == LLVMIntULT || p == LLVMIntSLT) && phi &&
           constant_of(LLVMGetOperand(condition, 1), &c->end) &&
           find_steps(cfg, loop, phi, c);
}

unsigned tf_cfg_rounds(const struct tf_cfg *cfg, unsigned loop, unsigned most)
{
    int64_t rounds;

    for (unsigned b = 0; b < cfg->block_count; b++) {
        struct counter c = {0};

        if (!cfg->loops[loop].has[b] || !find_counter(cfg, loop, b, &c))
            continue;
        rounds = (c.end - c.first + (c.is_known ? c.step - 1 : 0)) / c.step;
        if (rounds < (int64_t)most)
            most = rounds < 1 ? 1 : (unsigned)rounds;
    }
    return most;
}
