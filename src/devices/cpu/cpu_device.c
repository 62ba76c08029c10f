// SPDX-License-Identifier: MIT
#include "devices/cpu/cpu_device.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "core/object/error.h"
#include "devices/cpu/cpu_submit.h"
#include "devices/cpu/facts/cpu_info.h"

// Guards the making of what a device makes when it is first asked for.
static struct tf_mutex making = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);

// The units of the device, or NULL when memory ran out.
static const struct tf_cpu_unit *units_of(struct tf_cpu_device *device)
{
    const uint32_t count = device->info.compute_units;
    struct tf_cpu_unit *made = NULL, *units;

    tf_lock(&making);
    units = device->units;
    tf_unlock(&making);
    if (units)
        return units;
    made = tf_zalloc(count * sizeof(*made));
    if (!made || !tf_cpu_topology_units("", tf_cpu_info_mask(), made, count)) {
        tf_free(made);
        return NULL;
    }
    tf_lock(&making);
    units = device->units;
    if (!units)
        units = device->units = made;
    tf_unlock(&making);
    if (units != made)
        tf_free(made);
    return units;
}

// Workers of the whole device may use every CPU of the process; those of a sub-device
// stay on its own.
static void cpus_of(const struct tf_cpu_device *device, union tf_cpu_set *cpus)
{
    if (!device->is_sub) {
        *cpus = *tf_cpu_info_mask();
        return;
    }
    memset(cpus, 0, sizeof(*cpus));
    for (uint32_t i = 0; i < device->info.compute_units; i++)
        CPU_SET_S(device->units[i].cpu, TF_CPU_SET_BYTES, &cpus->set);
}

cl_int tf_cpu_device_open(struct tf_err *err, struct tf_device *dev)
{
    struct tf_cpu_device *device = tf_cpu_device_of(dev);
    union tf_cpu_set cpus;

    if (device->pool)
        return CL_SUCCESS;
    cpus_of(device, &cpus);
    device->pool = tf_pool_new(&tf_cpu_client, device->info.compute_units, &cpus);
    if (!device->pool)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "worker pool");
    return CL_SUCCESS;
}

static bool level_of(cl_device_affinity_domain domain, enum tf_cpu_level *level)
{
    switch (domain) {
    case CL_DEVICE_AFFINITY_DOMAIN_NUMA:
        *level = TF_CPU_NODE;
        return true;
    case CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE:
        *level = TF_CPU_L4;
        return true;
    case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
        *level = TF_CPU_L3;
        return true;
    case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
        *level = TF_CPU_L2;
        return true;
    case CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE:
        *level = TF_CPU_L1;
        return true;
    default:
        return false;
    }
}

uint32_t tf_cpu_device_affinity(struct tf_device *dev, cl_device_affinity_domain domain,
                                uint32_t *domain_of_unit)
{
    struct tf_cpu_device *device = tf_cpu_device_of(dev);
    const struct tf_cpu_unit *units = units_of(device);
    enum tf_cpu_level level;

    if (!units || !level_of(domain, &level))
        return 0;
    return tf_cpu_topology_domains(units, device->info.compute_units, level,
                                   domain_of_unit);
}

cl_int tf_cpu_sub_device_new(struct tf_err *err, struct tf_device *dev,
                             const uint32_t *units, uint32_t count,
                             struct tf_device **out)
{
    struct tf_cpu_device *device = tf_cpu_device_of(dev);
    const struct tf_cpu_unit *all = units_of(device);
    struct tf_cpu_device *sub = all ? tf_zalloc(sizeof(*sub)) : NULL;

    if (!sub)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "sub-device");
    sub->units = tf_zalloc(count * sizeof(*sub->units));
    if (!sub->units) {
        tf_free(sub);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "sub-device");
    }
    for (uint32_t i = 0; i < count; i++)
        sub->units[i] = all[units[i]];
    sub->info = device->info;
    sub->info.compute_units = count;
    sub->is_sub = true;
    sub->dev = (struct tf_device){
        .ops = device->dev.ops, .info = &sub->info, .caps = device->dev.caps};
    *out = &sub->dev;
    return CL_SUCCESS;
}

void tf_cpu_sub_device_free(struct tf_device *dev)
{
    struct tf_cpu_device *sub = tf_cpu_device_of(dev);

    tf_pool_free(sub->pool);
    tf_free(sub->units);
    tf_free(sub);
}

void tf_cpu_device_forked(void)
{
    tf_mutex_init(&making, TF_RANK_LEAF);
    tf_pool_forked();
}
