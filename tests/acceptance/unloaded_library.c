// SPDX-License-Identifier: MIT
// An application may dlclose() the library that it looked up itself, with commands on
// their way: they end, their callbacks come, and a later dlopen() finds everything as it
// was. Usage: unloaded_library path-of-libtrefoil.so
#include "acceptance.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 10
#define LIMIT_S 60

// Every entry point, by the name of the library's own look-up.
struct library {
    void *handle;
    void *(CL_API_CALL *address)(const char *);
};

#define CALL(library, name) ((__typeof__(&name))(library)->address(#name))

static struct library load(const char *path)
{
    struct library library = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};

    if (!library.handle)
        fprintf(stderr, "%s\n", dlerror());
    EXPECT(library.handle != NULL);
    *(void **)&library.address = dlsym(library.handle, "clGetExtensionFunctionAddress");
    EXPECT(library.address != NULL);
    return library;
}

static cl_device_id find_device(const struct library *library)
{
    cl_int(CL_API_CALL * get_platforms)(cl_uint, cl_platform_id *, cl_uint *);
    cl_platform_id platform;
    cl_device_id device;

    *(void **)&get_platforms = dlsym(library->handle, "clIcdGetPlatformIDsKHR");
    EXPECT(get_platforms != NULL);
    OK(get_platforms(1, &platform, NULL));
    OK(CALL(library, clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    return device;
}

static atomic_int ended;

static void CL_CALLBACK note_end(cl_event event, cl_int status, void *data)
{
    (void)event, (void)data;
    EXPECT(status == CL_COMPLETE);
    atomic_fetch_add(&ended, 1);
}

// Everything is released here but for what the commands hold.
static void start_work(const struct library *library, cl_device_id device)
{
    static const char *text = "kernel void work(global int *p) {"
                              "    int x = 1;"
                              "    for (int i = 0; i < 3000; i++)"
                              "        x = x * 1664525 + p[x & 63];"
                              "    p[get_global_id(0) & 63] = x;"
                              "}";
    const size_t items = 1024;
    cl_int code;
    cl_context ctx = CALL(library, clCreateContext)(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue q =
        CALL(library, clCreateCommandQueueWithProperties)(ctx, device, NULL, &code);
    cl_program prog =
        CALL(library, clCreateProgramWithSource)(ctx, 1, &text, NULL, &code);
    cl_mem mem = CALL(library, clCreateBuffer)(ctx, CL_MEM_READ_WRITE, 256, NULL, &code);
    cl_kernel kernel;
    cl_event event;

    OK(code);
    OK(CALL(library, clBuildProgram)(prog, 0, NULL, NULL, NULL, NULL));
    kernel = CALL(library, clCreateKernel)(prog, "work", &code);
    OK(code);
    OK(CALL(library, clSetKernelArg)(kernel, 0, sizeof(mem), &mem));
    for (int i = 0; i < 10; i++)
        OK(CALL(library, clEnqueueNDRangeKernel)(q, kernel, 1, NULL, &items, NULL, 0,
                                                 NULL, &event));
    OK(CALL(library, clSetEventCallback)(event, CL_COMPLETE, note_end, NULL));
    OK(CALL(library, clReleaseEvent)(event));
    OK(CALL(library, clReleaseKernel)(kernel));
    OK(CALL(library, clReleaseMemObject)(mem));
    OK(CALL(library, clReleaseProgram)(prog));
    OK(CALL(library, clReleaseCommandQueue)(q));
    OK(CALL(library, clReleaseContext)(ctx));
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    cl_device_id first = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        const double end_s = acceptance_now_s() + LIMIT_S;
        struct library library = load(argv[1]);
        cl_device_id device = find_device(&library);

        EXPECT(!first || device == first);
        first = device;
        start_work(&library, device);
        EXPECT(dlclose(library.handle) == 0);
        while (atomic_load(&ended) <= round && acceptance_now_s() < end_s)
            acceptance_sleep_s(0.001);
        EXPECT(atomic_load(&ended) == round + 1);
    }
    return EXIT_SUCCESS;
}
