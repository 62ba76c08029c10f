// SPDX-License-Identifier: MIT
// Objects of program scope (C++ for OpenCL): the kernels that construct and destroy them,
// which the compiler puts last in a program's table. Each runs once per program and
// device, with one work-item, on the thread that is there.
#ifndef TF_DEVICES_CPU_RUN_CPU_STATICS_H
#define TF_DEVICES_CPU_RUN_CPU_STATICS_H

#include <stdbool.h>

#include "devices/cpu/program/cpu_program.h"

// Before any launch of a kernel of the program: constructs what is not constructed, or
// waits until another thread has. False where that failed, now or before.
bool tf_statics_construct(struct tf_devprog *prog);

// No kernel of the program will be launched again: destroys what was constructed.
void tf_statics_destroy(struct tf_devprog *prog);

#endif // TF_DEVICES_CPU_RUN_CPU_STATICS_H
