// SPDX-License-Identifier: MIT
// One platform in static storage: it is there before the first allocation and after the
// last one. Its devices are probed by the first call; nothing is loaded or started by
// that.
#include "core/platform/platform.h"

#include <pthread.h>

#include <CL/cl_trefoil.h>

#include "abi/version.h"
#include "base/env.h"
#include "base/log.h"
#include "core/object/error.h"
#include "core/platform/device.h"
#include "core/platform/feature_query.h"
#include "core/platform/sharing_query.h"
#include "core/platform/svm_types.h"

enum { MAX_DEVICES = 16 };

struct _cl_platform_id {
    struct tf_object obj;
    cl_uint device_count;
    cl_device_id devices[MAX_DEVICES];
};

static struct _cl_platform_id platform_storage;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void platform_destroy(struct tf_object *obj)
{
    (void)obj; // never happens: the library's reference is never dropped
}

const struct tf_class tf_class_platform = {
    .name = "platform",
    .magic = 0x71a7f035u,
    .invalid = CL_INVALID_PLATFORM,
    .size_bytes = sizeof(struct _cl_platform_id),
    .destroy = platform_destroy,
};

static void probe(const struct tf_driver *driver)
{
    struct tf_device *found[MAX_DEVICES];
    const cl_uint room = MAX_DEVICES - platform_storage.device_count;
    const size_t count = driver->probe(found, room);

    for (size_t i = 0; i < count && i < room; i++) {
        cl_device_id device = tf_device_register(found[i], &platform_storage);

        if (device)
            platform_storage.devices[platform_storage.device_count++] = device;
    }
    tf_log(TF_LOG_DEVICE, "driver %s: %zu devices", driver->name, count);
}

static void make_platform(void)
{
    tf_env_tell();
    platform_storage.device_count = 0;
    tf_object_init_static(&platform_storage.obj, &tf_class_platform);
    for (const struct tf_driver *const *driver = tf_drivers; *driver; driver++)
        probe(*driver);
}

cl_platform_id tf_platform_get(void)
{
    pthread_once(&once, make_platform);
    return &platform_storage;
}

static bool has_type(cl_platform_id platform, cl_uint index, cl_device_type type)
{
    const cl_device_type own = platform->devices[index]->caps->type;

    if (type == CL_DEVICE_TYPE_DEFAULT)
        return index == 0;
    if ((type & CL_DEVICE_TYPE_ALL) == CL_DEVICE_TYPE_ALL)
        return own != CL_DEVICE_TYPE_CUSTOM;
    return (own & type) || (type & CL_DEVICE_TYPE_DEFAULT && index == 0);
}

cl_uint tf_platform_find_devices(cl_platform_id platform, cl_device_type type,
                                 cl_uint max, cl_device_id *out)
{
    cl_uint n = 0;

    for (cl_uint i = 0; i < platform->device_count; i++) {
        if (!has_type(platform, i, type))
            continue;
        if (n < max)
            out[n] = platform->devices[i];
        n++;
    }
    return n;
}

void tf_platform_set_disp_data(cl_platform_id platform, void *disp_data)
{
    tf_object_set_disp_data(disp_data);
    platform->obj.disp_data = disp_data;
    for (cl_uint i = 0; i < platform->device_count; i++)
        platform->devices[i]->obj.disp_data = disp_data;
}

void tf_platform_forked(void)
{
    for (cl_uint i = 0; i < platform_storage.device_count; i++)
        tf_device_forked(platform_storage.devices[i]);
}

// Extensions of a platform are those that all its devices have; without one, what the
// loader needs.
static struct tf_feature_set common_features(cl_platform_id platform)
{
    struct tf_feature_set set = {{0}};

    if (platform->device_count)
        set = platform->devices[0]->caps->features;
    else
        tf_feature_put(&set, TF_FEATURE_cl_khr_icd, true);
    for (cl_uint i = 1; i < platform->device_count; i++)
        for (size_t n = 0; n < sizeof(set.bits) / sizeof(set.bits[0]); n++)
            set.bits[n] &= platform->devices[i]->caps->features.bits[n];
    return set;
}

// What all devices share with others; what is asked for is one of these.
static cl_int put_sharing(struct tf_err *err, const struct tf_info *info,
                          const struct tf_feature_set *features, cl_platform_info param)
{
    const bool is_memory = param == CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR;
    const bool is_types = param == CL_PLATFORM_SEMAPHORE_TYPES_KHR;
    const bool is_export = param == CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;

    if (!tf_feature_in(features, is_memory  ? TF_FEATURE_cl_khr_external_memory
                                 : is_types ? TF_FEATURE_cl_khr_semaphore
                                            : TF_FEATURE_cl_khr_external_semaphore))
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    if (is_types)
        return tf_info_scalar(err, info, cl_semaphore_type_khr,
                              CL_SEMAPHORE_TYPE_BINARY_KHR);
    return tf_sharing_put_types(err, info, features,
                                is_memory   ? TF_SHARING_MEMORY_IMPORT
                                : is_export ? TF_SHARING_SEMAPHORE_EXPORT
                                            : TF_SHARING_SEMAPHORE_IMPORT);
}

cl_int tf_platform_get_info(struct tf_err *err, cl_platform_id platform,
                            cl_platform_info param, size_t size, void *value,
                            size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    const struct tf_feature_set features = common_features(platform);
    const char *name = tf_env_text(TF_ENV_PLATFORM_NAME);

    switch (param) {
    case CL_PLATFORM_PROFILE:
        return tf_info_string(err, &info, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return tf_info_string(err, &info, TF_OPENCL_TEXT);
    case CL_PLATFORM_NUMERIC_VERSION:
        return tf_info_scalar(err, &info, cl_version, TF_OPENCL_VERSION);
    case CL_PLATFORM_NAME:
        return tf_info_string(err, &info, name ? name : "Trefoil");
    case CL_PLATFORM_VENDOR:
        return tf_info_string(err, &info, "Trefoil");
    case CL_PLATFORM_EXTENSIONS:
        return tf_features_put_words(err, &info, &features, TF_FEATURE_KIND_EXTENSION);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return tf_features_put_names(err, &info, &features, TF_FEATURE_KIND_EXTENSION);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return tf_info_scalar(err, &info, cl_ulong, 1);
    case CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR:
        if (!tf_feature_in(&features, TF_FEATURE_cl_khr_command_buffer_multi_device))
            break;
        return tf_info_scalar(err, &info, cl_platform_command_buffer_capabilities_khr,
                              CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                                  CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                                  CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR);
    case CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
    case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
    case CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
    case CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
        return put_sharing(err, &info, &features, param);
    case CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR:
        if (!tf_feature_in(&features, TF_FEATURE_cl_khr_unified_svm))
            break;
        return tf_svm_types_put(err, &info, NULL);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return tf_info_string(err, &info, "TREFOIL");
    default:
        break;
    }
    return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
}
