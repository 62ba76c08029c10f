// SPDX-License-Identifier: MIT
// Checks shared by the entry points that take memory objects.
#ifndef TF_API_MEMORY_API_MEM_H
#define TF_API_MEMORY_API_MEM_H

#include <CL/cl.h>

#include "core/object/error.h"

// Flags of a new buffer or image: CL_INVALID_VALUE (api_buffer.c).
cl_int check_mem_flags(struct tf_err *err, cl_mem_flags flags);

// Flags of a sub-buffer, or of an image that lies in `parent`: CL_INVALID_VALUE
// (api_buffer.c).
cl_int check_child_flags(struct tf_err *err, cl_mem parent, cl_mem_flags flags);

// CL_INVALID_MEM_OBJECT.
cl_int check_buffer(struct tf_err *err, cl_mem mem);

// The queue and a buffer for it: CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT,
// CL_INVALID_CONTEXT.
cl_int check_queue_buffer(struct tf_err *err, cl_command_queue q, cl_mem mem);

// A sub-buffer's origin on the queue's device: CL_MISALIGNED_SUB_BUFFER_OFFSET. Both
// handles are checked.
cl_int check_alignment(struct tf_err *err, cl_command_queue q, cl_mem mem);

// What the host wants to do against the CL_MEM_HOST_* flags: CL_INVALID_OPERATION.
cl_int check_host_reads(struct tf_err *err, cl_mem mem);
cl_int check_host_writes(struct tf_err *err, cl_mem mem);

// A command wants to change the object: CL_INVALID_OPERATION if it is immutable.
cl_int check_changes(struct tf_err *err, cl_mem mem);

// A combination of CL_MAP_* flags: CL_INVALID_VALUE.
cl_int check_map_flags(struct tf_err *err, cl_map_flags flags);

// A combination of CL_MIGRATE_MEM_OBJECT_* flags: CL_INVALID_VALUE.
cl_int check_migration_flags(struct tf_err *err, cl_mem_migration_flags flags);

#endif // TF_API_MEMORY_API_MEM_H
