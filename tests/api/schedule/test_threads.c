// SPDX-License-Identifier: MIT
// Thirty-two threads use one context at once: its device, a program, a buffer and a queue
// of all, kernels, buffers, events and queues of their own.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "support/suite.h"

enum { THREADS = 32, ROUNDS = 12, ITEMS = 64 };

static const char source[] =
    "kernel void add(global int *p, int value) { p[get_global_id(0)] += value; }\n"
    "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }\n";

static cl_program program;
static cl_command_queue shared; // out of order
static cl_mem all;              // ITEMS ints for each thread
static pthread_barrier_t start;

// Failures of threads other than the test's own; the first line that was not so.
static _Atomic int failed_line;

#define EXPECT(condition)                                                   \
    do {                                                                    \
        int none_ = 0;                                                      \
        if (!(condition))                                                   \
            atomic_compare_exchange_strong(&failed_line, &none_, __LINE__); \
    } while (0)

// A part of the buffer of all, as a sub-buffer.
static cl_mem part_of_all(size_t thread)
{
    const size_t bytes = ITEMS * sizeof(cl_int);
    const cl_buffer_region region = {thread * bytes, bytes};
    cl_int code;
    cl_mem part = clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);

    EXPECT(code == CL_SUCCESS);
    return part;
}

static cl_kernel kernel_on(const char *name, cl_mem mem)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);

    EXPECT(code == CL_SUCCESS);
    EXPECT(clSetKernelArg(kernel, 0, sizeof(mem), &mem) == CL_SUCCESS);
    return kernel;
}

static void launch(cl_command_queue q, cl_kernel kernel, const cl_event *after,
                   cl_event *out)
{
    const size_t items = ITEMS;

    EXPECT(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, NULL, after ? 1 : 0, after,
                                  out) == CL_SUCCESS);
}

// (0 + value) * 2 on the thread's part: written by one queue, read by another.
static void one_round(size_t thread, int round, cl_command_queue own)
{
    const cl_int value = (cl_int)thread * 100 + round;
    const cl_int zero = 0;
    cl_mem part = part_of_all(thread);
    cl_kernel add = kernel_on("add", part), twice = kernel_on("twice", part);
    cl_event filled, added, doubled;
    cl_int got[ITEMS];
    cl_uint refs = 0;

    EXPECT(clSetKernelArg(add, 1, sizeof(value), &value) == CL_SUCCESS);
    EXPECT(clEnqueueFillBuffer(shared, part, &zero, sizeof(zero), 0, sizeof(got), 0, NULL,
                               &filled) == CL_SUCCESS);
    launch(shared, add, &filled, &added);
    EXPECT(clFlush(shared) == CL_SUCCESS);
    launch(own, twice, &added, &doubled);
    EXPECT(clEnqueueReadBuffer(own, part, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL) ==
           CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        EXPECT(got[i] == value * 2);
    EXPECT(clGetEventInfo(doubled, CL_EVENT_REFERENCE_COUNT, sizeof(refs), &refs, NULL) ==
           CL_SUCCESS);
    EXPECT(refs == 1);
    EXPECT(!clReleaseEvent(filled) && !clReleaseEvent(added) && !clReleaseEvent(doubled));
    EXPECT(!clReleaseKernel(add) && !clReleaseKernel(twice) && !clReleaseMemObject(part));
}

static void *work(void *arg)
{
    const size_t thread = (size_t)arg;
    cl_int code;
    cl_command_queue own;

    pthread_barrier_wait(&start);
    EXPECT(clRetainContext(tf_api.ctx) == CL_SUCCESS);
    own = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code);
    EXPECT(code == CL_SUCCESS);
    for (int round = 0; round < ROUNDS; round++)
        one_round(thread, round, own);
    EXPECT(clFinish(shared) == CL_SUCCESS);
    EXPECT(clReleaseCommandQueue(own) == CL_SUCCESS);
    EXPECT(clReleaseContext(tf_api.ctx) == CL_SUCCESS);
    return NULL;
}

static void run_threads(void *(*fn)(void *))
{
    pthread_t threads[THREADS];

    pthread_barrier_init(&start, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fn, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    ck_assert_int_eq(atomic_load(&failed_line), 0);
}

static cl_uint context_refs(void)
{
    cl_uint refs = 0;

    clGetContextInfo(tf_api.ctx, CL_CONTEXT_REFERENCE_COUNT, sizeof(refs), &refs, NULL);
    return refs;
}

START_TEST(one_context_serves_many_threads)
{
    cl_int code;

    program = tf_api_program(source, "");
    all = tf_api_buffer(CL_MEM_READ_WRITE, THREADS * ITEMS * sizeof(cl_int), NULL);
    shared = clCreateCommandQueue(tf_api.ctx, tf_api.device,
                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    run_threads(work);
    ck_assert_uint_eq(context_refs(), 1);
    ck_assert_int_eq(clReleaseCommandQueue(shared), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(all), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(program), CL_SUCCESS);
}
END_TEST

static void *make_and_release(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&start);
    for (int i = 0; i < 50; i++) {
        cl_int code;
        cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, &code);
        cl_command_queue q = clCreateCommandQueue(ctx, tf_api.device, 0, &code);
        cl_event ev = clCreateUserEvent(ctx, &code);

        EXPECT(code == CL_SUCCESS);
        EXPECT(clEnqueueMarkerWithWaitList(q, 1, &ev, NULL) == CL_SUCCESS);
        EXPECT(clReleaseCommandQueue(q) == CL_SUCCESS);
        EXPECT(clReleaseContext(ctx) == CL_SUCCESS);
        EXPECT(clSetUserEventStatus(ev, CL_COMPLETE) == CL_SUCCESS);
        EXPECT(clReleaseEvent(ev) == CL_SUCCESS);
    }
    return NULL;
}

START_TEST(contexts_come_and_go_in_many_threads)
{
    run_threads(make_and_release);
}
END_TEST

// The last release of an object that all threads have retained may come from any of them.
static cl_event common;

static void *retain_and_release(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&start);
    for (int i = 0; i < 200; i++) {
        EXPECT(clRetainEvent(common) == CL_SUCCESS);
        EXPECT(clReleaseEvent(common) == CL_SUCCESS);
    }
    EXPECT(clReleaseEvent(common) == CL_SUCCESS);
    return NULL;
}

START_TEST(any_thread_may_release_last)
{
    common = tf_api_user_event();
    for (int i = 1; i < THREADS; i++)
        ck_assert_int_eq(clRetainEvent(common), CL_SUCCESS);
    run_threads(retain_and_release);
    ck_assert_int_eq(clReleaseEvent(common), CL_INVALID_EVENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, one_context_serves_many_threads);
    tcase_add_test(tcase, contexts_come_and_go_in_many_threads);
    tcase_add_test(tcase, any_thread_may_release_last);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
