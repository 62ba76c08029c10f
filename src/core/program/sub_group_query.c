// SPDX-License-Identifier: MIT
// Sub-groups of a kernel are runs of sub_group_size work-items with consecutive linear
// local ids; only the last one of a work-group may be shorter. So all answers follow from
// that size.
#include "core/program/kernel_query.h"

#include <CL/cl_trefoil.h>

#include "base/range.h"
#include "core/object/error.h"
#include "core/object/info.h"

// clGetKernelSubGroupInfo's arguments and what they ask about.
struct question {
    const struct tf_kernel_info *kernel;
    size_t group_max; // work-items of the largest work-group
    const struct tf_sub_group_query *query;
    struct tf_info info;
};

static cl_int check_kernel_groups(struct tf_err *err, const struct question *q)
{
    TF_REQUIRE(err, q->kernel->sub_group_size > 0, CL_INVALID_OPERATION,
               "the device has no sub-groups");
    return CL_SUCCESS;
}

// The input is the local size of an NDRange of 1 to 3 dimensions; *items its product.
static cl_int check_local_size(struct tf_err *err, const struct question *q,
                               size_t *items)
{
    const size_t bytes = q->query->input_bytes;
    const size_t *local = q->query->input;

    TF_REQUIRE(err,
               local && bytes > 0 && bytes <= 3 * sizeof(size_t) &&
                   bytes % sizeof(size_t) == 0,
               CL_INVALID_VALUE, "input_value of %zu bytes is not a local size", bytes);
    *items = 1;
    for (size_t d = 0; d < bytes / sizeof(size_t); d++)
        TF_REQUIRE(err, local[d] > 0 && !tf_mul_overflow(*items, local[d], items),
                   CL_INVALID_VALUE, "local size %zu in dimension %zu", local[d], d);
    return CL_SUCCESS;
}

static size_t groups_of(const struct question *q, size_t items)
{
    const size_t each = q->kernel->sub_group_size;

    return items / each + (items % each != 0);
}

static cl_int put_size(struct tf_err *err, const struct question *q)
{
    size_t items;

    if (check_local_size(err, q, &items))
        return err->code;
    return tf_info_scalar(err, &q->info, size_t, q->kernel->sub_group_size);
}

static cl_int put_count(struct tf_err *err, const struct question *q)
{
    size_t items;

    if (check_local_size(err, q, &items))
        return err->code;
    return tf_info_scalar(err, &q->info, size_t, groups_of(q, items));
}

static cl_int check_wanted_count(struct tf_err *err, const struct question *q)
{
    TF_REQUIRE(err, q->query->input && q->query->input_bytes == sizeof(size_t),
               CL_INVALID_VALUE, "input_value of %zu bytes is not a count",
               q->query->input_bytes);
    TF_REQUIRE(err, q->info.size <= 3 * sizeof(size_t) || !q->info.value,
               CL_INVALID_VALUE, "param_value_size is %zu", q->info.size);
    return CL_SUCCESS;
}

// A local size with that many sub-groups, as many dimensions as there is room for; all 0
// if there is none.
static cl_int put_local_size(struct tf_err *err, const struct question *q)
{
    size_t local[3] = {0, 0, 0}, bytes;

    if (check_wanted_count(err, q))
        return err->code;
    if (!tf_mul_overflow(*(const size_t *)q->query->input, q->kernel->sub_group_size,
                         &local[0]) &&
        local[0] > 0 && local[0] <= q->group_max)
        local[1] = local[2] = 1;
    else
        local[0] = 0;
    bytes =
        q->info.value ? q->info.size / sizeof(size_t) * sizeof(size_t) : sizeof(local);
    return tf_info_value(err, &q->info, local, bytes ? bytes : sizeof(size_t));
}

cl_int tf_kernel_get_sub_group_info(struct tf_err *err, const struct tf_kernel_device *on,
                                    const struct tf_sub_group_query *query, size_t size,
                                    void *value, size_t *size_ret)
{
    struct tf_device *dev = on->built->dev;
    const struct tf_kernel_info *kernel = tf_kernel_device_info(on);
    const struct question q = {.kernel = kernel,
                               .group_max =
                                   dev->ops->group_size(dev, kernel, 0, NULL, NULL),
                               .query = query,
                               .info = {size, value, size_ret}};

    if (check_kernel_groups(err, &q))
        return err->code;
    switch (query->param) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        return put_size(err, &q);
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return put_count(err, &q);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        return put_local_size(err, &q);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return tf_info_scalar(err, &q.info, size_t, groups_of(&q, q.group_max));
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: // no source of kernels demands a number
        return tf_info_scalar(err, &q.info, size_t, 0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return tf_info_scalar(
            err, &q.info, size_t,
            kernel->flags & TF_KERNEL_REQD_SUB_GROUP ? kernel->sub_group_size : 0);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "kernel sub-group info 0x%x", query->param);
    }
}
