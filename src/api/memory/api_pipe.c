// SPDX-License-Identifier: MIT
// Pipes.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/memory/pipe.h"
#include "core/platform/device.h"

static cl_int check_pipe_desc(struct tf_err *err, cl_context ctx,
                              const struct tf_pipe_desc *desc,
                              const cl_pipe_properties *properties)
{
    const cl_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;

    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, tf_pipe_supported(ctx), CL_INVALID_OPERATION,
               "no device of the context has pipes");
    TF_REQUIRE(err, !(desc->flags & ~known), CL_INVALID_VALUE, "flags 0x%llx of a pipe",
               (unsigned long long)desc->flags);
    TF_REQUIRE(err, !properties, CL_INVALID_VALUE, "pipes have no properties");
    TF_REQUIRE(err, desc->packet_bytes > 0, CL_INVALID_PIPE_SIZE, "packets of 0 bytes");
    TF_REQUIRE(err, desc->packet_bytes <= tf_pipe_max_packet_bytes(ctx),
               CL_INVALID_PIPE_SIZE, "packets of %u bytes, no device takes more than %u",
               desc->packet_bytes, tf_pipe_max_packet_bytes(ctx));
    TF_REQUIRE(err, desc->max_packets > 0, CL_INVALID_PIPE_SIZE, "0 packets");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags,
                                             cl_uint pipe_packet_size,
                                             cl_uint pipe_max_packets,
                                             const cl_pipe_properties *properties,
                                             cl_int *errcode_ret)
{
    const struct tf_pipe_desc desc = {.flags = flags,
                                      .packet_bytes = pipe_packet_size,
                                      .max_packets = pipe_max_packets};
    struct tf_err err = {0};
    cl_mem pipe = NULL;

    if (!check_pipe_desc(&err, context, &desc, properties))
        tf_pipe_create(&err, context, &desc, &pipe);
    return tf_return_object(&err, __func__, pipe, errcode_ret);
}

static cl_int check_pipe(struct tf_err *err, cl_mem pipe)
{
    if (check_mem(err, pipe))
        return err->code;
    TF_REQUIRE(err, pipe->kind == TF_MEM_PIPE, CL_INVALID_MEM_OBJECT, "not a pipe");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!check_pipe(&err, pipe))
        tf_pipe_get_info(&err, pipe, param_name, param_value_size, param_value,
                         param_value_size_ret);
    return tf_report(&err, __func__);
}
