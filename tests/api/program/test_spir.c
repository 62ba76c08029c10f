// SPDX-License-Identifier: MIT
// Programs from SPIR 1.2 (cl_khr_spir): tests/spir/modules.
#include <stdio.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

#define OPTIONS "-x spir -spir-std=1.2"
enum { MOST_BYTES = 16384, ITEMS = 64 };

static unsigned char module[MOST_BYTES];
static size_t module_bytes;

static void read_module(const char *name)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.bc", TF_SPIR_MODULES, name);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    module_bytes = fread(module, 1, sizeof(module), file);
    ck_assert_uint_gt(module_bytes, 0);
    ck_assert_uint_lt(module_bytes, sizeof(module));
    fclose(file);
}

static cl_program from_bytes(const void *bytes, size_t count)
{
    const unsigned char *data = bytes;
    cl_int code, status;
    cl_program prog = clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &count,
                                                &data, &status, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(status, CL_SUCCESS);
    return prog;
}

static cl_program built(const char *name)
{
    cl_program prog;

    read_module(name);
    prog = from_bytes(module, module_bytes);
    ck_assert_msg(build(prog, OPTIONS) == CL_SUCCESS, "%s", log_of(prog));
    return prog;
}

static void run(cl_kernel kernel, size_t items)
{
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

// ---- What it is ----

START_TEST(device_says_1_2)
{
    char text[16];

    ck_assert_int_eq(
        clGetDeviceInfo(tf_api.device, CL_DEVICE_SPIR_VERSIONS, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_str_eq(text, "1.2");
}
END_TEST

START_TEST(module_is_intermediate_until_it_is_built)
{
    unsigned char back[MOST_BYTES], *to = back;
    cl_program prog;
    size_t bytes = 0;

    read_module("kernels");
    prog = from_bytes(module, module_bytes);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_INTERMEDIATE);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(bytes, module_bytes);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(to), &to, NULL),
                     CL_SUCCESS);
    ck_assert_mem_eq(back, module, bytes);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_IL, 0, NULL, &bytes), CL_SUCCESS);
    ck_assert_uint_eq(bytes, 0);
    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 0, 1, "1"),
                     CL_INVALID_PROGRAM);
    ck_assert_int_eq(build(prog, OPTIONS), CL_SUCCESS);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(build(prog, OPTIONS " -cl-fast-relaxed-math"), CL_SUCCESS);
    drop(prog);
}
END_TEST

START_TEST(options_of_the_language_are_checked)
{
    cl_program prog, source_prog = make(source);

    read_module("kernels");
    prog = from_bytes(module, module_bytes);
    ck_assert_int_eq(build(prog, "-x spir -spir-std=2.0"), CL_INVALID_BUILD_OPTIONS);
    ck_assert_int_eq(build(prog, "-x cl"), CL_INVALID_BUILD_OPTIONS);
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    ck_assert_int_eq(build(source_prog, "-x spir"), CL_INVALID_BUILD_OPTIONS);
    ck_assert_int_eq(build(source_prog, "-spir-std=1.2"), CL_INVALID_BUILD_OPTIONS);
    drop(source_prog);
    drop(prog);
}
END_TEST

