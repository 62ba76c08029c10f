// SPDX-License-Identifier: MIT
// Kernels with images in command buffers: replays have code for the formats that the
// images have, and updates change it with them.
#include "api/command_buffer_rig.h"
#include "api/log_lines.h"
#include "support/suite.h"

enum { SIDE = 8, FORMATS = 3, SAMPLERS = 2 };

static const char source[] =
    "kernel void look(read_only image2d_t image, sampler_t sampler, global float4 *to,\n"
    "                 local int *room, float scale)\n"
    "{\n"
    "    int at = get_global_id(0);\n"
    "    room[get_local_id(0)] = at;\n"
    "    to[at] = scale * read_imagef(image, sampler, (float2)(at * 0.13f, 0.4f));\n"
    "}\n";

static cl_program prog;
static cl_kernel kernel;
static cl_mem images[FORMATS], seen, wanted;
static cl_sampler samplers[SAMPLERS];
static cl_command_buffer_khr buffer;
static cl_mutable_command_khr command;
static const cl_float scale = 1.5f;

static void make_images(void)
{
    static const cl_image_format formats[FORMATS] = {
        {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}, {CL_RG, CL_HALF_FLOAT}};
    static cl_uchar pixels[SIDE * SIDE * 4];
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_int code;

    for (int i = 0; i < SIDE * SIDE * 4; i++)
        pixels[i] = (cl_uchar)(i % 4 == 3 ? 0x3c : i * 7);
    for (int i = 0; i < FORMATS; i++) {
        images[i] = clCreateImage(tf_api.ctx, CL_MEM_COPY_HOST_PTR, &formats[i], &desc,
                                  pixels, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
    }
    samplers[0] = clCreateSampler(tf_api.ctx, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                  CL_FILTER_NEAREST, &code);
    samplers[1] =
        clCreateSampler(tf_api.ctx, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code);
}

static void begin(void)
{
    log_lines_begin();
    rig_begin();
    prog = tf_api_program(source, "-cl-std=CL3.0");
    kernel = tf_api_kernel(prog, "look");
    seen = tf_api_buffer(0, ITEMS * sizeof(cl_float4), NULL);
    wanted = tf_api_buffer(0, ITEMS * sizeof(cl_float4), NULL);
    make_images();
    buffer = rig_buffer(tf_api.q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    tf_api_set_arg(kernel, 0, sizeof(cl_mem), &images[0]);
    tf_api_set_arg(kernel, 1, sizeof(cl_sampler), &samplers[0]);
    tf_api_set_arg(kernel, 2, sizeof(cl_mem), &seen);
    tf_api_set_arg(kernel, 3, ITEMS * sizeof(cl_int), NULL);
    tf_api_set_arg(kernel, 4, sizeof(scale), &scale);
    rig_record(buffer, kernel, 0, &command);
    rig_finalize(buffer);
}

static void end(void)
{
    rig_release(buffer);
    for (int i = 0; i < FORMATS; i++)
        clReleaseMemObject(images[i]);
    for (int i = 0; i < SAMPLERS; i++)
        clReleaseSampler(samplers[i]);
    clReleaseMemObject(seen);
    clReleaseMemObject(wanted);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
    rig_end();
}

static void update(const cl_mem *image, const cl_sampler *sampler)
{
    const cl_command_buffer_update_type_khr type =
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof(cl_mem), image},
                                                {1, sizeof(cl_sampler), sampler}};
    const cl_mutable_dispatch_config_khr config = {
        .command = command, .num_args = 2, .arg_list = args};
    const void *configs[] = {&config};

    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
}

// What the same launch writes that no command buffer keeps.
static void check_seen(const cl_mem *image, const cl_sampler *sampler)
{
    const size_t items = ITEMS, local = 16;
    cl_float4 from[ITEMS], to[ITEMS];

    tf_api_set_arg(kernel, 0, sizeof(cl_mem), image);
    tf_api_set_arg(kernel, 1, sizeof(cl_sampler), sampler);
    tf_api_set_arg(kernel, 2, sizeof(cl_mem), &wanted);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(wanted, 0, sizeof(to), to);
    tf_api_read(seen, 0, sizeof(from), from);
    ck_assert_mem_eq(from, to, sizeof(to));
}

START_TEST(updated_images_and_samplers_are_read_as_what_they_are)
{
    const float none = -7;

    for (int i = 0; i < 2 * FORMATS * SAMPLERS; i++) {
        const cl_mem *image = &images[i % FORMATS];
        const cl_sampler *sampler = &samplers[i / FORMATS % SAMPLERS];

        update(image, sampler);
        ck_assert_int_eq(clEnqueueFillBuffer(tf_api.q, seen, &none, sizeof(none), 0,
                                             ITEMS * sizeof(cl_float4), 0, NULL, NULL),
                         CL_SUCCESS);
        rig_run(buffer);
        check_seen(image, sampler);
    }
}
END_TEST

START_TEST(second_of_two_updates_in_one_call_wins)
{
    const cl_command_buffer_update_type_khr types[2] = {
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR,
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR};
    const cl_mutable_dispatch_arg_khr first[] = {{0, sizeof(cl_mem), &images[1]},
                                                 {1, sizeof(cl_sampler), &samplers[1]}},
                                      second[] = {{0, sizeof(cl_mem), &images[2]},
                                                  {3, 2 * ITEMS * sizeof(cl_int), NULL}};
    const cl_mutable_dispatch_config_khr configs[2] = {
        {.command = command, .num_args = 2, .arg_list = first},
        {.command = command, .num_args = 2, .arg_list = second}};
    const void *list[] = {&configs[0], &configs[1]};

    rig_run(buffer);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 2, types, list), CL_SUCCESS);
    rig_run(buffer);
    check_seen(&images[2], &samplers[1]);
}
END_TEST

START_TEST(replays_in_flight_keep_their_formats)
{
    cl_event gate = tf_api_user_event();

    for (int i = 0; i < FORMATS; i++) {
        update(&images[i], &samplers[0]);
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, i == 0,
                                                   i == 0 ? &gate : NULL, NULL),
                         CL_SUCCESS);
    }
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    check_seen(&images[FORMATS - 1], &samplers[0]);
    clReleaseEvent(gate);
}
END_TEST

// Code for all formats is several times as slow, and takes longer to be made.
START_TEST(replays_run_variants)
{
    rig_run(buffer);
    update(&images[1], &samplers[1]);
    rig_run(buffer);
    ck_assert_int_eq(log_lines_count("kernel look: generated (variant)"), 2);
    ck_assert_int_eq(log_lines_count("kernel look: generated in"), 0);
    ck_assert_int_eq(log_lines_count("kernel look: runs the variant for image CL_RGBA "
                                     "CL_UNORM_INT8, sampler sampler 0x12"),
                     1);
    ck_assert_int_eq(log_lines_count("kernel look: runs the variant for image CL_R "
                                     "CL_FLOAT, sampler sampler 0x27"),
                     1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command_buffer_images");
    TCase *tests = tcase_create("images");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, updated_images_and_samplers_are_read_as_what_they_are);
    tcase_add_test(tests, second_of_two_updates_in_one_call_wins);
    tcase_add_test(tests, replays_in_flight_keep_their_formats);
    tcase_add_test(tests, replays_run_variants);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
