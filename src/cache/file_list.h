// SPDX-License-Identifier: MIT
// The manifest of a compilation: what it found in the file system, path by path, also
// where it looked for a file and there was none. While all of that is found again, the
// compilation would read the same.
#ifndef TF_CACHE_FILE_LIST_H
#define TF_CACHE_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

enum tf_file_found {
    TF_FILE_ABSENT, // or it could not be opened
    TF_FILE_FOLDER,
    TF_FILE_THERE, // asked for, not read
    TF_FILE_READ,
};

struct tf_file_list {
    struct tf_str packed;
    bool is_lost; // the result depends on more than files
};

// `text` is what was read, NULL unless `found` says READ; `bytes` its length, or the
// size of a file that is THERE. `file` tells files apart that have several names (which
// #pragma once looks at): the first is 1, another that was not met before the next
// number; 0 of what is no file.
void tf_file_list_add(struct tf_file_list *list, enum tf_file_found found,
                      const char *path, const void *text, uint64_t bytes, uint64_t file);
// No list tells whether the result is still right: it depends on the time of day, say.
void tf_file_list_lose(struct tf_file_list *list);
// The packed list (tf_free); NULL, and no bytes, when it was lost or memory ran out.
// Empties `list`.
void *tf_file_list_take(struct tf_file_list *list, size_t *bytes) TF_NODISCARD;

// Whether all of a packed list, which need not be aligned or sound, is found again.
// Relative paths start where this process is now, as a compilation's would.
bool tf_file_list_holds(const void *packed, size_t bytes);

#endif // TF_CACHE_FILE_LIST_H
