// SPDX-License-Identifier: MIT
// Makes the n-th allocation of each creation fail, until none is left to fail: every
// failure is an error code and leaves nothing behind.
#include "support/core.h"

#include "base/alloc.h"
#include "core/object/notifier.h"
#include "support/suite.h"

static struct tf_core core;

static void setup(void)
{
    core = tf_core_begin(1);
}

static void teardown(void)
{
    tf_alloc_fail_at(-1);
    tf_core_end(&core);
}

enum { MANY = 1000 };

// Runs make() with the n-th allocation failing for n = 0, 1 ... until it succeeds;
// returns how often it failed.
static int failures(bool (*make)(struct tf_err *))
{
    for (int n = 0; n < MANY; n++) {
        const long blocks = tf_alloc_live(), objects = tf_object_live();
        struct tf_err err = {0};
        bool made;

        tf_alloc_fail_at(n);
        made = make(&err);
        tf_alloc_fail_at(-1);
        if (made) {
            ck_assert_int_eq(err.code, CL_SUCCESS);
            return n;
        }
        ck_assert_int_eq(err.code, CL_OUT_OF_HOST_MEMORY);
        ck_assert_int_eq(tf_alloc_live(), blocks);
        ck_assert_int_eq(tf_object_live(), objects);
    }
    ck_abort_msg("never succeeds");
    return 0;
}

static bool make_context(struct tf_err *err)
{
    const cl_context_properties list[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, 0};
    const struct tf_context_desc desc = {.devices = &core.device,
                                         .device_count = 1,
                                         .properties = list,
                                         .property_count = 3};
    cl_context ctx = NULL;

    if (tf_context_create(err, &desc, &ctx))
        return false;
    tf_core_release(ctx, &tf_class_context);
    return true;
}

START_TEST(context)
{
    ck_assert_int_ge(failures(make_context), 2);
}
END_TEST

static void CL_CALLBACK nothing(cl_context ctx, void *data)
{
    (void)ctx, (void)data;
}

static bool add_destructor(struct tf_err *err)
{
    return !tf_destructors_add(
        err, &core.ctx->destructors,
        &(struct tf_destructor){.ctx = core.ctx, .ctx_fn = nothing, .data = NULL});
}

START_TEST(destructor)
{
    ck_assert_int_eq(failures(add_destructor), 1);
}
END_TEST

static bool make_queue(struct tf_err *err)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const struct tf_queue_desc desc = {.device = core.device,
                                       .flags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                       .properties = list,
                                       .property_count = 3};
    cl_command_queue q = NULL;

    if (tf_queue_create(err, core.ctx, &desc, &q))
        return false;
    tf_core_release(q, &tf_class_queue);
    return true;
}

START_TEST(queue)
{
    ck_assert_int_ge(failures(make_queue), 3);
}
END_TEST

static cl_command_queue shared;

static bool make_marker(struct tf_err *err)
{
    cl_event ev = tf_queue_new_command(err, shared, CL_COMMAND_MARKER, 3, 2);

    tf_unref(ev);
    return ev;
}

START_TEST(marker)
{
    shared = tf_core_queue(&core, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    ck_assert_int_ge(failures(make_marker), 2);
    tf_core_release(shared, &tf_class_queue);
}
END_TEST

static bool finish(struct tf_err *err)
{
    return !tf_queue_finish(err, shared);
}

START_TEST(finish_of_a_busy_queue)
{
    cl_event user = tf_core_user_event(&core), ev;
    struct tf_err err = {0};

    shared = tf_core_queue(&core, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    ev = tf_core_enqueue(shared, NULL, NULL, 1, &user);
    tf_alloc_fail_at(0);
    ck_assert_int_eq(tf_queue_finish(&err, shared), CL_OUT_OF_HOST_MEMORY);
    tf_event_finish(user, CL_COMPLETE);
    tf_event_wait(ev);
    ck_assert_int_eq(failures(finish), 0); // an idle queue needs no memory
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(shared, &tf_class_queue);
    shared = tf_core_queue(&core, 0); // an in-order queue never does
    user = tf_core_user_event(&core);
    ev = tf_core_enqueue(shared, NULL, NULL, 1, &user);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(failures(finish), 0);
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(shared, &tf_class_queue);
}
END_TEST

static cl_event watched;

static void CL_CALLBACK ignore(cl_event ev, cl_int status, void *data)
{
    (void)ev, (void)status, (void)data;
}

static bool add_callback(struct tf_err *err)
{
    return !tf_event_add_callback(err, watched, CL_COMPLETE, ignore, NULL);
}

START_TEST(callback)
{
    watched = tf_core_user_event(&core);
    ck_assert_int_eq(failures(add_callback), 1);
    tf_core_release(watched, &tf_class_event);
}
END_TEST

struct count {
    struct tf_job job;
    int runs;
};

static void count_job(struct tf_job *job)
{
    tf_container_of(job, struct count, job)->runs++;
}

// Posting cannot fail: with no memory for a thread, the job runs here.
START_TEST(notifier_without_a_thread)
{
    struct count c = {.job.run = count_job};

    tf_alloc_fail_at(0);
    tf_notifier_post(&c.job);
    ck_assert_int_eq(c.runs, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("oom");
    TCase *tcase = tcase_create("oom");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, context);
    tcase_add_test(tcase, destructor);
    tcase_add_test(tcase, queue);
    tcase_add_test(tcase, marker);
    tcase_add_test(tcase, finish_of_a_busy_queue);
    tcase_add_test(tcase, callback);
    tcase_add_test(tcase, notifier_without_a_thread);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
