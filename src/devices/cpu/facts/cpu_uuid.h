// SPDX-License-Identifier: MIT
// The device's universally unique identifier (cl_khr_device_uuid).
#ifndef TF_DEVICES_CPU_FACTS_CPU_UUID_H
#define TF_DEVICES_CPU_FACTS_CPU_UUID_H

#include <stdint.h>

struct tf_device_info;

// The same for every process of a machine and after a restart, another on every other
// machine that has an /etc/machine-id. `root` is put before the paths of files; "" in
// earnest. Reads info->name and info->vendor.
void tf_cpu_uuid(const char *root, const struct tf_device_info *info, uint8_t out[16]);

#endif // TF_DEVICES_CPU_FACTS_CPU_UUID_H
