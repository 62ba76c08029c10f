// SPDX-License-Identifier: MIT
// Command buffers of a device without the two extensions that build on them: what those
// allow is an error, as cl_khr_command_buffer 0.9.8 has it for such devices.
#include "api/command_buffer_rig.h"
#include "support/suite.h"

// Before the entry points are looked up, which finds the devices
// (support/entry_points.c).
__attribute__((constructor(101))) static void hide_extensions(void)
{
    setenv("TREFOIL_HIDE_EXTENSIONS",
           "cl_khr_command_buffer_multi_device,cl_khr_command_buffer_mutable_dispatch",
           1);
}

START_TEST(there_is_one_queue)
{
    const cl_command_queue two[2] = {tf_api.q, rig.out_of_order};
    cl_device_command_buffer_capabilities_khr capabilities = 0;
    cl_int code = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device,
                                     CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
                                     sizeof(capabilities), &capabilities, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(capabilities & CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR, 0);

    ck_assert_ptr_null(clCreateCommandBufferKHR(2, two, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    rig_release(rig_buffer(tf_api.q, 0));
}
END_TEST

START_TEST(commands_do_not_name_it)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    const size_t items = ITEMS;
    const cl_int value = 5;

    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, tf_api.q, NULL, rig.add, 1, NULL,
                                               &items, NULL, 0, NULL, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(
        clCommandBarrierWithWaitListKHR(buffer, tf_api.q, NULL, 0, NULL, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clCommandFillBufferKHR(buffer, tf_api.q, NULL, rig.mem, &value,
                                            sizeof(value), 0, BYTES, 0, NULL, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    rig_record(buffer, rig.add, 0, NULL);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 5);
    rig_release(buffer);
}
END_TEST

START_TEST(nothing_is_mutable)
{
    const cl_command_properties_khr fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_mutable_command_khr handle;
    const size_t items = ITEMS;
    const cl_int value = 1;

    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, rig.add, 1, NULL,
                                               &items, NULL, 0, NULL, NULL, &handle),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, fields, rig.add, 1, NULL,
                                               &items, NULL, 0, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    rig_release(buffer);
}
END_TEST

START_TEST(flags_and_properties_of_others_are_unknown)
{
    const cl_command_buffer_properties_khr
        known[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
                   0},
        unknown[][3] = {
            {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0},
            {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0},
            {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 0, 0}};
    cl_command_buffer_khr buffer;
    cl_int code;

    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(clCreateCommandBufferKHR(1, &tf_api.q, unknown[i], &code));
        ck_assert_int_eq(code, CL_INVALID_VALUE);
    }
    buffer = clCreateCommandBufferKHR(1, &tf_api.q, known, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    rig_release(buffer);
}
END_TEST

START_TEST(nothing_is_remapped)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_int code = 0;

    rig_finalize(buffer);
    ck_assert_ptr_null(
        clRemapCommandBufferKHR(buffer, CL_FALSE, 1, &tf_api.q, 0, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    rig_release(buffer);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command buffer alone");
    TCase *tests = tcase_create("alone");

    tcase_add_checked_fixture(tests, rig_begin, rig_end);
    tcase_add_test(tests, there_is_one_queue);
    tcase_add_test(tests, commands_do_not_name_it);
    tcase_add_test(tests, nothing_is_mutable);
    tcase_add_test(tests, flags_and_properties_of_others_are_unknown);
    tcase_add_test(tests, nothing_is_remapped);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
