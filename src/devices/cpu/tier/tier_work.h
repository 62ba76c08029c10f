// SPDX-License-Identifier: MIT
// How long quick code would be at a launch, by what the compiler has found of the kernel.
#ifndef TF_DEVICES_CPU_TIER_TIER_WORK_H
#define TF_DEVICES_CPU_TIER_TIER_WORK_H

#include "devices/cpu/program/cpu_program.h"

// Longer than optimized code takes to be made, as far as is known.
bool tf_tier_is_long(const struct tf_devprog *prog, size_t index,
                     const struct tf_launch *launch);
// Quick code may be 80 times as slow as lanes (bench's mandelbrot), and a thread leaves
// it only when a group has ended. With loops and few groups a first launch would lose
// more in its first groups than optimized code takes to be made; unless the arguments say
// that the whole of it is short.
bool tf_tier_is_coarse(const struct tf_devprog *prog, size_t index,
                       const struct tf_launch *launch);

#endif // TF_DEVICES_CPU_TIER_TIER_WORK_H
