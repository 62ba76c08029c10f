// SPDX-License-Identifier: MIT
// for (i = 0; i < 24; i++) { x = s[to[i]]; s[to[i]] = rotate(t, by[i]); t = x; } keeps
// the array s in memory: each access has an address, and waits for what was stored. Once
// the loop is unrolled all its indices are numbers, and the elements are values. LLVM
// unrolls what it finds short; here those loops are unrolled that an array's indices
// depend on, if all of them do, and if what comes of it is not too much.
#include "compiler/workgroup/prepare/arrays.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_ELEMENTS = 32, // of an array: more have no registers
    // Of one that holds sums: loops make a few of them each
    // (prepare/rounds/distribute.h).
    MOST_SUMS = 64,
    MOST_INSTRUCTIONS = 1600, // of a function, once loops are unrolled
    MOST_OF_SUMS = 3200,      // the same, for arrays that hold sums
    MOST_LOOPS = 64,
    MOST_ROUNDS = 256, // of one loop
};

// What a value becomes: a number, once these loops are unrolled.
struct fold {
    bool no; // it does not
    uint64_t loops;
};

struct search {
    LLVMTargetDataRef layout;
    struct tf_cfg cfg;
    unsigned *rounds; // per loop; 0: it is not to be unrolled
    uint64_t *sizes;  // per block: instructions
    struct tf_map at; // instructions -> numbers, in the order of blocks
    struct fold *folds;
};

// ---- loops

static LLVMValueRef mark_of(LLVMValueRef branch)
{
    return LLVMGetMetadata(branch,
                           tf_ir_loop_kind(LLVMGetTypeContext(LLVMTypeOf(branch))));
}

static unsigned rounds_of(const struct tf_cfg *cfg, unsigned loop)
{
    const unsigned latch = tf_cfg_latch(cfg, loop);
    LLVMValueRef mark;
    unsigned rounds;

    if (latch == TF_CFG_NONE)
        return 0;
    mark = mark_of(LLVMGetBasicBlockTerminator(cfg->blocks[latch].block));
    if (mark && !tf_ir_loop_says_nothing(mark))
        return 0; // the program has said what it wants
    rounds = tf_cfg_rounds(cfg, loop);
    return rounds <= MOST_ROUNDS ? rounds : 0;
}

// Barriers are not to become more.
static bool is_call_of_the_machine(LLVMValueRef i)
{
    return tf_ir_is_call(i) && (!tf_ir_callee(i) || !tf_ir_is_intrinsic(tf_ir_callee(i)));
}

static void read_loops(struct search *s)
{
    const struct tf_cfg *const cfg = &s->cfg;

    for (unsigned l = 0; l < cfg->loop_count; l++)
        s->rounds[l] = rounds_of(cfg, l);
    for (unsigned b = 0; b < cfg->block_count; b++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, cfg->blocks[b].block)
        {
            unsigned l = cfg->blocks[b].loop;

            s->sizes[b]++;
            for (; is_call_of_the_machine(i) && l != TF_CFG_NONE;
                 l = cfg->loops[l].parent)
                s->rounds[l] = 0;
        }
    }
}

// ---- what becomes a number

static struct fold both(struct fold a, struct fold b)
{
    return (struct fold){.no = a.no || b.no, .loops = a.loops | b.loops};
}

static struct fold fold_of(const struct search *s, LLVMValueRef value)
{
    if (LLVMIsConstant(value))
        return (struct fold){0};
    return LLVMIsAInstruction(value) ? s->folds[tf_map_get(&s->at, value)]
                                     : (struct fold){.no = true};
}

static struct fold fold_of_operands(const struct search *s, LLVMValueRef i)
{
    struct fold all = {0};

    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
        all = both(all, fold_of(s, LLVMGetOperand(i, k)));
    return all;
}

static struct fold fold_of_phi(const struct search *s, LLVMValueRef phi, unsigned block)
{
    const unsigned loop = s->cfg.blocks[block].loop, count = LLVMCountIncoming(phi);
    struct fold all = {0};

