// SPDX-License-Identifier: MIT
// clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel,
// clGetKernelSuggestedLocalWorkSize.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "kernel void ids(global ulong *out)\n"
    "{ size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1)\n"
    "         - get_global_offset(1), z = get_global_id(2) - get_global_offset(2);\n"
    "  size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
    "  out[i] = get_global_id(0) | get_global_id(1) << 16 | get_global_id(2) << 32\n"
    "         | get_local_size(0) << 48; }\n"
    "kernel void scale(global int *p, int by) { p[get_global_id(0)] *= by; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void sized(global int *p)\n"
    "{ p[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0); "
    "}\n"
    "kernel void locals(local char *scratch, global int *p) { *p = scratch[0]; }\n";

static cl_program prog;
static cl_kernel ids, scale;
static cl_mem mem;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, NULL);
    ids = tf_api_kernel(prog, "ids");
    scale = tf_api_kernel(prog, "scale");
    mem = tf_api_buffer(0, 65536, NULL);
    tf_api_set_arg(ids, 0, sizeof(mem), &mem);
}

static void end(void)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(ids), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(scale), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static cl_int launch(cl_kernel kernel, cl_uint dims, const size_t *offset,
                     const size_t *global, const size_t *local)
{
    return clEnqueueNDRangeKernel(tf_api.q, kernel, dims, offset, global, local, 0, NULL,
                                  NULL);
}

START_TEST(every_work_item_runs_once)
{
    static cl_ulong seen[6 * 5 * 4];
    const size_t offset[3] = {100, 200, 300}, global[3] = {6, 5, 4}, local[3] = {3, 5, 2};

    ck_assert_int_eq(launch(ids, 3, offset, global, local), CL_SUCCESS);
    tf_api_read(mem, 0, sizeof(seen), seen);
    for (cl_ulong z = 0; z < 4; z++)
        for (cl_ulong y = 0; y < 5; y++)
            for (cl_ulong x = 0; x < 6; x++)
                ck_assert_uint_eq(seen[(z * 5 + y) * 6 + x], (x + 100) | (y + 200) << 16 |
                                                                 (z + 300) << 32 |
                                                                 3ull << 48);
}
END_TEST

START_TEST(suggested_size_is_what_null_gives)
{
    const size_t sizes[] = {1, 7, 64, 100, 1000, 4096, 5000, 8191};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        size_t suggested = 0;
        cl_ulong seen = 0;

        ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(tf_api.q, ids, 1, NULL,
                                                           &sizes[i], &suggested),
                         CL_SUCCESS);
        ck_assert_uint_gt(suggested, 0);
        ck_assert_int_eq(launch(ids, 1, NULL, &sizes[i], NULL), CL_SUCCESS);
        tf_api_read(mem, 0, sizeof(seen), &seen);
        ck_assert_uint_eq(seen >> 48, suggested);
        ck_assert_uint_eq(sizes[i] % suggested, 0);
        ck_assert_int_eq(clGetKernelSuggestedLocalWorkSizeKHR(tf_api.q, ids, 1, NULL,
                                                              &sizes[i], &suggested),
                         CL_SUCCESS);
        ck_assert_uint_eq(seen >> 48, suggested);
    }
}
END_TEST

