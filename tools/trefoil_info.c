// SPDX-License-Identifier: MIT
// trefoil-info: what the OpenCL loader shows of Trefoil on this machine, or why it shows
// nothing; with --env every environment variable and its value.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "base/env.h"

#define MAX_FOUND 32

static void print_env(void)
{
    for (int var = 0; var < TF_ENV_COUNT; var++) {
        const struct tf_env_entry *entry = tf_env_entry((enum tf_env)var);
        const char *value = tf_env_text((enum tf_env)var);
        printf("%s%s%s\n    %s\n", entry->name, value ? "=" : "", value ? value : "",
               entry->help);
    }
}

static void print_text(cl_device_id device, const char *label, cl_device_info param)
{
    size_t bytes = 0;

    if (clGetDeviceInfo(device, param, 0, NULL, &bytes) != CL_SUCCESS)
        return;
    char *text = calloc(1, bytes + 1);
    if (text && clGetDeviceInfo(device, param, bytes, text, NULL) == CL_SUCCESS)
        printf("%-16s%s\n", label, text);
    free(text);
}

static void print_number(cl_device_id device, const char *label, cl_device_info param,
                         unsigned long long unit, const char *unit_name)
{
    unsigned char raw[8] = {0};
    unsigned long long value = 0;

    if (clGetDeviceInfo(device, param, sizeof(raw), raw, NULL) != CL_SUCCESS)
        return;
    memcpy(&value, raw, sizeof(value)); // 4 or 8 bytes, little endian
    printf("%-16s%llu%s\n", label, value / unit, unit_name);
}

static void print_device(cl_device_id device)
{
    print_text(device, "device", CL_DEVICE_NAME);
    print_text(device, "driver", CL_DRIVER_VERSION);
    print_text(device, "version", CL_DEVICE_VERSION);
    print_text(device, "language", CL_DEVICE_OPENCL_C_VERSION);
    print_number(device, "threads", CL_DEVICE_MAX_COMPUTE_UNITS, 1, "");
    print_number(device, "work-group", CL_DEVICE_MAX_WORK_GROUP_SIZE, 1, " work-items");
    print_number(device, "local memory", CL_DEVICE_LOCAL_MEM_SIZE, 1024,
                 " KiB a work-group");
    print_number(device, "global memory", CL_DEVICE_GLOBAL_MEM_SIZE, 1 << 20, " MiB");
    print_text(device, "extensions", CL_DEVICE_EXTENSIONS);
}

// True for our platform, whatever TREFOIL_PLATFORM_NAME says.
static bool is_ours(cl_platform_id platform)
{
    const char *wanted = tf_env_text(TF_ENV_PLATFORM_NAME);
    char name[256] = "";

    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
    return !strcmp(name, wanted ? wanted : "Trefoil");
}

static int print_platform(void)
{
    cl_platform_id platforms[MAX_FOUND];
    cl_device_id devices[MAX_FOUND];
    cl_uint n_platforms = 0, n_devices = 0;
    const char *vendors = getenv("OCL_ICD_VENDORS");

    if (clGetPlatformIDs(MAX_FOUND, platforms, &n_platforms) != CL_SUCCESS)
        n_platforms = 0;
    for (cl_uint p = 0; p < n_platforms && p < MAX_FOUND; p++) {
        if (!is_ours(platforms[p]))
            continue;
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_FOUND, devices, &n_devices);
        for (cl_uint d = 0; d < n_devices && d < MAX_FOUND; d++)
            print_device(devices[d]);
        return EXIT_SUCCESS;
    }
    fprintf(stderr,
            "The OpenCL loader shows %u platforms, and Trefoil is not among them.\n"
            "It reads %s: trefoil.icd must lie there, and name libtrefoil.so.\n",
            n_platforms, vendors ? vendors : "/etc/OpenCL/vendors");
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--env")) {
        print_env();
        return EXIT_SUCCESS;
    }
    if (argc > 1) {
        fputs("usage: trefoil-info [--env]\n", stderr);
        return 2;
    }
    return print_platform();
}
