// SPDX-License-Identifier: MIT
// Runs of commands, from submission to the end of their last command: what each kind of
// command is on this device.
#ifndef TF_DEVICES_CPU_CPU_SUBMIT_H
#define TF_DEVICES_CPU_CPU_SUBMIT_H

#include "core/platform/device_interface.h"
#include "devices/cpu/pool/cpu_pool.h"

// Of every pool.
extern const struct tf_pool_client tf_cpu_client;

// Slots submit and help of struct tf_device_ops.
void tf_cpu_submit(struct tf_pool *pool, struct tf_command *run);
void tf_cpu_help(struct tf_pool *pool, struct tf_command *cmd);

#endif // TF_DEVICES_CPU_CPU_SUBMIT_H
