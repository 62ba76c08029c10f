// SPDX-License-Identifier: MIT
// TREFOIL_PERF: names of generated code in /tmp/perf-PID.map, where perf looks for code
// that is in no file.
#ifndef TF_DEVICES_CPU_LOADER_PERF_MAP_H
#define TF_DEVICES_CPU_LOADER_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

bool tf_perf_map_on(void);
// Adds the line of a function, shown as `name`, to `lines`.
void tf_perf_map_name(struct tf_str *lines, const void *code, size_t bytes,
                      const char *name);
// Appends the lines to the file of this process, and frees them. A file that cannot be
// had, or is not this user's, ends it; nothing else fails.
void tf_perf_map_write(struct tf_str *lines);

// How perf shows the function whose symbol is `name`, in an object with the entry
// `entry`: by the name of its kernel.
void tf_perf_function_name(char *out, size_t bytes, const char *name, const char *entry);
// Opens a file that perf looks for in /tmp, with O_WRONLY or what else `how` says, or
// makes it. -1, with errno: it cannot be had, or is another user's, or no plain file of
// one name.
int tf_perf_open_own(const char *path, int how);

#endif // TF_DEVICES_CPU_LOADER_PERF_MAP_H
