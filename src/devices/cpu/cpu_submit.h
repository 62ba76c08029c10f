// SPDX-License-Identifier: MIT
// Runs of commands, from submission to the end of their last command.
#ifndef TF_DEVICES_CPU_CPU_SUBMIT_H
#define TF_DEVICES_CPU_CPU_SUBMIT_H

#include "core/platform/device_interface.h"

// Once, before the first pool is made.
void tf_cpu_submit_init(void);

// Slots of struct tf_device_ops.
void tf_cpu_submit(struct tf_device *dev, struct tf_command *run);
void tf_cpu_help(struct tf_device *dev, struct tf_command *cmd);

#endif // TF_DEVICES_CPU_CPU_SUBMIT_H
