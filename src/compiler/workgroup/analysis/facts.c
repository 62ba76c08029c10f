// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/attr.h"

enum {
    LOOP_WEIGHT = 8,
    MAX_DEPTH = 3,
    MOST_WORDS = 4,    // of what is said of a branch
    SELDOM_SHARE = 64, // of the other way, below which one is hardly taken
    ASIDE_SHARE = 8,   // below which it is not to lie in the other one's way
};

static bool refuse(struct tf_facts *f, const char *fmt, ...) TF_PRINTF(2, 3);

static bool refuse(struct tf_facts *f, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(f->unfit, sizeof(f->unfit), fmt, args);
    va_end(args);
    return false;
}

static unsigned count_instructions(const struct tf_cfg *cfg)
{
    unsigned count = 0;

    for (unsigned b = 0; b < cfg->block_count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);

        for (; i; i = LLVMGetNextInstruction(i))
            count++;
    }
    return count;
}

// Before the shapes, whose time grows faster than the function.
static bool is_fit(struct tf_facts *f)
{
    const struct tf_facts_of *of = &f->of;
    const unsigned blocks = LLVMCountBasicBlocks(of->fn);
    unsigned count;

    if (of->most_blocks && blocks > of->most_blocks)
        return refuse(f, "%u blocks, more than %u", blocks, of->most_blocks);
    if (!tf_cfg_init(&f->cfg, &f->arena, of->fn))
        return refuse(f, "irreducible control flow");
    count = count_instructions(&f->cfg);
    if (of->most_instructions && count > of->most_instructions)
        return refuse(f, "%u instructions, more than %u", count, of->most_instructions);
    return true;
}

static void look_for_barriers(struct tf_facts *f)
{
    for (unsigned i = 0; i < f->shapes.value_count && !f->has_barrier; i++)
        f->has_barrier = tf_is_barrier(&f->shapes.values[i]);
}

// The weights of both ways out of a block; false where nothing is said of them.
static bool read_weights(LLVMValueRef branch, uint64_t weights[2])
{
    static const char prof[] = "prof";
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(branch));
    const LLVMValueRef node = LLVMGetMetadata(
        branch, LLVMGetMDKindIDInContext(context, prof, sizeof(prof) - 1));
    LLVMValueRef words[MOST_WORDS];
    unsigned found = 0, count;

    if (!node || LLVMGetMDNodeNumOperands(node) > MOST_WORDS)
        return false;
    count = (unsigned)LLVMGetMDNodeNumOperands(node);
    LLVMGetMDNodeOperands(node, words);
    for (unsigned i = 0; i < count && found < 2; i++) {
        if (words[i] && LLVMIsAConstantInt(words[i]))
            weights[found++] = LLVMConstIntGetZExtValue(words[i]);
    }
    return found == 2;
}

// Whether a branch is said hardly ever to go to its successor `k`: never
// (prepare/apart.h), or as `__builtin_expect` says it.
static bool is_hardly_taken(LLVMValueRef branch, unsigned k)
{
    uint64_t weights[2];

    return read_weights(branch, weights) && weights[k] * SELDOM_SHARE < weights[1 - k];
}

bool tf_facts_lies_aside(const struct tf_facts *f, unsigned block)
{
    const struct tf_cfg_block *b = &f->cfg.blocks[block];
    const unsigned from = b->pred_count == 1 ? b->preds[0] : TF_CFG_NONE;
    uint64_t weights[2];
    unsigned k;

    if (from == TF_CFG_NONE || !tf_cfg_condition(&f->cfg, from) ||
        b->loop != f->cfg.blocks[from].loop || // loops end, after all
        !read_weights(LLVMGetBasicBlockTerminator(f->cfg.blocks[from].block), weights))
        return false;
    k = f->cfg.blocks[from].succs[0] == block ? 0 : 1;
    return weights[k] * ASIDE_SHARE < weights[1 - k];
}

