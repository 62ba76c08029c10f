// SPDX-License-Identifier: MIT
// Names of the error codes of OpenCL, for trefoil-run's directives and messages.
#include "trefoil_run_script.h"

#include <string.h>

#include <CL/cl.h>

#include <CL/cl_trefoil.h>

#define ERROR(code) {#code, code},
static const struct {
    const char *name;
    int code;
} errors[] = {
#include "core/object/error_names.def"
};

int run_error_code(const char *name)
{
    for (size_t n = 0; n < sizeof(errors) / sizeof(errors[0]); n++)
        if (!strcmp(errors[n].name, name))
            return errors[n].code;
    return 1;
}

const char *run_error_name(int code)
{
    for (size_t n = 0; n < sizeof(errors) / sizeof(errors[0]); n++)
        if (errors[n].code == code)
            return errors[n].name;
    return NULL;
}
