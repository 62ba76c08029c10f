// SPDX-License-Identifier: MIT
// What a barrier costs: nanoseconds for each work-item and barrier in three kernels, and
// one of them once more as loops written by hand. An OpenCL program; TREFOIL_WG chooses
// the form, and TREFOIL_THREADS=1 is what the figures are for.
//
//     bench_barriers [ROUNDS]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <CL/cl.h>

enum { SIZE = 256, GROUPS = 512, BARRIERS = 10, MATRIX = 256, TILE = 16 };

static const char source[] =
    "kernel void ten(global const float *in, global float *out) {\n"
    "  local float t[2][256];\n"
    "  int l = get_local_id(0), g = get_global_id(0);\n"
    "  float a = in[g], b = a * 2; t[0][l] = a;\n"
    "  for (int r = 0; r < 10; r++) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float v = t[r & 1][(l + 1) & 255];\n"
    "    a = a * 0.5f + v;\n"
    "    t[(r & 1) ^ 1][l] = a + b;\n"
    "  }\n"
    "  out[g] = a + b;\n"
    "}\n"
    // A group is one work-item here.
    "kernel void by_hand(global const float *in, global float *out) {\n"
    "  local float t[2][256], as[256], bs[256];\n"
    "  int g = get_global_id(0) * 256;\n"
    "  for (int l = 0; l < 256; l++) { as[l] = in[g + l]; bs[l] = as[l] * 2; t[0][l] = "
    "as[l]; }\n"
    "  for (int r = 0; r < 10; r++)\n"
    "    for (int l = 0; l < 256; l++) {\n"
    "      float v = t[r & 1][(l + 1) & 255];\n"
    "      as[l] = as[l] * 0.5f + v;\n"
    "      t[(r & 1) ^ 1][l] = as[l] + bs[l];\n"
    "    }\n"
    "  for (int l = 0; l < 256; l++) out[g + l] = as[l] + bs[l];\n"
    "}\n"
    "kernel void reduce(global const float *in, global float *out) {\n"
    "  local float t[256];\n"
    "  uint l = get_local_id(0);\n"
    "  t[l] = in[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
    "    if (l < s) t[l] += t[l + s];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (l == 0) out[get_group_id(0)] = t[0];\n"
    "}\n"
    "kernel void tiled(global const float *a, global float *c) {\n"
    "  local float ta[16][16], tb[16][16];\n"
    "  int x = get_local_id(0), y = get_local_id(1);\n"
    "  int col = get_global_id(0), row = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int t = 0; t < 16; t++) {\n"
    "    ta[y][x] = a[row * 256 + t * 16 + x]; tb[y][x] = a[(t * 16 + y) * 256 + col];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < 16; k++) sum += ta[y][k] * tb[k][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[row * 256 + col] = sum;\n"
    "}\n";

static const struct bench {
    const char *kernel;
    cl_uint dims;
    size_t global[2], local[2];
    double work; // items times barriers
} benches[] = {
    {"ten", 1, {(size_t)SIZE * GROUPS}, {SIZE}, (double)SIZE *GROUPS *BARRIERS},
    {"by_hand", 1, {GROUPS}, {1}, (double)SIZE *GROUPS *BARRIERS},
    {"reduce", 1, {(size_t)SIZE * GROUPS}, {SIZE}, (double)SIZE *GROUPS * 9},
    {"tiled", 2, {MATRIX, MATRIX}, {TILE, TILE}, (double)MATRIX *MATRIX * 2 * 16},
};

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "bench_barriers: %s: %d\n", what, status);
    exit(1);
}

static cl_kernel make_kernel(cl_program program, const char *name, cl_mem in, cl_mem out)
{
    cl_int status;
    const cl_kernel kernel = clCreateKernel(program, name, &status);

    check(status, name);
    check(clSetKernelArg(kernel, 0, sizeof(in), (const void *)&in), name);
    check(clSetKernelArg(kernel, 1, sizeof(out), (const void *)&out), name);
    return kernel;
}

// The least of `rounds` launches, in CPU time: others may have the processor meanwhile.
static double measure(cl_command_queue queue, cl_kernel kernel, const struct bench *b,
                      int rounds)
{
    double best = 0;

    for (int i = 0; i <= rounds; i++) {
        const double start = now_ns();
        double used;

        check(clEnqueueNDRangeKernel(queue, kernel, b->dims, NULL, b->global, b->local, 0,
                                     NULL, NULL),
              b->kernel);
        check(clFinish(queue), b->kernel);
        used = now_ns() - start;
        if (i > 0 && (best == 0 || used < best)) // the first one waits for its code
            best = used;
    }
    return best;
}

int main(int argc, char **argv)
{
    const size_t bytes = (size_t)SIZE * GROUPS * sizeof(float);
    const char *text = source;
    float *data = calloc(1, bytes);
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    for (size_t i = 0; data && i < (size_t)SIZE * GROUPS; i++)
        data[i] = (float)(i % 97) * 0.01F;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "context");
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, NULL, &status);
    check(status, "queue");
    const cl_program program =
        clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "program");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    const cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    check(status, "in");
    const cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "out");
    for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
        const struct bench *b = &benches[i];
        const cl_kernel kernel = make_kernel(program, b->kernel, in, out);
        const double ns = measure(queue, kernel, b, argc > 1 ? atoi(argv[1]) : 20);

        printf("%-8s %8.3f ns per item and barrier\n", b->kernel, ns / b->work);
        clReleaseKernel(kernel);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(data);
    return 0;
}
