// SPDX-License-Identifier: MIT
// Work-group sizes.
#ifndef TF_DEVICES_CPU_RUN_CPU_GROUP_SIZE_H
#define TF_DEVICES_CPU_RUN_CPU_GROUP_SIZE_H

#include "core/platform/device_interface.h"

// Slot group_size of struct tf_device_ops.
size_t tf_cpu_group_size(struct tf_device *dev, const struct tf_kernel_info *kernel,
                         cl_uint work_dim, const size_t global_size[3], size_t local[3]);

#endif // TF_DEVICES_CPU_RUN_CPU_GROUP_SIZE_H
