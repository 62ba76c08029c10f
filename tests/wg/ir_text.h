// SPDX-License-Identifier: MIT
// Functions as text for the tests of the passes in compiler/workgroup, and names for what
// is in them. Failures end the test (Check).
#ifndef TF_TESTS_WG_IR_TEXT_H
#define TF_TESTS_WG_IR_TEXT_H

#include <stdbool.h>

#include <check.h>
#include <llvm-c/Core.h>

#include "compiler/ir/llvm_version.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/analysis/shape.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/plan.h"

// Layout of the kernels' target, and what the passes know by name.
#define IR_HEAD                                                                    \
    "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-" \
    "v256:256-v512:512-v1024:1024-n8:16:32:64-G1\"\n"                              \
    "declare i32 @tf_lid0()\ndeclare i32 @tf_lid1()\n"                             \
    "declare i32 @tf_gid0()\ndeclare i32 @tf_gid1()\n"                             \
    "declare void @__tf_barrier() convergent\n!0 = !{}\n"

// Alignment among the arguments of masked loads, stores and gathers of words, where LLVM
// has it there; its place in their declarations.
#if TF_LLVM_MASKED_ALIGN_IS_ATTRIBUTE
#define IR_ALIGN
#define IR_ALIGN_TYPE
#else
#define IR_ALIGN "i32 4, "
#define IR_ALIGN_TYPE "i32, "
#endif

struct ir {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMValueRef fn; // "k"
    struct tf_arena arena;
    struct tf_cfg cfg;
    struct tf_shapes shapes;
    struct tf_target target; // 256 bits unless a test changes it
    struct tf_facts facts;   // ir_facts
    struct tf_plan plan;     // ir_plan
    // Of ir_wg.
    struct tf_wishes wishes;
    struct tf_item item;
    struct tf_lanes lanes;
};

// Parses IR_HEAD and `text`, which defines @k.
void ir_open(struct ir *ir, const char *text);
void ir_close(struct ir *ir);
// How often `what` is in the module's functions, as text.
unsigned ir_count(const struct ir *ir, const char *what);
// The instruction, argument or block of @k with this name.
LLVMValueRef ir_value(const struct ir *ir, const char *name);
unsigned ir_block(const struct ir *ir, const char *name); // its number in the cfg

// The analyses. ir_cfg: whether the graph is reducible.
bool ir_cfg(struct ir *ir);
void ir_shapes(struct ir *ir); // with ir_cfg
// Shape of a value.
struct tf_shape ir_shape(const struct ir *ir, const char *name);
void ir_expect_affine(const struct ir *ir, const char *name, int64_t stride);
void ir_expect_varying(const struct ir *ir, const char *name);
// Facts, as of a kernel that has lanes; false where it can have none.
bool ir_facts(struct ir *ir, unsigned lanes);
// The plan for that many lanes in the registers of ir->target, with ir_facts; false where
// there is none (ir->plan.unfit).
bool ir_plan(struct ir *ir, unsigned width, bool masked);
enum tf_form ir_form(const struct ir *ir, const char *name); // of ir_plan
// What code is made with. Borrows `ir`, whose function is the wide one.
struct tf_wg ir_wg(struct ir *ir, unsigned width);
// The code of ir_plan as text, which the caller disposes of; it is verified, and
// keeps the rules of masks.
char *ir_emit(struct ir *ir);
// Opens the text and runs a pass over its function, which is well formed afterwards. What
// the pass returns.
bool ir_run(struct ir *ir, const char *text, bool (*pass)(LLVMValueRef fn));

Suite *tf_suite_roots(void);
Suite *tf_suite_cfg(void);
Suite *tf_suite_shape(void);
Suite *tf_suite_region(void);
Suite *tf_suite_dimension(void);
Suite *tf_suite_limit(void);
Suite *tf_suite_index(void);
Suite *tf_suite_aligned(void);
Suite *tf_suite_spin(void);
Suite *tf_suite_unroll(void);
Suite *tf_suite_volatiles(void);
Suite *tf_suite_joins(void);
Suite *tf_suite_known_ways(void);
Suite *tf_suite_merged_stores(void);
Suite *tf_suite_index_sums(void);
Suite *tf_suite_peel(void);
Suite *tf_suite_steps(void);
Suite *tf_suite_ahead(void);
Suite *tf_suite_distribute(void);
Suite *tf_suite_passing(void);
Suite *tf_suite_columns(void);
Suite *tf_suite_strip(void);
Suite *tf_suite_forward(void);
Suite *tf_suite_words(void);
Suite *tf_suite_minima(void);
Suite *tf_suite_extremes(void);
Suite *tf_suite_gathers(void);
Suite *tf_suite_masks(void);
Suite *tf_suite_neighbours(void);
Suite *tf_suite_masked_loads(void);
Suite *tf_suite_conversion(void);
Suite *tf_suite_directed(void);
Suite *tf_suite_cost(void);
Suite *tf_suite_narrow(void);
Suite *tf_suite_room(void);
Suite *tf_suite_facts(void);
Suite *tf_suite_form(void);
Suite *tf_suite_target(void);
Suite *tf_suite_width(void);
Suite *tf_suite_stream(void);
Suite *tf_suite_suffice(void);
Suite *tf_suite_components(void);
Suite *tf_suite_gang(void);
Suite *tf_suite_check(void);
Suite *tf_suite_pack(void);
Suite *tf_suite_split(void);
Suite *tf_suite_private(void);

#endif // TF_TESTS_WG_IR_TEXT_H
