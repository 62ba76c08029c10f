// SPDX-License-Identifier: MIT
#include "support/core_fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/platform/device.h"
#include "core/platform/report_error.h"

START_TEST(devices_open_with_the_first_and_close_with_the_last_context)
{
    const cl_device_id twice[] = {core.device, core.device};
    const struct tf_context_desc desc = {.devices = twice, .device_count = 2};
    cl_context second = NULL;

    ck_assert_int_eq(atomic_load(&core.mock->opened), 1);
    ck_assert_int_eq(tf_context_create(&err, &desc, &second), CL_SUCCESS);
    ck_assert_uint_eq(second->device_count, 1); // duplicates are ignored
    ck_assert(tf_context_has_device(second, core.device));
    ck_assert(!tf_context_has_device(second, NULL));
    ck_assert_int_eq(atomic_load(&core.mock->opened), 1);
    tf_core_release(second, &tf_class_context);
    ck_assert_int_eq(atomic_load(&core.mock->closed), 0);
}
END_TEST

START_TEST(device_that_does_not_open_fails_the_context)
{
    struct tf_mock *mock = tf_mock_create(0);
    const cl_device_id devices[] = {core.device, tf_device_register(&mock->dev, NULL)};
    const struct tf_context_desc desc = {.devices = devices, .device_count = 2};
    cl_context ctx = NULL;

    atomic_store(&mock->open_status, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_OUT_OF_RESOURCES);
    ck_assert_ptr_null(ctx);
    ck_assert_int_eq(atomic_load(&core.mock->closed), 0);
    tf_mock_destroy(mock);
}
END_TEST

static cl_context destroyed[3];
static atomic_int order;
static int place[3];

static void CL_CALLBACK note_end(cl_context ctx, void *data)
{
    int *where = data;

    destroyed[where - place] = ctx;
    *where = atomic_load(&order) + 1;
    atomic_fetch_add(&order, 1); // last: the test reads what was written before
}

START_TEST(destructors_run_newest_first_after_the_last_reference)
{
    const struct tf_context_desc desc = {.devices = &core.device, .device_count = 1};
    cl_context ctx = NULL;
    cl_event user;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(tf_destructors_add(&err, &ctx->destructors,
                                            &(struct tf_destructor){.ctx = ctx,
                                                                    .ctx_fn = note_end,
                                                                    .data = &place[i]}),
                         0);
    user = tf_give_user(tf_event_new(ctx, NULL, CL_COMMAND_USER, 0, 0));
    tf_core_release(ctx, &tf_class_context);
    ck_assert_int_eq(atomic_load(&order), 0); // the event owns it
    ck_assert(tf_object_ok(ctx, &tf_class_context));
    tf_core_release(user, &tf_class_event);
    ck_assert(tf_core_wait_int(&order, 3));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(place[i], 3 - i);
        ck_assert_ptr_eq(destroyed[i], ctx);
    }
}
END_TEST

static char message[400];
static cl_int private_code;

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes,
                               void *data)
{
    ck_assert_ptr_eq(data, message);
    ck_assert_uint_eq(bytes, sizeof(private_code));
    memcpy(&private_code, info, bytes);
    snprintf(message, sizeof(message), "%s", text);
}

START_TEST(errors_are_told_to_the_application)
{
    const struct tf_context_desc desc = {.devices = &core.device,
                                         .device_count = 1,
                                         .notify = notify,
                                         .notify_data = message};
    cl_context ctx = NULL;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    err.ctx = ctx;
    ck_assert_int_eq(tf_report(&err, "clSomething"), CL_SUCCESS);
    ck_assert_str_eq(message, "");
    tf_fail(&err, CL_INVALID_VALUE, "the first %d", 1);
    tf_fail(&err, CL_INVALID_EVENT, "the second");
    ck_assert_int_eq(tf_report(&err, "clSomething"), CL_INVALID_VALUE);
    ck_assert_str_eq(message, "clSomething: error -30 (CL_INVALID_VALUE): the first 1");
    ck_assert_int_eq(private_code, CL_INVALID_VALUE);
    tf_core_release(ctx, &tf_class_context);
}
END_TEST

START_TEST(queries_answer)
{
    const cl_context_properties list[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    const struct tf_context_desc desc = {.devices = &core.device,
                                         .device_count = 1,
                                         .properties = list,
                                         .property_count = 3};
    cl_context_properties back[3] = {0};
    cl_device_id device = NULL;
    cl_context ctx = NULL;
    cl_uint n = 0, refs = 0;
    size_t size = 1;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    tf_context_get_info(&err, ctx, CL_CONTEXT_NUM_DEVICES, sizeof(n), &n, NULL);
    ck_assert_uint_eq(n, 1);
    tf_context_get_info(&err, ctx, CL_CONTEXT_DEVICES, sizeof(device), &device, NULL);
    ck_assert_ptr_eq(device, core.device);
    tf_context_get_info(&err, ctx, CL_CONTEXT_REFERENCE_COUNT, sizeof(refs), &refs, NULL);
    ck_assert_uint_eq(refs, 1);
    tf_context_get_info(&err, ctx, CL_CONTEXT_PROPERTIES, sizeof(back), back, &size);
    ck_assert_uint_eq(size, sizeof(back));
    ck_assert_mem_eq(back, list, sizeof(list));
    tf_context_get_info(&err, core.ctx, CL_CONTEXT_PROPERTIES, 0, NULL, &size);
    ck_assert_uint_eq(size, 0);
    ck_assert_int_eq(err.code, CL_SUCCESS);
    ck_assert_int_eq(tf_context_get_info(&err, ctx, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    tf_core_release(ctx, &tf_class_context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("context");
    TCase *tcase = tcase_create("context");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, devices_open_with_the_first_and_close_with_the_last_context);
    tcase_add_test(tcase, device_that_does_not_open_fails_the_context);
    tcase_add_test(tcase, destructors_run_newest_first_after_the_last_reference);
    tcase_add_test(tcase, errors_are_told_to_the_application);
    tcase_add_test(tcase, queries_answer);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