static void mark_dominated(struct tf_facts *f, unsigned block)
{
    for (unsigned b = 0; b < f->cfg.block_count; b++)
        f->seldom[b] |= tf_cfg_dominates(&f->cfg, block, b);
}

static void find_seldom(struct tf_facts *f)
{
    f->seldom = TF_ARENA_NEW(&f->arena, bool, f->cfg.block_count);
    for (unsigned b = 0; b < f->cfg.block_count; b++) {
        const struct tf_cfg_block *block = &f->cfg.blocks[b];

        for (unsigned k = 0; tf_cfg_condition(&f->cfg, b) && k < 2; k++) {
            if (is_hardly_taken(LLVMGetBasicBlockTerminator(block->block), k) &&
                f->cfg.blocks[block->succs[k]].pred_count == 1)
                mark_dominated(f, block->succs[k]);
        }
    }
}

static void find(struct tf_facts *f, struct tf_shapes *s)
{
    tf_shapes_find(s);
    f->fixpoints++;
}

static void find_shapes(struct tf_facts *f)
{
    // The gangs of a group go through barriers together: none can start again.
    const bool assumes = f->of.usual && !f->has_barrier;

    if (!assumes || !f->of.rounds_together)
        find(f, &f->shapes);
    f->usual = f->shapes;
    if (assumes) {
        tf_shapes_start_again(&f->usual, &f->shapes, &f->arena);
        if (tf_facts_assume(f) || f->of.rounds_together)
            find(f, &f->usual);
        else
            f->usual = f->shapes;
    }
    if (f->fixpoints == 1 && assumes && f->of.rounds_together)
        f->shapes = f->usual;
}

static void find_rounds(struct tf_facts *f)
{
    f->rounds = TF_ARENA_NEW(&f->arena, unsigned, f->cfg.loop_count);
    for (unsigned l = 0; l < f->cfg.loop_count; l++) {
        const unsigned rounds = tf_cfg_rounds_about(&f->cfg, l);

        f->rounds[l] = rounds && rounds < LOOP_WEIGHT ? rounds : LOOP_WEIGHT;
    }
}

bool tf_facts_init(struct tf_facts *f, const struct tf_facts_of *of)
{
    memset(f, 0, sizeof(*f));
    f->of = *of;
    if (!is_fit(f))
        return false;
    tf_shapes_start(&f->shapes, &f->arena, &f->cfg, of->fn, of->turned);
    f->shapes.most_lanes = of->most_lanes;
    look_for_barriers(f);
    find_seldom(f);
    find_rounds(f);
    tf_facts_find_effects(f);
    find_shapes(f);
    f->spins = tf_facts_spin(f);
    return true;
}

bool tf_facts_init_turned(struct tf_facts *f, const struct tf_facts *other)
{
    *f = *other;
    f->arena = (struct tf_arena){0};
    f->fixpoints = 0;
    f->of.turned = !other->of.turned;
    if (f->unfit[0])
        return false;
    tf_shapes_start_again(&f->shapes, &other->shapes, &f->arena);
    f->shapes.cfg = &f->cfg;
    f->shapes.divergent = NULL; // not found yet
    f->shapes.turned = f->of.turned;
    find_shapes(f);
    f->spins = tf_facts_spin(f);
    return true;
}

void tf_facts_finish(struct tf_facts *f)
{
    tf_arena_finish(&f->arena);
}

bool tf_facts_have_vectors(const struct tf_facts *f)
{
    for (unsigned i = 0; i < f->shapes.value_count; i++) {
        const LLVMTypeRef type = LLVMTypeOf(f->shapes.values[i].instruction);

        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
            return true;
    }
    return false;
}

uint64_t tf_facts_weight(const struct tf_facts *f, unsigned block)
{
    unsigned loop = f->cfg.blocks[block].loop;
    uint64_t weight = f->seldom[block] ? 0 : 1;

    for (unsigned depth = 0; loop != TF_CFG_NONE && depth < MAX_DEPTH; depth++) {
        weight *= f->rounds[loop];
        loop = f->cfg.loops[loop].parent;
    }
    return weight;
}
