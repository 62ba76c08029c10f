// SPDX-License-Identifier: MIT
// Commands that map memory objects and unmap them (OpenCL 3.1 §5.2.4, §5.5.4). A mapping
// is recorded when it is enqueued and forgotten when its unmap is enqueued (or when the
// map command failed or could not run), so that the answers do not depend on how far the
// queue has come.
#ifndef TF_CORE_COMMAND_COMMAND_MAP_H
#define TF_CORE_COMMAND_COMMAND_MAP_H

#include "core/command/enqueue.h"
#include "core/memory/map.h"

// clEnqueueMapBuffer, clEnqueueMapImage; *host is where the host finds the bytes.
// CL_INVALID_OPERATION when it writes and meets a region that is mapped for writing;
// CL_MAP_FAILURE, CL_OUT_OF_HOST_MEMORY; if blocking, the command's own error.
cl_int tf_enqueue_map(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                      const struct tf_map_desc *desc, void **host)
    TF_EXCLUDES(&mem->storage->lock);

// clEnqueueUnmapMemObject. CL_INVALID_VALUE when `host` is no mapping of mem (another
// thread may have been faster than the caller's own check); CL_OUT_OF_HOST_MEMORY.
cl_int tf_enqueue_unmap(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                        void *host) TF_EXCLUDES(&mem->storage->lock);

#endif // TF_CORE_COMMAND_COMMAND_MAP_H
