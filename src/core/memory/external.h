// SPDX-License-Identifier: MIT
// Memory of others (cl_khr_external_memory_opaque_fd): files in memory (memfd) that can
// no longer shrink. One that could be shortened would end the process with SIGBUS at the
// next access, so that a file which is not sealed against it, and cannot be, is refused.
// All objects of one file lie in one mapping of it: code of kernels may take what lies at
// other addresses for other memory.
#ifndef TF_CORE_MEMORY_EXTERNAL_H
#define TF_CORE_MEMORY_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

struct tf_err;
struct tf_external_file;

// What a memory object is to be made of; type 0: of nothing.
struct tf_external {
    cl_uint type; // CL_EXTERNAL_MEMORY_HANDLE_*_KHR
    int fd;       // given once the object has been made
};

// A mapping; zeros: none.
struct tf_external_map {
    void *at;
    size_t bytes;
    struct tf_external_file *file; // NULL: a mapping of its own
};

// Seals the file against shrinking and maps its first `size_bytes` bytes.
// `is_immutable`: a file that cannot be written serves, too. CL_INVALID_PROPERTY if the
// descriptor is not of such a file, `too_small` if it is shorter, CL_OUT_OF_RESOURCES.
cl_int tf_external_open(struct tf_err *err, const struct tf_external *external,
                        size_t size_bytes, bool is_immutable, cl_int too_small,
                        struct tf_external_map *map);
// The object has been made: the descriptor is the library's, which needs it no longer.
void tf_external_take(const struct tf_external *external);
void tf_external_close(const struct tf_external_map *map);
// In a forked child: mappings of the parent's objects stay, but are given to no others.
void tf_external_forked(void);

#endif // TF_CORE_MEMORY_EXTERNAL_H
