// SPDX-License-Identifier: MIT
// What threads do of commands, for TREFOIL_TRACE. To be called only where it is on.
#ifndef TF_DEVICES_CPU_RUN_CPU_TRACE_H
#define TF_DEVICES_CPU_RUN_CPU_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/program/cpu_program.h"

// What one thread did of one launch, from beginning to end.
struct tf_cpu_work {
    const struct tf_command *cmd; // whose launch it is
    struct tf_devprog *program;
    size_t kernel_index;
    const struct tf_cpu_kernel *code;
    uint64_t launch; // which of the command's; 0: it has but one
    uint64_t groups;
    uint64_t start_ns, end_ns;
};
void tf_cpu_trace_work(const struct tf_cpu_work *work);

// A copy or fill of a batch, which has ended.
void tf_cpu_trace_move(const struct tf_command *batch, const struct tf_command *move,
                       uint64_t start_ns);

#endif // TF_DEVICES_CPU_RUN_CPU_TRACE_H
