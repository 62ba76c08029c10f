// SPDX-License-Identifier: MIT
// The platform object. It and its devices live as long as the process.
#ifndef TF_CORE_PLATFORM_PLATFORM_H
#define TF_CORE_PLATFORM_PLATFORM_H

#include <CL/cl.h>

struct tf_err;

// The platform, with its devices found on the first call. Never fails: a device that
// cannot be made is left out.
cl_platform_id tf_platform_get(void);
// Stores up to `max` of the platform's devices of a type (a CL_DEVICE_TYPE_* mask, which
// CL_DEVICE_TYPE_DEFAULT and CL_DEVICE_TYPE_ALL, sign-extended or not, may be) and
// returns how many there are.
cl_uint tf_platform_find_devices(cl_platform_id platform, cl_device_type type,
                                 cl_uint max, cl_device_id *out);

// clIcdSetPlatformDispatchDataKHR.
void tf_platform_set_disp_data(cl_platform_id platform, void *disp_data);

// In a forked child.
void tf_platform_forked(void);

cl_int tf_platform_get_info(struct tf_err *err, cl_platform_id platform,
                            cl_platform_info param, size_t size, void *value,
                            size_t *size_ret);

#endif // TF_CORE_PLATFORM_PLATFORM_H
