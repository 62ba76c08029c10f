// SPDX-License-Identifier: MIT
// Our own lists in place of LLVM's default<O2>, whose call-graph pipeline, loop passes
// and vectorizers take most of the time of a build and find nothing to do: everything is
// inlined, and the plan has decided what is made vectors and what runs at a time.
#include "compiler/codegen/optimize.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "compiler/codegen/arithmetic/divisions.h"
#include "compiler/codegen/arithmetic/estimates.h"
#include "compiler/codegen/memory/neighbours.h"
#include "compiler/codegen/memory/words.h"
#include "compiler/codegen/narrow_indices.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/masked_loads.h"
#include "compiler/ir/passes.h"

#define COMBINE "instcombine<no-verify-fixpoint>,"

// Variables become values.
static const char variables[] = "sroa<modify-cfg>,early-cse<memssa>";

// Ranges of values prove guards of indices and tell which arithmetic can be narrower
// (without: blur_uchar4 0.62, reduce 0.65 of its speed). What does not change leaves
// loops.
#define VALUES                                    \
    "correlated-propagation,simplifycfg," COMBINE \
    "simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm),simplifycfg," COMBINE

// Loads and stores that others make superfluous, and what can be done then.
#define MEMORY "gvn,dse"
#define AFTER_MEMORY COMBINE "simplifycfg,adce"

// Not for gangs without barriers, which were prepared so before they were made: loops
// that do nothing, and loops of few rounds (without: reduce 0.65, struct_array 0.33).
// With the number of rounds half of the time of a list goes into this.
#define ROUNDS "loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"

// Loops of the program: those of the plan say that they are not to be unrolled
// (histogram_local 0.8, kmeans_assign 0.8). Copies load the same.
#define UNROLL "loop-unroll<O2>,early-cse,simplifycfg"

// Addresses step by step. Gangs without loops of the program do without, others lose
// (transpose 0.8, matmul_tiled 0.85; a multiplication for each row of a stencil or of a
// matrix): the code generator's own turn of it is switched off (front/llvm_init.c).
#define STEPS "loop(loop-reduce)"

static const char gang_values[] = VALUES MEMORY;
static const char gangs[] = AFTER_MEMORY "," UNROLL;

// Parts end with questions that the next one begins with (without: reduce_in_cache 0.87).
#define JUMPS "jump-threading,correlated-propagation,simplifycfg,"

// What is left of loops over single elements, at the narrow end of a tree, becomes
// vectors (without: reduce 0.91).
static const char part_values[] = VALUES JUMPS ROUNDS MEMORY;
static const char part_vectors[] = COMBINE UNROLL;

// Steps of a tree without loops: behind what has been made of words.
static const char words[] = "early-cse<memssa>,adce";

// Nobody has made vectors of work-items one by one, where that can be done.
static const char item_values[] = VALUES ROUNDS MEMORY;
static const char item_vectors[] = "slp-vectorizer,vector-combine," COMBINE UNROLL;

// What all lists of loops of the program end with, and those of others: behind loads of
// neighbours, which want to see how far indices are apart.
static const char steps[] = STEPS ",adce", no_steps[] = "adce";

// What runs once a row at most, if at all: half of all code, which is not worth what
// makes loops long and fast.
static const char seldom[] =
    "simplifycfg," COMBINE
    "loop-simplify,lcssa,loop-mssa(licm),early-cse<memssa>,simplifycfg,adce";

// Variables of the work-group form into values: as quick as doing nothing, because there
// is less to emit, and half of the stack. With one more pass the code would be hardly
// faster: LLVM's quick instruction selection keeps values in registers within a block
// only.
static const char quick[] = "function(sroa<modify-cfg>,early-cse,simplifycfg)";

// Of functions above LARGE instructions: what takes time that grows with their number
// alone. The loop vectorizer took 10 s for 60,000 in one loop, and found nothing.
static const char large[] = VALUES "dse," AFTER_MEMORY;

enum { LARGE = 20000 };

