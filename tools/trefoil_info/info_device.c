// SPDX-License-Identifier: MIT
#include "info_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include <CL/cl_trefoil.h>

#include "info_output.h"
#include "info_values.h"

struct query {
    const char *name;
    cl_device_info param;
    const char *type; // of C; "" where the table of the library does not say
};

// The table that the library answers from: a query that is new there is printed here.
#define SCALAR(param, type, value) {#param, param, #type},
#define STRING(param, value) {#param, param, "char[]"},
#define BYTES(param, pointer, bytes) {#param, param, ""},
#define CALL(param, call) {#param, param, ""},
#define LISTED(extension, param, pointer, bytes) {#param, param, ""},
#define LISTED_CALL(extension, param, call) {#param, param, ""},
#define LISTED_SCALAR(extension, param, type, value) {#param, param, #type},
static const struct query queries[] = {
#include "core/platform/device_info.def"
};

static void *ask(cl_device_id device, cl_device_info param, size_t *bytes)
{
    void *value = NULL;

    if (clGetDeviceInfo(device, param, 0, NULL, bytes) != CL_SUCCESS)
        return NULL;
    value = calloc(1, *bytes + 1); // never NULL for an empty list
    if (value && *bytes &&
        clGetDeviceInfo(device, param, *bytes, value, NULL) != CL_SUCCESS) {
        free(value);
        return NULL;
    }
    return value;
}

void print_device(cl_device_id device)
{
    out_section(NULL, "Device");
    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        const struct query *query = &queries[i];
        size_t bytes;
        void *value = ask(device, query->param, &bytes);

        if (value)
            print_value(query->name, query->type, value, bytes);
        else
            out_nothing(query->name); // an extension that is hidden
        free(value);
    }
    out_section_end();
}

void print_device_line(cl_device_id device)
{
    size_t bytes;
    char *name = ask(device, CL_DEVICE_NAME, &bytes);
    char *version = ask(device, CL_DEVICE_VERSION, &bytes);

    printf("%s: %s\n", name ? name : "?", version ? version : "?");
    free(name);
    free(version);
}
