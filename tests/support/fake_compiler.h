// SPDX-License-Identifier: MIT
// A kernel compiler for tests: the same table of functions as libtrefoil-compiler.so, and
// kernels that are C functions of the test. Source and bitcode are plain text; every word
// after "kernel" names a kernel, which must have been defined here. Each kernel has the
// arguments of the mock device's: (global uint *data, uint value, local uint *scratch).
// Source with the word "error" does not compile, options with "bad" are refused.
#ifndef TF_TESTS_FAKE_COMPILER_H
#define TF_TESTS_FAKE_COMPILER_H

#include <stdatomic.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "abi/cpu_abi.h"

struct fake_kernel {
    const char *name;
    tf_wg_entry entry;
    enum tf_wg_form form;
    uint64_t stack_bytes;
    uint32_t flags; // enum tf_kernel_flags
    uint64_t private_bytes;
    int failures;            // generate() fails so many times; -1: unless plain
    struct tf_fibers fibers; // none: one for each work-item if the form is FIBERS
    tf_wg_entry quick_entry; // of the quick tier: without fibers; NULL: the same
};

struct fake_args {
    uint32_t *data;
    uint32_t value;
    uint64_t scratch; // offset in the group's local memory
};

// Replaces all kernels. The array is borrowed until the next call.
void fake_compiler_define(const struct fake_kernel *kernels, size_t count);

// Counts of calls, and a time that each generate() takes. Of those generated how many for
// the quick tier.
extern atomic_int fake_compiler_compiled, fake_compiler_linked, fake_compiler_generated;
extern atomic_int fake_compiler_generated_quickly;
extern atomic_uint fake_compiler_delay_us;
// Of all code but what is asked for as LOOPS, which fits every launch.
extern struct tf_fit fake_compiler_fit;
// link() makes tables of kernels that cannot be read.
extern atomic_bool fake_compiler_damages;

// Until it is let go, no generate() returns: the counts know it when it has begun.
void fake_compiler_hold(void);
void fake_compiler_let_go(void);

const struct tf_compiler *fake_compiler_table(void);

// For entry functions of tests: the linear number of a group.
uint64_t fake_group_number(const struct tf_launch *launch, const uint64_t id[3]);

// The same: calls fn for each group of a range.
void fake_for_each_group(
    const struct tf_launch *launch, const uint64_t first[3], uint64_t count,
    void (*fn)(const struct tf_launch *, const struct tf_group *, void *), void *arg);

#endif // TF_TESTS_FAKE_COMPILER_H
