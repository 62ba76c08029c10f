// SPDX-License-Identifier: MIT
/* Kernels on image objects. */
#include <math.h>

#include "cases/kernel_case.h"
#include "embedded_kernels.h"
#include "harness/report.h"

struct image_work {
    uint8_t *bytes_out;
    const uint8_t *bytes_in;
    float *floats_out;
    const float *floats_in;
    int width, height;
    float cosine, sine;
};

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static cl_mem create_image(const struct opencl *cl, cl_channel_type type, int width,
                           int height, const void *contents)
{
    cl_image_format format = {CL_RGBA, type};
    cl_image_desc description = {
        .image_type = CL_MEM_OBJECT_IMAGE2D,
        .image_width = (size_t)width,
        .image_height = (size_t)height,
    };
    cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
    cl_int error;
    cl_mem image = clCreateImage(cl->context, flags, &format, &description,
                                 (void *)contents, &error);
    opencl_check(error, "clCreateImage");
    return image;
}

static struct kernel_case *open_image_case(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    cl_bool has_images = CL_FALSE;
    CHECK(clGetDeviceInfo(test->cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images,
                          &has_images, NULL));
    if (!has_images)
        report_failure("unsupported", "CL_DEVICE_IMAGE_SUPPORT is false");
    return test;
}

static void read_image(struct kernel_case *test, cl_mem image, int width, int height,
                       void *target)
{
    size_t origin[3] = {0}, region[3] = {(size_t)width, (size_t)height, 1};
    CHECK(clEnqueueReadImage(test->cl.queue, image, CL_TRUE, origin, region, 0, 0, target,
                             0, NULL, NULL));
}

// ---- rotation with bilinear filtering, 8 bits per channel ----

static float filtered(const struct image_work *w, float x, float y, int channel)
{
    float left = floorf(x - 0.5f), top = floorf(y - 0.5f);
    float across = x - 0.5f - left, down = y - 0.5f - top;
    int x0 = clamp((int)left, 0, w->width - 1),
        x1 = clamp((int)left + 1, 0, w->width - 1);
    int y0 = clamp((int)top, 0, w->height - 1),
        y1 = clamp((int)top + 1, 0, w->height - 1);
    const uint8_t *in = w->bytes_in + channel;
    float upper = (float)in[4 * (y0 * w->width + x0)] * (1.0f - across) +
                  (float)in[4 * (y0 * w->width + x1)] * across;
    float lower = (float)in[4 * (y1 * w->width + x0)] * (1.0f - across) +
                  (float)in[4 * (y1 * w->width + x1)] * across;
    return upper * (1.0f - down) + lower * down;
}

static void rotate_rows(void *data, size_t begin, size_t end)
{
    struct image_work w = *(struct image_work *)data;
    float centre_x = 0.5f * (float)w.width, centre_y = 0.5f * (float)w.height;
    for (int y = (int)begin; y < (int)end; y++) {
        for (int x = 0; x < w.width; x++) {
            float dx = (float)x + 0.5f - centre_x, dy = (float)y + 0.5f - centre_y;
            float from_x = centre_x + w.cosine * dx - w.sine * dy;
            float from_y = centre_y + w.sine * dx + w.cosine * dy;
            for (int channel = 0; channel < 4; channel++)
                w.bytes_out[4 * (y * w.width + x) + channel] =
                    (uint8_t)(filtered(&w, from_x, from_y, channel) + 0.5f);
        }
    }
}

static void rotate_native(void *data)
{
    parallel_for((size_t)((struct image_work *)data)->height, 16, rotate_rows, data);
}

