// SPDX-License-Identifier: MIT
// The dispatch table and the prototypes of every entry point, from api/entrypoints.def.
// Files with entry points include this first: the compiler then compares each definition
// with the list and with the system's OpenCL headers.
#ifndef TF_API_DISPATCH_H
#define TF_API_DISPATCH_H

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
// Before others that may include cl_ext.h as it is.
#include <CL/cl_trefoil.h>

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#define TF_ENTRY(state, failure, type, name, params) type CL_API_CALL name params;
#define TF_BY_NAME TF_ENTRY
#include "api/entrypoints.def"

#define TF_ENTRY(state, failure, type, name, params) type(CL_API_CALL *name) params;
struct tf_dispatch {
#include "api/entrypoints.def"
};

// What the version script exports besides being listed there (cmake/trefoil.map).
#define TF_EXPORT __attribute__((visibility("default")))

// The platform, for entry points that an application may call before it has any handle.
cl_platform_id tf_api_platform(void);

// Address of the entry point `name`, or NULL. `offered`: only what works; else stubs too.
void *tf_api_address(const char *name, int offered);

#endif // TF_API_DISPATCH_H
