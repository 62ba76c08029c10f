// SPDX-License-Identifier: MIT
// Shared libraries opened at run time.
#ifndef TF_BASE_LIB_H
#define TF_BASE_LIB_H

#include <stdbool.h>
#include <stddef.h>

// Opens `path` for good (RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) and returns the address
// of `symbol`, or NULL with the reason in text.
void *tf_lib_symbol(const char *path, const char *symbol, char *text, size_t text_bytes);

// Handlers of fork(): it waits while another thread loads, two seconds at most, because
// glibc's loader, which knows nothing of forks, keeps in the child what that thread had
// begun, and ends the child at the next library. The last runs in the child.
void tf_lib_before_fork(void);
void tf_lib_after_fork(void);
void tf_lib_forked(void);

// True if the file at `path` can be read and looks like a library of this kind of
// machine, all of which is there. Else `text` says what it is. Nothing is loaded.
bool tf_lib_is_sound(const char *path, char *text, size_t text_bytes);

// Path of `name` in the folder of the object file that holds `address`, absolute also
// where the file was opened by a relative path and the current folder has changed since.
// 0 on success.
int tf_lib_beside(const void *address, const char *name, char *path, size_t path_bytes);

#endif // TF_BASE_LIB_H
