// SPDX-License-Identifier: MIT
/*
 * Kernels on images beside the same arithmetic on buffers: what the case calls native is
 * the buffer's form on the same device, so that ratio_native is how much faster the image
 * is.
 */
#include "cases/kernel_case.h"
#include "embedded_kernels.h"
#include "harness/report.h"

/* How texels lie in a buffer, and what they are as floats. */
#define BYTES4                                             \
    "-DT=uchar4 -DLOAD(x)=(convert_float4(x)*(1/255.0f)) " \
    "-DSTORE(x)=convert_uchar4_sat_rte((x)*255.0f)"
#define BYTES1                                           \
    "-DT=uchar -DLOAD(x)=(convert_float(x)*(1/255.0f)) " \
    "-DSTORE(x)=convert_uchar_sat_rte((x)*255.0f)"
#define FLOATS4 "-DT=float4 -DLOAD(x)=(x) -DSTORE(x)=(x)"

struct pair {
    const char *source, *options;
    cl_image_format format;
    size_t texel_bytes;
    bool volume;   /* width texels along each axis; the result is a buffer of floats */
    bool in_place; /* the result begins as a copy of the input */
};

struct buffer_form {
    struct opencl *cl;
    cl_kernel kernel;
    size_t global[2];
};

static void run_buffer_form(void *data)
{
    struct buffer_form *form = data;
    CHECK(clEnqueueNDRangeKernel(form->cl->queue, form->kernel, 2, NULL, form->global,
                                 NULL, 0, NULL, NULL));
    CHECK(clFinish(form->cl->queue));
}

static cl_mem create_image(const struct opencl *cl, const struct pair *pair, size_t width,
                           size_t height, bool volume, const void *contents)
{
    cl_image_desc description = {
        .image_type = volume ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D,
        .image_width = width,
        .image_height = height,
        .image_depth = volume ? width : 1,
    };
    cl_int error;
    cl_mem image = clCreateImage(
        cl->context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0),
        &pair->format, &description, (void *)contents, &error);
    opencl_check(error, "clCreateImage");
    return image;
}

/* Both results, as bytes; floats of a volume's are compared as floats. */
static void compare(struct kernel_case *test, const struct pair *pair, cl_mem image,
                    cl_mem buffer, size_t width, size_t height)
{
    size_t count = width * height;
    size_t origin[3] = {0}, region[3] = {width, height, 1};

    if (pair->volume || pair->texel_bytes == 16) {
        size_t floats = pair->volume ? count : 4 * count;
        float *expected = host_array(floats, sizeof(float));
        case_read(test, buffer, expected, floats * sizeof(float));
        if (!pair->volume) {
            float *actual = host_array(floats, sizeof(float));
            CHECK(clEnqueueReadImage(test->cl.queue, image, CL_TRUE, origin, region, 0, 0,
                                     actual, 0, NULL, NULL));
            image = opencl_buffer(&test->cl, floats * sizeof(float), actual);
        }
        case_expect_floats(test, image, expected, floats, 1e-4, floats / 1000);
        return;
    }
    uint8_t *expected = host_array(count, pair->texel_bytes);
    uint8_t *actual = host_array(count, pair->texel_bytes);
    case_read(test, buffer, expected, count * pair->texel_bytes);
    CHECK(clEnqueueReadImage(test->cl.queue, image, CL_TRUE, origin, region, 0, 0, actual,
                             0, NULL, NULL));
    case_expect_bytes(test, actual, expected, count * pair->texel_bytes, 1, count / 1000);
}

