// SPDX-License-Identifier: MIT
#include "harness/opencl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report.h"

const char *opencl_error_name(cl_int error)
{
    switch (error) {
#define CASE(name) \
    case name:     \
        return #name
        CASE(CL_SUCCESS);
        CASE(CL_DEVICE_NOT_FOUND);
        CASE(CL_DEVICE_NOT_AVAILABLE);
        CASE(CL_COMPILER_NOT_AVAILABLE);
        CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE);
        CASE(CL_OUT_OF_RESOURCES);
        CASE(CL_OUT_OF_HOST_MEMORY);
        CASE(CL_IMAGE_FORMAT_NOT_SUPPORTED);
        CASE(CL_BUILD_PROGRAM_FAILURE);
        CASE(CL_MAP_FAILURE);
        CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CASE(CL_INVALID_VALUE);
        CASE(CL_INVALID_PLATFORM);
        CASE(CL_INVALID_DEVICE);
        CASE(CL_INVALID_CONTEXT);
        CASE(CL_INVALID_QUEUE_PROPERTIES);
        CASE(CL_INVALID_COMMAND_QUEUE);
        CASE(CL_INVALID_MEM_OBJECT);
        CASE(CL_INVALID_IMAGE_SIZE);
        CASE(CL_INVALID_BUILD_OPTIONS);
        CASE(CL_INVALID_PROGRAM);
        CASE(CL_INVALID_PROGRAM_EXECUTABLE);
        CASE(CL_INVALID_KERNEL_NAME);
        CASE(CL_INVALID_KERNEL);
        CASE(CL_INVALID_ARG_INDEX);
        CASE(CL_INVALID_ARG_VALUE);
        CASE(CL_INVALID_ARG_SIZE);
        CASE(CL_INVALID_KERNEL_ARGS);
        CASE(CL_INVALID_WORK_DIMENSION);
        CASE(CL_INVALID_WORK_GROUP_SIZE);
        CASE(CL_INVALID_WORK_ITEM_SIZE);
        CASE(CL_INVALID_GLOBAL_OFFSET);
        CASE(CL_INVALID_EVENT_WAIT_LIST);
        CASE(CL_INVALID_EVENT);
        CASE(CL_INVALID_OPERATION);
        CASE(CL_INVALID_BUFFER_SIZE);
        CASE(CL_INVALID_GLOBAL_WORK_SIZE);
    case -1001:
        return "CL_PLATFORM_NOT_FOUND_KHR";
#undef CASE
    }
    static char number[24];
    snprintf(number, sizeof number, "error %d", (int)error);
    return number;
}

void opencl_check(cl_int error, const char *call)
{
    if (error != CL_SUCCESS)
        report_failure("error", "%s in %.200s", opencl_error_name(error), call);
}

/* Does `wanted` - an index or a part of the name - select this one?  NULL selects the
 * first. */
static bool selects(const char *wanted, unsigned index, const char *name)
{
    if (wanted == NULL)
        return true;
    if (isdigit((unsigned char)wanted[0]))
        return strtoul(wanted, NULL, 10) == index;
    return strstr(name, wanted) != NULL;
}

enum { MAX_IDS = 32, MAX_TEXT = 16384 };

const char *opencl_platform_text(cl_platform_id platform, cl_platform_info parameter)
{
    static char text[MAX_TEXT];
    if (clGetPlatformInfo(platform, parameter, sizeof text, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

const char *opencl_device_text(cl_device_id device, cl_device_info parameter)
{
    static char text[MAX_TEXT];
    if (clGetDeviceInfo(device, parameter, sizeof text, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

cl_platform_id opencl_find_platform(const char *wanted)
{
    cl_platform_id platforms[MAX_IDS];
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(MAX_IDS, platforms, &count));
    for (unsigned i = 0; i < count && i < MAX_IDS; i++)
        if (selects(wanted, i, opencl_platform_text(platforms[i], CL_PLATFORM_NAME)))
            return platforms[i];
    report_failure("error", "no platform '%s'", wanted ? wanted : "");
}

cl_device_id opencl_find_device(cl_platform_id platform, const char *wanted)
{
    cl_device_id devices[MAX_IDS];
    cl_uint count = 0;
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_IDS, devices, &count));
    for (unsigned i = 0; i < count && i < MAX_IDS; i++)
        if (selects(wanted, i, opencl_device_text(devices[i], CL_DEVICE_NAME)))
            return devices[i];
    report_failure("error", "no device '%s'", wanted ? wanted : "");
}

cl_context opencl_create_context(cl_device_id device)
{
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    opencl_check(error, "clCreateContext");
    return context;
}

cl_command_queue opencl_create_queue(cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties)
{
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue(context, device, properties, &error);
    opencl_check(error, "clCreateCommandQueue");
    return queue;
}

struct opencl opencl_open(const struct options *options)
{
    struct opencl cl;
    cl.platform = opencl_find_platform(options->platform);
    cl.device = opencl_find_device(cl.platform, options->device);
    cl.context = opencl_create_context(cl.device);
    cl.queue = opencl_create_queue(cl.context, cl.device, 0);
    return cl;
}

bool opencl_device_has_extension(cl_device_id device, const char *name)
{
    const char *extensions = opencl_device_text(device, CL_DEVICE_EXTENSIONS);
    size_t length = strlen(name);
    for (const char *found = extensions; (found = strstr(found, name)) != NULL;
         found += length)
        if ((found == extensions || found[-1] == ' ') &&
            (found[length] == ' ' || found[length] == '\0'))
            return true;
    return false;
}

cl_program opencl_build(const struct opencl *cl, const char *source,
                        const char *build_options)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(cl->context, 1, &source, NULL, &error);
    opencl_check(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &cl->device, build_options, NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[MAX_TEXT];
        clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                              NULL);
        report_failure("error", "%s: %.400s", opencl_error_name(error), log);
    }
    return program;
}

cl_kernel opencl_kernel(cl_program program, const char *name, size_t count,
                        const struct kernel_argument *arguments)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    opencl_check(error, "clCreateKernel");
    for (size_t i = 0; i < count; i++)
        CHECK(clSetKernelArg(kernel, (cl_uint)i, arguments[i].size, arguments[i].value));
    return kernel;
}

cl_mem opencl_buffer(const struct opencl *cl, size_t size, const void *contents)
{
    cl_int error;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem buffer = clCreateBuffer(cl->context, flags, size, (void *)contents, &error);
    opencl_check(error, "clCreateBuffer");
    return buffer;
}
