// SPDX-License-Identifier: MIT
// Files read and written whole, whatever signals interrupt.
#ifndef TF_CACHE_WHOLE_FILE_H
#define TF_CACHE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

// As openat(); flags get O_CLOEXEC, what it makes is for its owner only.
int tf_file_open(int folder, const char *path, int flags);

// All of the bytes, or false: there are fewer, or an error.
bool tf_file_read(int fd, void *data, size_t bytes);
bool tf_file_write(int fd, const void *data, size_t bytes);

#endif // TF_CACHE_WHOLE_FILE_H
