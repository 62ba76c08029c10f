// SPDX-License-Identifier: MIT
// Works on a picture with OpenCL images: takes noise away, finds edges, makes the picture
// smaller with the edges drawn in; writes it, prints the time per picture and compares
// every pixel with plain C. An ordinary host program: it knows no implementation.
//   usage: photo from.png to.png
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

#include "png.h"

#define RUNS 9
#define REACH 2          // pixels around one that take its noise away
#define MOST_DIFFERENT 2 // of 255: each of three steps rounds to 8 bits

static const char source[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "constant sampler_t pixels = CLK_NORMALIZED_COORDS_FALSE |\n"
    "                            CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "constant sampler_t between = CLK_NORMALIZED_COORDS_TRUE |\n"
    "                             CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
    "\n"
    "// A mean of the neighbours; near and like ones count more.\n"
    "kernel void denoise(read_only image2d_t from, write_only image2d_t to)\n"
    "{\n"
    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    const float4 own = read_imagef(from, pixels, at);\n"
    "    float4 sum = 0.0f;\n"
    "    float weights = 0.0f;\n"
    "    for (int y = -REACH; y <= REACH; y++)\n"
    "        for (int x = -REACH; x <= REACH; x++) {\n"
    "            const float4 c = read_imagef(from, pixels, at + (int2)(x, y));\n"
    "            const float4 d = c - own;\n"
    "            const float apart = d.x * d.x + d.y * d.y + d.z * d.z;\n"
    "            const float w = 1.0f / ((1.0f + 0.25f * (float)(x * x + y * y)) *\n"
    "                                    (1.0f + 400.0f * apart));\n"
    "            sum += c * w;\n"
    "            weights += w;\n"
    "        }\n"
    "    write_imagef(to, at, sum / weights);\n"
    "}\n"
    "\n"
    "float light(read_only image2d_t from, int x, int y)\n"
    "{\n"
    "    const float4 c = read_imagef(from, pixels, (int2)(x, y));\n"
    "    return 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;\n"
    "}\n"
    "\n"
    "// Sobel's operator.\n"
    "kernel void edges(read_only image2d_t from, write_only image2d_t to)\n"
    "{\n"
    "    const int x = get_global_id(0), y = get_global_id(1);\n"
    "    const float a = light(from, x - 1, y - 1), b = light(from, x, y - 1);\n"
    "    const float c = light(from, x + 1, y - 1), d = light(from, x - 1, y);\n"
    "    const float e = light(from, x + 1, y), f = light(from, x - 1, y + 1);\n"
    "    const float g = light(from, x, y + 1), h = light(from, x + 1, y + 1);\n"
    "    const float across = (c + 2.0f * e + h) - (a + 2.0f * d + f);\n"
    "    const float down = (f + 2.0f * g + h) - (a + 2.0f * b + c);\n"
    "    write_imagef(to, (int2)(x, y), sqrt(across * across + down * down));\n"
    "}\n"
    "\n"
    "kernel void shrink(read_only image2d_t from, read_only image2d_t lines,\n"
    "                   write_only image2d_t to)\n"
    "{\n"
    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    const float2 place = (float2)(((float)at.x + 0.5f) / "
    "(float)get_image_width(to),\n"
    "                                  ((float)at.y + 0.5f) / "
    "(float)get_image_height(to));\n"
    "    const float line = read_imagef(lines, between, place).x;\n"
    "    write_imagef(to, at, read_imagef(from, between, place) * (1.0f - line));\n"
    "}\n";

// ---- Plain C ----

struct plane {
    int width_px, height_px, channels;
    uint8_t *bytes;
};

static bool plane_make(struct plane *p, int width_px, int height_px, int channels)
{
    *p = (struct plane){width_px, height_px, channels, NULL};
    p->bytes = calloc((size_t)width_px * (size_t)height_px, (size_t)channels);
    return p->bytes != NULL;
}

static int clamp(int value, int end)
{
    return value < 0 ? 0 : value >= end ? end - 1 : value;
}

static uint8_t *pixel_of(const struct plane *p, int x, int y)
{
    const size_t at = (size_t)clamp(y, p->height_px) * (size_t)p->width_px +
                      (size_t)clamp(x, p->width_px);

    return p->bytes + at * (size_t)p->channels;
}

static float read_channel(const struct plane *p, int x, int y, int c)
{
    return (float)pixel_of(p, x, y)[c] / 255.0f;
}

static uint8_t to_byte(float value)
{
    return value <= 0 ? 0 : value >= 1 ? 255 : (uint8_t)lrintf(value * 255.0f);
}

static void denoise_in_c(const struct plane *from, struct plane *to)
{
    for (int py = 0; py < to->height_px; py++)
        for (int px = 0; px < to->width_px; px++) {
            float sum[3] = {0}, weights = 0;
            for (int y = -REACH; y <= REACH; y++)
                for (int x = -REACH; x <= REACH; x++) {
                    float c[3], apart = 0;
                    for (int k = 0; k < 3; k++) {
                        c[k] = read_channel(from, px + x, py + y, k);
                        const float d = c[k] - read_channel(from, px, py, k);
                        apart += d * d;
                    }
                    const float w = 1.0f / ((1.0f + 0.25f * (float)(x * x + y * y)) *
                                            (1.0f + 400.0f * apart));
                    for (int k = 0; k < 3; k++)
                        sum[k] += c[k] * w;
                    weights += w;
                }
            for (int k = 0; k < 3; k++)
                pixel_of(to, px, py)[k] = to_byte(sum[k] / weights);
            pixel_of(to, px, py)[3] = 255;
        }
}

static float light(const struct plane *p, int x, int y)
{
    return 0.299f * read_channel(p, x, y, 0) + 0.587f * read_channel(p, x, y, 1) +
           0.114f * read_channel(p, x, y, 2);
}

static void edges_in_c(const struct plane *from, struct plane *to)
{
    for (int y = 0; y < to->height_px; y++)
        for (int x = 0; x < to->width_px; x++) {
            const float a = light(from, x - 1, y - 1), b = light(from, x, y - 1);
            const float c = light(from, x + 1, y - 1), d = light(from, x - 1, y);
            const float e = light(from, x + 1, y), f = light(from, x - 1, y + 1);
            const float g = light(from, x, y + 1), h = light(from, x + 1, y + 1);
            const float across = (c + 2.0f * e + h) - (a + 2.0f * d + f);
            const float down = (f + 2.0f * g + h) - (a + 2.0f * b + c);
            *pixel_of(to, x, y) = to_byte(sqrtf(across * across + down * down));
        }
}

// The weighted mean of the four pixels around (u, v).
static float between(const struct plane *p, float u, float v, int c)
{
    const float x = u - 0.5f, y = v - 0.5f;
    const int x0 = (int)floorf(x), y0 = (int)floorf(y);
    const float right = x - (float)x0, below = y - (float)y0;
    const float upper =
        (1 - right) * read_channel(p, x0, y0, c) + right * read_channel(p, x0 + 1, y0, c);
    const float lower = (1 - right) * read_channel(p, x0, y0 + 1, c) +
                        right * read_channel(p, x0 + 1, y0 + 1, c);

    return (1 - below) * upper + below * lower;
}

static void shrink_in_c(const struct plane *from, const struct plane *lines,
                        struct plane *to)
{
    for (int y = 0; y < to->height_px; y++)
        for (int x = 0; x < to->width_px; x++) {
            const float u = ((float)x + 0.5f) / (float)to->width_px;
            const float v = ((float)y + 0.5f) / (float)to->height_px;
            const float width = (float)from->width_px, height = (float)from->height_px;
            const float line = between(lines, u * width, v * height, 0);
            for (int c = 0; c < 4; c++)
                pixel_of(to, x, y)[c] =
                    to_byte(between(from, u * width, v * height, c) * (1.0f - line));
        }
}

static bool all_in_c(const struct plane *photo, struct plane *result)
{
    struct plane clean = {0}, lines = {0};
    const bool good = plane_make(&clean, photo->width_px, photo->height_px, 4) &&
                      plane_make(&lines, photo->width_px, photo->height_px, 1);

    if (good) {
        denoise_in_c(photo, &clean);
        edges_in_c(&clean, &lines);
        shrink_in_c(&clean, &lines, result);
    }
    free(clean.bytes);
    free(lines.bytes);
    return good;
}

// ---- OpenCL ----

struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel denoise, edges, shrink;
    cl_mem photo, clean, lines, result;
};

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "photo: %s: error %d\n", what, code);
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

