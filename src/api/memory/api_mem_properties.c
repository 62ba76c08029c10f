// SPDX-License-Identifier: MIT
#include "api/memory/api_mem_properties.h"

#include <CL/cl_trefoil.h>

#include "core/memory/svm.h"
#include "core/object/error.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

// What is read of a list of properties; one value is a list itself.
struct reader {
    const cl_mem_properties *at;
    struct tf_mem_properties *out;
    bool has_address, has_devices;
};

static cl_int read_address(struct tf_err *err, struct reader *reader)
{
    const cl_mem_properties value = *reader->at;

    TF_REQUIRE(err, !reader->has_address, CL_INVALID_PROPERTY,
               "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is there twice");
    TF_REQUIRE(err, value == CL_TRUE || value == CL_FALSE, CL_INVALID_PROPERTY,
               "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is %llu", (unsigned long long)value);
    TF_REQUIRE(err, !value || tf_svm_supported(err->ctx, TF_SVM_ANY),
               CL_INVALID_OPERATION, "no device of the context has device addresses");
    reader->has_address = true;
    reader->out->fixes_address = value;
    reader->at++;
    return CL_SUCCESS;
}

static cl_int read_devices(struct tf_err *err, struct reader *reader)
{
    TF_REQUIRE(err, !reader->has_devices, CL_INVALID_PROPERTY,
               "CL_MEM_DEVICE_HANDLE_LIST_KHR is there twice");
    reader->has_devices = true;
    for (; *reader->at != CL_MEM_DEVICE_HANDLE_LIST_END_KHR; reader->at++)
        TF_REQUIRE(err,
                   tf_context_has_device(err->ctx, (cl_device_id)(uintptr_t)*reader->at),
                   CL_INVALID_DEVICE, "not a device of the context");
    reader->at++;
    return CL_SUCCESS;
}

static cl_int read_handle(struct tf_err *err, struct reader *reader, cl_uint type)
{
    TF_REQUIRE(err, !reader->out->external.type, CL_INVALID_PROPERTY, "several handles");
    reader->out->external.type = type;
    reader->out->external.fd = (int)*reader->at++;
    return CL_SUCCESS;
}

cl_int check_mem_properties(struct tf_err *err, const cl_mem_properties *properties,
                            bool is_image, struct tf_mem_properties *out)
{
    struct reader reader = {.at = properties, .out = out};

    while (properties && *reader.at) {
        const cl_mem_properties name = *reader.at++;

        if (name == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && !is_image)
            read_address(err, &reader);
        else if (name == CL_MEM_DEVICE_HANDLE_LIST_KHR)
            read_devices(err, &reader);
        else if (name == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR)
            read_handle(err, &reader, (cl_uint)name);
        else
            tf_fail(err, CL_INVALID_PROPERTY, "unknown property 0x%llx",
                    (unsigned long long)name);
        if (err->code)
            return err->code;
    }
    TF_REQUIRE(err, !reader.has_devices || out->external.type, CL_INVALID_PROPERTY,
               "CL_MEM_DEVICE_HANDLE_LIST_KHR without a handle");
    for (cl_uint i = 0; out->external.type && i < err->ctx->device_count; i++)
        TF_REQUIRE(err,
                   tf_device_caps_has(err->ctx->devices[i]->caps,
                                      TF_FEATURE_cl_khr_external_memory),
                   CL_INVALID_DEVICE, "a device takes no memory of others");
    out->count = properties ? (size_t)(reader.at - properties) + 1 : 0;
    return CL_SUCCESS;
}

cl_int check_mem_source(struct tf_err *err, cl_mem_flags flags, const void *host_ptr,
                        const struct tf_external *external, bool in_other)
{
    const cl_mem_flags of_host = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    const unsigned long long shown = flags;

    TF_REQUIRE(err, !external->type || !(flags & (of_host | CL_MEM_ALLOC_HOST_PTR)),
               CL_INVALID_VALUE, "flags 0x%llx of memory of others", shown);
    TF_REQUIRE(err, !external->type || !host_ptr, CL_INVALID_HOST_PTR,
               "host_ptr is set for memory of others");
    TF_REQUIRE(err,
               !(flags & CL_MEM_IMMUTABLE_EXT) || flags & of_host || external->type ||
                   in_other,
               CL_INVALID_VALUE, "flags 0x%llx: immutable, and nothing is in it", shown);
    return CL_SUCCESS;
}
