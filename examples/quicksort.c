// SPDX-License-Identifier: MIT
// Quicksort by kernels that enqueue kernels: each part is divided by one work-item, which
// enqueues a block for either side. The host enqueues one kernel and waits for its end. A
// part is divided without branches, which no processor could foresee.
//   cc quicksort.c -lOpenCL && ./a.out
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <CL/cl.h>

#define COUNT (1 << 20)
#define ROUNDS 5

static const char source[] =
    "#define DEPTH 10\n"
    "#define FEW 24\n"
    "void insert(global int *v, int count)\n"
    "{\n"
    "    for (int i = 1; i < count; i++) {\n"
    "        int x = v[i], k = i;\n"
    "        for (; k > 0 && v[k - 1] > x; k--)\n"
    "            v[k] = v[k - 1];\n"
    "        v[k] = x;\n"
    "    }\n"
    "}\n"
    "int divide(global int *v, int count)\n"
    "{\n"
    "    int a = v[0], b = v[count / 2], c = v[count - 1];\n"
    "    int middle = max(min(a, b), min(max(a, b), c)), left = 0;\n"
    "    for (int i = 0; i < count; i++) { // without branches\n"
    "        int x = v[i], y = v[left];\n"
    "        v[i] = y;\n"
    "        v[left] = x;\n"
    "        left += x < middle;\n"
    "    }\n"
    "    if (left > 0)\n"
    "        return left;\n"
    "    // Nothing is less: those that are equal, which are sorted.\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        int x = v[i], y = v[left];\n"
    "        v[i] = y;\n"
    "        v[left] = x;\n"
    "        left += x == middle;\n"
    "    }\n"
    "    return left;\n"
    "}\n"
    "void sort_alone(global int *v, int count)\n"
    "{\n"
    "    int start[64], size[64], depth = 0;\n"
    "    start[0] = 0;\n"
    "    size[0] = count;\n"
    "    while (depth >= 0) {\n"
    "        int first = start[depth], n = size[depth];\n"
    "        if (n <= FEW || depth == 62) {\n"
    "            insert(v + first, n);\n"
    "            depth--;\n"
    "            continue;\n"
    "        }\n"
    "        int left = divide(v + first, n);\n"
    "        if (left == n) {\n"
    "            depth--;\n"
    "            continue;\n"
    "        }\n"
    "        bool larger = left > n - left;\n"
    "        start[depth] = larger ? first : first + left;\n"
    "        size[depth] = larger ? left : n - left;\n"
    "        start[depth + 1] = larger ? first + left : first;\n"
    "        size[depth + 1] = larger ? n - left : left;\n"
    "        depth++;\n"
    "    }\n"
    "}\n"
    "void sort_part(global int *v, int count, int depth)\n"
    "{\n"
    "    if (count < 2)\n"
    "        return;\n"
    "    if (depth == 0 || count <= FEW) {\n"
    "        sort_alone(v, count);\n"
    "        return;\n"
    "    }\n"
    "    int left = divide(v, count);\n"
    "    for (int side = 0; side < 2 && left < count; side++) {\n"
    "        global int *part = side ? v + left : v;\n"
    "        int n = side ? count - left : left;\n"
    "        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                           ndrange_1D(1),\n"
    "                           ^{ sort_part(part, n, depth - 1); }) != CLK_SUCCESS)\n"
    "            sort_alone(part, n); // no room: it is done here\n"
    "    }\n"
    "}\n"
    "kernel void sort(global int *v, int count)\n"
    "{\n"
    "    sort_part(v, count, DEPTH);\n"
    "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

// A device whose kernels can enqueue kernels.
static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint platform_count;

    check(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < platform_count && i < 16; i++) {
        cl_device_id device;
        cl_uint queues = 0;

        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
            continue;
        clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(queues), &queues,
                        NULL);
        if (queues > 0)
            return device;
    }
    fprintf(stderr, "no device has queues of its own\n");
    exit(EXIT_FAILURE);
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static cl_kernel make_kernel(cl_context context, cl_device_id device, cl_program *program)
{
    const char *text = source;
    cl_kernel kernel;
    cl_int code;

    *program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(*program, 1, &device, "-cl-std=CL3.0", NULL, NULL),
          "clBuildProgram");
    kernel = clCreateKernel(*program, "sort", &code);
    check(code, "clCreateKernel");
    return kernel;
}

// Sorts `values` on the device; milliseconds.
static double sort(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, int *values)
{
    const size_t bytes = COUNT * sizeof(int), one = 1;
    double begin_ms;

    check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
    begin_ms = now_ms();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    begin_ms = now_ms() - begin_ms;
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    return begin_ms;
}

int main(void)
{
    static const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        0};
    static int values[COUNT];
    const cl_int count = COUNT;
    const cl_device_id device = find_device();
    cl_program program;
    cl_int code;

    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl_command_queue inner =
        clCreateCommandQueueWithProperties(context, device, on_device, &code);
    check(code, "clCreateCommandQueueWithProperties on the device");
    cl_kernel kernel = make_kernel(context, device, &program);
    cl_mem buffer = clCreateBuffer(context, 0, sizeof(values), NULL, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(count), &count), "clSetKernelArg");
    for (int round = 0; round < ROUNDS; round++) {
        unsigned seed = 1;

        for (int i = 0; i < COUNT; i++)
            values[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 4);
        printf("%d numbers sorted in %.1f ms\n", COUNT,
               sort(queue, kernel, buffer, values));
        for (int i = 1; i < COUNT; i++) {
            if (values[i - 1] > values[i]) {
                fprintf(stderr, "not sorted at %d\n", i);
                return EXIT_FAILURE;
            }
        }
    }
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(inner);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
