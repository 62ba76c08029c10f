// SPDX-License-Identifier: MIT
// Variants: code of a kernel for launches whose images have certain formats, and samplers
// certain bits, as constants. The results are those of any other code, bit for bit. A
// kernel has few variants; launches beyond them get code for all formats (doc/images.md).
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_VARIANT_H
#define TF_DEVICES_CPU_PROGRAM_CPU_VARIANT_H

#include "devices/cpu/program/cpu_program.h"

// Of the environment (TREFOIL_VARIANTS).
enum tf_variant_policy {
    TF_VARIANTS_NONE,
    TF_VARIANTS_AUTO, // in place of optimized code for all formats
    TF_VARIANTS_ALL,  // before the first launch, for tests
};
enum tf_variant_policy tf_cpu_variant_policy(void);

// True for kernels that take images.
bool tf_cpu_variant_helps(const struct tf_devprog *prog, size_t index);

// The slot of the variant for launches with the argument block `args`. If there is none,
// one is given to it; TF_SLOT_COUNT where all are taken, or memory ran out.
enum tf_cpu_slot tf_cpu_variant_slot(struct tf_devprog *prog, size_t index,
                                     const void *args);
// Its code if it is there; gives no slot away.
const struct tf_cpu_kernel *tf_cpu_variant_peek(const struct tf_devprog *prog,
                                                size_t index, const void *args);

// What the variant in a slot is for, by the names of its arguments: "in CL_RGBA
// CL_UNORM_INT8, smooth sampler 0x22". Owned by the caller; NULL when memory ran out.
char *tf_cpu_variant_text(const struct tf_devprog *prog, size_t index,
                          enum tf_cpu_slot slot) TF_NODISCARD;
// Which variants launches ran, of a program that reports: a line for each, and below it
// what became of its work-items. Owned by the caller; NULL: none.
char *tf_cpu_variant_report(struct tf_devprog *prog) TF_NODISCARD;

#endif // TF_DEVICES_CPU_PROGRAM_CPU_VARIANT_H
