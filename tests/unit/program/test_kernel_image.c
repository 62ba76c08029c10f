// SPDX-License-Identifier: MIT
// Images and samplers as arguments of kernels, which the mock device has the kinds of.
#include <string.h>

#include "api/dispatch.h"

#include "core/memory/image.h"
#include "core/memory/sampler.h"
#include "core/platform/device.h"
#include "core/program/kernel.h"
#include "core/program/program_build.h"
#include "support/core.h"
#include "support/suite.h"

enum { IMAGE, SAMPLER, BUFFER, ARGS, BLOCK_BYTES = 256 + 16 };

static struct tf_core core;
static cl_context other_ctx;
static cl_command_queue q;
static cl_program prog;
static cl_kernel kernel;
static struct tf_kernel_arg_info args[ARGS];
static const struct tf_kernel_info info = {.name = "odd",
                                           .attributes = "",
                                           .args = args,
                                           .arg_count = ARGS,
                                           .arg_block_bytes = BLOCK_BYTES};
static const cl_image_format rgba = {CL_RGBA, CL_UNSIGNED_INT8};
static const cl_image_format depth = {CL_DEPTH, CL_FLOAT};

static void image_kernels(struct tf_devprog *devprog, struct tf_program_info *out)
{
    (void)devprog;
    *out = (struct tf_program_info){
        .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE, .kernels = &info, .kernel_count = 1};
}

static cl_context make_context(void)
{
    const struct tf_context_desc desc = {.devices = &core.device, .device_count = 1};
    struct tf_err err = {0};
    cl_context ctx = NULL;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    return ctx;
}

static void begin(void)
{
    const char *source = "kernel odd";
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    struct tf_err err = {0};

    core.mock = tf_mock_create(1);
    tf_mock_give_images(core.mock);
    core.mock->ops.program_info = image_kernels;
    core.device = tf_device_register(&core.mock->dev, NULL);
    core.ctx = make_context();
    other_ctx = make_context();
    q = tf_core_queue(&core, 0);
    args[IMAGE] =
        (struct tf_kernel_arg_info){.kind = TF_ARG_IMAGE,
                                    .size_bytes = sizeof(cl_mem),
                                    .align_bytes = 16,
                                    .access_qualifier = CL_KERNEL_ARG_ACCESS_READ_WRITE,
                                    .name = "image",
                                    .type_name = "image2d_t",
                                    .image_kind = CL_MEM_OBJECT_IMAGE2D};
    args[SAMPLER] = (struct tf_kernel_arg_info){.kind = TF_ARG_SAMPLER,
                                                .size_bytes = sizeof(cl_sampler),
                                                .align_bytes = 8,
                                                .block_offset_bytes = 256,
                                                .name = "sampler",
                                                .type_name = "sampler_t"};
    args[BUFFER] = (struct tf_kernel_arg_info){.kind = TF_ARG_BUFFER,
                                               .size_bytes = sizeof(cl_mem),
                                               .align_bytes = 8,
                                               .block_offset_bytes = 264,
                                               .name = "buffer",
                                               .type_name = "uint*"};
    tf_program_create_source(&err, core.ctx, &desc, &prog);
    tf_program_build(&err, prog, &(struct tf_build_desc){0});
    tf_kernel_create(&err, prog, "odd", &kernel);
    ck_assert_int_eq(err.code, CL_SUCCESS);
}

static void end(void)
{
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(prog, &tf_class_program);
    tf_core_release(q, &tf_class_queue);
    tf_core_release(other_ctx, &tf_class_context);
    tf_core_end(&core);
}

