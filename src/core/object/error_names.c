// SPDX-License-Identifier: MIT
#include "core/object/error_names.h"

#include <stddef.h>

#include <CL/cl_trefoil.h>

#define ERROR(code) {code, #code},
static const struct {
    cl_int code;
    const char *name;
} names[] = {
#include "core/object/error_names.def"
};

const char *tf_error_name(cl_int code)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (names[i].code == code)
            return names[i].name;
    return "unknown code";
}
