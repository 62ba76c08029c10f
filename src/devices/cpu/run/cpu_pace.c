// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_pace.h"

#include "devices/cpu/program/cpu_program.h"

enum { PARTS = 4096 }; // of a nanosecond, that a work-item takes

static _Atomic uint32_t *pace_of(const struct tf_devprog *prog, size_t index)
{
    return &tf_cpu_kernel_at(prog, index, TF_SLOT_FULL)->item_time;
}

// Relaxed: a number that says no more than itself.
void tf_pace_note(const struct tf_devprog *prog, size_t index, uint64_t items,
                  uint64_t busy_ns)
{
    const uint64_t parts = busy_ns < UINT32_MAX ? busy_ns * PARTS / items : UINT32_MAX;

    atomic_store_explicit(pace_of(prog, index),
                          parts < UINT32_MAX ? (uint32_t)parts + 1 : UINT32_MAX,
                          memory_order_relaxed);
}

bool tf_pace_is_short(const struct tf_devprog *prog, size_t index, uint64_t items)
{
    const uint32_t parts =
        atomic_load_explicit(pace_of(prog, index), memory_order_relaxed);

    return parts > 0 && items <= TF_PACE_SHORT_NS * (uint64_t)PARTS / parts;
}
