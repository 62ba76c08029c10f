// SPDX-License-Identifier: MIT
// Variants: code of a kernel for launches whose images have certain formats, and samplers
// certain bits (doc/images.md), or whose groups have one size (doc/runtime.md), as
// constants. The results are those of any other code, bit for bit. A kernel has few
// variants; launches beyond them get code for all.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_VARIANT_H
#define TF_DEVICES_CPU_PROGRAM_CPU_VARIANT_H

#include "devices/cpu/program/cpu_program.h"

// Of the environment (TREFOIL_VARIANTS).
enum tf_variant_policy {
    TF_VARIANTS_NONE,
    TF_VARIANTS_AUTO, // in place of optimized code for all launches
    TF_VARIANTS_ALL,  // before the first launch, for tests
};
enum tf_variant_policy tf_cpu_variant_policy(void);

// What variants of a kernel know.
enum tf_variant_kind {
    TF_VARIANT_NONE,   // it has none
    TF_VARIANT_IMAGES, // formats and samplers: it takes images
    TF_VARIANT_SIZE,   // the size of all groups: it has barriers, and demands no size
};
// Finds that out for all kernels of a program. Before anybody else knows it.
void tf_cpu_variant_settle(struct tf_devprog *prog);

// The slot of the variant for launches like this one. If there is none, one is given to
// it; TF_SLOT_COUNT where all are taken, no variant can be for it, or memory ran out.
enum tf_cpu_slot tf_cpu_variant_slot(struct tf_devprog *prog, size_t index,
                                     const struct tf_launch *launch);
// Its code if it is there; gives no slot away.
const struct tf_cpu_kernel *tf_cpu_variant_peek(const struct tf_devprog *prog,
                                                size_t index,
                                                const struct tf_launch *launch);
// Whether there may be one, now or later.
bool tf_cpu_variant_may_come(const struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch);

// Whether code for the slot is there or asked for, or would not be one size too many.
bool tf_cpu_variant_may_be_made(const struct tf_devprog *prog, size_t index,
                                enum tf_cpu_slot slot);
// Whether there is code for groups of any one size.
bool tf_cpu_variant_is_there(const struct tf_devprog *prog, size_t index);
// How many slots for one size of groups have been given.
size_t tf_cpu_variant_sizes(const struct tf_devprog *prog, size_t index);
// The slot for groups of `local_size`, as above; *no_memory: whether memory ran out.
enum tf_cpu_slot tf_cpu_variant_slot_of_size(struct tf_devprog *prog, size_t index,
                                             const uint32_t local_size[3],
                                             bool *no_memory);

// What the variant in a slot is for, by the names of its arguments: "in CL_RGBA
// CL_UNORM_INT8, smooth sampler 0x22"; or "work-groups of 64 x 1 x 1". Owned by the
// caller; NULL when memory ran out.
char *tf_cpu_variant_text(const struct tf_devprog *prog, size_t index,
                          enum tf_cpu_slot slot) TF_NODISCARD;
// Which variants launches ran, of a program that reports: a line for each, and below it
// what became of its work-items. Owned by the caller; NULL: none.
char *tf_cpu_variant_report(struct tf_devprog *prog) TF_NODISCARD;

#endif // TF_DEVICES_CPU_PROGRAM_CPU_VARIANT_H
