// SPDX-License-Identifier: MIT
// Loads as permutations of registers: from small tables, and from what memory has around
// coordinates.
#ifndef TF_COMPILER_WORKGROUP_PLAN_PERMUTE_H
#define TF_COMPILER_WORKGROUP_PLAN_PERMUTE_H

#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/operation/table.h"
#include "compiler/workgroup/plan/plan.h"

// Lanes of one permutation.
unsigned tf_permute_lanes(const struct tf_plan *p, const struct tf_table *table);
// Permutations that it takes to find an element anywhere in the table.
unsigned tf_permute_parts(const struct tf_plan *p, const struct tf_table *table);

// ---- tables of more than 32 numbers of 8 or 16 bits: registers of words, each of which
// holds an element, or two bytes that lie half of the table apart.

enum { TF_WORD_LANES = 32, TF_WORDS_OF_TWO = 64 }; // of a register, of two

struct tf_word_table {
    unsigned words; // 64 or 128
    bool is_paired; // word i has elements i and i + words
};

// Whether the table is one of these.
bool tf_word_table_of(const struct tf_table *table, struct tf_word_table *out);

// ---- windows: loads at coordinates that lanes count in steps which only the run knows,
// or that are no whole numbers; most gangs' elements lie in one window of memory as long
// as the gang.

enum {
    TF_WINDOW_LANES_MAX = 16,
};

// Lanes that share a window: those of a register of words.
unsigned tf_window_lanes(const struct tf_plan *p);

struct tf_window {
    LLVMValueRef address; // the getelementptr: of an address that lanes share
    LLVMValueRef index;   // i32, of all lanes
    unsigned words;       // from one index to the next: elements of the load, 1 or 2
    unsigned offset_bytes;
    // Elements of the window go to any lane; else each lane has the next element.
    bool permutes;
};

// Whether the load, which would be a gather, is of that kind.
bool tf_window_of(const struct tf_plan *p, const struct tf_value *load,
                  struct tf_window *out);
// Operations on registers of the load where the gang is as expected.
unsigned tf_window_operations(const struct tf_plan *p, const struct tf_value *load);

// ---- elements that rise: accesses of gangs that pass a multiple of n in i & (n - 1) or
// i % n (analysis/index.h), so that their elements are not side by side. Where n is less
// than the lanes they still rise from lane to lane and lie close together: 2 * i - (i &
// (n - 1)), the lower halves of blocks of 2 * n, as in sorting networks and Fourier
// transforms.

enum { TF_RISING_LANES = 16 }; // of a register of words

// Whether the load or store, which would be a gather or a scatter, is of that kind.
bool tf_plan_rises(const struct tf_plan *p, const struct tf_value *v);

#endif // TF_COMPILER_WORKGROUP_PLAN_PERMUTE_H
