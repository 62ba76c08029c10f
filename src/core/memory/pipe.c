// SPDX-License-Identifier: MIT
#include "core/memory/pipe.h"

#include <string.h>

#include "abi/long16.h"
#include "abi/pipe_layout.h"
#include "base/range.h"
#include "core/memory/buffer.h"
#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

bool tf_pipe_supported(cl_context ctx)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (tf_device_caps_has(ctx->devices[i]->caps, TF_FEATURE_pipes))
            return true;
    return false;
}

cl_uint tf_pipe_max_packet_bytes(cl_context ctx)
{
    cl_uint most = 0;

    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (ctx->devices[i]->caps->pipe_packet_bytes > most)
            most = ctx->devices[i]->caps->pipe_packet_bytes;
    return most;
}

// Place of the packets, and size of the whole.
static bool lay_out(const struct tf_pipe_desc *desc, size_t *data_offset, size_t *bytes)
{
    const size_t turns = (size_t)desc->max_packets * sizeof(tf_pipe_u64);
    const size_t end = sizeof(struct tf_pipe_header) + turns + TF_LONG16_BYTES - 1;
    size_t packets;

    *data_offset = end - end % TF_LONG16_BYTES;
    return desc->max_packets <= TF_PIPE_MAX_PACKETS &&
           !tf_mul_overflow((size_t)desc->max_packets, (size_t)desc->packet_bytes,
                            &packets) &&
           !tf_add_overflow(*data_offset, packets, bytes);
}

// An empty pipe: every slot is free for the first writer.
static void initialize(void *memory, const struct tf_pipe_desc *desc, size_t data_offset)
{
    struct tf_pipe_header *header = memory;
    tf_pipe_u64 *turn = (tf_pipe_u64 *)(header + 1);

    memset(header, 0, sizeof(*header));
    header->max_packets = desc->max_packets;
    header->packet_bytes = desc->packet_bytes;
    header->data_offset_bytes = data_offset;
    for (tf_pipe_u64 i = 0; i < desc->max_packets; i++)
        turn[i] = i;
}

static cl_int fill(struct tf_err *err, cl_mem pipe, const struct tf_pipe_desc *desc)
{
    const struct tf_device_ops *ops;
    size_t data_offset;
    void *memory;

    if (!lay_out(desc, &data_offset, &pipe->size_bytes) ||
        pipe->size_bytes > tf_buffer_max_bytes(pipe->obj.ctx))
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                       "%u packets of %u bytes are too many", desc->max_packets,
                       desc->packet_bytes);
    if (tf_mem_allocate(err, pipe, NULL))
        return err->code;
    ops = pipe->dev->ops;
    if (ops->mem_map(err, pipe->dev, pipe->devmem, 0, data_offset,
                     CL_MAP_WRITE_INVALIDATE_REGION, &memory))
        return err->code;
    initialize(memory, desc, data_offset);
    ops->mem_unmap(pipe->dev, pipe->devmem, memory);
    return CL_SUCCESS;
}

cl_int tf_pipe_create(struct tf_err *err, cl_context ctx, const struct tf_pipe_desc *desc,
                      cl_mem *out)
{
    cl_mem pipe = tf_mem_new(ctx, TF_MEM_PIPE);

    if (!pipe)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "pipe object");
    pipe->flags = desc->flags;
    pipe->packet_bytes = desc->packet_bytes;
    pipe->max_packets = desc->max_packets;
    if (fill(err, pipe, desc)) {
        tf_unref(pipe);
        return err->code;
    }
    *out = tf_give_user(pipe);
    return CL_SUCCESS;
}

cl_int tf_pipe_get_info(struct tf_err *err, cl_mem pipe, cl_pipe_info param, size_t size,
                        void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_PIPE_PACKET_SIZE:
        return tf_info_scalar(err, &info, cl_uint, pipe->packet_bytes);
    case CL_PIPE_MAX_PACKETS:
        return tf_info_scalar(err, &info, cl_uint, pipe->max_packets);
    case CL_PIPE_PROPERTIES: // no property exists: a pipe is made without
        return tf_info_value(err, &info, NULL, 0);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "pipe info 0x%x", param);
    }
}
