// SPDX-License-Identifier: MIT
// Moving memory objects between devices.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "core/command/command_copy.h"

cl_int check_migration_flags(struct tf_err *err, cl_mem_migration_flags flags)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

    TF_REQUIRE(err, !(flags & ~known), CL_INVALID_VALUE, "flags 0x%llx",
               (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int check_migrate(struct tf_err *err, const struct tf_enqueue *at,
                            cl_uint count, const cl_mem *mems,
                            cl_mem_migration_flags flags)
{
    if (check_queue(err, at->queue))
        return err->code;
    TF_REQUIRE(err, count > 0 && mems, CL_INVALID_VALUE, "no memory objects");
    for (cl_uint i = 0; i < count; i++) {
        if (check_mem(err, mems[i]))
            return err->code;
        TF_REQUIRE(err, mems[i]->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
                   "mem_objects[%u] belongs to another context than the queue", i);
    }
    if (check_migration_flags(err, flags))
        return err->code;
    return check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    if (!check_migrate(&err, &at, num_mem_objects, mem_objects, flags))
        tf_enqueue_in_order(&err, &at, CL_COMMAND_MIGRATE_MEM_OBJECTS, num_mem_objects,
                            mem_objects);
    return tf_report(&err, __func__);
}
