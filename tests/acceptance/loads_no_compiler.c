// SPDX-License-Identifier: MIT
// Asking for platforms and devices and using buffers maps neither the compiler library
// nor LLVM, and starts no thread; the first program build maps the compiler where it is
// to run in this process, and never else.
#include "acceptance.h"

#include <string.h>

static bool maps_hold(const char *name)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/self/maps", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        found = found || strcasestr(line, name) != NULL;
    fclose(file);
    return found;
}

static long thread_count(void)
{
    char line[256];
    long count = 0;
    FILE *file = fopen("/proc/self/status", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        if (!strncmp(line, "Threads:", 8))
            count = strtol(line + 8, NULL, 10);
    fclose(file);
    return count;
}

int main(void)
{
    const long threads_at_start = thread_count(); // sanitizers have one of their own
    struct acceptance_cl cl = acceptance_find();
    char text[4096];
    cl_int code;

    OK(clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof(text), text, NULL));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL));
    EXPECT(thread_count() == threads_at_start);
    cl = acceptance_open();
    cl_mem buffer =
        clCreateBuffer(cl.context, CL_MEM_READ_WRITE, sizeof(text), NULL, &code);
    OK(code);
    OK(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof(text), text, 0, NULL,
                            NULL));
    OK(clReleaseMemObject(buffer));
    EXPECT(maps_hold("libtrefoil.so"));
    EXPECT(!maps_hold("trefoil-compiler"));
    EXPECT(!maps_hold("libLLVM"));
    EXPECT(!maps_hold("libclang"));
    OK(clReleaseProgram(acceptance_build(&cl, "kernel void nothing(void) {}")));
    const char *form = getenv("TREFOIL_COMPILER");
    EXPECT(maps_hold("trefoil-compiler") == (form && !strcmp(form, "thread")));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
