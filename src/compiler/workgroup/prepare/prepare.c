// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/prepare.h"

#include <llvm-c/Core.h>

#include "compiler/ir/flow/joins.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/apart.h"
#include "compiler/workgroup/prepare/arrays.h"
#include "compiler/workgroup/prepare/interior/interior.h"
#include "compiler/workgroup/prepare/passing.h"
#include "compiler/workgroup/prepare/peel.h"
#include "compiler/workgroup/prepare/rounds/ahead.h"
#include "compiler/workgroup/prepare/rounds/component_sums.h"
#include "compiler/workgroup/prepare/rounds/steps.h"
#include "compiler/workgroup/prepare/scopes.h"
#include "compiler/workgroup/prepare/space_scopes.h"
#include "compiler/workgroup/prepare/waits/wait.h"
#include "compiler/workgroup/prepare/wholes.h"

// Loops of a fixed count are unrolled: private arrays that they index become registers.
static const char rotate[] =
    "sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-simplify,lcssa,loop(loop-rotate)";
static const char hoist[] = "loop-mssa(licm)";
static const char unroll[] =
    "loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>";

// Loops in the shape that the gang pass reads: one entry, one way back, values that leave
// them through phis.
static const char prepare[] = "instcombine<no-verify-fixpoint>,gvn,simplifycfg,adce,"
                              "lower-switch,mergereturn,loop-simplify,lcssa";

// Gives loops of several entries one. LLVM 22 loses values where such loops nest: they
// lie in variables meanwhile.
static const char one_entry[] =
    "reg2mem,fix-irreducible,sroa<modify-cfg>,loop-simplify,lcssa";

// Rounds of a known number know what they do, and that the loop does not go on behind
// them.
static const char rounds[] =
    "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce,lower-switch,"
    "mergereturn,loop-simplify,lcssa";

// Where tests are decided blocks become one.
static const char interior[] =
    "simplifycfg,loop-simplify,lcssa,loop(indvars,loop-deletion,loop-unroll-full),"
    "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce,"
    "lower-switch,mergereturn,loop-simplify,lcssa";

// Components are often the same numbers again: of points, those of their neighbours.
static const char components[] =
    "early-cse<memssa>,instcombine<no-verify-fixpoint>,gvn,adce,loop-simplify,lcssa";

// What the addresses of two rounds have in common.
static const char addresses[] = "early-cse,adce,lcssa";

// Rows meet in what they address: in[y + 1] of one is in[y] of the next.
static const char meet[] =
    "early-cse<memssa>,instcombine<no-verify-fixpoint>,early-cse<memssa>,"
    "loop-simplify,lcssa";

// The time for that grows with the cube of the loops' entries: 600 blocks with 300 of
// them take 2.4 s, 4,000 blocks minutes and gigabytes. What stays as it is has no lanes.
enum { MOST_TANGLED_BLOCKS = 500 };

static bool is_reducible(LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    const bool is = tf_cfg_init(&cfg, &arena, fn);

    tf_arena_finish(&arena);
    return is;
}

// ---- sums of an index in parts

// in[row + (x + k)], where k counts rounds and row is outside of the loop: LLVM's LICM
// adds row and x outside, and then nothing says any more that the index does not wrap.
// Lanes have to ask in each access whether they lie side by side.
enum { MAX_DEPTH = 6 };

// What LICM takes out of the loop: arithmetic on what is outside.
static bool is_invariant(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef value,
                         unsigned depth)
{
    if (!tf_cfg_makes(cfg, loop, value))
        return true;
    if (depth == MAX_DEPTH || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value)))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_invariant(cfg, loop, LLVMGetOperand(value, i), depth + 1))
            return false;
    }
    return true;
}

static bool is_sum(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           LLVMGetNSW(value);
}

// Which operand of a sum is outside of the loop, if just one is. -1: none.
static int outer_part(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef sum)
{
    const bool first = is_invariant(cfg, loop, LLVMGetOperand(sum, 0), 0);

    if (first == is_invariant(cfg, loop, LLVMGetOperand(sum, 1), 0))
        return -1;
    return first ? 0 : 1;
}

