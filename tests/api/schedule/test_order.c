// SPDX-License-Identifier: MIT
// What runs before what: queues, wait lists, barriers, failures, callbacks; on one worker
// thread, on two and on seven. Commands are host functions that note when they ran.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/api.h"
#include "support/limits.h"
#include "support/suite.h"

static void begin_with(const char *threads)
{
    setenv("TREFOIL_THREADS", threads, 1); // nothing has read a setting yet
    tf_api_begin();
}

static void begin_with_1(void)
{
    begin_with("1");
}

static void begin_with_2(void)
{
    begin_with("2");
}

static void begin_with_7(void)
{
    begin_with("7");
}

static cl_command_queue new_queue(cl_command_queue_properties flags)
{
    cl_int code;
    cl_command_queue q = clCreateCommandQueue(tf_api.ctx, tf_api.device, flags, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

static void release(cl_event event)
{
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}

static cl_int status_of(cl_event event)
{
    cl_int status = 1;

    ck_assert_int_eq(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                    sizeof(status), &status, NULL),
                     CL_SUCCESS);
    return status;
}

// A command that calls fn with the address of a copy of `arg`.
static cl_event enqueue(cl_command_queue q, void(CL_CALLBACK *fn)(void *), void *arg,
                        cl_uint dep_count, const cl_event *deps)
{
    cl_event event = NULL;

    ck_assert_int_eq(clEnqueueNativeKernel(q, fn, &arg, sizeof(arg), 0, NULL, NULL,
                                           dep_count, deps, &event),
                     CL_SUCCESS);
    return event;
}

static void wait_for(atomic_int *value, int wanted)
{
    ck_assert(TEST_UNTIL(atomic_load(value) == wanted));
}

// ---- Order ----

enum { QUEUES = 3, COMMANDS = 400, MAX_DEPS = 4 };

struct command {
    atomic_int ran_at; // 0: not yet
    cl_event event;
    int queue;
    int deps[MAX_DEPS]; // indices of commands
    cl_uint dep_count;
    int barrier; // index of the barrier of its queue that it comes after, or -1
    int before;  // in-order: the command before it in its queue, or -1
    bool is_barrier;
};

static struct command commands[COMMANDS];
static atomic_int clock_now;

static void CL_CALLBACK note(void *arg)
{
    struct command *c = *(struct command **)arg;

    atomic_store(&c->ran_at, atomic_fetch_add(&clock_now, 1) + 1);
}

static void enqueue_one(cl_command_queue q, struct command *c)
{
    cl_event deps[MAX_DEPS];

    for (cl_uint i = 0; i < c->dep_count; i++)
        deps[i] = commands[c->deps[i]].event;
    if (c->is_barrier)
        ck_assert_int_eq(clEnqueueBarrierWithWaitList(
                             q, c->dep_count, c->dep_count ? deps : NULL, &c->event),
                         CL_SUCCESS);
    else
        c->event = enqueue(q, note, c, c->dep_count, c->dep_count ? deps : NULL);
}

static bool ran_before(int first, const struct command *second)
{
    return first < 0 || commands[first].is_barrier ||
           atomic_load(&commands[first].ran_at) < atomic_load(&second->ran_at);
}

static void check_one(int n)
{
    const struct command *c = &commands[n];

    ck_assert_int_eq(status_of(c->event), CL_COMPLETE);
    if (c->is_barrier)
        return;
    ck_assert_int_gt(atomic_load(&c->ran_at), 0);
    for (cl_uint i = 0; i < c->dep_count; i++)
        ck_assert(ran_before(c->deps[i], c));
    ck_assert(ran_before(c->before, c));
    // A barrier without a wait list: what its queue had before it comes before this.
    for (int i = 0; i < c->barrier && commands[c->barrier].dep_count == 0; i++)
        if (commands[i].queue == c->queue)
            ck_assert(ran_before(i, c));
    for (cl_uint i = 0; c->barrier >= 0 && i < commands[c->barrier].dep_count; i++)
        ck_assert(ran_before(commands[c->barrier].deps[i], c));
}

START_TEST(random_graphs_keep_every_order)
{
    cl_command_queue queues[QUEUES];
    int last[QUEUES] = {-1, -1, -1}, barrier[QUEUES] = {-1, -1, -1};
    unsigned seed = (unsigned)_i + 1;

    for (int i = 0; i < QUEUES; i++)
        queues[i] = new_queue(i == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int n = 0; n < COMMANDS; n++) {
        struct command *c = &commands[n];

        c->queue = rand_r(&seed) % QUEUES;
        c->is_barrier = rand_r(&seed) % 12 == 0;
        c->dep_count =
            n == 0 || rand_r(&seed) % 2 ? 0 : (cl_uint)rand_r(&seed) % MAX_DEPS;
        for (cl_uint i = 0; i < c->dep_count; i++)
            c->deps[i] = rand_r(&seed) % n;
        c->barrier = barrier[c->queue];
        c->before = c->queue == 0 ? last[0] : -1;
        enqueue_one(queues[c->queue], c);
        last[c->queue] = n;
        if (c->is_barrier)
            barrier[c->queue] = n;
    }
    for (int i = 0; i < QUEUES; i++)
        ck_assert_int_eq(clFinish(queues[i]), CL_SUCCESS);
    for (int n = 0; n < COMMANDS; n++)
        check_one(n);
    for (int n = 0; n < COMMANDS; n++)
        release(commands[n].event);
    for (int i = 0; i < QUEUES; i++)
        ck_assert_int_eq(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
}
END_TEST

static atomic_int arrived;

static void CL_CALLBACK meet(void *arg)
{
    (void)arg;
    atomic_fetch_add(&arrived, 1);
    wait_for(&arrived, 2);
}

// Each of two commands ends only once the other one runs.
START_TEST(out_of_order_commands_run_at_the_same_time)
{
    cl_command_queue q = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

    for (int i = 0; i < 2; i++)
        release(enqueue(q, meet, NULL, 0, NULL));
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

// ---- Failures ----

static atomic_int told[3]; // by CL_SUBMITTED, CL_RUNNING, CL_COMPLETE
static atomic_int told_count;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *data)
{
    (void)event;
    atomic_store(&told[(size_t)data], status);
    atomic_fetch_add(&told_count, 1);
}

static void listen_to(cl_event event)
{
    const cl_int when[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};

    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(clSetEventCallback(event, when[i], tell, (void *)i), CL_SUCCESS);
}

START_TEST(callbacks_come_for_each_status)
{
    cl_event gate = tf_api_user_event();
    cl_event event = enqueue(tf_api.q, note, &commands[0], 1, &gate);

    listen_to(event);
    ck_assert_int_eq(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    wait_for(&told_count, 3);
    ck_assert_int_eq(atomic_load(&told[0]), CL_SUBMITTED);
    ck_assert_int_eq(atomic_load(&told[1]), CL_RUNNING);
    ck_assert_int_eq(atomic_load(&told[2]), CL_COMPLETE);
    release(event);
    release(gate);
}
END_TEST

START_TEST(failure_passes_through_other_queues)
{
    cl_command_queue other = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = tf_api_user_event();
    cl_event first = enqueue(tf_api.q, note, &commands[0], 1, &gate);
    cl_event second = enqueue(other, note, &commands[1], 1, &first), marker;
    cl_event after = enqueue(tf_api.q, note, &commands[2], 0, NULL);

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 1, &second, &marker),
                     CL_SUCCESS);
    listen_to(marker);
    ck_assert_int_eq(clSetUserEventStatus(gate, -7), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &marker),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clFinish(other), CL_SUCCESS);
    ck_assert_int_lt(status_of(first), 0);
    ck_assert_int_lt(status_of(second), 0);
    ck_assert_int_lt(status_of(marker), 0);
    ck_assert_int_eq(status_of(after),
                     CL_COMPLETE); // the queue's order hands on no error
    wait_for(&told_count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_lt(atomic_load(&told[i]), 0);
    ck_assert_int_eq(atomic_load(&commands[0].ran_at), 0);
    ck_assert_int_eq(atomic_load(&commands[1].ran_at), 0);
    release(gate);
    release(first);
    release(second);
    release(marker);
    release(after);
    ck_assert_int_eq(clReleaseCommandQueue(other), CL_SUCCESS);
}
END_TEST

// ---- Life ----

START_TEST(queue_is_released_with_work_outstanding)
{
    cl_command_queue q = new_queue(_i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0), of;
    cl_event gate = tf_api_user_event();
    cl_event events[20];

    for (int i = 0; i < 20; i++)
        events[i] = enqueue(q, note, &commands[i], i % 3 == 0, i % 3 ? NULL : &gate);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(20, events), CL_SUCCESS);
    for (int i = 0; i < 20; i++) {
        ck_assert_int_gt(atomic_load(&commands[i].ran_at), 0);
        ck_assert_int_eq(
            clGetEventInfo(events[i], CL_EVENT_COMMAND_QUEUE, sizeof(of), &of, NULL),
            CL_SUCCESS);
        ck_assert_ptr_eq(of, q);
        release(events[i]);
    }
    release(gate);
}
END_TEST

