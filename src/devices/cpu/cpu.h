// SPDX-License-Identifier: MIT
// The CPU device: kernels run as native code on a pool of worker threads, memory is the
// host's own. This header is the border of the folder towards devices/registry.c.
#ifndef TF_DEVICES_CPU_CPU_H
#define TF_DEVICES_CPU_CPU_H

#include "core/platform/device_interface.h"

extern const struct tf_driver tf_cpu_driver;

#endif // TF_DEVICES_CPU_CPU_H
