// SPDX-License-Identifier: MIT
// Device objects: what an application's cl_device_id is. The platform's live as long as
// the process; sub-devices (core/platform/sub_device.h) are counted.
#ifndef TF_CORE_PLATFORM_DEVICE_H
#define TF_CORE_PLATFORM_DEVICE_H

#include "base/thread.h"
#include "core/object/object.h"
#include "core/platform/device_caps.h"
#include "core/platform/device_interface.h"

struct _cl_device_id {
    struct tf_object obj;
    struct tf_device *dev;
    cl_device_id parent; // sub-device: owned reference; NULL: one of the platform's
    cl_device_id root;   // borrowed: the platform's device that this is a part of, or is
    cl_device_partition_property
        *partition;                    // sub-device: owned, CL_DEVICE_PARTITION_TYPE
    size_t partition_count;            // its words, with the terminating 0
    const struct tf_device_info *info; // == dev->info
    const struct tf_device_caps *caps; // == dev->caps
    cl_platform_id platform;
    struct tf_mutex lock;
    struct tf_cond changed;
    unsigned open_count TF_GUARDED_BY(&lock); // contexts that use it
    bool busy TF_GUARDED_BY(&lock);           // open or close is running
};

// Wraps a driver's device in an object that lives as long as the process; NULL when
// memory ran out, or its capabilities are less than OpenCL demands. Aborts if an
// operation that is not optional is missing.
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

// In a forked child, of a device of the platform.
void tf_device_forked(cl_device_id device);

#endif // TF_CORE_PLATFORM_DEVICE_H