START_TEST(times_never_fall)
{
    cl_command_queue q = new_queue(CL_QUEUE_PROFILING_ENABLE |
                                   (_i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
    cl_event events[30];

    for (int i = 0; i < 30; i++) {
        if (i % 5 == 4)
            ck_assert_int_eq(clEnqueueMarkerWithWaitList(q, 0, NULL, &events[i]),
                             CL_SUCCESS);
        else
            events[i] =
                enqueue(q, note, &commands[i], i % 2, i % 2 ? &events[i - 1] : NULL);
    }
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    for (int i = 0; i < 30; i++) {
        cl_ulong before = 1, now = 0;

        for (cl_profiling_info p = CL_PROFILING_COMMAND_QUEUED;
             p <= CL_PROFILING_COMMAND_COMPLETE; p++) {
            ck_assert_int_eq(
                clGetEventProfilingInfo(events[i], p, sizeof(now), &now, NULL),
                CL_SUCCESS);
            ck_assert_uint_ge(now, before);
            before = now;
        }
        release(events[i]);
    }
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

// ---- Callbacks that block ----

static atomic_int blocked_done;

static void CL_CALLBACK run_more_and_wait(cl_event event, cl_int status, void *data)
{
    cl_command_queue other = new_queue(0);

    (void)event, (void)status, (void)data;
    // Host functions are left to the workers, this thread must not be the only one.
    release(enqueue(other, note, &commands[1], 0, NULL));
    ck_assert_int_eq(clFinish(other), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(other), CL_SUCCESS);
    atomic_fetch_add(&blocked_done, 1);
}

START_TEST(callback_may_wait_for_work_of_its_own)
{
    for (int i = 1; i <= 50; i++) {
        cl_event event = enqueue(tf_api.q, note, &commands[0], 0, NULL);

        ck_assert_int_eq(clSetEventCallback(event, CL_COMPLETE, run_more_and_wait, NULL),
                         CL_SUCCESS);
        release(event);
        wait_for(&blocked_done, i);
    }
}
END_TEST

static atomic_int gate_open;

static void CL_CALLBACK wait_at_gate(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    wait_for(&gate_open, 1);
    atomic_fetch_add(&blocked_done, 1);
}

// The command stream goes on while a callback blocks.
START_TEST(blocked_callback_holds_up_no_command)
{
    cl_event event = enqueue(tf_api.q, note, &commands[0], 0, NULL);

    ck_assert_int_eq(clSetEventCallback(event, CL_COMPLETE, wait_at_gate, NULL),
                     CL_SUCCESS);
    for (int i = 1; i < 200; i++)
        release(enqueue(tf_api.q, note, &commands[i], 0, NULL));
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    for (int i = 1; i < 200; i++)
        ck_assert_int_gt(atomic_load(&commands[i].ran_at), 0);
    atomic_store(&gate_open, 1);
    wait_for(&blocked_done, 1);
    release(event);
}
END_TEST

static TCase *new_case(const char *name, void (*begin)(void))
{
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, begin, tf_api_end);
    tcase_add_loop_test(tcase, random_graphs_keep_every_order, 0, 5);
    tcase_add_test(tcase, callbacks_come_for_each_status);
    tcase_add_test(tcase, failure_passes_through_other_queues);
    tcase_add_loop_test(tcase, queue_is_released_with_work_outstanding, 0, 2);
    tcase_add_loop_test(tcase, times_never_fall, 0, 2);
    tcase_add_test(tcase, callback_may_wait_for_work_of_its_own);
    tcase_add_test(tcase, blocked_callback_holds_up_no_command);
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("order");
    TCase *two = new_case("two workers", begin_with_2);

    tcase_add_test(two, out_of_order_commands_run_at_the_same_time);
    suite_add_tcase(suite, new_case("one worker", begin_with_1));
    suite_add_tcase(suite, two);
    suite_add_tcase(suite, new_case("seven workers", begin_with_7));
    return tf_run_suite(suite);
}
