// SPDX-License-Identifier: MIT
// What the platform and all its devices say that they are.
#ifndef TF_ABI_VERSION_H
#define TF_ABI_VERSION_H

#include <CL/cl.h>

#define TF_VERSION_TEXT "0.1.0"
#define TF_OPENCL_VERSION CL_MAKE_VERSION(3, 1, 0)
#define TF_OPENCL_TEXT "OpenCL 3.1 Trefoil " TF_VERSION_TEXT

#endif // TF_ABI_VERSION_H
