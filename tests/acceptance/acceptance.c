// SPDX-License-Identifier: MIT
#include "acceptance.h"

#include <malloc.h>
#include <string.h>
#include <time.h>

#define MAX_PLATFORMS 16

_Noreturn void acceptance_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    exit(EXIT_FAILURE);
}

void acceptance_ok(const char *file, int line, const char *call, cl_int code)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s returned %d\n", file, line, call, code);
    exit(EXIT_FAILURE);
}

struct acceptance_cl acceptance_find(void)
{
    struct acceptance_cl cl = {0};
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint count = 0;

    OK(clGetPlatformIDs(MAX_PLATFORMS, platforms, &count));
    for (cl_uint p = 0; p < count && p < MAX_PLATFORMS; p++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof(name), name, NULL);
        if (!strcmp(name, "Trefoil"))
            cl.platform = platforms[p];
    }
    EXPECT(cl.platform != NULL);
    OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_CPU, 1, &cl.device, NULL));
    return cl;
}

struct acceptance_cl acceptance_open(void)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_PROFILING_ENABLE, 0};
    struct acceptance_cl cl = acceptance_find();
    cl_int code;

    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &code);
    OK(code);
    cl.queue =
        clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &code);
    OK(code);
    return cl;
}

void acceptance_close(struct acceptance_cl *cl)
{
    OK(clReleaseCommandQueue(cl->queue));
    OK(clReleaseContext(cl->context));
}

cl_program acceptance_build(const struct acceptance_cl *cl, const char *source)
{
    static char log[65536];
    cl_int code;
    cl_program program = clCreateProgramWithSource(cl->context, 1, &source, NULL, &code);

    OK(code);
    code = clBuildProgram(program, 1, &cl->device, "", NULL, NULL);
    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1,
                              log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    OK(code);
    return program;
}

cl_kernel acceptance_kernel(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);

    OK(code);
    return kernel;
}

double acceptance_now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void acceptance_sleep_s(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};

    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL);
}

long acceptance_resident_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");

    malloc_trim(0);
    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        if (!strncmp(line, "VmRSS:", 6))
            kib = strtol(line + 6, NULL, 10);
    fclose(file);
    EXPECT(kib > 0);
    return kib;
}

bool acceptance_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
    return false;
#endif
}