START_TEST(kernels_say_what_their_metadata_say)
{
    cl_program prog = built("kernels");
    cl_kernel kernel = tf_api_kernel(prog, "scale");
    cl_kernel blend = tf_api_kernel(prog, "blend");
    cl_kernel staged = tf_api_kernel(prog, "staged");
    cl_kernel_arg_access_qualifier access = 0;
    size_t size[3] = {0};
    char text[64];

    clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL);
    ck_assert_str_eq(text, "by");
    clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, NULL);
    ck_assert_str_eq(text, "float*");
    clGetKernelArgInfo(blend, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access,
                       NULL);
    ck_assert_uint_eq(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    clGetKernelWorkGroupInfo(staged, tf_api.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                             sizeof(size), size, NULL);
    ck_assert_uint_eq(size[0], 64);
    ck_assert_int_eq(clReleaseKernel(staged), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(blend), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    drop(prog);
}
END_TEST

// ---- What it does ----

static void check_scale(cl_program prog)
{
    const struct {
        cl_int a;
        cl_float b;
    } plus = {7, 0.5f};
    const cl_float by = 2;
    cl_kernel kernel = tf_api_kernel(prog, "scale");
    cl_float numbers[ITEMS];
    cl_mem in, out;

    for (int i = 0; i < ITEMS; i++)
        numbers[i] = (cl_float)i;
    in = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
    out = tf_api_buffer(0, sizeof(numbers), NULL);
    tf_api_set_arg(kernel, 0, sizeof(out), &out);
    tf_api_set_arg(kernel, 1, sizeof(in), &in);
    tf_api_set_arg(kernel, 2, sizeof(by), &by);
    tf_api_set_arg(kernel, 3, sizeof(plus), &plus);
    run(kernel, ITEMS);
    tf_api_read(out, 0, sizeof(numbers), numbers);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_float_eq(numbers[i], 2 * (cl_float)i + 0.5f);
    ck_assert_int_eq(clReleaseMemObject(in), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
}

START_TEST(structures_come_by_value)
{
    cl_program prog = built("kernels");

    check_scale(prog);
    drop(prog);
}
END_TEST

START_TEST(local_memory_events_and_atomics)
{
    cl_program prog = built("kernels");
    cl_kernel kernel = tf_api_kernel(prog, "staged");
    cl_int numbers[ITEMS], highest = 0;
    cl_mem in, out;

    for (int i = 0; i < ITEMS; i++) {
        numbers[i] = i * 37 % 101;
        highest = numbers[i] > highest ? numbers[i] : highest;
    }
    in = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
    out = tf_api_buffer(0, sizeof(numbers), NULL);
    tf_api_set_arg(kernel, 0, sizeof(out), &out);
    tf_api_set_arg(kernel, 1, sizeof(in), &in);
    tf_api_set_arg(kernel, 2, sizeof(cl_int), NULL);
    run(kernel, ITEMS);
    tf_api_read(out, 0, sizeof(numbers), numbers);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(numbers[i], (ITEMS - 1 - i) * 37 % 101 + highest);
    ck_assert_int_eq(clReleaseMemObject(in), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    drop(prog);
}
END_TEST

static cl_mem image_of(const cl_float *pixels, size_t width)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = 1};
    cl_int code;
    cl_mem image = clCreateImage(tf_api.ctx, pixels ? CL_MEM_COPY_HOST_PTR : 0, &format,
                                 &desc, (void *)pixels, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

// The argument's sampler repeats what the kernel's own one is outside of.
static void check_blend(const char *name, cl_int wanted_width)
{
    enum { WIDTH = 4, WIDER = 8 };
    static const size_t origin[3], region[3] = {WIDER, 1, 1};
    cl_program prog = built("kernels");
    cl_kernel kernel = tf_api_kernel(prog, name);
    cl_float pixels[WIDER][4];
    cl_int code, width;
    cl_sampler sampler = clCreateSampler(tf_api.ctx, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                         CL_FILTER_NEAREST, &code);
    cl_mem in, out, found = tf_api_buffer(0, sizeof(width), NULL);

    for (int i = 0; i < WIDTH * 4; i++)
        pixels[i / 4][i % 4] = (cl_float)(i + 2);
    in = image_of(pixels[0], WIDTH);
    out = image_of(NULL, WIDER);
    ck_assert_int_eq(code, CL_SUCCESS);
    tf_api_set_arg(kernel, 0, sizeof(in), &in);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    tf_api_set_arg(kernel, 2, sizeof(sampler), &sampler);
    tf_api_set_arg(kernel, 3, sizeof(found), &found);
    run(kernel, WIDER);
    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, out, CL_TRUE, origin, region, 0, 0,
                                        pixels, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < WIDER; i++)
        ck_assert_float_eq(pixels[i][1], i < WIDTH ? (cl_float)(i * 4 + 3)
                                                   : (cl_float)((WIDTH - 1) * 4 + 3) / 2);
    tf_api_read(found, 0, sizeof(width), &width);
    ck_assert_int_eq(width, wanted_width);
    ck_assert_int_eq(clReleaseMemObject(in), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(found), CL_SUCCESS);
    ck_assert_int_eq(clReleaseSampler(sampler), CL_SUCCESS);
    drop(prog);
}

START_TEST(images_and_samplers)
{
    check_blend("blend", 4);
}
END_TEST

START_TEST(halves_and_constant_memory)
{
    static const cl_half halves[] = {0x3c00, 0x4000, 0x4200, 0x4400}; // 1, 2, 3, 4
    static const cl_int add[] = {10, 20, 30, 40};
    cl_program prog = built("kernels");
    cl_kernel kernel = tf_api_kernel(prog, "halves");
    cl_float sums[4];
    cl_mem in = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(halves), (void *)halves);
    cl_mem constant = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(add), (void *)add);
    cl_mem out = tf_api_buffer(0, sizeof(sums), NULL);

    tf_api_set_arg(kernel, 0, sizeof(out), &out);
    tf_api_set_arg(kernel, 1, sizeof(in), &in);
    tf_api_set_arg(kernel, 2, sizeof(constant), &constant);
    run(kernel, 1);
    tf_api_read(out, 0, sizeof(sums), sums);
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq(sums[i], (cl_float)(11 * (i + 1)));
    ck_assert_int_eq(clReleaseMemObject(in), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(constant), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    drop(prog);
}
END_TEST

START_TEST(variables_without_an_address_space)
{
    cl_program prog = built("kernels");
    cl_kernel kernel = tf_api_kernel(prog, "letters");
    cl_int letters[4] = {0};
    cl_mem out = tf_api_buffer(0, sizeof(letters), NULL);

    tf_api_set_arg(kernel, 0, sizeof(out), &out);
    run(kernel, 4);
    tf_api_read(out, 0, sizeof(letters), letters);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(letters[i], "abc"[i]);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    drop(prog);
}
END_TEST

START_TEST(module_is_linked_with_opencl_c)
{
    cl_program inputs[2] = {NULL, make(source)}, prog;
    cl_int code;

    read_module("kernels");
    inputs[0] = from_bytes(module, module_bytes);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(clCompileProgram(inputs[i], 0, NULL, i ? "" : OPTIONS, 0, NULL,
                                          NULL, NULL, NULL),
                         CL_SUCCESS);
    ck_assert_uint_eq(type_of(inputs[0]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    prog = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, inputs, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_scale(prog);
    ck_assert_int_eq(clReleaseKernel(tf_api_kernel(prog, "add")), CL_SUCCESS);
    drop(prog);
    drop(inputs[0]);
    drop(inputs[1]);
}
END_TEST

START_TEST(kernels_call_kernels_with_images)
{
    check_blend("blend_twice", 5);
}
END_TEST

// ---- What it must not do ----

static const struct {
    const char *name, *reason;
} refused[] = {
    {"refused_32_bits", "32 bits"},
    {"refused_assembly", "assembly"},
    {"refused_host_function", "undefined function 'abort'"},
    {"refused_integer", "a type that SPIR has not"},
    {"refused_parameter", "than its name says"},
    {"refused_metadata", "another number of arguments"},
    {"refused_not_spir", "not of SPIR"},
};
enum { REFUSED = sizeof refused / sizeof *refused };

START_TEST(other_bitcode_is_a_failed_build)
{
    cl_program prog;

    read_module(refused[_i].name);
    prog = from_bytes(module, module_bytes);
    ck_assert_int_eq(build(prog, OPTIONS), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_msg(strstr(log_of(prog), refused[_i].reason) != NULL, "%s", log_of(prog));
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_INTERMEDIATE);
    drop(prog);
}
END_TEST

// What LLVM makes of it is its business, in a process of its own: nothing of it ends
// here.
static void check_damaged(size_t bytes)
{
    cl_program prog = from_bytes(module, bytes);
    const cl_int code = build(prog, OPTIONS);

    ck_assert(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
    drop(prog);
}

START_TEST(damaged_modules_end_nothing)
{
    enum { CUTS = 12, CHANGES = 24 };

    read_module("kernels");
    for (size_t i = 0; i < CUTS; i++)
        check_damaged(4 + (module_bytes - 4) * i / CUTS);
    for (size_t i = 0; i < CHANGES; i++) {
        unsigned char *const at = &module[4 + (module_bytes - 4) * i / CHANGES];
        const unsigned char kept = *at;

        *at ^= (unsigned char)(1u << i % 8);
        check_damaged(module_bytes);
        *at = kept;
    }
    check_damaged(module_bytes);
}
END_TEST

START_TEST(binaries_of_two_devices_are_one_module)
{
    const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0};
    const unsigned char *binaries[2] = {module, module};
    cl_device_id devices[2] = {tf_api.device};
    size_t lengths[2];
    cl_int code, status[2];
    cl_context ctx;

    read_module("kernels");
    lengths[0] = lengths[1] = module_bytes;
    if (clCreateSubDevices(tf_api.device, by_one, 1, &devices[1], NULL) != CL_SUCCESS)
        return; // one processor
    ctx = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    cl_program prog =
        clCreateProgramWithBinary(ctx, 2, devices, lengths, binaries, status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(build(prog, OPTIONS), CL_SUCCESS);
    drop(prog);
    lengths[1]--;
    ck_assert_ptr_null(
        clCreateProgramWithBinary(ctx, 2, devices, lengths, binaries, status, &code));
    ck_assert_int_eq(code, CL_INVALID_BINARY);
    ck_assert_int_eq(status[0], CL_SUCCESS);
    ck_assert_int_eq(status[1], CL_INVALID_BINARY);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    ck_assert_int_eq(clReleaseDevice(devices[1]), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spir");
    TCase *tests = tcase_create("spir");

    tcase_set_timeout(tests, 240);
    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, device_says_1_2);
    tcase_add_test(tests, module_is_intermediate_until_it_is_built);
    tcase_add_test(tests, options_of_the_language_are_checked);
    tcase_add_test(tests, kernels_say_what_their_metadata_say);
    tcase_add_test(tests, structures_come_by_value);
    tcase_add_test(tests, local_memory_events_and_atomics);
    tcase_add_test(tests, images_and_samplers);
    tcase_add_test(tests, halves_and_constant_memory);
    tcase_add_test(tests, variables_without_an_address_space);
    tcase_add_test(tests, module_is_linked_with_opencl_c);
    tcase_add_test(tests, kernels_call_kernels_with_images);
    tcase_add_loop_test(tests, other_bitcode_is_a_failed_build, 0, REFUSED);
    tcase_add_test(tests, damaged_modules_end_nothing);
    tcase_add_test(tests, binaries_of_two_devices_are_one_module);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