static bool is_large(LLVMValueRef function)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (++count > LARGE)
            return true;
    }
    return false;
}

// The loop vectorizer asks of all stores and loads of a loop, two by two, whether they
// touch the same: 8 s for 1,000 in a row, of which it makes nothing that pays.
enum { MOST_ACCESSES_IN_A_ROW = 300, MOST_ACCESSES = 1000 };

static bool has_many_accesses(LLVMValueRef function)
{
    unsigned all = 0;

    TF_FOR_EACH_BLOCK(block, function)
    {
        unsigned count = 0;

        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
        {
            count += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
        }
        all += count;
        if (count > MOST_ACCESSES_IN_A_ROW || all > MOST_ACCESSES)
            return true;
    }
    return false;
}

static const char after_memory[] = AFTER_MEMORY;
static const char vectorize[] = "loop-vectorize";

enum { MOST_LISTS = 8 };

// Lists of passes, one after the other: between them loads under masks are settled.
struct lists {
    const char *of[MOST_LISTS + 1];
};

// Error messages, or NULL.
static char *run_on(LLVMValueRef f, LLVMTargetMachineRef machine, const struct lists *l)
{
    static const struct lists for_large = {{variables, large}};
    const struct lists *const lists = is_large(f) ? &for_large : l;
    char *message = NULL;

    for (unsigned i = 0; lists->of[i] && !message; i++) {
        const char *const list = lists->of[i];

        if (list == steps || list == no_steps)
            tf_neighbours_settle(f);
        else if (i > 0)
            tf_masked_loads_settle(f);
        if (list == words)
            tf_words_settle(f);
        if (list == vectorize) {
            tf_narrow_indices_settle(f);
            tf_divisions_settle(f);
            tf_estimates_offer(f);
            if (has_many_accesses(f))
                continue;
        }
        message = tf_ir_run_passes_on(f, list, machine);
    }
    return message;
}

static char *run_lists(LLVMModuleRef module, LLVMTargetMachineRef machine,
                       const struct lists *l, bool on_seldom)
{
    char *message = NULL;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !message;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && tf_ir_is_seldom(f) == on_seldom)
            message = run_on(f, machine, l);
    }
    return message;
}

static unsigned count_definitions(LLVMModuleRef module)
{
    unsigned count = 0;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count += !LLVMIsDeclaration(f);
    return count;
}

// What is seldom first, then what is known of it: gangs under masks do not change struct
// tf_group, so that their callers can keep it in registers (blur_uchar4 0.86).
static char *run(LLVMModuleRef module, LLVMTargetMachineRef machine, enum tf_wg_code code)
{
    static const struct lists few = {{variables, seldom}};
    static const struct lists lists[] = {
        [TF_WG_ITEMS] = {{variables, item_values, after_memory, vectorize, item_vectors,
                          steps}},
        [TF_WG_GANGS] = {{variables, gang_values, gangs, no_steps}},
        [TF_WG_GANG_LOOPS] = {{variables, gang_values, gangs, steps}},
        [TF_WG_PARTS] = {{variables, part_values, after_memory, vectorize, part_vectors,
                          steps}},
        [TF_WG_STEPS] = {{variables, part_values, after_memory, words, after_memory,
                          vectorize, part_vectors, steps}}};
    char *message = run_lists(module, machine, &few, true);

    if (!message && count_definitions(module) > 1)
        message = tf_ir_run_passes(module, "cgscc(function-attrs)", machine);
    return message ? message : run_lists(module, machine, &lists[code], false);
}

bool tf_codegen_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         enum tf_optimize how, enum tf_wg_code code, struct tf_str *log)
{
    char *message;

    if (how == TF_OPTIMIZE_FULLY)
        message = run(module, machine, code);
    else
        message = tf_ir_run_passes(
            module, how == TF_OPTIMIZE_QUICKLY ? quick : "default<O0>", machine);
    if (!message)
        return true;
    tf_str_printf(log, "error: %s\n", message);
    LLVMDisposeErrorMessage(message);
    return false;
}
