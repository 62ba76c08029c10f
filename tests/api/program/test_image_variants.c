// SPDX-License-Identifier: MIT
// Variants of kernels with images, as launches come to have them.
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "api/log_lines.h"
#include "support/api.h"
#include "support/limits.h"
#include "support/suite.h"

enum { SIDE = 4, TEXELS = SIDE * SIDE, ITEMS = 1 << 14, ROUNDS = 4, SMALL_LAUNCHES = 8 };

static const char source[] =
    "kernel void look(read_only image2d_t image, global float4 *to, int count)\n"
    "{\n"
    "    int at = get_global_id(0);\n"
    "    float4 sum = 0;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        sum += read_imagef(image, (int2)(at & 3, (at >> 2) + i & 3));\n"
    "    to[at] = sum;\n"
    "}\n";

static void begin(void)
{
    log_lines_begin();
    tf_api_begin();
}

static cl_mem make_image(cl_channel_order order, cl_channel_type type, void *pixels)
{
    const cl_image_format format = {order, type};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_int code;
    cl_mem image =
        clCreateImage(tf_api.ctx, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, size_t items, cl_int count)
{
    cl_int code = clSetKernelArg(kernel, 2, sizeof(count), &count);

    code |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    return code | clFinish(queue);
}

// ---- More formats than a handful

START_TEST(each_of_many_formats_comes_to_its_variant)
{
    static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA, CL_A, CL_RA, CL_BGRA};
    static unsigned char pixels[TEXELS * 16];
    cl_program prog = tf_api_program(source, "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "look");
    cl_mem to = tf_api_buffer(0, ITEMS * sizeof(cl_float4), NULL);
    const time_t end = time(NULL) + TEST_LIMIT_S;
    int wanted = 0;

    tf_api_set_arg(kernel, 1, sizeof(to), &to);
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        cl_mem image = make_image(orders[i], CL_UNORM_INT8, pixels);

        tf_api_set_arg(kernel, 0, sizeof(image), &image);
        wanted++;
        while (log_lines_count("kernel look: runs the variant for image CL_") < wanted) {
            ck_assert_int_eq(launch(tf_api.q, kernel, ITEMS, 50), CL_SUCCESS);
            ck_assert_msg(time(NULL) < end, "no variant came");
        }
        clReleaseMemObject(image);
    }
    // Whenever the variants came: nothing asked for code that serves all formats.
    ck_assert_int_eq(log_lines_count("kernel look: generated in"), 0);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

// ---- Two formats at once

struct reader {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem image, to;
    const float *texels;
    bool is_right;
};

static void set_up(struct reader *reader, cl_program prog, cl_mem image)
{
    cl_int code;

    reader->queue =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    reader->kernel = tf_api_kernel(prog, "look");
    reader->to = tf_api_buffer(0, ITEMS * sizeof(cl_float4), NULL);
    reader->image = image;
    tf_api_set_arg(reader->kernel, 0, sizeof(cl_mem), &reader->image);
    tf_api_set_arg(reader->kernel, 1, sizeof(cl_mem), &reader->to);
}

static void take_down(struct reader *reader)
{
    clReleaseKernel(reader->kernel);
    clReleaseMemObject(reader->to);
    clReleaseCommandQueue(reader->queue);
}

// Runs for so long that a variant for its format is made.
static void *read_much(void *arg)
{
    struct reader *reader = arg;

    reader->is_right = launch(reader->queue, reader->kernel, ITEMS, 400) == CL_SUCCESS;
    return NULL;
}

static void *read_little(void *arg)
{
    struct reader *reader = arg;
    float seen[TEXELS * 4];

    reader->is_right = true;
    for (int i = 0; i < SMALL_LAUNCHES; i++) {
        memset(seen, 0, sizeof(seen));
        reader->is_right &=
            launch(reader->queue, reader->kernel, TEXELS, 1) == CL_SUCCESS &&
            clEnqueueReadBuffer(reader->queue, reader->to, CL_TRUE, 0, sizeof(seen), seen,
                                0, NULL, NULL) == CL_SUCCESS &&
            memcmp(seen, reader->texels, sizeof(seen)) == 0;
    }
    return NULL;
}

// A launch may look for its variant while another thread gives the next one away.
START_TEST(launches_of_two_formats_do_not_take_each_others_variant)
{
    static unsigned char bytes[TEXELS * 4];
    static float floats[TEXELS * 4];
    struct reader much = {0}, little = {.texels = floats};
    cl_mem images[2];

    for (int i = 0; i < TEXELS * 4; i++)
        floats[i] = (float)(bytes[i] = (unsigned char)(i * 3)) + 0.5f;
    images[0] = make_image(CL_RGBA, CL_UNORM_INT8, bytes);
    images[1] = make_image(CL_RGBA, CL_FLOAT, floats);
    for (int round = 0; round < ROUNDS; round++) {
        cl_program prog = tf_api_program(source, "-cl-std=CL3.0");
        pthread_t threads[2];

        set_up(&much, prog, images[0]);
        set_up(&little, prog, images[1]);
        ck_assert_int_eq(pthread_create(&threads[0], NULL, read_much, &much), 0);
        ck_assert_int_eq(pthread_create(&threads[1], NULL, read_little, &little), 0);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        ck_assert(much.is_right);
        ck_assert(little.is_right);
        take_down(&much);
        take_down(&little);
        clReleaseProgram(prog);
    }
    clReleaseMemObject(images[0]);
    clReleaseMemObject(images[1]);
}
END_TEST

// ---- The report

static size_t log_of(cl_program prog, char *text, size_t bytes)
{
    size_t needed = 0;

    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG,
                                           bytes, text, &needed),
                     CL_SUCCESS);
    return needed;
}

