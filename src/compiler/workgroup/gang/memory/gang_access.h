// SPDX-License-Identifier: MIT
// Loads and stores of all lanes.
#ifndef TF_COMPILER_WORKGROUP_GANG_MEMORY_GANG_ACCESS_H
#define TF_COMPILER_WORKGROUP_GANG_MEMORY_GANG_ACCESS_H

#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/gang/value/gang_emit.h"
#include "compiler/workgroup/plan/permute.h"

void gang_load(struct gang *g, struct tf_value *v);
void gang_store(struct gang *g, struct tf_value *v);
// A call of llvm.prefetch: the lines of all lanes.
void gang_fetch(struct gang *g, const struct tf_value *v);

// ---- what their files share

// What the program promises of its access holds for that of all lanes.
LLVMValueRef gang_keep_promises(struct gang *g, LLVMValueRef instruction,
                                LLVMValueRef made);
// What lanes that are not active load, whose numbers nobody asks for: operations on zeros
// are as fast as any, while those on numbers that are not normalized take a hundred
// cycles on some processors. Aligned to its size.
enum { GANG_ZEROS_BYTES = 16 };
LLVMValueRef gang_zeros(struct gang *g);
// llvm.masked.load, .store, .gather, .scatter. `args`: without the alignment; `at` is the
// pointer's place among them.
LLVMValueRef gang_call_masked(struct gang *g, const char *name, LLVMTypeRef value_type,
                              LLVMValueRef *args, unsigned at, unsigned align_bytes);

// One address for all of `pointers`.
LLVMValueRef gang_spread_pointer(struct gang *g, LLVMValueRef pointer,
                                 LLVMValueRef pointers);

// ---- private variables by units (gang_private.c): each lane at an index of its own, in
// the form TF_FORM_OWN_.. that the plan has for it.
LLVMValueRef gang_private_gather(struct gang *g, const struct tf_access *a,
                                 enum tf_form form);
void gang_private_scatter(struct gang *g, const struct tf_access *a, LLVMValueRef value);
// The address of a row of which all lanes can be loaded, and be stored after a blend, in
// the place of those that are active.
LLVMValueRef gang_private_row(struct gang *g, const struct tf_access *a);

// ---- bundles (gang_strided.c): the access is made, or will be with the last member.
void gang_bundle_load(struct gang *g, struct tf_value *v);
void gang_bundle_store(struct gang *g, struct tf_value *v);

// Before blocks are made again, as the copy of a region.
void gang_forget_bundles(struct gang *g);

// ---- strips (gang_strip.c): the access is made with its neighbours.
void gang_strip_load(struct gang *g, struct tf_value *v);
void gang_strip_store(struct gang *g, struct tf_value *v);

// ---- small tables (gang_table.c)
void gang_table_load(struct gang *g, struct tf_value *load);
// Where the load finds its element: integers of `type`, the part of an index that they
// have room for.
LLVMValueRef gang_table_index(struct gang *g, const struct tf_table *t,
                              const struct tf_value *load, LLVMTypeRef type);
// Both, one after the other.
LLVMValueRef gang_concatenate(struct gang *g, LLVMValueRef a, LLVMValueRef b);
// From a table of words (gang_word_table.c).
void gang_word_table_load(struct gang *g, struct tf_value *load,
                          const struct tf_table *of, const struct tf_word_table *words);

// ---- fetching ahead (gang_fetch.c): what the next gang loads where this one loads `a`
void gang_fetch_next(struct gang *g, const struct tf_access *a);

// ---- two ways (gang_fork.c)
struct gang_fork {
    LLVMBasicBlockRef far, merge;
};
// Leaves the builder on the side where `is_near` holds.
struct gang_fork gang_open_fork(struct gang *g, LLVMValueRef is_near);
void gang_other_side(struct gang *g, const struct gang_fork *f);
void gang_close_fork(struct gang *g, const struct gang_fork *f);

// ---- whole loads within a page (gang_page.c)
// Whether a load side by side at hand is to be made in two ways.
bool gang_may_load_page(struct gang *g, const struct tf_access *a);
// The side where all lanes' elements can be loaded.
struct gang_fork gang_open_page(struct gang *g, const struct tf_access *a);

// ---- stores that go past the caches (gang_past.c)
void gang_find_streams(struct gang_streams *s, const struct tf_plan *p);
bool gang_may_go_past_caches(const struct gang *g, const struct tf_value *store);
// Whether those of all lanes do, from `pointer` on.
LLVMValueRef gang_goes_past_caches(struct gang *g, LLVMValueRef pointer);
// Of a store at the beginning of a line, or some registers behind it.
void gang_make_non_temporal(struct gang *g, LLVMValueRef store);

// ---- windows (gang_window.c)
struct tf_window;
// Whether the gang's elements lie as expected.
LLVMValueRef gang_window_fits(struct gang *g, const struct tf_window *w);
// The load where that is so.
LLVMValueRef gang_window_take(struct gang *g, const struct tf_access *a,
                              const struct tf_window *w);

// ---- elements that rise close together (gang_rising.c)
// Whether they do in this gang; `whole`: and all its lanes are active.
LLVMValueRef gang_rising_fits(struct gang *g, const struct tf_access *a, bool whole);
// The access where that is so.
LLVMValueRef gang_rising_load(struct gang *g, const struct tf_access *a);
void gang_rising_store(struct gang *g, const struct tf_access *a, LLVMValueRef value);

#endif // TF_COMPILER_WORKGROUP_GANG_MEMORY_GANG_ACCESS_H
