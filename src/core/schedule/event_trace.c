// SPDX-License-Identifier: MIT
#include "core/schedule/event_trace.h"

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>
#include <CL/cl_trefoil.h>

#include "core/platform/device_interface.h"
#include "trace/trace.h"

static const char *type_name(cl_command_type type)
{
    static const struct {
        cl_command_type type;
        const char *name;
    } names[] = {
        {CL_COMMAND_NDRANGE_KERNEL, "kernel"},
        {CL_COMMAND_TASK, "kernel"},
        {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
        {CL_COMMAND_READ_BUFFER, "read buffer"},
        {CL_COMMAND_WRITE_BUFFER, "write buffer"},
        {CL_COMMAND_COPY_BUFFER, "copy buffer"},
        {CL_COMMAND_FILL_BUFFER, "fill buffer"},
        {CL_COMMAND_READ_BUFFER_RECT, "read buffer rect"},
        {CL_COMMAND_WRITE_BUFFER_RECT, "write buffer rect"},
        {CL_COMMAND_COPY_BUFFER_RECT, "copy buffer rect"},
        {CL_COMMAND_READ_IMAGE, "read image"},
        {CL_COMMAND_WRITE_IMAGE, "write image"},
        {CL_COMMAND_COPY_IMAGE, "copy image"},
        {CL_COMMAND_FILL_IMAGE, "fill image"},
        {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
        {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
        {CL_COMMAND_MAP_BUFFER, "map buffer"},
        {CL_COMMAND_MAP_IMAGE, "map image"},
        {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
        {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
        {CL_COMMAND_MARKER, "marker"},
        {CL_COMMAND_BARRIER, "barrier"},
        {CL_COMMAND_SVM_FREE, "svm free"},
        {CL_COMMAND_SVM_MEMCPY, "svm copy"},
        {CL_COMMAND_SVM_MEMFILL, "svm fill"},
        {CL_COMMAND_SVM_MAP, "svm map"},
        {CL_COMMAND_SVM_UNMAP, "svm unmap"},
        {CL_COMMAND_COMMAND_BUFFER_KHR, "command buffer"},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (names[i].type == type)
            return names[i].name;
    return "other command";
}

static uint64_t moved_bytes(const struct tf_command *cmd)
{
    size_t box[3];

    tf_command_box(cmd, box);
    return (uint64_t)box[0] * box[1] * box[2];
}

void tf_event_trace_depend(const struct tf_command *waiter,
                           const struct tf_command *awaited)
{
    tf_trace_put(&(struct tf_trace_record){.kind = TF_TRACE_DEPENDENCY,
                                           .id = waiter->trace_id,
                                           .amount = awaited->trace_id});
}

void tf_event_trace_end(const struct tf_event_ended *ended)
{
    const struct tf_command *cmd = ended->cmd;
    const char *type = type_name(ended->type);

    tf_trace_put(&(struct tf_trace_record){
        .kind = TF_TRACE_COMMAND,
        .name = cmd->trace_name ? cmd->trace_name : type,
        .note = type,
        .id = cmd->trace_id,
        .amount = moved_bytes(cmd),
        .number = ended->queue,
        .queued_ns = ended->queued_ns,
        .start_ns = ended->start_ns,
        .end_ns = ended->end_ns,
        .status = (int16_t)ended->status,
    });
}
