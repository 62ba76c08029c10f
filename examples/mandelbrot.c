// SPDX-License-Identifier: MIT
// Renders the Mandelbrot set with OpenCL, writes it as a PNG, prints the time per frame,
// and compares every point with plain C. An ordinary host program: it knows no
// implementation.
//   usage: mandelbrot [picture.png [width height]]
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

#include "png.h"

#define FRAMES 9
#define ITERATIONS 500

// The view: centre and height, in the complex plane.
#define CENTRE_X -0.7436f
#define CENTRE_Y 0.1318f
#define VIEW_HEIGHT 0.012f

// The same float operations as in points_in_c(), each rounded on its own, so that both
// give the same counts: no fused multiply-add.
static const char source[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "kernel void mandelbrot(global int *counts, int width, float left, float top,\n"
    "                       float step, int limit)\n"
    "{\n"
    "    const int px = get_global_id(0), py = get_global_id(1);\n"
    "    const float cx = left + (float)px * step;\n"
    "    const float cy = top - (float)py * step;\n"
    "    float x = 0.0f, y = 0.0f;\n"
    "    int n = 0;\n"
    "    for (; n < limit && x * x + y * y <= 4.0f; n++) {\n"
    "        const float next = x * x - y * y + cx;\n"
    "        y = 2.0f * x * y + cy;\n"
    "        x = next;\n"
    "    }\n"
    "    counts[py * width + px] = n;\n"
    "}\n";

struct view {
    int width_px, height_px;
    float left, top, step;
};

struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem counts;
};

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "mandelbrot: %s: error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void points_in_c(const struct view *view, int *counts)
{
    for (int py = 0; py < view->height_px; py++)
        for (int px = 0; px < view->width_px; px++) {
            const float cx = view->left + (float)px * view->step;
            const float cy = view->top - (float)py * view->step;
            float x = 0.0f, y = 0.0f;
            int n = 0;
            for (; n < ITERATIONS && x * x + y * y <= 4.0f; n++) {
                const float next = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = next;
            }
            counts[py * view->width_px + px] = n;
        }
}

static void print_build_log(const struct opencl *cl)
{
    size_t bytes = 0;

    clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = calloc(1, bytes + 1);
    if (log) {
        clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, bytes, log,
                              NULL);
        fprintf(stderr, "%s\n", log);
    }
    free(log);
}

