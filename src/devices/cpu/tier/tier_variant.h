// SPDX-License-Identifier: MIT
// The variants (program/cpu_variant.h) that launches get: which serves one, and when it
// is made.
#ifndef TF_DEVICES_CPU_TIER_TIER_VARIANT_H
#define TF_DEVICES_CPU_TIER_TIER_VARIANT_H

#include "devices/cpu/program/cpu_program.h"

// The variant for the launch, if it is there. Says once that launches run it.
const struct tf_cpu_kernel *tf_tier_variant(const struct tf_devprog *prog, size_t index,
                                            const struct tf_launch *launch);
// Its slot, as far as is known that it can run the launch; TF_SLOT_COUNT: none. Gives it
// one if there is none: no lock may be held.
enum tf_cpu_slot tf_tier_variant_slot(struct tf_devprog *prog, size_t index,
                                      const struct tf_launch *launch);
// Whether one is there, or may come, that serves it. Asks for nothing: any lock may be
// held.
bool tf_tier_variant_comes(const struct tf_devprog *prog, size_t index,
                           const struct tf_launch *launch);

// Code for one size of groups, which an earlier process came to want, is taken out of the
// cache, once.
void tf_tier_variant_find(struct tf_devprog *prog, size_t index,
                          const struct tf_launch *launch);
// Waits for it: it is there in a fifth of the time that code for all formats takes.
// Launches of other formats find quick code then. NULL: there is none.
const struct tf_cpu_kernel *tf_tier_variant_wait(struct tf_devprog *prog, size_t index,
                                                 const struct tf_launch *launch);

#endif // TF_DEVICES_CPU_TIER_TIER_VARIANT_H