    if (tf_cfg_is_head(&s->cfg, block)) {
        if (!s->rounds[loop])
            return (struct fold){.no = true};
        all.loops = UINT64_C(1) << loop;
    } else if (count != 1) {
        return (struct fold){.no = true};
    }
    for (unsigned k = 0; k < count; k++)
        all = both(all, fold_of(s, LLVMGetIncomingValue(phi, k)));
    return all;
}

static LLVMValueRef root_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool is_of_constants(LLVMValueRef load)
{
    const LLVMValueRef root = root_of(LLVMGetOperand(load, 0));

    return !LLVMGetVolatile(load) && LLVMIsAGlobalVariable(root) &&
           LLVMIsGlobalConstant(root) && LLVMGetInitializer(root);
}

static struct fold fold_of_instruction(const struct search *s, LLVMValueRef i,
                                       unsigned block)
{
    if (LLVMIsAAllocaInst(i)) // the start of addresses
        return (struct fold){0};
    if (LLVMIsAPHINode(i))
        return fold_of_phi(s, i, block);
    if (LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAICmpInst(i) ||
        LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) ||
        (LLVMIsALoadInst(i) && is_of_constants(i)))
        return fold_of_operands(s, i);
    return (struct fold){.no = true};
}

// Values start as numbers and lose that, round after round, until nothing changes.
static void find_folds(struct search *s)
{
    bool changed = true;

    while (changed) {
        unsigned at = 0;

        changed = false;
        for (unsigned b = 0; b < s->cfg.block_count; b++) {
            TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, s->cfg.blocks[b].block)
            {
                const struct fold now = fold_of_instruction(s, i, b);
                struct fold *const old = &s->folds[at++];

                changed |= now.no != old->no || (!now.no && now.loops != old->loops);
                *old = now;
            }
        }
    }
}

// ---- arrays

struct array {
    uint64_t loops;          // that its indices depend on
    uint64_t smallest_bytes; // that somebody loads or stores
    bool has_others;         // than sums: what is stored adds to what was there, or is
                             // a constant
};

// Whether the value is made of what lies at the address, as a sum is of the sum before.
static bool adds_to(LLVMValueRef value, LLVMValueRef address)
{
    for (unsigned i = 0; LLVMIsAInstruction(value) && !LLVMIsAPHINode(value) &&
                         i < (unsigned)LLVMGetNumOperands(value);
         i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, i);

        if (LLVMIsALoadInst(operand) && LLVMGetOperand(operand, 0) == address)
            return true;
    }
    return false;
}

static bool is_harmless_call(LLVMValueRef user)
{
    const char *const name = tf_ir_called_name(user);

    return name && (!strncmp(name, "llvm.lifetime.", strlen("llvm.lifetime.")) ||
                    !strncmp(name, "llvm.memset.", strlen("llvm.memset.")) ||
                    !strncmp(name, "llvm.memcpy.", strlen("llvm.memcpy.")));
}

// What is done at the address, and at those that are made of it; false: something that
// keeps the array in memory.
static bool follow(const struct search *s, LLVMValueRef address, struct array *a)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);
        const bool is_load = LLVMIsALoadInst(user) != NULL;
        const bool is_store =
            LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address;
        uint64_t bytes;

        if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
            const struct fold f = fold_of(s, user);

            a->loops |= f.loops;
            if (f.no || !follow(s, user, a))
                return false;
            continue;
        }
        if (tf_ir_is_call(user) && is_harmless_call(user))
            continue;
        if ((!is_load && !is_store) || LLVMGetVolatile(user))
            return false;
        a->has_others |= is_store && !LLVMIsConstant(LLVMGetOperand(user, 0)) &&
                         !adds_to(LLVMGetOperand(user, 0), address);
        bytes = LLVMABISizeOfType(s->layout,
                                  LLVMTypeOf(is_load ? user : LLVMGetOperand(user, 0)));
        if (bytes < a->smallest_bytes || !a->smallest_bytes)
            a->smallest_bytes = bytes;
    }
    return true;
}

