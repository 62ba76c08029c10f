// SPDX-License-Identifier: MIT
// The platform object and the device objects. The platform and its devices live as long
// as the process; sub-devices (core/platform/sub_device.h) are counted.
#ifndef TF_CORE_PLATFORM_PLATFORM_H
#define TF_CORE_PLATFORM_PLATFORM_H

#include "base/thread.h"
#include "core/object/object.h"
#include "core/platform/device_caps.h"
#include "core/platform/device_interface.h"

#define TF_VERSION_TEXT "0.1.0"
// What the platform and all its devices implement.
#define TF_OPENCL_VERSION CL_MAKE_VERSION(3, 0, 0)
#define TF_OPENCL_TEXT "OpenCL 3.0 Trefoil " TF_VERSION_TEXT

struct _cl_device_id {
    struct tf_object obj;
    struct tf_device *dev;
    cl_device_id parent; // sub-device: owned reference; NULL: one of the platform's
    cl_device_id root;   // borrowed: the platform's device that this is a part of, or is
    unsigned fork_epoch; // sub-device: of the process that made it
    cl_device_partition_property
        *partition;                    // sub-device: owned, CL_DEVICE_PARTITION_TYPE
    size_t partition_count;            // its words, with the terminating 0
    const struct tf_device_info *info; // == dev->info
    struct tf_device_caps caps;        // dev->caps points here
    cl_platform_id platform;
    struct tf_mutex lock;
    struct tf_cond changed;
    unsigned open_count TF_GUARDED_BY(&lock); // contexts that use it
    bool busy TF_GUARDED_BY(&lock);           // open or close is running
};

// The platform, with its devices found on the first call. Never fails: a device that
// cannot be made is left out.
cl_platform_id tf_platform_get(void);
// Stores up to `max` of the platform's devices of a type (a CL_DEVICE_TYPE_* mask, which
// CL_DEVICE_TYPE_DEFAULT and CL_DEVICE_TYPE_ALL may be) and returns how many there are.
cl_uint tf_platform_find_devices(cl_platform_id platform, cl_device_type type,
                                 cl_uint max, cl_device_id *out);

// Wraps a driver's device in an object that lives as long as the process; NULL when
// memory ran out. Aborts if an operation that is not optional is missing.
cl_device_id tf_device_register(struct tf_device *dev, cl_platform_id platform);

// A device object with its lock ready and nothing else, owned by the caller; NULL when
// memory ran out.
cl_device_id tf_device_new(cl_platform_id platform) TF_NODISCARD;

// Gives the object its driver's device.
void tf_device_set(cl_device_id device, struct tf_device *dev);

// True if `device` is `whole` or a part of it, or of a part of it, and so on.
bool tf_device_within(cl_device_id device, cl_device_id whole);

// A context begins and ceases to use the device: opens it for the first one, closes it
// after the last one; what it is a part of with it. No lock may be held.
cl_int tf_device_open(struct tf_err *err, cl_device_id device);
void tf_device_close(cl_device_id device);

// clIcdSetPlatformDispatchDataKHR.
void tf_platform_set_disp_data(cl_platform_id platform, void *disp_data);

// In a forked child.
void tf_platform_forked(void);

cl_int tf_platform_get_info(struct tf_err *err, cl_platform_id platform,
                            cl_platform_info param, size_t size, void *value,
                            size_t *size_ret);
cl_int tf_device_get_info(struct tf_err *err, cl_device_id device, cl_device_info param,
                          size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_PLATFORM_PLATFORM_H
