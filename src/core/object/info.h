// SPDX-License-Identifier: MIT
// The answer of a clGet*Info call: the size, NULL and string rules, once for all.
//
//     struct tf_info info = {size, value, size_ret};
//     switch (param) { case CL_X: return tf_info_value(err, &info, &x, sizeof(x)); ...
#ifndef TF_CORE_OBJECT_INFO_H
#define TF_CORE_OBJECT_INFO_H

#include <stddef.h>

#include <CL/cl.h>

struct tf_err;

struct tf_info {
    size_t size;      // param_value_size
    void *value;      // param_value, may be NULL
    size_t *size_ret; // param_value_size_ret, may be NULL
};

// Copies `bytes` bytes (0 is legal, then ptr may be NULL). CL_INVALID_VALUE when value is
// set and too small.
cl_int tf_info_value(struct tf_err *err, const struct tf_info *info, const void *ptr,
                     size_t bytes);
// The same for a string with its 0; NULL counts as "".
cl_int tf_info_string(struct tf_err *err, const struct tf_info *info, const char *text);

// For scalars: tf_info_scalar(err, &info, cl_uint, 3)
#define tf_info_scalar(err, info, type, expression) \
    tf_info_value((err), (info), &(const type){(expression)}, sizeof(type))

#endif // TF_CORE_OBJECT_INFO_H