static void opencl_open(struct opencl *cl, size_t count_bytes)
{
    cl_platform_id platform;
    const char *text = source;
    char name[256] = "", version[256] = "";
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL),
          "clGetDeviceIDs");
    clGetDeviceInfo(cl->device, CL_DEVICE_NAME, sizeof(name), name, NULL);
    clGetDeviceInfo(cl->device, CL_DEVICE_VERSION, sizeof(version), version, NULL);
    printf("device: %s (%s)\n", name, version);
    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl->queue = clCreateCommandQueueWithProperties(cl->context, cl->device, NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl->program = clCreateProgramWithSource(cl->context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(cl->program, 1, &cl->device, "", NULL, NULL);
    if (code != CL_SUCCESS)
        print_build_log(cl);
    check(code, "clBuildProgram");
    cl->kernel = clCreateKernel(cl->program, "mandelbrot", &code);
    check(code, "clCreateKernel");
    cl->counts = clCreateBuffer(cl->context, CL_MEM_WRITE_ONLY, count_bytes, NULL, &code);
    check(code, "clCreateBuffer");
}

static void opencl_close(struct opencl *cl)
{
    clReleaseMemObject(cl->counts);
    clReleaseKernel(cl->kernel);
    clReleaseProgram(cl->program);
    clReleaseCommandQueue(cl->queue);
    clReleaseContext(cl->context);
}

static void set_args(const struct opencl *cl, const struct view *view)
{
    const cl_int limit = ITERATIONS, width_px = view->width_px;

    check(clSetKernelArg(cl->kernel, 0, sizeof(cl_mem), &cl->counts), "clSetKernelArg");
    check(clSetKernelArg(cl->kernel, 1, sizeof(width_px), &width_px), "clSetKernelArg");
    check(clSetKernelArg(cl->kernel, 2, sizeof(view->left), &view->left),
          "clSetKernelArg");
    check(clSetKernelArg(cl->kernel, 3, sizeof(view->top), &view->top), "clSetKernelArg");
    check(clSetKernelArg(cl->kernel, 4, sizeof(view->step), &view->step),
          "clSetKernelArg");
    check(clSetKernelArg(cl->kernel, 5, sizeof(limit), &limit), "clSetKernelArg");
}

// Renders FRAMES times and returns the median time of all but the first, in ms.
static double render(const struct opencl *cl, const struct view *view, int *counts)
{
    const size_t size[2] = {(size_t)view->width_px, (size_t)view->height_px};
    double times[FRAMES];

    set_args(cl, view);
    for (int frame = 0; frame < FRAMES; frame++) {
        const double start = now_ms();
        check(clEnqueueNDRangeKernel(cl->queue, cl->kernel, 2, NULL, size, NULL, 0, NULL,
                                     NULL),
              "clEnqueueNDRangeKernel");
        check(clFinish(cl->queue), "clFinish");
        times[frame] = now_ms() - start;
    }
    check(clEnqueueReadBuffer(cl->queue, cl->counts, CL_TRUE, 0,
                              size[0] * size[1] * sizeof(int), counts, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    qsort(times + 1, FRAMES - 1, sizeof(times[0]), compare_doubles);
    return times[1 + (FRAMES - 1) / 2];
}

static void colour(int count, uint8_t *rgb)
{
    if (count == ITERATIONS) {
        memset(rgb, 0, 3);
        return;
    }
    const float t = (float)count / ITERATIONS, s = 1 - t;
    rgb[0] = (uint8_t)(9 * s * t * t * t * 255);
    rgb[1] = (uint8_t)(15 * s * s * t * t * 255);
    rgb[2] = (uint8_t)(8.5f * s * s * s * t * 255 + 30 * s);
}

static bool write_picture(const char *path, const struct view *view, const int *counts)
{
    const size_t points = (size_t)view->width_px * (size_t)view->height_px;
    uint8_t *rgb = malloc(points * 3);

    if (!rgb)
        return false;
    for (size_t n = 0; n < points; n++)
        colour(counts[n], rgb + 3 * n);
    const bool good =
        png_write(path, rgb, (uint32_t)view->width_px, (uint32_t)view->height_px);
    free(rgb);
    printf(good ? "picture: %s\n" : "cannot write %s\n", path);
    return good;
}

// Prints how many points differ; true when none does.
static bool compare(const struct view *view, const int *counts, const int *reference)
{
    const int points = view->width_px * view->height_px;
    int different = 0, inside = 0;

    for (int n = 0; n < points; n++) {
        different += counts[n] != reference[n];
        inside += counts[n] == ITERATIONS;
    }
    printf("check: %d of %d points differ from plain C (%d in the set)\n", different,
           points, inside);
    return !different;
}

static bool run(const struct view *view, const char *path, int *counts, int *reference)
{
    const size_t points = (size_t)view->width_px * (size_t)view->height_px;
    struct opencl cl = {0};

    opencl_open(&cl, points * sizeof(int));
    const double frame_ms = render(&cl, view, counts);
    opencl_close(&cl);
    const double start = now_ms();
    points_in_c(view, reference);
    const double c_ms = now_ms() - start;
    printf("time per frame: %.2f ms, %d x %d points, median of %d (plain C, one thread: "
           "%.2f ms)\n",
           frame_ms, view->width_px, view->height_px, FRAMES - 1, c_ms);
    const bool same = compare(view, counts, reference);
    return (!path || write_picture(path, view, counts)) && same;
}

int main(int argc, char **argv)
{
    struct view view = {.width_px = 1280, .height_px = 720};

    if (argc == 4) {
        view.width_px = (int)strtol(argv[2], NULL, 10);
        view.height_px = (int)strtol(argv[3], NULL, 10);
    }
    if ((argc > 2 && argc != 4) || view.width_px < 1 || view.height_px < 1 ||
        view.width_px > 16384 || view.height_px > 16384) {
        fprintf(stderr, "usage: mandelbrot [picture.png [width height]]\n");
        return 2;
    }
    view.step = VIEW_HEIGHT / (float)view.height_px;
    view.left = CENTRE_X - view.step * (float)view.width_px / 2;
    view.top = CENTRE_Y + VIEW_HEIGHT / 2;

    const size_t points = (size_t)view.width_px * (size_t)view.height_px;
    int *counts = malloc(points * sizeof(int)), *reference = malloc(points * sizeof(int));
    const bool good =
        counts && reference && run(&view, argc > 1 ? argv[1] : NULL, counts, reference);
    free(counts);
    free(reference);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
