// SPDX-License-Identifier: MIT
// Sub-devices (OpenCL 3.1 section 4.3): parts of a device that contexts, queues and
// programs use like any other. They are counted; each keeps what it is a part of.
#ifndef TF_CORE_PLATFORM_SUB_DEVICE_H
#define TF_CORE_PLATFORM_SUB_DEVICE_H

#include "core/platform/device.h"

// clCreateSubDevices: *count becomes the number of parts that `properties` ask for. If
// out is not NULL it has room for `room` and gets the users' handles, all or none.
// CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT,
// CL_OUT_OF_*.
cl_int tf_device_partition(struct tf_err *err, cl_device_id device,
                           const cl_device_partition_property *properties, cl_uint room,
                           cl_device_id *out, cl_uint *count);

// CL_DEVICE_PARTITION_AFFINITY_DOMAIN: the levels at which the device falls into two or
// more parts, and NEXT_PARTITIONABLE if there is one; 0 if there is none.
// CL_OUT_OF_HOST_MEMORY.
cl_int tf_device_affinity_domains(struct tf_err *err, cl_device_id device,
                                  cl_device_affinity_domain *out);

// CL_DEVICE_PARTITION_PROPERTIES: the schemes that can give two or more parts, for a
// device with these affinity domains; a single 0 if there is none. Returns their number
// of words, at most TF_PARTITION_SCHEMES.
enum { TF_PARTITION_SCHEMES = 4 };
size_t tf_device_partition_schemes(
    cl_device_id device, cl_device_affinity_domain domains,
    cl_device_partition_property out[TF_PARTITION_SCHEMES]);

// CL_DEVICE_PARTITION_MAX_SUB_DEVICES; 0 if the device cannot be partitioned.
cl_uint tf_device_partition_most(cl_device_id device);

#endif // TF_CORE_PLATFORM_SUB_DEVICE_H
