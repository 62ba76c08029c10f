// SPDX-License-Identifier: MIT
// Kernels at the limits of images: the largest extents, and as many arguments as the
// device says.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static size_t limit(cl_device_info what)
{
    size_t value = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

static cl_uint count_limit(cl_device_info what)
{
    cl_uint value = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

// ---- Extents

// A sanitizer keeps books of all memory, touched or not.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { EXTREMES = 1 };
#else
enum { EXTREMES = 3 };
#endif

static const struct extreme {
    const char *type, *place, *point;
    cl_mem_object_type object;
    size_t size[3]; // pixels, or layers, of one byte
} extremes[] = {
    {"image2d_t", ".xy", "(c.xy)", CL_MEM_OBJECT_IMAGE2D, {16384, 16384, 1}},
    {"image2d_array_t", "", "(c)", CL_MEM_OBJECT_IMAGE2D_ARRAY, {2048, 2048, 2048}},
    {"image3d_t", "", "(c)", CL_MEM_OBJECT_IMAGE3D, {2048, 2048, 2048}},
};

// What lies farthest, seen without a sampler, through one, and between texels. Beyond it
// there is the border, for each axis.
static const char far_source[] =
    "constant sampler_t near = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "constant sampler_t between = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
    "kernel void set(write_only KIND im, int4 at) { write_imagef(im, at AT, 1.0f); }\n"
    "kernel void get(read_only KIND im, int4 at, global float *to)\n"
    "{\n"
    "    float4 c = convert_float4(at) + 0.5f;\n"
    "    to[0] = read_imagef(im, at AT).x;\n"
    "    to[1] = read_imagef(im, near, at AT).x;\n"
    "    to[2] = read_imagef(im, near, POINT).x;\n"
    "    c.xy -= 0.5f;\n"
    "    to[3] = read_imagef(im, between, POINT).x;\n"
    "    c.xy += 1.5f;\n"
    "    to[4] = read_imagef(im, near, POINT).x;\n"
    "    to[5] = read_imagef(im, (at + 1) AT).x;\n"
    "}\n";

static cl_mem make_image(const struct extreme *extreme)
{
    const cl_image_format format = {CL_R, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = extreme->object,
                                .image_width = extreme->size[0],
                                .image_height = extreme->size[1],
                                .image_depth = extreme->size[2],
                                .image_array_size = extreme->size[2]};
    cl_int code;
    cl_mem image = clCreateImage(tf_api.ctx, 0, &format, &desc, NULL, &code);

    ck_assert(code == CL_SUCCESS || code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
              code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY);
    return image;
}

static void run_once(cl_kernel kernel)
{
    const size_t items = 1;

    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
}

// Up to 8 GiB, of which a few pages are touched.
START_TEST(the_farthest_texels_are_reached)
{
    const struct extreme *const extreme = &extremes[_i];
    const size_t bytes = extreme->size[0] * extreme->size[1] * extreme->size[2];
    const size_t last[3] = {extreme->size[0] - 1, extreme->size[1] - 1,
                            extreme->size[2] - 1};
    const cl_int4 at = {{(cl_int)last[0], (cl_int)last[1], (cl_int)last[2], 0}};
    const size_t one[3] = {1, 1, 1};
    // Of the four texels between which the point lies, one is set; in a volume, exactly.
    const float want[6] = {1, 1, 1, 0.25f, 0, 0};
    cl_mem image =
        bytes <= limit(CL_DEVICE_MAX_MEM_ALLOC_SIZE) ? make_image(extreme) : NULL;
    char options[100];
    cl_program prog;
    cl_kernel set, get;
    unsigned char texel = 0;
    float seen[6] = {0};
    cl_mem to;

    if (!image)
        return; // a machine with less memory
    snprintf(options, sizeof(options), "-cl-std=CL3.0 -DKIND=%s -DAT=%s -DPOINT=%s",
             extreme->type, extreme->place, extreme->point);
    prog = tf_api_program(far_source, options);
    set = tf_api_kernel(prog, "set");
    get = tf_api_kernel(prog, "get");
    to = tf_api_buffer(0, sizeof(seen), NULL);
    tf_api_set_arg(set, 0, sizeof(image), &image);
    tf_api_set_arg(set, 1, sizeof(at), &at);
    tf_api_set_arg(get, 0, sizeof(image), &image);
    tf_api_set_arg(get, 1, sizeof(at), &at);
    tf_api_set_arg(get, 2, sizeof(to), &to);
    run_once(set);
    run_once(get);
    ck_assert_int_eq(
        clEnqueueReadBuffer(tf_api.q, to, CL_TRUE, 0, sizeof(seen), seen, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < 6; i++)
        ck_assert_msg(seen[i] == want[i], "%s: read %d is %g, not %g", extreme->type, i,
                      (double)seen[i], (double)want[i]);
    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, last, one, 0, 0, &texel,
                                        0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(texel, 255);
    clReleaseMemObject(to);
    clReleaseMemObject(image);
    clReleaseKernel(set);
    clReleaseKernel(get);
    clReleaseProgram(prog);
}
END_TEST

// ---- Arguments

// "kernel void many(ACCESS image2d_t a0, .., global uint *to) { EACH of them }"
static const char *many_images(cl_uint count, const char *access, const char *each)
{
    static char text[100000];
    size_t at = (size_t)snprintf(text, sizeof(text), "kernel void many(global uint *to");

    for (cl_uint i = 0; i < count && at < sizeof(text); i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, ", %s image2d_t a%u", access,
                               i);
    for (cl_uint i = 0; i < count && at < sizeof(text); i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "%s#define A a%u\n#define N %u\n%s\n#undef A\n#undef N\n",
                               i ? "" : ")\n{\nuint sum = 0;\n", i, i, each);
    ck_assert_uint_lt(at + 20, sizeof(text));
    strcpy(text + at, "*to = sum;\n}\n");
    return text;
}

static cl_mem make_texel(cl_uint value)
{
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    cl_int code;
    cl_mem image =
        clCreateImage(tf_api.ctx, CL_MEM_COPY_HOST_PTR, &format, &desc, &value, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static cl_uint texel_of(cl_mem image)
{
    const size_t origin[3] = {0}, one[3] = {1, 1, 1};
    cl_uint value = 0;

    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, origin, one, 0, 0,
                                        &value, 0, NULL, NULL),
                     CL_SUCCESS);
    return value;
}

static const struct {
    cl_device_info limit;
    const char *access, *each;
    cl_uint least;
    bool reads, writes;
} uses[] = {
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, "read_only",
     "sum += read_imageui(A, (int2)(0, 0)).x * (N + 1);", 128, true, false},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "write_only",
     "write_imageui(A, (int2)(0, 0), (uint4)(N + 1000));", 64, false, true},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, "read_write",
     "sum += read_imageui(A, (int2)(0, 0)).x * (N + 1);\n"
     "write_imageui(A, (int2)(0, 0), (uint4)(N + 1000));",
     64, true, true},
};

