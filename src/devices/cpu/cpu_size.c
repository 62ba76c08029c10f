// SPDX-License-Identifier: MIT
#include "devices/cpu/cpu_size.h"

#include "core/device_caps.h"

enum {
    // Groups large enough to fill registers and to pay for their set-up, small enough for
    // every worker to get several.
    LOOP_ITEMS = 256,
    FIBER_ITEMS = 64,
    GROUPS_PER_WORKER = 4,
    // A range so large that it pays to look for a divisor among all group sizes.
    LARGE_RANGE_ITEMS = 1 << 16,
    // Stacks of one group on fibers.
    FIBER_RESERVE_BYTES = 32 << 10,
    MAX_STACKS_BYTES = 256 << 20,
};

static bool needs_fibers(const struct tf_kernel_info *kernel)
{
    return kernel->flags & TF_KERNEL_HAS_BARRIER;
}

size_t tf_cpu_max_group_size(struct tf_device *dev, const struct tf_kernel_info *kernel)
{
    size_t size = dev->caps->max_group_size;
    uint64_t stack_bytes;

    if (!needs_fibers(kernel))
        return size;
    if (kernel->private_bytes > MAX_STACKS_BYTES)
        return 1;
    stack_bytes = kernel->private_bytes + FIBER_RESERVE_BYTES;
    while (size > 1 && size > MAX_STACKS_BYTES / stack_bytes)
        size /= 2;
    return size;
}

static size_t divisor_below(size_t n, size_t most)
{
    size_t d = n < most ? n : most;

    if (d == 0)
        return 1;
    while (n % d)
        d--;
    return d;
}

// Smallest divisor above `least`, up to `most`; 0 if there is none.
static size_t divisor_above(size_t n, size_t least, size_t most)
{
    for (size_t d = least + 1; d <= most; d++)
        if (n % d == 0)
            return d;
    return 0;
}

// The size for a dimension that has only small divisors up to `most`.
static size_t size_without_divisor(size_t n, size_t found, size_t most, size_t limit,
                                   bool is_uniform)
{
    size_t larger = 0;

    // A ragged last group costs less than groups of one item each.
    if (!is_uniform)
        return most;
    if (n >= LARGE_RANGE_ITEMS)
        larger = divisor_above(n, most, limit);
    return larger ? larger : found;
}

// How many items a group should have: fewer when the range is small, so that no worker
// idles.
static size_t wanted_items(const struct tf_device *dev,
                           const struct tf_kernel_info *kernel, cl_uint work_dim,
                           const size_t global_size[3])
{
    const size_t most = tf_cpu_max_group_size((struct tf_device *)(uintptr_t)dev, kernel);
    const size_t groups = (size_t)dev->info->compute_units * GROUPS_PER_WORKER;
    size_t wanted = needs_fibers(kernel) ? FIBER_ITEMS : LOOP_ITEMS;
    size_t items = 1;

    for (cl_uint i = 0; i < work_dim; i++) {
        if (__builtin_mul_overflow(items, global_size[i], &items))
            items = SIZE_MAX;
    }
    while (wanted > 1 && wanted * groups > items)
        wanted /= 2;
    return wanted < most ? wanted : most;
}

void tf_cpu_local_size(struct tf_device *dev, const struct tf_kernel_info *kernel,
                       cl_uint work_dim, const size_t global_size[3], size_t out[3])
{
    const bool is_uniform = kernel->flags & TF_KERNEL_UNIFORM_GROUPS;
    size_t left = wanted_items(dev, kernel, work_dim, global_size);
    size_t room = tf_cpu_max_group_size(dev, kernel);

    out[0] = out[1] = out[2] = 1;
    for (cl_uint i = 0; i < work_dim && left > 1; i++) {
        const size_t item_limit = dev->caps->max_item_sizes[i];
        const size_t limit = room < item_limit ? room : item_limit;
        const size_t most = left < limit ? left : limit;
        size_t size = divisor_below(global_size[i], most);

        if (size * 4 < most && global_size[i] > most)
            size = size_without_divisor(global_size[i], size, most, limit, is_uniform);
        out[i] = size;
        left /= size;
        room /= size;
    }
}
