// SPDX-License-Identifier: MIT
// Commands that move bytes.
#ifndef TF_DEVICES_CPU_COPY_H
#define TF_DEVICES_CPU_COPY_H

#include "core/device.h"

// Runs one READ, WRITE, COPY, FILL or *_RECT command in the calling thread; MAP, UNMAP
// and MIGRATE have nothing to do. Returns CL_COMPLETE, or CL_INVALID_VALUE for a range
// outside its memory (core has checked ranges: this is the second line of defence).
cl_int tf_cpu_copy_run(const struct tf_command *cmd);

#endif // TF_DEVICES_CPU_COPY_H
