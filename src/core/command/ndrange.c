// SPDX-License-Identifier: MIT
#include "core/command/ndrange.h"

#include "base/range.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"

#define MAX_DIMENSIONS 3

bool tf_ndrange_must_be_uniform(const struct tf_device *dev,
                                const struct tf_kernel_info *kernel)
{
    return !dev->caps->non_uniform_groups || kernel->flags & TF_KERNEL_UNIFORM_GROUPS;
}

static bool has_required_size(const struct tf_kernel_info *kernel)
{
    return kernel->reqd_local_size[0] != 0;
}

static size_t value_at(const size_t *values, cl_uint work_dim, cl_uint d,
                       size_t otherwise)
{
    return values && d < work_dim ? values[d] : otherwise;
}

static cl_int check_global(struct tf_err *err, const struct tf_ndrange *range)
{
    for (cl_uint d = 0; d < range->work_dim; d++) {
        size_t end;

        TF_REQUIRE(err,
                   !tf_add_overflow(range->global_offset[d], range->global_size[d], &end),
                   CL_INVALID_GLOBAL_OFFSET, "dimension %u: offset %zu + size %zu", d,
                   range->global_offset[d], range->global_size[d]);
    }
    return CL_SUCCESS;
}

static cl_int check_required_size(struct tf_err *err, const struct tf_kernel_info *kernel,
                                  const struct tf_ndrange *range)
{
    if (!has_required_size(kernel))
        return CL_SUCCESS;
    for (cl_uint d = 0; d < MAX_DIMENSIONS; d++)
        TF_REQUIRE(err, range->local_size[d] == kernel->reqd_local_size[d],
                   CL_INVALID_WORK_GROUP_SIZE,
                   "dimension %u: local size %zu, but the kernel requires %u", d,
                   range->local_size[d], kernel->reqd_local_size[d]);
    return CL_SUCCESS;
}

static cl_int check_divides(struct tf_err *err, const struct tf_ndrange *range)
{
    for (cl_uint d = 0; d < range->work_dim; d++)
        TF_REQUIRE(err, range->global_size[d] % range->local_size[d] == 0,
                   CL_INVALID_WORK_GROUP_SIZE,
                   "dimension %u: local size %zu does not divide global size %zu", d,
                   range->local_size[d], range->global_size[d]);
    return CL_SUCCESS;
}

// A local size given by the application.
static cl_int check_local(struct tf_err *err, struct tf_device *dev,
                          const struct tf_kernel_info *kernel,
                          const struct tf_ndrange *range)
{
    const size_t most = dev->ops->group_size(dev, kernel, 0, NULL, NULL);
    size_t items = 1;

    for (cl_uint d = 0; d < range->work_dim; d++) {
        TF_REQUIRE(err, range->local_size[d] > 0, CL_INVALID_WORK_GROUP_SIZE,
                   "dimension %u: local size 0", d);
        TF_REQUIRE(err, range->local_size[d] <= dev->caps->max_item_sizes[d],
                   CL_INVALID_WORK_ITEM_SIZE, "dimension %u: local size %zu, at most %zu",
                   d, range->local_size[d], dev->caps->max_item_sizes[d]);
    }
    if (tf_ndrange_must_be_uniform(dev, kernel) && check_divides(err, range))
        return err->code;
    for (cl_uint d = 0; d < range->work_dim; d++)
        TF_REQUIRE(
            err, !tf_mul_overflow(items, range->local_size[d], &items) && items <= most,
            CL_INVALID_WORK_GROUP_SIZE,
            "the work-group has more than the %zu work-items that the kernel takes",
            most);
    return check_required_size(err, kernel, range);
}

// No local size was given: the kernel's own, or the device's choice.
static cl_int choose_local(struct tf_err *err, struct tf_device *dev,
                           const struct tf_kernel_info *kernel, struct tf_ndrange *range)
{
    if (has_required_size(kernel)) {
        for (cl_uint d = 0; d < MAX_DIMENSIONS; d++)
            range->local_size[d] = kernel->reqd_local_size[d];
        for (cl_uint d = range->work_dim; d < MAX_DIMENSIONS; d++)
            if (range->local_size[d] != 1)
                return tf_fail(err, CL_INVALID_WORK_GROUP_SIZE,
                               "the kernel requires %u dimensions, the range has %u",
                               d + 1, range->work_dim);
        return tf_ndrange_must_be_uniform(dev, kernel) ? check_divides(err, range)
                                                       : CL_SUCCESS;
    }
    if (!range->empty) // else there is nothing to choose from
        dev->ops->group_size(dev, kernel, range->work_dim, range->global_size,
                             range->local_size);
    return CL_SUCCESS;
}

// Groups carry linear numbers of 64 bits.
static cl_int check_group_count(struct tf_err *err, const struct tf_ndrange *range)
{
    size_t groups = 1;

    for (cl_uint d = 0; d < range->work_dim && !range->empty; d++) {
        const size_t count = range->global_size[d] / range->local_size[d] +
                             (range->global_size[d] % range->local_size[d] != 0);

        TF_REQUIRE(err, !tf_mul_overflow(groups, count, &groups), CL_OUT_OF_RESOURCES,
                   "more work-groups than 64 bits count");
    }
    return CL_SUCCESS;
}

cl_int tf_ndrange_resolve(struct tf_err *err, struct tf_device *dev,
                          const struct tf_kernel_info *kernel,
                          const struct tf_ndrange_desc *desc, struct tf_ndrange *out)
{
    const cl_uint dims = desc->work_dim;

    if (dims < 1 || dims > MAX_DIMENSIONS)
        return tf_fail(err, CL_INVALID_WORK_DIMENSION, "work_dim %u", dims);
    *out = (struct tf_ndrange){.work_dim = dims};
    for (cl_uint d = 0; d < MAX_DIMENSIONS; d++) {
        out->global_offset[d] = value_at(desc->global_offset, dims, d, 0);
        out->global_size[d] = d >= dims           ? 1
                              : desc->global_size ? desc->global_size[d]
                                                  : 0;
        out->local_size[d] = value_at(desc->local_size, dims, d, 1);
        out->empty |= out->global_size[d] == 0;
    }
    if (check_global(err, out))
        return err->code;
    if (desc->local_size ? check_local(err, dev, kernel, out)
                         : choose_local(err, dev, kernel, out))
        return err->code;
    return check_group_count(err, out);
}