static void image_rotate(const struct options *options)
{
    struct kernel_case *test = open_image_case(options);
    int width = (int)case_size(test, 1600, 40), height = (int)case_size(test, 1200, 30);
    size_t size = 4 * (size_t)width * (size_t)height;
    struct image_work w = {
        .bytes_out = host_array(size, 1),
        .bytes_in = (uint8_t *)host_random_words(size / 4),
        .width = width,
        .height = height,
        .cosine = cosf(0.3f),
        .sine = sinf(0.3f),
    };

    cl_program program = case_build(test, image_rotate_cl, "");
    cl_mem out = create_image(&test->cl, CL_UNORM_INT8, width, height, NULL);
    cl_mem in = create_image(&test->cl, CL_UNORM_INT8, width, height, w.bytes_in);
    cl_kernel kernel =
        KERNEL(program, "image_rotate", ARG(out), ARG(in), ARG(w.cosine), ARG(w.sine));
    case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, rotate_native, NULL, &w);
    case_measure(test, 1e-9 * (double)(size / 4), "Gpixel");
    uint8_t *actual = host_array(size, 1);
    read_image(test, out, width, height, actual);
    /* The weights of the filter may be as coarse as 1/256. */
    case_expect_bytes(test, actual, w.bytes_out, size, 3, size / 1000);
}

// ---- 3x3 mean with nearest sampling, floats ----

static void smooth_pixel(const struct image_work *w, int x, int y)
{
    float sum[4] = {0};
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int nx = clamp(x + dx, 0, w->width - 1), ny = clamp(y + dy, 0, w->height - 1);
            for (int channel = 0; channel < 4; channel++)
                sum[channel] += w->floats_in[4 * (ny * w->width + nx) + channel];
        }
    }
    for (int channel = 0; channel < 4; channel++)
        w->floats_out[4 * (y * w->width + x) + channel] = sum[channel] * (1.0f / 9.0f);
}

static void smooth_inner_row(const struct image_work *w, int y)
{
    int stride = 4 * w->width;
    const float *restrict in = w->floats_in + y * stride;
    float *restrict out = w->floats_out + y * stride;
    for (int at = 4; at < stride - 4; at++) {
        float sum = 0.0f;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += in[dy * stride + at + 4 * dx];
        out[at] = sum * (1.0f / 9.0f);
    }
}

static void smooth_rows(void *data, size_t begin, size_t end)
{
    struct image_work w = *(struct image_work *)data;
    for (int y = (int)begin; y < (int)end; y++) {
        bool inner = y > 0 && y < w.height - 1;
        if (inner)
            smooth_inner_row(&w, y);
        for (int x = 0; x < w.width; x++) {
            if (inner && x == 1)
                x = w.width - 1;
            smooth_pixel(&w, x, y);
        }
    }
}

static void smooth_native(void *data)
{
    parallel_for((size_t)((struct image_work *)data)->height, 16, smooth_rows, data);
}

static void image_smooth(const struct options *options)
{
    struct kernel_case *test = open_image_case(options);
    int width = (int)case_size(test, 1600, 40), height = (int)case_size(test, 1200, 30);
    size_t count = 4 * (size_t)width * (size_t)height;
    struct image_work w = {
        .floats_out = host_array(count, sizeof(float)),
        .floats_in = host_random_floats(count, 0.0f, 1.0f),
        .width = width,
        .height = height,
    };

    cl_program program = case_build(test, image_smooth_cl, "");
    cl_mem out = create_image(&test->cl, CL_FLOAT, width, height, NULL);
    cl_mem in = create_image(&test->cl, CL_FLOAT, width, height, w.floats_in);
    cl_kernel kernel = KERNEL(program, "image_smooth", ARG(out), ARG(in));
    case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, smooth_native, NULL, &w);
    case_measure(test, 1e-9 * (double)(count / 4), "Gpixel");
    float *actual = host_array(count, sizeof(float));
    read_image(test, out, width, height, actual);
    cl_mem copy = opencl_buffer(&test->cl, count * sizeof(float), actual);
    case_expect_floats(test, copy, w.floats_out, count, 1e-6, 0);
}

const struct benchmark image_kernels[] = {
    {"kernel/image_rotate", "read_imagef linear, write_imagef, 8-bit RGBA", image_rotate,
     ONE_PROCESS},
    {"kernel/image_smooth", "9 read_imagef nearest, write_imagef, float RGBA",
     image_smooth, ONE_PROCESS},
    {0},
};
