// SPDX-License-Identifier: MIT
// One object of one kernel: from a program's bitcode and what is wanted to bytes and the
// facts that a launch needs. No state is kept: the same inputs give the same bytes.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_GENERATE_H
#define TF_DEVICES_CPU_PROGRAM_CPU_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "base/attr.h"
#include "base/str.h"

struct tf_arch_level;
struct tf_devprog;
struct tf_kernel_info;

enum { TF_VARIANT_SLOTS = 32 }; // of a kernel

// The pieces of code that a kernel may have (doc/runtime.md, "Code").
enum tf_cpu_slot {
    TF_SLOT_FULL,    // optimized
    TF_SLOT_SINGLE,  // optimized, work-items one by one: for launches that FULL does not
                     // fit
    TF_SLOT_QUICK,   // soon rather than fast
    TF_SLOT_VARIANT, // the first of those for certain launches (cpu_variant.h)
    TF_SLOT_COUNT = TF_SLOT_VARIANT + TF_VARIANT_SLOTS,
};

// All that the code depends on, beside the program's bitcode, the kernel's name and the
// build of the compiler. Each field is part of the cache's key (cpu_code_cache.c).
struct tf_cpu_wanted {
    const struct tf_arch_level *level; // that of this process, but for program binaries
    enum tf_wg_form form;
    bool plain; // least optimization
    bool quick; // the quick tier
    uint32_t width, pack_rows;
    const void *fixed_args; // of a variant, borrowed: struct tf_generate_in
    size_t fixed_arg_bytes;
    uint32_t local_size[3]; // of a variant: the same
};

// What was made. A launch counts with all but the object.
struct tf_cpu_code {
    void *object; // ELF bytes, owned; kept for program binaries
    size_t object_bytes;
    uint64_t stack_bytes;
    enum tf_wg_form form; // LOOPS, FIBERS or SIMT
    struct tf_scratch scratch;
    struct tf_fibers fibers;
    struct tf_fit fit; // which launches it can run
};

// What the environment asks of code: TREFOIL_WG, TREFOIL_WIDTH, TREFOIL_PACK.
struct tf_cpu_wanted tf_cpu_wanted_of_environment(void);
// What to make of kernel `index`: the environment's wish as far as the kernel allows.
struct tf_cpu_wanted tf_cpu_wanted(const struct tf_devprog *prog, size_t index,
                                   enum tf_cpu_slot slot);

// Generates code of kernel `index` of the program. False when that failed; `log` tells
// why, or (`report`) what became of the work-items, line by line. Takes long; no lock may
// be held, any thread may call.
bool tf_cpu_generate(const struct tf_devprog *prog, size_t index,
                     const struct tf_cpu_wanted *wanted, bool report,
                     struct tf_cpu_code *code, struct tf_str *log) TF_NODISCARD;
// Time that optimized code takes to be made in a new process, where quick code was made
// before it: of bench's kernels on a Zen 5 core, within a factor of 2.
uint64_t tf_cpu_generate_ns(const struct tf_kernel_info *info);
// Frees the object. All zero is allowed.
void tf_cpu_code_finish(struct tf_cpu_code *code);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_GENERATE_H