static void measure(const struct options *options, const struct pair *pair)
{
    struct kernel_case *test = case_open(options);
    cl_bool has_images = CL_FALSE;
    int width = (int)case_size(test, pair->volume ? 256 : 2048, 32), height = width;
    size_t count = (size_t)width * (size_t)height * (pair->volume ? (size_t)width : 1);
    size_t in_bytes = count * pair->texel_bytes;
    size_t out_bytes =
        pair->volume ? (size_t)width * (size_t)height * sizeof(float) : in_bytes;
    void *in;

    CHECK(clGetDeviceInfo(test->cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images,
                          &has_images, NULL));
    if (!has_images)
        report_failure("unsupported", "CL_DEVICE_IMAGE_SUPPORT is false");
    in = pair->texel_bytes == 16 ? (void *)host_random_floats(4 * count, 0.0f, 1.0f)
                                 : (void *)host_random_words((in_bytes + 3) / 4);
    cl_program program = case_build(test, pair->source, pair->options);
    const void *begin = pair->in_place ? in : NULL;
    cl_mem image_in =
        create_image(&test->cl, pair, (size_t)width, (size_t)height, pair->volume, in);
    cl_mem image_out = pair->volume ? opencl_buffer(&test->cl, out_bytes, NULL)
                                    : create_image(&test->cl, pair, (size_t)width,
                                                   (size_t)height, false, begin);
    cl_mem buffer_in = opencl_buffer(&test->cl, in_bytes, in);
    cl_mem buffer_out = opencl_buffer(&test->cl, out_bytes, begin);
    struct buffer_form form = {
        .cl = &test->cl,
        .kernel = KERNEL(program, "with_buffer", ARG(buffer_in), ARG(buffer_out),
                         ARG(width), ARG(height)),
        .global = {(size_t)width, (size_t)height},
    };
    cl_kernel kernel = KERNEL(program, "with_image", ARG(image_in), ARG(image_out),
                              ARG(width), ARG(height));

    case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, run_buffer_form, NULL, &form);
    case_measure(test, 1e-9 * (double)count, pair->volume ? "Gsample" : "Gpixel");
    compare(test, pair, image_out, buffer_out, (size_t)width, (size_t)height);
}

#define RGBA8 BYTES4, {CL_RGBA, CL_UNORM_INT8}, 4, false, false
#define RGBA32 FLOATS4, {CL_RGBA, CL_FLOAT}, 16, false, false
#define PAIR(name, ...)                             \
    static void name(const struct options *options) \
    {                                               \
        const struct pair pair = {__VA_ARGS__};     \
        measure(options, &pair);                    \
    }
PAIR(nearest_bytes, resample_nearest_cl, RGBA8)
PAIR(nearest_floats, resample_nearest_cl, RGBA32)
PAIR(linear_bytes, resample_linear_cl, RGBA8)
PAIR(linear_floats, resample_linear_cl, RGBA32)
PAIR(blur, blur_cl, RGBA8)
PAIR(bilateral, bilateral_cl, RGBA8)
PAIR(sobel, sobel_cl, BYTES1, {CL_R, CL_UNORM_INT8}, 1, false, false)
PAIR(threshold, threshold_cl, "-cl-std=CL3.0 " BYTES1, {CL_R, CL_UNORM_INT8}, 1, false,
     true)
PAIR(ray_cast, ray_cast_cl, BYTES1, {CL_R, CL_UNORM_INT8}, 1, true, false)

const struct benchmark image_pair_kernels[] = {
    {"image/nearest_bytes", "nearest resampling, 8-bit RGBA", nearest_bytes, ONE_PROCESS},
    {"image/nearest_floats", "nearest resampling, float RGBA", nearest_floats,
     ONE_PROCESS},
    {"image/linear_bytes", "linear resampling, 8-bit RGBA", linear_bytes, ONE_PROCESS},
    {"image/linear_floats", "linear resampling, float RGBA", linear_floats, ONE_PROCESS},
    {"image/blur", "25 read_imagef nearest, 8-bit RGBA", blur, ONE_PROCESS},
    {"image/bilateral", "5x5 bilateral filter, 8-bit RGBA", bilateral, ONE_PROCESS},
    {"image/sobel", "9 read_imagef of one 8-bit channel", sobel, ONE_PROCESS},
    {"image/threshold", "read-write image in place, 8 bits", threshold, ONE_PROCESS},
    {"image/ray_cast", "256 linear reads a ray of a volume", ray_cast, ONE_PROCESS},
    {0},
};
