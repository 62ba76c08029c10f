// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_needs.h"

#include "base/range.h"

enum {
    // Beyond what generated code says it needs: library functions that it calls, the
    // run-time below the services, and signal handlers of the application that interrupt
    // it.
    KERNEL_RESERVE_BYTES = 64 << 10,
    ITEM_RESERVE_BYTES = 16 << 10,
};

// False when the number does not fit.
static bool scratch_bytes(const struct tf_scratch *scratch, const uint64_t local[3],
                          size_t *bytes)
{
    const uint64_t width = scratch->width;
    size_t gangs;

    *bytes = 0;
    if (width == 0)
        return true;
    gangs = local[0] / width + (local[0] % width != 0);
    return !tf_mul_overflow(gangs, local[1], &gangs) &&
           !tf_mul_overflow(gangs, local[2], &gangs) &&
           !tf_mul_overflow(gangs, scratch->gang_bytes, bytes) &&
           !tf_add_overflow(*bytes, scratch->fixed_bytes, bytes);
}

// Pieces of `width` that `size` is made of, the last of what is left.
static uint64_t count_pieces(uint64_t size, uint64_t width)
{
    return size / width + (size % width != 0);
}

// How many fibers a full group has. False when the number does not fit.
static bool count_fibers(const struct tf_fibers *fibers, const struct tf_launch *launch,
                         size_t *count)
{
    const uint64_t *local = launch->local_size;
    const bool rows = fibers->row_width > 0 && tf_launch_is_small(launch);
    const uint64_t first = rows ? count_pieces(local[0], fibers->row_width) : local[0];

    *count = 0;
    if (!rows && fibers->width == 0)
        return true;
    if (tf_mul_overflow(first, local[1], count) ||
        tf_mul_overflow(*count, local[2], count))
        return false;
    if (!rows)
        *count = count_pieces(*count, fibers->width);
    return true;
}

bool tf_launch_needs(struct tf_exec_needs *needs, const struct tf_launch *launch,
                     size_t local_bytes, const struct tf_cpu_code *code)
{
    if (code->stack_bytes > SIZE_MAX / 4 ||
        !scratch_bytes(&code->scratch, launch->local_size, &needs->scratch_bytes) ||
        !count_fibers(&code->fibers, launch, &needs->item_count))
        return false;
    needs->local_bytes = local_bytes;
    needs->kernel_stack_bytes = code->stack_bytes + KERNEL_RESERVE_BYTES;
    needs->item_stack_bytes =
        needs->item_count > 0 ? code->stack_bytes + ITEM_RESERVE_BYTES : 0;
    return true;
}
