// SPDX-License-Identifier: MIT
#include "support/core_fixture.h"

#include <string.h>

// A queue has the plainest destructor of the real classes.
static cl_command_queue new_queue(void)
{
    return tf_core_queue(&core, 0);
}

START_TEST(new_object_is_zeroed_and_alive)
{
    cl_event ev = tf_object_new(&tf_class_event, core.ctx, 100);
    const unsigned char *extra = (const unsigned char *)(ev + 1);

    ck_assert(!tf_object_ok(ev, &tf_class_event)); // nobody has the handle
    ck_assert_uint_eq(tf_object_user_refs(ev), 0);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(extra[i], 0);
    tf_mutex_init(&ev->lock, TF_RANK_EVENT);
    tf_unref(ev);
}
END_TEST

START_TEST(wrong_class_and_null_are_rejected)
{
    cl_command_queue q = new_queue();

    ck_assert(!tf_object_ok(NULL, &tf_class_queue));
    ck_assert(!tf_object_ok(core.ctx, &tf_class_queue));
    ck_assert(!tf_object_ok(q, &tf_class_event));
    ck_assert_int_eq(tf_object_release(&err, q, &tf_class_event), CL_INVALID_EVENT);
    ck_assert_int_eq(tf_object_retain(&err, core.ctx, &tf_class_queue),
                     CL_INVALID_COMMAND_QUEUE);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(second_release_is_the_class_error)
{
    cl_command_queue q = new_queue();
    cl_event ev = tf_core_user_event(&core);

    tf_core_release(q, &tf_class_queue);
    ck_assert_int_eq(tf_object_release(&err, q, &tf_class_queue),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(tf_object_retain(&err, q, &tf_class_queue),
                     CL_INVALID_COMMAND_QUEUE);
    tf_core_release(ev, &tf_class_event);
    ck_assert_int_eq(tf_object_release(&err, ev, &tf_class_event), CL_INVALID_EVENT);
}
END_TEST

START_TEST(release_at_zero_users_is_the_class_error_while_it_lives)
{
    cl_command_queue q = new_queue();

    tf_ref(q);
    tf_core_release(q, &tf_class_queue);
    ck_assert(tf_object_ok(q, &tf_class_queue));
    ck_assert_int_eq(tf_object_release(&err, q, &tf_class_queue),
                     CL_INVALID_COMMAND_QUEUE);
    // The application got the handle from a query: it may become an owner again.
    ck_assert_int_eq(tf_object_retain(&err, q, &tf_class_queue), CL_SUCCESS);
    ck_assert_uint_eq(tf_object_user_refs(q), 1);
    tf_unref(q);
    ck_assert(tf_object_ok(q, &tf_class_queue));
    tf_core_release(q, &tf_class_queue);
    ck_assert(!tf_object_ok(q, &tf_class_queue));
}
END_TEST

START_TEST(dead_object_keeps_its_dispatch_word)
{
    static const int marker;
    cl_command_queue q;

    tf_object_set_dispatch((const struct tf_dispatch *)&marker);
    tf_object_set_disp_data(&core);
    q = new_queue();
    tf_core_release(q, &tf_class_queue);
    ck_assert_ptr_eq(((struct tf_object *)q)->dispatch, &marker);
    ck_assert_ptr_eq(((struct tf_object *)q)->disp_data, &core);
    tf_object_set_dispatch(NULL);
    tf_object_set_disp_data(NULL);
}
END_TEST

START_TEST(generation_counts_the_lives_of_a_slot)
{
    cl_command_queue first = new_queue(), q = NULL;
    const uint32_t generation = ((struct tf_object *)first)->generation;

    tf_core_release(first, &tf_class_queue);
    for (int i = 0; i < 10000 && q != first; i++) { // slots come back in turn
        q = new_queue();
        tf_core_release(q, &tf_class_queue);
    }
    ck_assert_ptr_eq(q, first);
    ck_assert_uint_eq(((struct tf_object *)first)->generation, generation + 1);
}
END_TEST

START_TEST(user_count_is_apart_from_owners)
{
    cl_command_queue q = new_queue();

    tf_ref(q);
    ck_assert_int_eq(tf_object_retain(&err, q, &tf_class_queue), CL_SUCCESS);
    ck_assert_uint_eq(tf_object_user_refs(q), 2);
    tf_unref(q);
    tf_core_release(q, &tf_class_queue);
    ck_assert_uint_eq(tf_object_user_refs(q), 1);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

enum { THREADS = 4, ROUNDS = 20000 };

static void *retain_and_release(void *handle)
{
    struct tf_err e = {0};

    for (int i = 0; i < ROUNDS; i++) {
        tf_object_retain(&e, handle, &tf_class_queue);
        tf_object_release(&e, handle, &tf_class_queue);
    }
    return e.code ? NULL : handle;
}

START_TEST(counts_are_exact_between_threads)
{
    cl_command_queue q = new_queue();
    pthread_t threads[THREADS];
    void *result;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, retain_and_release, q);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, q);
    }
    ck_assert_uint_eq(tf_object_user_refs(q), 1);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static void *make_and_drop(void *arg)
{
    struct tf_core *c = arg;

    for (int i = 0; i < 2000; i++) {
        cl_event ev = tf_event_new(c->ctx, NULL, CL_COMMAND_USER, (unsigned)i % 50, 0);

        if (!ev)
            return NULL;
        tf_unref(ev);
    }
    return arg;
}

START_TEST(slabs_serve_several_threads)
{
    pthread_t threads[THREADS];
    void *result;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, make_and_drop, &core);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, &core);
    }
}
END_TEST

// Each event holds the one before it: dropping the last one drops all.
START_TEST(chain_of_200000_references_dies_without_recursion)
{
    cl_event last = NULL;

    for (int i = 0; i < 200000; i++) {
        cl_event ev = tf_event_new(core.ctx, NULL, CL_COMMAND_USER, 0, 1);

        ck_assert_ptr_nonnull(ev);
        if (last) {
            tf_event_hold(ev, last);
            tf_unref(last);
        }
        last = ev;
    }
    tf_unref(last);
}
END_TEST

START_TEST(sizes_that_no_memory_can_hold_are_refused)
{
    ck_assert_ptr_null(tf_object_new(&tf_class_event, core.ctx, SIZE_MAX / 2));
    ck_assert_ptr_null(tf_object_new(&tf_class_event, core.ctx, SIZE_MAX));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("object");
    TCase *tcase = tcase_create("object");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, new_object_is_zeroed_and_alive);
    tcase_add_test(tcase, wrong_class_and_null_are_rejected);
    tcase_add_test(tcase, second_release_is_the_class_error);
    tcase_add_test(tcase, release_at_zero_users_is_the_class_error_while_it_lives);
    tcase_add_test(tcase, dead_object_keeps_its_dispatch_word);
    tcase_add_test(tcase, generation_counts_the_lives_of_a_slot);
    tcase_add_test(tcase, user_count_is_apart_from_owners);
    tcase_add_test(tcase, counts_are_exact_between_threads);
    tcase_add_test(tcase, slabs_serve_several_threads);
    tcase_add_test(tcase, chain_of_200000_references_dies_without_recursion);
    tcase_add_test(tcase, sizes_that_no_memory_can_hold_are_refused);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