// Whether the loop makes the sum in two steps, each with something from outside.
static bool is_in_parts(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef sum)
{
    const int outer = outer_part(cfg, loop, sum);
    LLVMValueRef inner;

    if (outer < 0)
        return false;
    inner = LLVMGetOperand(sum, outer == 0 ? 1 : 0);
    return is_sum(inner) && tf_cfg_makes(cfg, loop, inner) &&
           outer_part(cfg, loop, inner) >= 0;
}

bool tf_prepare_sums_in_parts(LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    bool found = false;

    if (tf_cfg_init(&cfg, &arena, fn)) {
        TF_FOR_EACH_INSTRUCTION(i, fn)
        {
            const LLVMValueRef sum = LLVMIsASExtInst(i) ? LLVMGetOperand(i, 0) : NULL;
            unsigned loop;

            if (!sum || !is_sum(sum))
                continue;
            loop = cfg.blocks[tf_cfg_number(&cfg, LLVMGetInstructionParent(sum))].loop;
            for (; loop != TF_CFG_NONE && !found; loop = cfg.loops[loop].parent)
                found = is_in_parts(&cfg, loop, sum);
        }
    }
    tf_arena_finish(&arena);
    return found;
}

// ----

// Values move out of loops, unless that takes away what is known of indices.
static bool unroll_loops(struct tf_wg *wg, LLVMValueRef fn)
{
    return tf_wg_run_on(wg, fn, rotate) &&
           (tf_prepare_sums_in_parts(fn) || tf_wg_run_on(wg, fn, hoist)) &&
           tf_wg_run_on(wg, fn, unroll);
}

bool tf_prepare_lanes(struct tf_wg *wg, LLVMValueRef fn, bool *untangled)
{
    bool ok;

    tf_prepare_scopes(fn);
    tf_prepare_space_scopes(fn);
    if (!unroll_loops(wg, fn) || (tf_prepare_arrays(wg, fn, &ok) && !ok) ||
        !tf_wg_run_on(wg, fn, prepare))
        return false;
    // Without barriers, most such blocks are reached by all lanes together.
    if (wg->item->has_barrier && tf_ir_compute_at_joins(fn) &&
        !tf_wg_run_on(wg, fn, rounds))
        return false;
    if (tf_prepare_passing(fn) && !tf_wg_run_on(wg, fn, components))
        return false;
    if (tf_prepare_component_sums(fn) && !tf_wg_run_on(wg, fn, components))
        return false;
    if (wg->item->has_barrier && !wg->item->sub_groups && tf_prepare_steps(wg, fn, &ok) &&
        !(ok && tf_wg_run_on(wg, fn, rounds)))
        return false;
    if (wg->item->has_barrier && !wg->item->sub_groups && tf_prepare_peel(wg, fn) &&
        !tf_wg_run_on(wg, fn, rounds))
        return false;
    if (!wg->item->has_barrier && !wg->item->sub_groups && tf_prepare_interior(wg, fn) &&
        !tf_wg_run_on(wg, fn, interior))
        return false;
    if (tf_prepare_apart(wg, fn, &ok) && !ok)
        return false;
    *untangled = !is_reducible(fn) && LLVMCountBasicBlocks(fn) <= MOST_TANGLED_BLOCKS;
    if (*untangled && !tf_wg_run_on(wg, fn, one_entry))
        return false;
    if (tf_private_expand(wg, fn) &&
        !tf_wg_run_llvm(wg, "always-inline,function(loop-simplify,lcssa)"))
        return false;
    tf_private_sink(wg, fn);
    // Not before LLVM's passes: lanes go on in step with each other between barriers,
    // too, as programs that are written for one vendor's warps take it that they do.
    tf_prepare_volatiles(fn);
    return !tf_prepare_ahead(wg, fn) || tf_wg_run_on(wg, fn, addresses);
}

bool tf_prepare_components(struct tf_wg *wg, LLVMValueRef fn)
{
    tf_prepare_wholes(fn);
    return tf_wg_run_on(wg, fn, "scalarizer<load-store>,early-cse,adce,lcssa");
}

bool tf_prepare_pack(struct tf_wg *wg, const struct tf_pack *pack, LLVMValueRef *packed)
{
    *packed = tf_pack_clone(wg, pack);
    if (!tf_wg_run_on(wg, *packed, meet))
        return false;
    tf_private_sink(wg, *packed);
    return true;
}