static void build(struct opencl *cl)
{
    const char *text = source;
    char options[32], log[4096] = "";
    cl_int code;

    cl->program = clCreateProgramWithSource(cl->context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    snprintf(options, sizeof(options), "-D REACH=%d", REACH);
    code = clBuildProgram(cl->program, 1, &cl->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof(log),
                              log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(code, "clBuildProgram");
    cl->denoise = clCreateKernel(cl->program, "denoise", &code);
    check(code, "clCreateKernel");
    cl->edges = clCreateKernel(cl->program, "edges", &code);
    check(code, "clCreateKernel");
    cl->shrink = clCreateKernel(cl->program, "shrink", &code);
    check(code, "clCreateKernel");
}

static void opencl_open(struct opencl *cl)
{
    cl_platform_id platform;
    cl_bool images = CL_FALSE;
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL),
          "clGetDeviceIDs");
    clGetDeviceInfo(cl->device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images), &images, NULL);
    check(images ? CL_SUCCESS : CL_INVALID_OPERATION, "CL_DEVICE_IMAGE_SUPPORT");
    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl->queue = clCreateCommandQueueWithProperties(cl->context, cl->device, NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
    build(cl);
}

static cl_mem make_image(const struct opencl *cl, cl_channel_order order, int width_px,
                         int height_px)
{
    const cl_image_format format = {order, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = (size_t)width_px,
                                .image_height = (size_t)height_px};
    cl_int code;
    cl_mem image =
        clCreateImage(cl->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);

    check(code, "clCreateImage");
    return image;
}

