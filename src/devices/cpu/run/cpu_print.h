// SPDX-License-Identifier: MIT
// Where the text of printf goes: the C library's stdout. A call of printf is written in
// one piece; a line that a thread makes by several calls, too, unless others of its
// work-items print in between.
#ifndef TF_DEVICES_CPU_RUN_CPU_PRINT_H
#define TF_DEVICES_CPU_RUN_CPU_PRINT_H

#include "abi/cpu_abi.h"
#include "devices/cpu/run/cpu_exec.h"

// The service `print`: 0, or -1 where the format does not fit its arguments or memory ran
// out.
tf_i32 tf_print(const struct tf_launch *launch, struct tf_worker *worker,
                const void *record, tf_u64 bytes);

// After the last work-group of a launch on this thread: all that it printed is in the
// file of stdout when this returns.
void tf_print_flush(struct tf_exec *exec);

// Says on stderr that an assertion of a work-item has failed, in one write.
void tf_print_assertion(const struct tf_assert_record *record);

#endif // TF_DEVICES_CPU_RUN_CPU_PRINT_H
