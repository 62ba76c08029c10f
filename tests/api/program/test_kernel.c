// SPDX-License-Identifier: MIT
// clCreateKernel, clCreateKernelsInProgram, clCloneKernel, clRetain/ReleaseKernel,
// clSetKernelArg, clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo.
#include <stdint.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "typedef struct { int a; char b; } pair;\n"
    "kernel void all(global const float4 *restrict in, constant int *table,\n"
    "                local volatile uint *scratch, float3 v, pair p, unsigned char c)\n"
    "{ if (in) scratch[0] = table[0] + p.a + c + (int)v.x; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void sized(global int *p)\n"
    "{ local int mine[100]; mine[get_local_id(0)] = 1; p[0] = mine[0]; }\n"
    "kernel void none(void) {}\n";

static cl_program prog;
static cl_kernel all;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, "-cl-kernel-arg-info");
    all = tf_api_kernel(prog, "all");
}

static void end(void)
{
    ck_assert_int_eq(clReleaseKernel(all), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static cl_int create(cl_program from, const char *name)
{
    cl_int code = 1;

    ck_assert_ptr_null(clCreateKernel(from, name, &code));
    return code;
}

START_TEST(kernel_needs_a_program_and_a_name)
{
    const char *text = source;
    cl_program unbuilt = clCreateProgramWithSource(tf_api.ctx, 1, &text, NULL, NULL);

    ck_assert_int_eq(create(NULL, "all"), CL_INVALID_PROGRAM);
    ck_assert_int_eq(create((cl_program)(void *)all, "all"), CL_INVALID_PROGRAM);
    ck_assert_int_eq(create(unbuilt, "all"), CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(create(prog, "ALL"), CL_INVALID_KERNEL_NAME);
    ck_assert_int_eq(create(prog, ""), CL_INVALID_KERNEL_NAME);
    ck_assert_int_eq(create(prog, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseProgram(unbuilt), CL_SUCCESS);
}
END_TEST

START_TEST(all_kernels_of_a_program_are_made)
{
    const char *text = source;
    cl_program unbuilt = clCreateProgramWithSource(tf_api.ctx, 1, &text, NULL, NULL);
    cl_kernel kernels[4] = {NULL, NULL, NULL, NULL};
    cl_uint count = 0;

    ck_assert_int_eq(clCreateKernelsInProgram(NULL, 0, NULL, &count), CL_INVALID_PROGRAM);
    ck_assert_int_eq(clCreateKernelsInProgram(unbuilt, 0, NULL, &count),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(clCreateKernelsInProgram(prog, 0, NULL, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(clCreateKernelsInProgram(prog, 2, kernels, NULL), CL_INVALID_VALUE);
    ck_assert_ptr_null(kernels[0]);
    ck_assert_int_eq(clCreateKernelsInProgram(prog, 4, kernels, &count), CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(clReleaseKernel(kernels[i]), CL_SUCCESS);
    ck_assert_ptr_null(kernels[3]);
    ck_assert_int_eq(clReleaseProgram(unbuilt), CL_SUCCESS);
}
END_TEST

static cl_uint refs_of(cl_kernel kernel)
{
    cl_uint refs = 0;

    ck_assert_int_eq(
        clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
        CL_SUCCESS);
    return refs;
}

START_TEST(references_are_counted)
{
    cl_kernel kernel = tf_api_kernel(prog, "none");

    ck_assert_int_eq(clRetainKernel(kernel), CL_SUCCESS);
    ck_assert_uint_eq(refs_of(kernel), 2);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_INVALID_KERNEL);
    ck_assert_int_eq(clRetainKernel(NULL), CL_INVALID_KERNEL);
}
END_TEST

// A released program answers through its kernel, and can be taken back.
START_TEST(kernel_keeps_its_program)
{
    cl_program own = tf_api_program("kernel void k(void) {}", NULL), seen = NULL;
    cl_kernel kernel = tf_api_kernel(own, "k");

    ck_assert_int_eq(clReleaseProgram(own), CL_SUCCESS);
    ck_assert_int_eq(
        clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(seen), &seen, NULL),
        CL_SUCCESS);
    ck_assert_ptr_eq(seen, own);
    ck_assert_int_eq(clReleaseProgram(seen), CL_INVALID_PROGRAM);
    ck_assert_int_eq(clRetainProgram(seen), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(own), CL_SUCCESS);
}
END_TEST

static cl_int set(cl_uint index, size_t size, const void *value)
{
    return clSetKernelArg(all, index, size, value);
}

START_TEST(arguments_are_checked)
{
    struct {
        int a;
        char b;
    } pair = {1, 2};
    const cl_float3 v = {{1, 2, 3}};
    const cl_uchar c = 4;
    cl_mem mem = tf_api_buffer(0, 64, NULL), none = NULL, wrong = (cl_mem)(void *)prog;
    cl_mem foreign = tf_api_other_buffer(64);

    ck_assert_int_eq(clSetKernelArg(NULL, 0, sizeof(mem), &mem), CL_INVALID_KERNEL);
    ck_assert_int_eq(set(6, 4, &pair), CL_INVALID_ARG_INDEX);
    ck_assert_int_eq(set(UINT32_MAX, 4, &pair), CL_INVALID_ARG_INDEX);

    ck_assert_int_eq(set(0, 4, &mem), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(0, sizeof(wrong), &wrong), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(set(0, sizeof(foreign), &foreign), CL_INVALID_CONTEXT);
    ck_assert_int_eq(set(0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(set(0, sizeof(none), &none), CL_SUCCESS);
    ck_assert_int_eq(set(0, sizeof(mem), NULL), CL_SUCCESS);
    ck_assert_int_eq(set(1, sizeof(mem), &mem), CL_SUCCESS);

    ck_assert_int_eq(set(2, 16, &mem), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(set(2, 16, NULL), CL_SUCCESS);
    ck_assert_int_eq(set(2, 0, NULL), CL_SUCCESS);

    ck_assert_int_eq(set(3, 12, &v), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(3, 16, NULL), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(set(3, 16, &v), CL_SUCCESS);
    ck_assert_int_eq(set(4, sizeof(pair), &pair), CL_SUCCESS);
    ck_assert_int_eq(set(4, sizeof(pair) - 1, &pair), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(5, 4, &c), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(5, 1, &c), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(foreign), CL_SUCCESS);
}
END_TEST

START_TEST(argument_is_no_reference)
{
    cl_mem mem = tf_api_buffer(0, 64, NULL);
    cl_uint refs = 0;

    ck_assert_int_eq(set(0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(
        clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(refs, 1);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(set(1, sizeof(mem), &mem), CL_INVALID_MEM_OBJECT);
}
END_TEST

START_TEST(clone_has_the_values)
{
    cl_program adder =
        tf_api_program("kernel void add(global int *p, int v) { *p += v; }", NULL);
    cl_kernel kernel = tf_api_kernel(adder, "add"), copy;
    const cl_int one = 1, hundred = 100;
    cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, 4, &(cl_int){0});
    cl_int code = 1, seen = 0;

    ck_assert_ptr_null(clCloneKernel(NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_KERNEL);
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(one), &one);
    copy = clCloneKernel(kernel, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    tf_api_set_arg(kernel, 1, sizeof(hundred), &hundred);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, copy, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, 4, &seen);
    ck_assert_int_eq(seen, 1);
    ck_assert_int_eq(clReleaseKernel(copy), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(adder), CL_SUCCESS);
}
END_TEST

START_TEST(info_tells_what_was_made)
{
    cl_kernel sized = tf_api_kernel(prog, "sized");
    char text[64];
    cl_uint count = 0;
    cl_context ctx = NULL;

    ck_assert_int_eq(
        clGetKernelInfo(all, CL_KERNEL_FUNCTION_NAME, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_str_eq(text, "all");
    ck_assert_int_eq(
        clGetKernelInfo(all, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(count, 6);
    ck_assert_int_eq(clGetKernelInfo(all, CL_KERNEL_CONTEXT, sizeof(ctx), &ctx, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_eq(ctx, tf_api.ctx);
    ck_assert_int_eq(clGetKernelInfo(all, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(
        clGetKernelInfo(sized, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_ptr_nonnull(strstr(text, "reqd_work_group_size"));
    ck_assert_int_eq(clGetKernelInfo(NULL, CL_KERNEL_CONTEXT, 0, NULL, NULL),
                     CL_INVALID_KERNEL);
    ck_assert_int_eq(clGetKernelInfo(all, 0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetKernelInfo(all, CL_KERNEL_FUNCTION_NAME, 3, text, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseKernel(sized), CL_SUCCESS);
}
END_TEST

START_TEST(argument_info_is_as_declared)
{
    static const struct {
        const char *name, *type;
        cl_uint address;
        cl_kernel_arg_type_qualifier qualifiers;
    } wanted[6] = {
        {"in", "float4*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
         CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
        {"table", "int*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
        {"scratch", "uint*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_VOLATILE},
        {"v", "float3", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"p", "pair", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"c", "uchar", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
    };

    for (cl_uint i = 0; i < 6; i++) {
        cl_kernel_arg_type_qualifier qualifiers = 99;
        cl_uint address = 0, access = 0;
        char text[32];

        clGetKernelArgInfo(all, i, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL);
        ck_assert_str_eq(text, wanted[i].name);
        clGetKernelArgInfo(all, i, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, NULL);
        ck_assert_str_eq(text, wanted[i].type);
        clGetKernelArgInfo(all, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(address),
                           &address, NULL);
        ck_assert_uint_eq(address, wanted[i].address);
        clGetKernelArgInfo(all, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access),
                           &access, NULL);
        ck_assert_uint_eq(access, CL_KERNEL_ARG_ACCESS_NONE);
        clGetKernelArgInfo(all, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(qualifiers),
                           &qualifiers, NULL);
        ck_assert_uint_eq(qualifiers, wanted[i].qualifiers);
    }
    ck_assert_int_eq(clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL),
                     CL_INVALID_KERNEL);
    ck_assert_int_eq(clGetKernelArgInfo(all, 6, CL_KERNEL_ARG_NAME, 0, NULL, NULL),
                     CL_INVALID_ARG_INDEX);
    ck_assert_int_eq(clGetKernelArgInfo(all, 0, 0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
}
END_TEST

static cl_int group_info(cl_kernel kernel, cl_device_id device, cl_uint param,
                         size_t size, void *value)
{
    return clGetKernelWorkGroupInfo(kernel, device, param, size, value, NULL);
}

START_TEST(group_info_tells_sizes)
{
    cl_kernel sized = tf_api_kernel(prog, "sized");
    size_t required[3] = {9, 9, 9}, most = 0, multiple = 0, device_most = 0,
           device_multiple = 0;
    cl_ulong local = 0, with_argument = 0, private_bytes = 0;

    ck_assert_int_eq(group_info(sized, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                sizeof(required), required),
                     CL_SUCCESS);
    ck_assert(required[0] == 4 && required[1] == 2 && required[2] == 1);
    ck_assert_int_eq(group_info(all, tf_api.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                sizeof(required), required),
                     CL_SUCCESS);
    ck_assert(required[0] == 0 && required[1] == 0 && required[2] == 0);
    ck_assert_int_eq(
        group_info(all, tf_api.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most),
        CL_SUCCESS);
    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(device_most),
                    &device_most, NULL);
    ck_assert(most >= 1 && most <= device_most);
    ck_assert_int_eq(group_info(all, NULL, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                sizeof(multiple), &multiple),
                     CL_SUCCESS);
    clGetDeviceInfo(tf_api.device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                    sizeof(device_multiple), &device_multiple, NULL);
    // Whole sub-groups, which have one size on every processor; vectors differ.
    ck_assert_uint_gt(multiple, 0);
    ck_assert_uint_eq(multiple % device_multiple, 0);
    ck_assert_int_eq(
        group_info(sized, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local),
        CL_SUCCESS);
    ck_assert_uint_ge(local, 400);
    ck_assert_int_eq(
        group_info(all, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local),
        CL_SUCCESS);
    ck_assert_int_eq(set(2, 1000, NULL), CL_SUCCESS);
    ck_assert_int_eq(group_info(all, NULL, CL_KERNEL_LOCAL_MEM_SIZE,
                                sizeof(with_argument), &with_argument),
                     CL_SUCCESS);
    ck_assert_uint_ge(with_argument, local + 1000);
    ck_assert_int_eq(group_info(all, NULL, CL_KERNEL_PRIVATE_MEM_SIZE,
                                sizeof(private_bytes), &private_bytes),
                     CL_SUCCESS);

    ck_assert_int_eq(group_info(NULL, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL),
                     CL_INVALID_KERNEL);
    ck_assert_int_eq(
        group_info(all, (cl_device_id)(void *)prog, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL),
        CL_INVALID_DEVICE);
    ck_assert_int_eq(
        group_info(all, NULL, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(required), required),
        CL_INVALID_VALUE);
    ck_assert_int_eq(group_info(all, NULL, 0x1234, 0, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseKernel(sized), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernel");
    TCase *tests = tcase_create("kernel");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, kernel_needs_a_program_and_a_name);
    tcase_add_test(tests, all_kernels_of_a_program_are_made);
    tcase_add_test(tests, references_are_counted);
    tcase_add_test(tests, kernel_keeps_its_program);
    tcase_add_test(tests, arguments_are_checked);
    tcase_add_test(tests, argument_is_no_reference);
    tcase_add_test(tests, clone_has_the_values);
    tcase_add_test(tests, info_tells_what_was_made);
    tcase_add_test(tests, argument_info_is_as_declared);
    tcase_add_test(tests, group_info_tells_sizes);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
