// SPDX-License-Identifier: MIT
// cl_intel_exec_by_local_thread: commands of such a queue are run by the thread that
// enqueues them, before the call returns.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "support/api.h"
#include "support/suite.h"

enum { ITEMS = 4096, BYTES = ITEMS * 4, THREADS = 6, ROUNDS = 50, BIG = 8 << 20 };

static const char source[] =
    "kernel void add(global int *p, int v) { p[get_global_id(0)] += v; }\n"
    "kernel void spawn(global int *p) {\n"
    "  for (int i = 0; i < 4; i++)\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "                   ndrange_1D(4096), ^{ atomic_inc(&p[get_global_id(0)]); });\n"
    "}\n";

static cl_program prog;
static cl_mem mem;

static cl_command_queue queue_of(cl_command_queue_properties flags)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_int code;
    cl_command_queue q =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

static void begin(void)
{
    static int zeros[ITEMS];

    tf_api_begin();
    prog = tf_api_program(source, "-cl-std=CL3.0");
    mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, zeros);
}

static void end(void)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static cl_kernel adder(cl_int value)
{
    cl_kernel kernel = tf_api_kernel(prog, "add");

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    return kernel;
}

static void check_all(cl_int value)
{
    static cl_int seen[ITEMS];

    tf_api_read(mem, 0, BYTES, seen);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(seen[i], value);
}

static void has_ended(cl_event ev)
{
    ck_assert_int_eq(tf_api_event_status(ev), CL_COMPLETE);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

START_TEST(commands_have_ended_when_calls_return)
{
    cl_command_queue q = queue_of(CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL |
                                  (_i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
    cl_command_queue_properties flags = 0;
    cl_kernel kernel = adder(3);
    const size_t items = ITEMS;
    char *big = calloc(1, BIG);
    cl_mem large = tf_api_buffer(0, BIG, NULL);
    cl_event ev;

    ck_assert_int_eq(
        clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof(flags), &flags, NULL),
        CL_SUCCESS);
    ck_assert(flags & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(
            clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, NULL, 0, NULL, &ev),
            CL_SUCCESS);
        has_ended(ev);
    }
    check_all(15);
    ck_assert_int_eq(clEnqueueWriteBuffer(q, large, CL_FALSE, 0, BIG, big, 0, NULL, &ev),
                     CL_SUCCESS);
    has_ended(ev);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(q, 0, NULL, &ev), CL_SUCCESS);
    has_ended(ev);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(large), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    free(big);
}
END_TEST

static pthread_t native_thread;

static void CL_CALLBACK note_thread(void *arg)
{
    (void)arg;
    native_thread = pthread_self();
}

static void *set_later(void *user)
{
    usleep(20000);
    clSetUserEventStatus(user, CL_COMPLETE);
    return NULL;
}

// Also where another thread makes it ready.
START_TEST(caller_runs_the_command)
{
    cl_command_queue q = queue_of(CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL);
    cl_int code;
    cl_event user = clCreateUserEvent(tf_api.ctx, &code);
    pthread_t other;
    int word = 0;

    ck_assert_int_eq(clEnqueueNativeKernel(q, note_thread, &word, sizeof(word), 0, NULL,
                                           NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert(pthread_equal(native_thread, pthread_self()));
    memset(&native_thread, 0, sizeof(native_thread));
    ck_assert_int_eq(pthread_create(&other, NULL, set_later, user), 0);
    ck_assert_int_eq(clEnqueueNativeKernel(q, note_thread, &word, sizeof(word), 0, NULL,
                                           NULL, 1, &user, NULL),
                     CL_SUCCESS);
    ck_assert(pthread_equal(native_thread, pthread_self()));
    pthread_join(other, NULL);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

START_TEST(children_and_command_buffers_have_ended)
{
    cl_command_queue q = queue_of(CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL);
    cl_command_queue inner = queue_of(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel spawn = tf_api_kernel(prog, "spawn"), add = adder(1);
    const size_t one = 1, items = ITEMS;
    cl_command_buffer_khr buffer;
    cl_sync_point_khr point;
    cl_event ev;
    cl_int code;

    tf_api_set_arg(spawn, 0, sizeof(mem), &mem);
    ck_assert_int_eq(clEnqueueNDRangeKernel(q, spawn, 1, NULL, &one, NULL, 0, NULL, &ev),
                     CL_SUCCESS);
    has_ended(ev);
    check_all(4);
    buffer = clCreateCommandBufferKHR(1, &q, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &items,
                                               NULL, 0, NULL, &point, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, spawn, 1, NULL, &one,
                                               NULL, 0, NULL, &point, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &ev),
                         CL_SUCCESS);
        has_ended(ev);
    }
    check_all(4 + 3 * 5);
    ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(spawn), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(add), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(inner), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

static void *enqueue_often(void *q)
{
    cl_kernel kernel = adder(1);
    const size_t items = ITEMS;
    int word = 0;

    for (int i = 0; i < ROUNDS; i++) {
        ck_assert_int_eq(
            clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
            CL_SUCCESS);
        ck_assert_int_eq(
            clEnqueueReadBuffer(q, mem, CL_FALSE, 0, sizeof(word), &word, 0, NULL, NULL),
            CL_SUCCESS);
        ck_assert_int_ge(word, i + 1);
    }
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    return NULL;
}

START_TEST(threads_take_turns_in_one_queue)
{
    cl_command_queue q = queue_of(CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL);
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, enqueue_often, q), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_all(THREADS * ROUNDS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local thread");
    TCase *tests = tcase_create("local thread");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, commands_have_ended_when_calls_return, 0, 2);
    tcase_add_test(tests, caller_runs_the_command);
    tcase_add_test(tests, children_and_command_buffers_have_ended);
    tcase_add_test(tests, threads_take_turns_in_one_queue);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
