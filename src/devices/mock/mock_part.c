// SPDX-License-Identifier: MIT
// Sub-devices of the mock device.
#include "base/alloc.h"
#include "core/object/error.h"
#include "devices/mock/mock_parts.h"

// Compute units that share one domain of the level; 0: the machine does not tell.
static uint32_t units_per_domain(cl_device_affinity_domain level)
{
    switch (level) {
    case CL_DEVICE_AFFINITY_DOMAIN_NUMA:
        return TF_MOCK_UNITS;
    case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
        return 2;
    case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
    case CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE:
        return 1;
    default:
        return 0;
    }
}

static uint32_t affinity(struct tf_device *dev, cl_device_affinity_domain level,
                         uint32_t *domain_of_unit)
{
    const struct tf_mock *mock = tf_container_of(dev, struct tf_mock, dev);
    const uint32_t each = units_per_domain(level);
    uint32_t count = 0;

    if (each == 0)
        return 0;
    for (uint32_t i = 0; i < mock->info.compute_units; i++) {
        const bool next = i > 0 && mock->units[i] / each != mock->units[i - 1] / each;

        count += next || i == 0;
        domain_of_unit[i] = count - 1;
    }
    return count;
}

static cl_int sub_device_new(struct tf_err *err, struct tf_device *dev,
                             const uint32_t *units, uint32_t count,
                             struct tf_device **out)
{
    struct tf_mock *from = tf_container_of(dev, struct tf_mock, dev);
    struct tf_mock *part = tf_zalloc(sizeof(*part));

    if (!part)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mock sub-device");
    part->whole = from->whole ? from->whole : from;
    part->info = from->info;
    part->info.compute_units = count;
    for (uint32_t i = 0; i < count; i++)
        part->units[i] = from->units[units[i]];
    part->dev.ops = from->dev.ops;
    part->dev.info = &part->info;
    part->dev.caps = from->dev.caps;
    atomic_fetch_add(&part->whole->live_parts, 1);
    *out = &part->dev;
    return CL_SUCCESS;
}

static void sub_device_free(struct tf_device *sub)
{
    struct tf_mock *part = tf_container_of(sub, struct tf_mock, dev);

    atomic_fetch_sub(&part->whole->live_parts, 1);
    tf_free(part);
}

void tf_mock_part_ops(struct tf_device_ops *ops)
{
    ops->affinity = affinity;
    ops->sub_device_new = sub_device_new;
    ops->sub_device_free = sub_device_free;
}
