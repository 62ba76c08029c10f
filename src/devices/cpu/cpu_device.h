// SPDX-License-Identifier: MIT
// The CPU device and its sub-devices: facts of its own, workers of its own. Memory and
// programs belong to no device in particular.
#ifndef TF_DEVICES_CPU_CPU_DEVICE_H
#define TF_DEVICES_CPU_CPU_DEVICE_H

#include "core/platform/device_interface.h"
#include "devices/cpu/facts/cpu_topology.h"
#include "devices/cpu/pool/cpu_pool.h"

struct tf_cpu_device {
    struct tf_device dev;
    struct tf_device_info info;
    struct tf_pool *pool;      // from the first open on
    struct tf_cpu_unit *units; // info.compute_units; of the whole device: once asked for
    bool is_sub;
};

static inline struct tf_cpu_device *tf_cpu_device_of(struct tf_device *dev)
{
    return tf_container_of(dev, struct tf_cpu_device, dev);
}

// Slots of struct tf_device_ops.
cl_int tf_cpu_device_open(struct tf_err *err, struct tf_device *dev);
uint32_t tf_cpu_device_affinity(struct tf_device *dev, cl_device_affinity_domain level,
                                uint32_t *domain_of_unit);
cl_int tf_cpu_sub_device_new(struct tf_err *err, struct tf_device *dev,
                             const uint32_t *units, uint32_t count,
                             struct tf_device **out);
void tf_cpu_sub_device_free(struct tf_device *sub);

// In a forked child: no device has a thread, work or a locked lock.
void tf_cpu_device_forked(void);

#endif // TF_DEVICES_CPU_CPU_DEVICE_H
