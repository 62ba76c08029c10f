// SPDX-License-Identifier: MIT
// The drivers that core asks for devices.
#include <stddef.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/cpu.h"

const struct tf_driver *const tf_drivers[] = {&tf_cpu_driver, NULL};
