// SPDX-License-Identifier: MIT
// clGetDeviceInfo: the answers are the lines of core/platform/device_info.def.
#include "core/platform/device_query.h"

#include <stdio.h>
#include <string.h>

#include <CL/cl_ext.h>
#include <CL/cl_trefoil.h>

#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/sub_device.h"

// Both precisions of this processor family; fused multiply-add is asked for apart.
#define TF_FP_FULL                                                                 \
    (CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | \
     CL_FP_ROUND_TO_INF)

#define TF_ATOMIC_FULL                                                    \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |    \
     CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | \
     CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)

enum { VECTOR_ELEMENTS_MAX = 16, NAMES_MAX = 128 };

// Elements of `element_bytes` in a native vector; OpenCL C has none wider than 16.
static cl_uint vector_width(const struct tf_device_info *info, uint32_t element_bytes)
{
    const cl_uint n = info->vector_bits / 8 / element_bytes;

    return n > VECTOR_ELEMENTS_MAX ? VECTOR_ELEMENTS_MAX : n;
}

static cl_int put_names(struct tf_err *err, const struct tf_info *out,
                        const struct tf_version_name *table, size_t count)
{
    cl_name_version names[NAMES_MAX];

    memset(names, 0, sizeof(names));
    for (size_t i = 0; i < count && i < NAMES_MAX; i++) {
        names[i].version = table[i].version;
        snprintf(names[i].name, sizeof(names[i].name), "%s", table[i].name);
    }
    return tf_info_value(err, out, names, count * sizeof(names[0]));
}

// What is asked of the driver for these two would slow every other query.
static bool needs_domains(cl_device_info param)
{
    return param == CL_DEVICE_PARTITION_PROPERTIES ||
           param == CL_DEVICE_PARTITION_AFFINITY_DOMAIN;
}

static const cl_uchar no_luid[CL_LUID_SIZE_KHR];

// OpenCL C has the functions for vectors and for packed words.
static const cl_device_integer_dot_product_capabilities_khr dot_products =
    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
static const cl_device_integer_dot_product_acceleration_properties_khr not_accelerated;

// cl_khr_kernel_clock, which not all headers have yet.
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#endif
// Of the device, a work-group and a sub-group: one counter serves all.
static const cl_bitfield kernel_clocks = 1 << 0 | 1 << 1 | 1 << 2;

// What kernels may demand, ascending.
static const size_t sub_group_sizes[] = {4, 8, 16, 32, 64};

static const cl_device_fp_atomic_capabilities_ext float_atomics =
    CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
    CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
    CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;

static bool is_listed(const struct tf_device_caps *caps, const char *extension)
{
    for (size_t i = 0; i < caps->extension_count; i++)
        if (strcmp(caps->extensions[i].name, extension) == 0)
            return true;
    return false;
}

cl_int tf_device_get_info(struct tf_err *err, cl_device_id device, cl_device_info param,
                          size_t size, void *value, size_t *size_ret)
{
    const struct tf_info out = {size, value, size_ret};
    const struct tf_device_info *info = device->info;
    const struct tf_device_caps *caps = &device->caps;
    cl_device_partition_property schemes[TF_PARTITION_SCHEMES];
    cl_device_affinity_domain domains = 0;

    if (needs_domains(param) && tf_device_affinity_domains(err, device, &domains))
        return err->code;
    switch (param) {
#define SCALAR(name, type, expression) \
    case name:                         \
        return tf_info_scalar(err, &out, type, expression);
#define STRING(name, text) \
    case name:             \
        return tf_info_string(err, &out, text);
#define BYTES(name, pointer, bytes) \
    case name:                      \
        return tf_info_value(err, &out, pointer, bytes);
#define NAMES(name, table, count) \
    case name:                    \
        return put_names(err, &out, table, count);
#define LISTED(extension, name, pointer, bytes) \
    case name:                                  \
        if (!is_listed(caps, extension))        \
            break;                              \
        return tf_info_value(err, &out, pointer, bytes);
#include "core/platform/device_info.def"
    default:
        break;
    }
    return tf_fail(err, CL_INVALID_VALUE, "device info 0x%x", param);
}
