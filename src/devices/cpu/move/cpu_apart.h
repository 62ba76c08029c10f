// SPDX-License-Identifier: MIT
// What a launch tells its code of the memory of its arguments.
#ifndef TF_DEVICES_CPU_MOVE_CPU_APART_H
#define TF_DEVICES_CPU_MOVE_CPU_APART_H

#include <stdbool.h>

#include "abi/kernel_info.h"
#include "core/platform/device_interface.h"

// Whether what TF_LAUNCH_APART says (abi/cpu_abi.h) holds for a launch of the kernel:
// false wherever that is not known: addresses that are no memory objects say nothing of
// their ends. The argument block need not be filled in.
bool tf_launch_is_apart(const struct tf_command_kernel *k,
                        const struct tf_kernel_info *info);

#endif // TF_DEVICES_CPU_MOVE_CPU_APART_H