START_TEST(required_size_is_taken_or_refused)
{
    cl_kernel sized = tf_api_kernel(prog, "sized");
    const size_t global[2] = {8, 6}, good[2] = {4, 2}, bad[2] = {2, 4}, odd[2] = {6, 6};
    size_t suggested[2] = {0, 0};
    cl_int seen[48];

    tf_api_set_arg(sized, 0, sizeof(mem), &mem);
    ck_assert_int_eq(
        clGetKernelSuggestedLocalWorkSize(tf_api.q, sized, 2, NULL, global, suggested),
        CL_SUCCESS);
    ck_assert(suggested[0] == 4 && suggested[1] == 2);
    ck_assert_int_eq(launch(sized, 2, NULL, global, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, sizeof(seen), seen);
    for (int i = 0; i < 48; i++)
        ck_assert_int_eq(seen[i], 4);
    ck_assert_int_eq(launch(sized, 2, NULL, global, good), CL_SUCCESS);
    ck_assert_int_eq(launch(sized, 2, NULL, global, bad), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(launch(sized, 2, NULL, odd, NULL), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, sized, 0, NULL, NULL),
                     CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(clReleaseKernel(sized), CL_SUCCESS);
}
END_TEST

START_TEST(handles_are_checked)
{
    const size_t one = 1;

    ck_assert_int_eq(
        clEnqueueNDRangeKernel(NULL, ids, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(launch(NULL, 1, NULL, &one, NULL), CL_INVALID_KERNEL);
    ck_assert_int_eq(launch((cl_kernel)(void *)mem, 1, NULL, &one, NULL),
                     CL_INVALID_KERNEL);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.other_q, ids, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_CONTEXT);
    ck_assert_int_eq(clEnqueueTask(NULL, ids, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, NULL, 0, NULL, NULL), CL_INVALID_KERNEL);
    ck_assert_int_eq(clEnqueueTask(tf_api.other_q, ids, 0, NULL, NULL),
                     CL_INVALID_CONTEXT);
}
END_TEST

START_TEST(arguments_must_be_set_and_alive)
{
    const size_t one = 1;
    const cl_int by = 2;
    cl_mem gone = tf_api_buffer(0, 64, NULL);

    ck_assert_int_eq(launch(scale, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS);
    tf_api_set_arg(scale, 0, sizeof(gone), &gone);
    ck_assert_int_eq(launch(scale, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, scale, 0, NULL, NULL),
                     CL_INVALID_KERNEL_ARGS);
    tf_api_set_arg(scale, 1, sizeof(by), &by);
    ck_assert_int_eq(launch(scale, 1, NULL, &one, NULL), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(gone), CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(launch(scale, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS);
}
END_TEST

START_TEST(sizes_are_checked)
{
    const size_t global[3] = {64, 64, 64}, zero[2] = {4, 0}, divides[2] = {8, 8};
    const size_t uneven[2] = {8, 7}, offset[2] = {0, SIZE_MAX - 62};
    size_t most[3] = {0, 0, 0}, group = 0, large[3];

    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(most), most,
                    NULL);
    clGetKernelWorkGroupInfo(ids, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof(group), &group,
                             NULL);
    ck_assert_int_eq(launch(ids, 0, NULL, global, NULL), CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(launch(ids, 4, NULL, global, NULL), CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(launch(ids, 2, offset, global, NULL), CL_INVALID_GLOBAL_OFFSET);
    ck_assert_int_eq(launch(ids, 2, NULL, global, zero), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(launch(ids, 2, NULL, global, uneven), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(launch(ids, 2, NULL, global, divides), CL_SUCCESS);
    large[0] = most[0] + 1;
    large[1] = large[2] = 1;
    ck_assert_int_eq(launch(ids, 1, NULL, large, large), CL_INVALID_WORK_ITEM_SIZE);
    large[0] = group;
    large[1] = 2;
    ck_assert_int_eq(launch(ids, 2, NULL, large, large), CL_INVALID_WORK_GROUP_SIZE);
}
END_TEST

START_TEST(empty_range_completes)
{
    const size_t empty[2] = {16, 0};
    cl_event ev = NULL;

    ck_assert_int_eq(launch(ids, 2, NULL, empty, NULL), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, ids, 1, NULL, NULL, NULL, 0, NULL, &ev),
        CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(ev), CL_COMMAND_NDRANGE_KERNEL);
    clReleaseEvent(ev);
}
END_TEST

static const size_t four = 4;

#define LAUNCH(n, list) \
    clEnqueueNDRangeKernel(tf_api.q, ids, 1, NULL, &four, NULL, n, list, NULL)
#define TASK(n, list) clEnqueueTask(tf_api.q, ids, n, list, NULL)

START_TEST(wait_lists_are_checked)
{
    TF_API_CHECK_WAIT_LIST(LAUNCH);
    TF_API_CHECK_WAIT_LIST(TASK);
}
END_TEST

START_TEST(suggestion_checks_its_arguments)
{
    const size_t zero = 0, far = SIZE_MAX;
    size_t place = 0;
    cl_command_queue q = tf_api.q;

    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(NULL, ids, 1, NULL, &four, &place),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, NULL, 1, NULL, &four, &place),
                     CL_INVALID_KERNEL);
    ck_assert_int_eq(
        clGetKernelSuggestedLocalWorkSize(tf_api.other_q, ids, 1, NULL, &four, &place),
        CL_INVALID_CONTEXT);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, scale, 1, NULL, &four, &place),
                     CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, ids, 4, NULL, &four, &place),
                     CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, ids, 1, &far, &four, &place),
                     CL_INVALID_GLOBAL_OFFSET);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, ids, 1, NULL, NULL, &place),
                     CL_INVALID_GLOBAL_WORK_SIZE);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, ids, 1, NULL, &zero, &place),
                     CL_INVALID_GLOBAL_WORK_SIZE);
    ck_assert_int_eq(clGetKernelSuggestedLocalWorkSize(q, ids, 1, NULL, &four, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

START_TEST(too_much_local_memory_is_out_of_resources)
{
    cl_kernel locals = tf_api_kernel(prog, "locals");
    cl_ulong most = 0;

    clGetDeviceInfo(tf_api.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(most), &most, NULL);
    tf_api_set_arg(locals, 1, sizeof(mem), &mem);
    tf_api_set_arg(locals, 0, most, NULL);
    ck_assert_int_eq(launch(locals, 1, NULL, &four, NULL), CL_SUCCESS);
    tf_api_set_arg(locals, 0, most + 1, NULL);
    ck_assert_int_eq(launch(locals, 1, NULL, &four, NULL), CL_OUT_OF_RESOURCES);
    tf_api_set_arg(locals, 0, SIZE_MAX, NULL);
    ck_assert_int_eq(launch(locals, 1, NULL, &four, NULL), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(clReleaseKernel(locals), CL_SUCCESS);
}
END_TEST

START_TEST(launch_takes_the_values_of_its_time)
{
    cl_int data[4] = {1, 1, 1, 1}, by = 3;
    cl_mem used = tf_api_buffer(CL_MEM_USE_HOST_PTR, sizeof(data), data);
    cl_event go = tf_api_user_event(), done = NULL;
    cl_kernel own = tf_api_kernel(prog, "scale");

    tf_api_set_arg(own, 0, sizeof(used), &used);
    tf_api_set_arg(own, 1, sizeof(by), &by);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, own, 1, NULL, &four, NULL, 1, &go, NULL),
        CL_SUCCESS);
    by = 5;
    tf_api_set_arg(own, 1, sizeof(by), &by);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, own, 0, NULL, &done), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(own), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(used), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(go, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    ck_assert_int_eq(data[0], 15);
    ck_assert_int_eq(data[3], 3);
    clReleaseEvent(go);
    clReleaseEvent(done);
}
END_TEST

START_TEST(window_is_an_argument)
{
    cl_int data[64], by = 7;
    const cl_buffer_region region = {128, 16};
    cl_mem used, window;
    cl_int code;

    for (int i = 0; i < 64; i++)
        data[i] = i;
    used = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(data), data);
    window = clCreateSubBuffer(used, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    tf_api_set_arg(scale, 0, sizeof(window), &window);
    tf_api_set_arg(scale, 1, sizeof(by), &by);
    ck_assert_int_eq(launch(scale, 1, NULL, &four, NULL), CL_SUCCESS);
    tf_api_read(used, 0, sizeof(data), data);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(data[i], i >= 32 && i < 36 ? i * 7 : i);
    ck_assert_int_eq(clReleaseMemObject(window), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(used), CL_SUCCESS);
}
END_TEST

// ---- Native kernels ----

struct native_args {
    cl_int by;
    void *data;
};

static void CL_CALLBACK native(void *data)
{
    const struct native_args *args = data;

    *(cl_int *)args->data *= args->by;
}

static cl_int run_native(void(CL_CALLBACK *fn)(void *), void *args, size_t size,
                         cl_uint count, const cl_mem *mems, const void **places)
{
    return clEnqueueNativeKernel(tf_api.q, fn, args, size, count, mems, places, 0, NULL,
                                 NULL);
}

START_TEST(native_kernel_runs_with_its_own_arguments)
{
    struct native_args args = {.by = 6};
    const void *place = &args.data;
    cl_int seen = 0;
    cl_mem one = tf_api_buffer(CL_MEM_COPY_HOST_PTR, 4, &(cl_int){7});

    ck_assert_int_eq(run_native(native, &args, sizeof(args), 1, &one, &place),
                     CL_SUCCESS);
    args.by = 1000;
    tf_api_read(one, 0, sizeof(seen), &seen);
    ck_assert_int_eq(seen, 42);
    ck_assert_int_eq(clReleaseMemObject(one), CL_SUCCESS);
}
END_TEST

#define NATIVE(n, list)                                                              \
    clEnqueueNativeKernel(tf_api.q, native, &args, sizeof(args), 1, &mem, &place, n, \
                          list, NULL)

START_TEST(native_kernel_checks_its_arguments)
{
    struct native_args args = {.by = 1};
    const void *place = &args.data, *outside = &args + 1;
    const cl_mem wrong = (cl_mem)(void *)prog;
    cl_mem foreign = tf_api_other_buffer(64);
    const size_t size = sizeof(args);

    ck_assert_int_eq(
        clEnqueueNativeKernel(NULL, native, &args, size, 1, &mem, &place, 0, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(run_native(NULL, &args, size, 1, &mem, &place), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, NULL, size, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, NULL, 0, 1, &mem, &place), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, &args, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, &args, size, 1, NULL, &place), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, &args, size, 1, &mem, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, &args, size, 0, &mem, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, &args, size, 0, NULL, &place), CL_INVALID_VALUE);
    ck_assert_int_eq(run_native(native, &args, size, 1, &wrong, &place),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(run_native(native, &args, size, 1, &foreign, &place),
                     CL_INVALID_CONTEXT);
    ck_assert_int_eq(run_native(native, &args, size, 1, &mem, &outside),
                     CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(NATIVE);
    ck_assert_int_eq(clReleaseMemObject(foreign), CL_SUCCESS);
}
END_TEST

static void add_tests(TCase *all)
{
    tcase_add_test(all, every_work_item_runs_once);
    tcase_add_test(all, suggested_size_is_what_null_gives);
    tcase_add_test(all, required_size_is_taken_or_refused);
    tcase_add_test(all, handles_are_checked);
    tcase_add_test(all, arguments_must_be_set_and_alive);
    tcase_add_test(all, sizes_are_checked);
    tcase_add_test(all, empty_range_completes);
    tcase_add_test(all, wait_lists_are_checked);
    tcase_add_test(all, suggestion_checks_its_arguments);
    tcase_add_test(all, too_much_local_memory_is_out_of_resources);
    tcase_add_test(all, launch_takes_the_values_of_its_time);
    tcase_add_test(all, window_is_an_argument);
    tcase_add_test(all, native_kernel_runs_with_its_own_arguments);
    tcase_add_test(all, native_kernel_checks_its_arguments);
}

int main(void)
{
    Suite *suite = suite_create("enqueue_kernel");
    TCase *all = tcase_create("enqueue_kernel");

    tcase_add_checked_fixture(all, begin, end);
    add_tests(all);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
