// SPDX-License-Identifier: MIT
// clGetDeviceInfo: the answers are the lines of core/platform/device_info.def.
#include "core/platform/device_query.h"

#include <stdio.h>
#include <string.h>

#include <CL/cl_trefoil.h>

#include "abi/version.h"
#include "base/env.h"
#include "base/hash.h"
#include "core/object/error.h"
#include "core/platform/feature_query.h"
#include "core/platform/sharing_query.h"
#include "core/platform/spirv_query.h"
#include "core/platform/sub_device.h"
#include "core/platform/svm_types.h"

enum { VECTOR_ELEMENTS_MAX = 16 };

// Elements of `element_bytes` in a native vector; OpenCL C has none wider than 16.
static cl_uint vector_width(const struct tf_device_info *info, uint32_t element_bytes)
{
    const cl_uint n = info->vector_bits / 8 / element_bytes;

    return n > VECTOR_ELEMENTS_MAX ? VECTOR_ELEMENTS_MAX : n;
}

static cl_int put_opencl_c_versions(struct tf_err *err, const struct tf_info *out,
                                    const struct tf_device_caps *caps)
{
    static const cl_version known[] = {
        CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
        CL_MAKE_VERSION(2, 0, 0), CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)};
    cl_name_version names[sizeof(known) / sizeof(known[0])];
    size_t count = 0;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i] <= caps->opencl_c_max &&
            (CL_VERSION_MAJOR(known[i]) != 2 ||
             !tf_features_lacking_2_0(&caps->features, true)))
            tf_features_name(&names[count++], "OpenCL C", known[i]);
    return tf_info_value(err, out, names, count * sizeof(names[0]));
}

static cl_int put_version(struct tf_err *err, const struct tf_info *out,
                          const struct tf_device_info *info)
{
    char text[sizeof(TF_OPENCL_TEXT) + sizeof(info->isa)];

    snprintf(text, sizeof(text), "%s %s", TF_OPENCL_TEXT, info->isa);
    return tf_info_string(err, out, text);
}

enum { DRIVER_VERSION_BYTES = sizeof(TF_VERSION_TEXT "+") + TF_BUILD_BYTES };

// The version and, as programs name the binaries that they keep by it, the build.
static void driver_version_of(const struct tf_device_info *info,
                              char text[DRIVER_VERSION_BYTES])
{
    snprintf(text, DRIVER_VERSION_BYTES, "%s%s%s", TF_VERSION_TEXT,
             *info->build ? "+" : "", info->build);
}

static cl_int put_driver_version(struct tf_err *err, const struct tf_info *out,
                                 const struct tf_device_info *info)
{
    const char *const wanted = tf_env_text(TF_ENV_DRIVER_VERSION);
    char text[DRIVER_VERSION_BYTES];

    driver_version_of(info, text);
    return tf_info_string(err, out, wanted ? wanted : text);
}

// The same for all devices and machines, another for every build.
static cl_int put_driver_uuid(struct tf_err *err, const struct tf_info *out,
                              const struct tf_device_info *info)
{
    char text[sizeof("Trefoil ") + DRIVER_VERSION_BYTES] = "Trefoil ";
    struct tf_hash hash;
    unsigned char uuid[CL_UUID_SIZE_KHR];

    _Static_assert(sizeof(hash) == sizeof(uuid), "size of a UUID");
    driver_version_of(info, text + strlen(text));
    hash = tf_hash_bytes(text, strlen(text) + 1, 0);
    memcpy(uuid, &hash, sizeof(hash));
    uuid[6] =
        (unsigned char)((uuid[6] & 0x0f) | 0x80); // RFC 9562: the maker's own scheme
    uuid[8] = (unsigned char)((uuid[8] & 0x3f) | 0x80);
    return tf_info_value(err, out, uuid, sizeof(uuid));
}

static cl_uint vendor_id(const struct tf_device_info *info)
{
    return (cl_uint)tf_env_number(TF_ENV_VENDOR_ID, info->vendor_id);
}

// What is asked of the driver for these two would slow every other query.
static bool needs_domains(cl_device_info param)
{
    return param == CL_DEVICE_PARTITION_PROPERTIES ||
           param == CL_DEVICE_PARTITION_AFFINITY_DOMAIN;
}

static const cl_uchar no_luid[CL_LUID_SIZE_KHR];

static const cl_device_integer_dot_product_acceleration_properties_khr not_accelerated;

cl_int tf_device_get_info(struct tf_err *err, cl_device_id device, cl_device_info param,
                          size_t size, void *value, size_t *size_ret)
{
    const struct tf_info out = {size, value, size_ret};
    const struct tf_device_info *info = device->info;
    const struct tf_device_caps *caps = device->caps;
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
#define CALL(name, call) \
    case name:           \
        return call;
#define LISTED(extension, name, pointer, bytes)                \
    case name:                                                 \
        if (!tf_device_caps_has(caps, TF_FEATURE_##extension)) \
            break;                                             \
        return tf_info_value(err, &out, pointer, bytes);
#define LISTED_CALL(extension, name, call)                     \
    case name:                                                 \
        if (!tf_device_caps_has(caps, TF_FEATURE_##extension)) \
            break;                                             \
        return call;
#define LISTED_SCALAR(extension, name, type, expression)       \
    case name:                                                 \
        if (!tf_device_caps_has(caps, TF_FEATURE_##extension)) \
            break;                                             \
        return tf_info_scalar(err, &out, type, expression);
#include "core/platform/device_info.def"
    default:
        break;
    }
    return tf_fail(err, CL_INVALID_VALUE, "device info 0x%x", param);
}
