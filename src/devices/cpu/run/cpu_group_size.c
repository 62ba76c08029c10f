// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_group_size.h"

#include <stdint.h>

#include "core/platform/device_caps.h"

enum {
    // Groups large enough to fill registers and to pay for their set-up, small enough for
    // every worker to get several.
    WANTED_ITEMS = 256,
    GROUPS_PER_WORKER = 4,
    // A large group of a plane has several rows, which may run as one
    // (workgroup/plan/pack/pack.h).
    ROWS = 4,
    ROW_ITEMS = 64,
    // A range so large that it pays to look for a divisor among all group sizes.
    LARGE_RANGE_ITEMS = 1 << 16,
    // Private variables of the work-items of one group that live at the same time.
    MAX_PRIVATE_BYTES = 256 << 20,
};

// The limit is known before there is code, and must hold for whatever form the kernel
// gets: with barriers private variables of all work-items may live at the same time,
// whether on stacks or in scratch memory. What else a fiber's stack has is address space,
// not memory.
static size_t largest_group(const struct tf_device *dev,
                            const struct tf_kernel_info *kernel)
{
    size_t size = dev->caps->max_group_size;

    if (!(kernel->flags & TF_KERNEL_HAS_BARRIER) || kernel->private_bytes == 0)
        return size;
    while (size > 1 && size > MAX_PRIVATE_BYTES / kernel->private_bytes)
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
    const size_t most = largest_group(dev, kernel);
    const size_t groups = (size_t)dev->info->compute_units * GROUPS_PER_WORKER;
    size_t wanted = WANTED_ITEMS;
    size_t items = 1;

    for (cl_uint i = 0; i < work_dim; i++) {
        if (__builtin_mul_overflow(items, global_size[i], &items))
            items = SIZE_MAX;
    }
    if (items < 2 * groups)
        return 1;
    while (wanted > 1 && wanted * groups > items)
        wanted /= 2;
    return wanted < most ? wanted : most;
}

// The most for dimension 0 of a group of `items`.
static size_t row_items(const struct tf_kernel_info *kernel, cl_uint work_dim,
                        const size_t global_size[3], size_t items)
{
    const bool is_plane = work_dim > 1 && global_size[1] >= ROWS;

    return is_plane && !(kernel->flags & TF_KERNEL_HAS_BARRIER) &&
                   items >= (size_t)ROWS * ROW_ITEMS
               ? items / ROWS
               : items;
}

static void choose_local(const struct tf_device *dev, const struct tf_kernel_info *kernel,
                         cl_uint work_dim, const size_t global_size[3], size_t out[3])
{
    const bool is_uniform = kernel->flags & TF_KERNEL_UNIFORM_GROUPS;
    size_t left = wanted_items(dev, kernel, work_dim, global_size);
    size_t room = largest_group(dev, kernel);

    out[0] = out[1] = out[2] = 1;
    for (cl_uint i = 0; i < work_dim && left > 1; i++) {
        const size_t item_limit = dev->caps->max_item_sizes[i];
        const size_t limit = room < item_limit ? room : item_limit;
        const size_t wanted =
            i == 0 ? row_items(kernel, work_dim, global_size, left) : left;
        const size_t most = wanted < limit ? wanted : limit;
        size_t size = divisor_below(global_size[i], most);

        if (size * 4 < most && global_size[i] > most)
            size = size_without_divisor(global_size[i], size, most, limit, is_uniform);
        out[i] = size;
        left /= size;
        room /= size;
    }
}

size_t tf_cpu_group_size(struct tf_device *dev, const struct tf_kernel_info *kernel,
                         cl_uint work_dim, const size_t global_size[3], size_t local[3])
{
    if (local)
        choose_local(dev, kernel, work_dim, global_size, local);
    return largest_group(dev, kernel);
}