static const char runs[] = "kernel look: launches ran the variant for image ";

START_TEST(report_names_the_variants_that_ran)
{
    static unsigned char pixels[TEXELS * 4];
    static char before[10000], text[20000];
    cl_program prog = tf_api_program(source, "-cl-std=CL3.0 -cl-trefoil-report");
    cl_kernel kernel = tf_api_kernel(prog, "look");
    cl_mem image = make_image(CL_RGBA, CL_UNORM_INT8, pixels);
    cl_mem to = tf_api_buffer(0, ITEMS * sizeof(cl_float4), NULL);
    const time_t end = time(NULL) + TEST_LIMIT_S;
    const size_t at_first = log_of(prog, before, sizeof(before));
    size_t later;
    char *lines;

    ck_assert_ptr_null(strstr(before, "variant"));
    tf_api_set_arg(kernel, 0, sizeof(image), &image);
    tf_api_set_arg(kernel, 1, sizeof(to), &to);
    do {
        ck_assert_int_eq(launch(tf_api.q, kernel, ITEMS, 50), CL_SUCCESS);
        ck_assert_msg(time(NULL) < end, "no variant came");
        later = log_of(prog, text, sizeof(text));
    } while (later == at_first);
    ck_assert_uint_eq(later, strlen(text) + 1);
    ck_assert_msg(!strncmp(text, before, at_first - 1), "%s", text);
    lines = text + at_first - 1;
    ck_assert_msg(!strncmp(lines, runs, strlen(runs)), "%s", text);
    ck_assert_msg(strstr(lines, "for image CL_RGBA CL_UNORM_INT8\nkernel look: simt"),
                  "%s", text);
    // Who asked for the size before there was a variant gets whole lines.
    ck_assert_uint_eq(log_of(prog, text, at_first), at_first);
    ck_assert_str_eq(text, before);
    ck_assert_uint_eq(log_of(prog, text, at_first + strlen(runs)), at_first);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG,
                                           at_first - 1, text, NULL),
                     CL_INVALID_VALUE);
    clReleaseMemObject(image);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_variants");
    TCase *tests = tcase_create("variants");

    tcase_add_checked_fixture(tests, begin, tf_api_end);
    tcase_add_test(tests, each_of_many_formats_comes_to_its_variant);
    tcase_add_test(tests, launches_of_two_formats_do_not_take_each_others_variant);
    tcase_add_test(tests, report_names_the_variants_that_ran);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