static cl_mem make_in(cl_context ctx, cl_mem_object_type type, cl_mem_flags flags,
                      const cl_image_format *format)
{
    const cl_image_desc desc = {.image_type = type,
                                .image_width = 4,
                                .image_height = 3,
                                .image_depth = 2,
                                .image_array_size = 2};
    cl_int code = 1;
    cl_mem image = clCreateImage(ctx, flags, format, &desc, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static cl_mem make(cl_mem_flags flags)
{
    return make_in(core.ctx, CL_MEM_OBJECT_IMAGE2D, flags, &rgba);
}

static void drop(cl_mem mem)
{
    tf_core_release(mem, &tf_class_mem);
}

static cl_int set(cl_uint index, const void *handle)
{
    return clSetKernelArg(kernel, index, sizeof(handle), &handle);
}

static cl_int launch(void)
{
    const size_t size = 1;

    return clEnqueueNDRangeKernel(q, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static cl_sampler make_sampler(cl_context ctx)
{
    cl_int code = 1;
    cl_sampler sampler = clCreateSampler(ctx, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT,
                                         CL_FILTER_LINEAR, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return sampler;
}

static void set_others(void)
{
    cl_sampler sampler = make_sampler(core.ctx);

    ck_assert_int_eq(set(SAMPLER, sampler), CL_SUCCESS);
    ck_assert_int_eq(set(BUFFER, NULL), CL_SUCCESS);
    tf_core_release(sampler, &tf_class_sampler); // the kernel has its settings
}

START_TEST(types_must_fit)
{
    static const struct {
        const char *name;
        cl_mem_object_type type;
        const cl_image_format *format;
    } types[] = {
        {"image1d_t", CL_MEM_OBJECT_IMAGE1D, &rgba},
        {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, &rgba},
        {"image2d_t", CL_MEM_OBJECT_IMAGE2D, &rgba},
        {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, &rgba},
        {"image3d_t", CL_MEM_OBJECT_IMAGE3D, &rgba},
        {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, &depth},
        {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, &depth},
    };
    enum { TYPES = sizeof(types) / sizeof(types[0]) };

    for (int i = 0; i < TYPES; i++) {
        cl_mem image = make_in(core.ctx, types[i].type, 0, types[i].format);

        for (int k = 0; k < TYPES; k++) {
            const bool fits = types[i].type == types[k].type &&
                              (types[k].format != &depth || types[i].format == &depth);

            args[IMAGE].image_kind = tf_kernel_image_kind(types[k].name);
            kernel->args[IMAGE].mem = NULL; // known to be good otherwise
            ck_assert_int_eq(set(IMAGE, image),
                             fits ? CL_SUCCESS : CL_INVALID_MEM_OBJECT);
        }
        kernel->args[IMAGE].mem = NULL;
        args[IMAGE].image_kind = tf_kernel_image_kind("read_only image2d_t");
        ck_assert_int_eq(set(IMAGE, image), types[i].type == CL_MEM_OBJECT_IMAGE2D
                                                ? CL_SUCCESS
                                                : CL_INVALID_MEM_OBJECT);
        kernel->args[IMAGE].mem = NULL;
        args[IMAGE].image_kind = tf_kernel_image_kind("image1d_buffer_t");
        ck_assert_int_eq(set(IMAGE, image), CL_INVALID_MEM_OBJECT);
        drop(image);
    }
}
END_TEST

START_TEST(access_must_fit)
{
    static const struct {
        cl_mem_flags flags;
        bool read, write;
    } kinds[] = {{CL_MEM_READ_ONLY, true, false},
                 {CL_MEM_WRITE_ONLY, false, true},
                 {CL_MEM_READ_WRITE, true, true},
                 {0, true, true}};

    for (int i = 0; i < 4; i++) {
        cl_mem image = make(kinds[i].flags);

        args[IMAGE].access_qualifier = CL_KERNEL_ARG_ACCESS_READ_ONLY;
        ck_assert_int_eq(set(IMAGE, image),
                         kinds[i].read ? CL_SUCCESS : CL_INVALID_ARG_VALUE);
        args[IMAGE].access_qualifier = CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
        kernel->args[IMAGE].set = false;
        kernel->args[IMAGE].mem = NULL;
        ck_assert_int_eq(set(IMAGE, image),
                         kinds[i].write ? CL_SUCCESS : CL_INVALID_ARG_VALUE);
        args[IMAGE].access_qualifier = CL_KERNEL_ARG_ACCESS_READ_WRITE;
        kernel->args[IMAGE].mem = NULL;
        ck_assert_int_eq(set(IMAGE, image), kinds[i].read && kinds[i].write
                                                ? CL_SUCCESS
                                                : CL_INVALID_ARG_VALUE);
        drop(image);
    }
}
END_TEST

START_TEST(handles_and_sizes_are_checked)
{
    cl_mem image = make(0), strange = make_in(other_ctx, CL_MEM_OBJECT_IMAGE2D, 0, &rgba);
    cl_sampler sampler = make_sampler(core.ctx), other = make_sampler(other_ctx);
    cl_int code;
    cl_mem buffer = clCreateBuffer(core.ctx, 0, 64, NULL, &code);

    ck_assert_int_eq(set(IMAGE, NULL), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(set(IMAGE, q), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(set(IMAGE, buffer), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(set(IMAGE, strange), CL_INVALID_CONTEXT);
    ck_assert_int_eq(clSetKernelArg(kernel, IMAGE, sizeof(cl_mem), NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clSetKernelArg(kernel, IMAGE, 4, &image), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(BUFFER, image), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(set(SAMPLER, NULL), CL_INVALID_SAMPLER);
    ck_assert_int_eq(set(SAMPLER, image), CL_INVALID_SAMPLER);
    ck_assert_int_eq(set(SAMPLER, other), CL_INVALID_CONTEXT);
    ck_assert_int_eq(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler), NULL),
                     CL_INVALID_SAMPLER);
    ck_assert_int_eq(clSetKernelArg(kernel, SAMPLER, 4, &sampler), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(launch(), CL_INVALID_KERNEL_ARGS); // none of it has been taken
    drop(image);
    drop(strange);
    drop(buffer);
    tf_core_release(sampler, &tf_class_sampler);
    tf_core_release(other, &tf_class_sampler);
}
END_TEST

// The mock's kernel adds what stands 8 bytes behind the first address to what lies there:
// here the row pitch to the first pixel.
START_TEST(launch_has_the_descriptor_and_the_pixels)
{
    const uint32_t expected = TF_SAMPLER_NORMALIZED | TF_SAMPLER_ADDRESS_MIRRORED_REPEAT |
                              TF_SAMPLER_FILTER_LINEAR;
    cl_mem image = make(0);
    cl_int code;
    cl_kernel copy;
    const uint32_t *pixels = tf_mock_address(image->devmem);
    uint32_t bits;

    set_others();
    ck_assert_int_eq(launch(), CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(set(IMAGE, image), CL_SUCCESS);
    ck_assert_int_eq(launch(), CL_SUCCESS);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_uint_eq(pixels[0], 16);
    memcpy(&bits, kernel->block + 256, sizeof(bits));
    ck_assert_uint_eq(bits & 0xff, expected);
    copy = clCloneKernel(kernel, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_mem_eq(copy->block, kernel->block, BLOCK_BYTES);
    tf_core_release(copy, &tf_class_kernel);
    drop(image);
    ck_assert_int_eq(launch(), CL_INVALID_KERNEL_ARGS); // released since
}
END_TEST

START_TEST(device_may_lack_the_format_or_the_size)
{
    cl_mem image = make(0);

    set_others();
    ck_assert_int_eq(set(IMAGE, image), CL_SUCCESS);
    core.mock->caps.images.plane_px[1] = 2;
    ck_assert_int_eq(launch(), CL_INVALID_IMAGE_SIZE);
    core.mock->caps.images.plane_px[1] = 3;
    tf_feature_put(&core.mock->caps.features, TF_FEATURE_read_write_images, false);
    ck_assert_int_eq(launch(), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    drop(image);
}
END_TEST

START_TEST(command_keeps_the_image)
{
    cl_mem image = make(0);

    set_others();
    ck_assert_int_eq(set(IMAGE, image), CL_SUCCESS);
    tf_mock_hold(core.mock, true);
    ck_assert_int_eq(launch(), CL_SUCCESS);
    drop(image);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 1);
    tf_mock_hold(core.mock, false);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kernel_image");
    TCase *t = tcase_create("unit");

    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, types_must_fit);
    tcase_add_test(t, access_must_fit);
    tcase_add_test(t, handles_and_sizes_are_checked);
    tcase_add_test(t, launch_has_the_descriptor_and_the_pixels);
    tcase_add_test(t, device_may_lack_the_format_or_the_size);
    tcase_add_test(t, command_keeps_the_image);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
