// SPDX-License-Identifier: MIT
#ifndef TF_CORE_OBJECT_ERROR_NAMES_H
#define TF_CORE_OBJECT_ERROR_NAMES_H

#include <CL/cl.h>

// "CL_INVALID_VALUE"; "unknown code" for what is none.
const char *tf_error_name(cl_int code);

#endif // TF_CORE_OBJECT_ERROR_NAMES_H
