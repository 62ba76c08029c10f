// SPDX-License-Identifier: MIT
#include "support/core_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "core/platform/context.h"

static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);
static struct tf_cond told = TF_COND_INITIALIZER;
static char all[200]; // messages that came

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes,
                               void *data)
{
    ck_assert_ptr_eq(data, all);
    ck_assert_ptr_null(info);
    ck_assert_uint_eq(bytes, 0);
    tf_lock(&lock);
    strcat(all, text);
    tf_cond_signal_all(&told);
    tf_unlock(&lock);
}

static void wait_for(const char *text)
{
    tf_lock(&lock);
    while (strcmp(all, text) != 0)
        tf_cond_wait(&told, &lock);
    tf_unlock(&lock);
}

// The message is copied, and the context lives until it has been told.
START_TEST(messages_come_in_order)
{
    const struct tf_context_desc desc = {
        .devices = &core.device, .device_count = 1, .notify = notify, .notify_data = all};
    cl_context ctx = NULL;
    char text[] = "one;";
    cl_event ev;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    ev = tf_event_new_user(ctx);
    ck_assert_ptr_nonnull(ev);
    tf_command_said(&ev->cmd, text);
    strcpy(text, "two;");
    tf_command_said(&ev->cmd, text);
    tf_unref(ev);
    tf_core_release(ctx, &tf_class_context);
    wait_for("one;two;");
}
END_TEST

START_TEST(nobody_has_to_listen)
{
    cl_event ev = tf_core_user_event(&core);

    tf_command_said(&ev->cmd, "nobody hears this");
    tf_event_finish(ev, CL_COMPLETE);
    tf_core_release(ev, &tf_class_event);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("event_message");
    TCase *tcase = tcase_create("event_message");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, messages_come_in_order);
    tcase_add_test(tcase, nobody_has_to_listen);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
