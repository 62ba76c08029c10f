// SPDX-License-Identifier: MIT
#include "error_names.h"

#include <stdio.h>
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

int error_code_of(const char *name)
{
    for (size_t n = 0; n < sizeof(errors) / sizeof(errors[0]); n++)
        if (!strcmp(errors[n].name, name))
            return errors[n].code;
    return 1;
}

const char *error_text_of(int code, char text[ERROR_TEXT_BYTES])
{
    snprintf(text, ERROR_TEXT_BYTES, "error %d", code);
    for (size_t n = 0; n < sizeof(errors) / sizeof(errors[0]); n++)
        if (errors[n].code == code) {
            snprintf(text, ERROR_TEXT_BYTES, "%s", errors[n].name);
            break;
        }
    return text;
}
