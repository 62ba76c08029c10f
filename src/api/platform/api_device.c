// SPDX-License-Identifier: MIT
#include "api/dispatch.h"

#include "api/api_common.h"
#include "base/time.h"
#include "core/platform/device_query.h"
#include "core/platform/platform.h"
#include "core/platform/sub_device.h"

// Shared with clCreateContextFromType. OpenCV keeps CL_DEVICE_TYPE_ALL in an int and
// passes it sign-extended.
cl_int check_device_type(struct tf_err *err, cl_device_type type)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                 CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                 CL_DEVICE_TYPE_CUSTOM;
    const bool is_all = type == CL_DEVICE_TYPE_ALL || type == ~(cl_device_type)0;

    TF_REQUIRE(err, is_all || (type && !(type & ~known)), CL_INVALID_DEVICE_TYPE,
               "device_type 0x%llx", (unsigned long long)type);
    return CL_SUCCESS;
}

static cl_int check_get_devices(struct tf_err *err, cl_platform_id platform,
                                cl_device_type type, cl_uint num_entries,
                                const cl_device_id *devices, const cl_uint *num_devices)
{
    TF_REQUIRE(err, tf_object_ok(platform, &tf_class_platform), CL_INVALID_PLATFORM,
               "not a platform");
    if (check_device_type(err, type))
        return err->code;
    TF_REQUIRE(err, devices || num_devices, CL_INVALID_VALUE,
               "devices and num_devices are NULL");
    TF_REQUIRE(err, !devices || num_entries > 0, CL_INVALID_VALUE,
               "devices is set but num_entries is 0");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform,
                                               cl_device_type device_type,
                                               cl_uint num_entries, cl_device_id *devices,
                                               cl_uint *num_devices)
{
    struct tf_err err = {0};
    cl_uint count = 0;

    if (!platform)
        platform = tf_api_platform();
    if (!check_get_devices(&err, platform, device_type, num_entries, devices,
                           num_devices)) {
        count = tf_platform_find_devices(platform, device_type, devices ? num_entries : 0,
                                         devices);
        if (count == 0)
            tf_fail(&err, CL_DEVICE_NOT_FOUND, "no device of type 0x%llx",
                    (unsigned long long)device_type);
        if (num_devices)
            *num_devices = count;
    }
    return tf_report(&err, __func__);
}

// The platform's devices live as long as the process (OpenCL 3.0 §4.3): counting them has
// no effect.
static bool is_root(cl_device_id device)
{
    bool is;

    if (!tf_object_take(device, &tf_class_device))
        return false;
    is = !device->parent;
    tf_unref(device);
    return is;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device)
{
    struct tf_err err = {0};

    if (!is_root(device))
        tf_object_retain(&err, device, &tf_class_device);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device)
{
    struct tf_err err = {0};

    if (!is_root(device))
        tf_object_release(&err, device, &tf_class_device);
    return tf_report(&err, __func__);
}

static cl_int check_partition(struct tf_err *err, cl_device_id device,
                              const cl_device_partition_property *properties,
                              cl_uint num_devices, const cl_device_id *out_devices,
                              const cl_uint *num_devices_ret)
{
    if (check_device(err, device))
        return err->code;
    TF_REQUIRE(err, properties && properties[0], CL_INVALID_VALUE, "no partition scheme");
    TF_REQUIRE(err, out_devices || num_devices_ret, CL_INVALID_VALUE,
               "out_devices and num_devices_ret are NULL");
    TF_REQUIRE(err, !out_devices || num_devices > 0, CL_INVALID_VALUE,
               "out_devices is set but num_devices is 0");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(
    cl_device_id in_device, const cl_device_partition_property *properties,
    cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret)
{
    struct tf_err err = {0};
    cl_uint count = 0;

    if (!check_partition(&err, in_device, properties, num_devices, out_devices,
                         num_devices_ret) &&
        !tf_device_partition(&err, in_device, properties, num_devices, out_devices,
                             &count) &&
        num_devices_ret)
        *num_devices_ret = count;
    return tf_report(&err, __func__);
}

static cl_int check_timer(struct tf_err *err, cl_device_id device, const cl_ulong *host,
                          const cl_ulong *other)
{
    if (check_device(err, device))
        return err->code;
    TF_REQUIRE(err, host && other, CL_INVALID_VALUE, "timestamp pointer is NULL");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device,
                                                        cl_ulong *device_timestamp,
                                                        cl_ulong *host_timestamp)
{
    struct tf_err err = {0};

    if (!check_timer(&err, device, host_timestamp, device_timestamp)) {
        *device_timestamp = device->dev->ops->now_ns(device->dev);
        *host_timestamp = tf_time_ns();
    }
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device,
                                               cl_ulong *host_timestamp)
{
    struct tf_err err = {0};

    if (!check_timer(&err, device, host_timestamp, host_timestamp))
        *host_timestamp = tf_time_ns();
    return tf_report(&err, __func__);
}