static void set_images(cl_kernel kernel, const cl_mem *images, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        check(clSetKernelArg(kernel, i, sizeof(cl_mem), &images[i]), "clSetKernelArg");
}

static void make_images(struct opencl *cl, const struct plane *photo,
                        const struct plane *result)
{
    const size_t origin[3] = {0};
    const size_t region[3] = {(size_t)photo->width_px, (size_t)photo->height_px, 1};

    cl->photo = make_image(cl, CL_RGBA, photo->width_px, photo->height_px);
    cl->clean = make_image(cl, CL_RGBA, photo->width_px, photo->height_px);
    cl->lines = make_image(cl, CL_R, photo->width_px, photo->height_px);
    cl->result = make_image(cl, CL_RGBA, result->width_px, result->height_px);
    check(clEnqueueWriteImage(cl->queue, cl->photo, CL_TRUE, origin, region, 0, 0,
                              photo->bytes, 0, NULL, NULL),
          "clEnqueueWriteImage");
    set_images(cl->denoise, (cl_mem[]){cl->photo, cl->clean}, 2);
    set_images(cl->edges, (cl_mem[]){cl->clean, cl->lines}, 2);
    set_images(cl->shrink, (cl_mem[]){cl->clean, cl->lines, cl->result}, 3);
}

static void launch(const struct opencl *cl, cl_kernel kernel, const size_t size[2])
{
    check(clEnqueueNDRangeKernel(cl->queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

// Runs all three RUNS times and returns the median time of all but the first, in ms.
static double process(const struct opencl *cl, const struct plane *photo,
                      struct plane *result)
{
    const size_t large[2] = {(size_t)photo->width_px, (size_t)photo->height_px};
    const size_t origin[3] = {0};
    const size_t small[3] = {(size_t)result->width_px, (size_t)result->height_px, 1};
    double times[RUNS];

    for (int run = 0; run < RUNS; run++) {
        const double start = now_ms();
        launch(cl, cl->denoise, large);
        launch(cl, cl->edges, large);
        launch(cl, cl->shrink, small);
        check(clFinish(cl->queue), "clFinish");
        times[run] = now_ms() - start;
    }
    check(clEnqueueReadImage(cl->queue, cl->result, CL_TRUE, origin, small, 0, 0,
                             result->bytes, 0, NULL, NULL),
          "clEnqueueReadImage");
    qsort(times + 1, RUNS - 1, sizeof(times[0]), compare_doubles);
    return times[1 + (RUNS - 1) / 2];
}

static void opencl_close(struct opencl *cl)
{
    clReleaseMemObject(cl->photo);
    clReleaseMemObject(cl->clean);
    clReleaseMemObject(cl->lines);
    clReleaseMemObject(cl->result);
    clReleaseKernel(cl->denoise);
    clReleaseKernel(cl->edges);
    clReleaseKernel(cl->shrink);
    clReleaseProgram(cl->program);
    clReleaseCommandQueue(cl->queue);
    clReleaseContext(cl->context);
}

// ---- Pictures ----

static bool photo_read(const char *path, struct plane *photo)
{
    uint32_t width_px, height_px;
    uint8_t *rgb = png_read(path, &width_px, &height_px);

    if (!rgb || !plane_make(photo, (int)width_px, (int)height_px, 4)) {
        fprintf(stderr, "photo: cannot read %s (PNG, 8 bits, not interlaced)\n", path);
        free(rgb);
        return false;
    }
    for (size_t n = 0; n < (size_t)width_px * height_px; n++) {
        memcpy(photo->bytes + 4 * n, rgb + 3 * n, 3);
        photo->bytes[4 * n + 3] = 255;
    }
    free(rgb);
    return true;
}

static bool photo_write(const char *path, const struct plane *p)
{
    const size_t pixels = (size_t)p->width_px * (size_t)p->height_px;
    uint8_t *rgb = malloc(pixels * 3);
    bool good = rgb != NULL;

    for (size_t n = 0; good && n < pixels; n++)
        memcpy(rgb + 3 * n, p->bytes + 4 * n, 3);
    good = good && png_write(path, rgb, (uint32_t)p->width_px, (uint32_t)p->height_px);
    free(rgb);
    printf(good ? "picture: %s\n" : "cannot write %s\n", path);
    return good;
}

// Prints how far the pixels are from those of plain C; true when that is near enough.
static bool compare(const struct plane *found, const struct plane *expected)
{
    const size_t bytes = 4 * (size_t)found->width_px * (size_t)found->height_px;
    size_t different = 0;
    int most = 0;

    for (size_t n = 0; n < bytes; n++) {
        const int distance = abs(found->bytes[n] - expected->bytes[n]);
        different += distance != 0;
        most = distance > most ? distance : most;
    }
    printf("check: %zu of %zu channels differ from plain C, by %d at most\n", different,
           bytes, most);
    return most <= MOST_DIFFERENT;
}

static bool run(const struct plane *photo, struct plane *result, struct plane *expected)
{
    struct opencl cl = {0};

    opencl_open(&cl);
    make_images(&cl, photo, result);
    const double cl_ms = process(&cl, photo, result);
    opencl_close(&cl);
    const double start = now_ms();
    if (!all_in_c(photo, expected))
        return false;
    printf("time per picture: %.2f ms, %d x %d to %d x %d pixels, median of %d (plain C, "
           "one thread: %.2f ms)\n",
           cl_ms, photo->width_px, photo->height_px, result->width_px, result->height_px,
           RUNS - 1, now_ms() - start);
    return compare(result, expected);
}

int main(int argc, char **argv)
{
    struct plane photo = {0}, result = {0}, expected = {0};
    bool good;

    if (argc != 3) {
        fprintf(stderr, "usage: photo from.png to.png\n");
        return 2;
    }
    if (!photo_read(argv[1], &photo))
        return EXIT_FAILURE;
    const int width_px = (photo.width_px * 3 + 3) / 4;
    const int height_px = (photo.height_px * 3 + 3) / 4;
    good = plane_make(&result, width_px, height_px, 4) &&
           plane_make(&expected, width_px, height_px, 4) &&
           run(&photo, &result, &expected) && photo_write(argv[2], &result);
    free(photo.bytes);
    free(result.bytes);
    free(expected.bytes);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