// Instructions of the function with these loops unrolled.
static uint64_t size_with(const struct search *s, uint64_t loops)
{
    uint64_t all = 0;

    for (unsigned b = 0; b < s->cfg.block_count; b++) {
        uint64_t size = s->sizes[b];

        for (unsigned l = s->cfg.blocks[b].loop; l != TF_CFG_NONE;
             l = s->cfg.loops[l].parent) {
            if (loops >> l & 1 && size <= MOST_OF_SUMS)
                size *= s->rounds[l];
        }
        all += size;
    }
    return all;
}

// Whether the array may be values once those loops are unrolled, and `loops` with them.
static bool may_be_values(const struct search *s, const struct array *a,
                          LLVMValueRef variable, uint64_t loops)
{
    const uint64_t bytes = LLVMABISizeOfType(s->layout, LLVMGetAllocatedType(variable));
    const bool is_short = bytes <= MOST_ELEMENTS * a->smallest_bytes;

    return a->loops &&
           (is_short || (!a->has_others && bytes <= MOST_SUMS * a->smallest_bytes)) &&
           size_with(s, loops | a->loops) <=
               (is_short ? MOST_INSTRUCTIONS : MOST_OF_SUMS);
}

// The loops that must be unrolled for all arrays that may be values then.
static uint64_t loops_for_arrays(const struct search *s, LLVMValueRef fn)
{
    uint64_t loops = 0;

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        struct array a = {0};

        if (LLVMIsAAllocaInst(i) && follow(s, i, &a) && may_be_values(s, &a, i, loops))
            loops |= a.loops;
    }
    return loops;
}

static void mark(const struct search *s, uint64_t loops)
{
    for (unsigned l = 0; l < s->cfg.loop_count; l++) {
        if (loops >> l & 1)
            tf_ir_mark_loop(LLVMGetBasicBlockTerminator(
                                s->cfg.blocks[tf_cfg_latch(&s->cfg, l)].block),
                            TF_IR_FULL_UNROLLING);
    }
}

static bool has_constant_indices(LLVMValueRef address)
{
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
        if (!LLVMIsAConstantInt(LLVMGetOperand(address, i)))
            return false;
    }
    return true;
}

static bool is_indexed(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAGetElementPtrInst(user) &&
            (!has_constant_indices(user) || is_indexed(user)))
            return true;
    }
    return false;
}

bool tf_prepare_has_arrays(LLVMValueRef fn)
{
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (LLVMIsAAllocaInst(i) && is_indexed(i))
            return true;
    }
    return false;
}

static uint64_t find_loops(const struct tf_wg *wg, struct tf_arena *arena,
                           LLVMValueRef fn)
{
    struct search s = {.layout = LLVMGetModuleDataLayout(wg->module), .at.arena = arena};
    unsigned count = 0;
    uint64_t loops;

    if (!tf_cfg_init(&s.cfg, arena, fn) || s.cfg.loop_count == 0 ||
        s.cfg.loop_count > MOST_LOOPS)
        return 0;
    s.rounds = TF_ARENA_NEW(arena, unsigned, s.cfg.loop_count);
    s.sizes = TF_ARENA_NEW(arena, uint64_t, s.cfg.block_count);
    read_loops(&s);
    for (unsigned b = 0; b < s.cfg.block_count; b++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, s.cfg.blocks[b].block)
        {
            tf_map_put(&s.at, i, count++);
        }
    }
    s.folds = TF_ARENA_NEW(arena, struct fold, count + 1);
    find_folds(&s);
    loops = loops_for_arrays(&s, fn);
    mark(&s, loops);
    return loops;
}

bool tf_prepare_arrays(struct tf_wg *wg, LLVMValueRef fn, bool *ok)
{
    static const char unroll[] =
        "loop-simplify,lcssa,loop(loop-unroll-full),early-cse<memssa>,"
        "instcombine<no-verify-fixpoint>,sroa<modify-cfg>,early-cse<memssa>,"
        "simplifycfg";
    struct tf_arena arena = {0};
    bool any;

    *ok = true;
    if (!tf_prepare_has_arrays(fn))
        return false;
    any = find_loops(wg, &arena, fn) != 0;
    tf_arena_finish(&arena);
    if (any)
        *ok = tf_wg_run_on(wg, fn, unroll);
    return any;
}
