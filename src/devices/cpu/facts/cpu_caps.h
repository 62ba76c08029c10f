// SPDX-License-Identifier: MIT
// What the CPU device offers: a pure function of the facts.
#ifndef TF_DEVICES_CPU_FACTS_CPU_CAPS_H
#define TF_DEVICES_CPU_FACTS_CPU_CAPS_H

#include "core/platform/device_caps.h"
#include "core/platform/device_interface.h"

// `compiler`: programs can be built from source.
void tf_cpu_caps_init(struct tf_device_caps *out, const struct tf_device_info *info,
                      bool compiler);

#endif // TF_DEVICES_CPU_FACTS_CPU_CAPS_H