START_TEST(kernels_take_as_many_images_as_the_device_says)
{
    const cl_uint count = count_limit(uses[_i].limit);
    cl_program prog = tf_api_program(many_images(count, uses[_i].access, uses[_i].each),
                                     "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "many");
    cl_mem to = tf_api_buffer(0, sizeof(cl_uint), NULL);
    cl_mem *const images = calloc(count, sizeof(cl_mem));
    cl_uint want = 0, seen = 1;

    ck_assert_ptr_nonnull(images);
    ck_assert_uint_ge(count, uses[_i].least);
    tf_api_set_arg(kernel, 0, sizeof(to), &to);
    for (cl_uint i = 0; i < count; i++) {
        images[i] = make_texel(i * i + 3);
        want += uses[_i].reads ? (i * i + 3) * (i + 1) : 0;
        tf_api_set_arg(kernel, i + 1, sizeof(cl_mem), &images[i]);
    }
    run_once(kernel);
    ck_assert_int_eq(
        clEnqueueReadBuffer(tf_api.q, to, CL_TRUE, 0, sizeof(seen), &seen, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(seen, want);
    for (cl_uint i = 0; i < count; i++) {
        ck_assert_uint_eq(texel_of(images[i]), uses[_i].writes ? i + 1000 : i * i + 3);
        clReleaseMemObject(images[i]);
    }
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
    free(images);
}
END_TEST

// Beyond the edge every second one finds the border.
START_TEST(kernels_take_as_many_samplers_as_the_device_says)
{
    enum { BYTES_EACH = 120, FEW = 16, MANY = 64 };
    const cl_uint most = count_limit(CL_DEVICE_MAX_SAMPLERS);
    const cl_uint count = most < MANY ? most : MANY;
    cl_mem image = make_texel(1), to = tf_api_buffer(0, sizeof(cl_ulong), NULL);
    char source[MANY * BYTES_EACH] = "kernel void many(global ulong *to, read_only "
                                     "image2d_t image";
    size_t at = strlen(source);
    cl_sampler samplers[MANY];
    cl_ulong want = 0, seen = 0;
    cl_kernel kernel;
    cl_program prog;
    cl_int code;

    ck_assert_uint_ge(most, FEW);
    for (cl_uint i = 0; i < count; i++)
        at += (size_t)snprintf(source + at, sizeof(source) - at, ", sampler_t s%u", i);
    at += (size_t)snprintf(source + at, sizeof(source) - at, ")\n{\n*to = 0;\n");
    for (cl_uint i = 0; i < count; i++)
        at += (size_t)snprintf(
            source + at, sizeof(source) - at,
            "*to |= (ulong)read_imageui(image, s%u, (int2)(5, 0)).x << %u;\n", i, i);
    snprintf(source + at, sizeof(source) - at, "}\n");
    prog = tf_api_program(source, "-cl-std=CL3.0");
    kernel = tf_api_kernel(prog, "many");
    tf_api_set_arg(kernel, 0, sizeof(to), &to);
    tf_api_set_arg(kernel, 1, sizeof(image), &image);
    for (cl_uint i = 0; i < count; i++) {
        const bool edge = i % 2 || i == count - 1;

        samplers[i] = clCreateSampler(tf_api.ctx, CL_FALSE,
                                      edge ? CL_ADDRESS_CLAMP_TO_EDGE : CL_ADDRESS_CLAMP,
                                      CL_FILTER_NEAREST, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        want |= (cl_ulong)edge << i;
        tf_api_set_arg(kernel, i + 2, sizeof(cl_sampler), &samplers[i]);
    }
    run_once(kernel);
    tf_api_read(to, 0, sizeof(seen), &seen);
    ck_assert_uint_eq(seen, want);
    for (cl_uint i = 0; i < count; i++)
        clReleaseSampler(samplers[i]);
    clReleaseMemObject(image);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_limits");
    TCase *tests = tcase_create("limits");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_farthest_texels_are_reached, 0, EXTREMES);
    tcase_add_loop_test(tests, kernels_take_as_many_images_as_the_device_says, 0, 3);
    tcase_add_test(tests, kernels_take_as_many_samplers_as_the_device_says);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
