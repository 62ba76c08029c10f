// SPDX-License-Identifier: MIT
// One thread makes objects and releases them at once; another one uses whatever handle it
// sees. Each call works or is an error.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "support/limits.h"
#include "support/suite.h"

// A sanitizer sees what is wrong without meeting the moment of it.
enum {
    ROUNDS = 30000 / TEST_SLOWER,
    MOST_WAITS = 2000,
    BYTES = 256,
    ITEMS = BYTES / sizeof(cl_int)
};

// How objects of a kind come, go and are used.
struct race {
    void *(*make)(void);
    void (*release)(void *);
    void (*use)(void *);
    unsigned rounds;
};

static void *_Atomic handle;
static atomic_bool stop;
static cl_kernel kernel; // copies the first buffer to the second
static cl_mem other;
static char bytes[BYTES];
static const char source[] = "kernel void copy(global const int *from, global int *to)\n"
                             "{ to[get_global_id(0)] = from[get_global_id(0)]; }\n";

static void *make_and_release(void *arg)
{
    const struct race *race = arg;

    // Each lives a little longer than the last, so that all moments of a use are hit.
    for (unsigned wait = 0; !atomic_load(&stop); wait = (wait + 7) % MOST_WAITS) {
        void *made = race->make();

        atomic_store(&handle, made);
        for (unsigned i = 0; i < wait; i++)
            (void)atomic_load(&stop);
        race->release(made);
    }
    return NULL;
}

static void run(struct race race)
{
    pthread_t thread;

    atomic_store(&stop, false);
    atomic_store(&handle, NULL);
    ck_assert_int_eq(pthread_create(&thread, NULL, make_and_release, &race), 0);
    while (!atomic_load(&handle))
        continue;
    for (unsigned i = 0; i < race.rounds; i++)
        race.use(atomic_load(&handle));
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
}

static void setup(void)
{
    cl_program program;

    tf_api_begin();
    program = tf_api_program(source, "");
    kernel = tf_api_kernel(program, "copy");
    clReleaseProgram(program);
    other = tf_api_buffer(0, BYTES, NULL);
}

static void teardown(void)
{
    clReleaseMemObject(other);
    clReleaseKernel(kernel);
    tf_api_end();
}

// ---- Buffers ----

static void *make_buffer(void)
{
    return clCreateBuffer(tf_api.ctx, 0, BYTES, NULL, NULL);
}

static void *make_sub_buffer(void)
{
    const cl_buffer_region region = {0, BYTES};
    cl_mem parent = clCreateBuffer(tf_api.ctx, 0, 2 * BYTES, NULL, NULL);
    cl_mem part =
        clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);

    clReleaseMemObject(parent);
    return part;
}

static void release_mem(void *mem)
{
    clReleaseMemObject(mem);
}

static void read_it(void *mem)
{
    clEnqueueReadBuffer(tf_api.q, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL);
}

static void write_it(void *mem)
{
    clEnqueueWriteBuffer(tf_api.q, mem, CL_FALSE, 0, BYTES, bytes, 0, NULL, NULL);
}

static void fill_it(void *mem)
{
    const cl_int pattern = 7;

    clEnqueueFillBuffer(tf_api.q, mem, &pattern, sizeof(pattern), 0, BYTES, 0, NULL,
                        NULL);
}

static void copy_it(void *mem)
{
    clEnqueueCopyBuffer(tf_api.q, mem, other, 0, 0, BYTES, 0, NULL, NULL);
}

static void copy_a_box_of_it(void *mem)
{
    const size_t origin[3] = {0}, region[3] = {16, 4, 2};

    clEnqueueCopyBufferRect(tf_api.q, other, mem, origin, origin, region, 16, 64, 16, 64,
                            0, NULL, NULL);
    clEnqueueReadBufferRect(tf_api.q, mem, CL_TRUE, origin, origin, region, 16, 64, 16,
                            64, bytes, 0, NULL, NULL);
}

static void map_it(void *mem)
{
    void *host = clEnqueueMapBuffer(tf_api.q, mem, CL_TRUE, CL_MAP_READ, 0, BYTES, 0,
                                    NULL, NULL, NULL);

    if (host)
        clEnqueueUnmapMemObject(tf_api.q, mem, host, 0, NULL, NULL);
}

static void migrate_it(void *mem)
{
    const cl_mem mems[] = {other, mem};

    clEnqueueMigrateMemObjects(tf_api.q, 2, mems, 0, 0, NULL, NULL);
}

static void CL_CALLBACK do_nothing(void *args)
{
    (void)args;
}

static void pass_it_to_the_host(void *mem)
{
    const cl_mem list = mem;
    void *args[1] = {NULL};
    const void *places[1] = {&args[0]};

    clEnqueueNativeKernel(tf_api.q, do_nothing, args, sizeof(args), 1, &list, places, 0,
                          NULL, NULL);
}

static void launch_with_it(void *mem)
{
    const size_t items = ITEMS;
    const cl_mem arg = mem;

    if (clSetKernelArg(kernel, 0, sizeof(arg), &arg) == CL_SUCCESS &&
        clSetKernelArg(kernel, 1, sizeof(other), &other) == CL_SUCCESS)
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
}

static void query_it(void *mem)
{
    cl_context ctx;

    clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof(ctx), &ctx, NULL);
    if (clRetainMemObject(mem) == CL_SUCCESS)
        clReleaseMemObject(mem);
}

static void (*const uses_of_buffers[])(void *) = {
    read_it,          write_it, fill_it,    copy_it,
    copy_a_box_of_it, map_it,   migrate_it, pass_it_to_the_host,
    launch_with_it,   query_it};
enum { USES_OF_BUFFERS = sizeof(uses_of_buffers) / sizeof(uses_of_buffers[0]) };

START_TEST(buffers_may_be_released_meanwhile)
{
    run((struct race){make_buffer, release_mem, uses_of_buffers[_i], ROUNDS});
}
END_TEST

START_TEST(sub_buffers_may_be_released_meanwhile)
{
    run((struct race){make_sub_buffer, release_mem, uses_of_buffers[_i], ROUNDS});
}
END_TEST

// ---- The other handles of an enqueue ----

static void *make_kernel(void)
{
    return clCloneKernel(kernel, NULL);
}

static void release_kernel(void *made)
{
    clReleaseKernel(made);
}

static void launch_it(void *made)
{
    const size_t items = ITEMS;

    clSetKernelArg(made, 0, sizeof(other), &other);
    clEnqueueNDRangeKernel(tf_api.q, made, 1, NULL, &items, NULL, 0, NULL, NULL);
}

START_TEST(kernels_may_be_released_meanwhile)
{
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(other), &other), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(other), &other), CL_SUCCESS);
    run((struct race){make_kernel, release_kernel, launch_it, ROUNDS});
}
END_TEST

static void *make_queue(void)
{
    return clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, NULL);
}

static void release_queue(void *q)
{
    clReleaseCommandQueue(q);
}

static void enqueue_on_it(void *q)
{
    static char from[BYTES], to[BYTES];

    cl_event ev;

    if (clEnqueueMarker(q, &ev) == CL_SUCCESS)
        clReleaseEvent(ev);
    clEnqueueSVMMemcpy(q, CL_TRUE, to, from, BYTES, 0, NULL, NULL);
    clEnqueueReadBuffer(q, other, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL);
    clFinish(q);
}

START_TEST(queues_may_be_released_meanwhile)
{
    run((struct race){make_queue, release_queue, enqueue_on_it, ROUNDS});
}
END_TEST

static void *make_event(void)
{
    cl_event ev = NULL;

    clEnqueueMarker(tf_api.q, &ev);
    return ev;
}

static void release_event(void *ev)
{
    clReleaseEvent(ev);
}

static void wait_for_it(void *made)
{
    cl_event list[20];

    for (int i = 0; i < 20; i++) // more than a call holds without taking memory
        list[i] = made;
    clEnqueueMarkerWithWaitList(tf_api.q, 20, list, NULL);
    clEnqueueMemFillINTEL(tf_api.q, bytes, "", 1, BYTES, 1, list, NULL);
    clWaitForEvents(2, list);
}

START_TEST(events_may_be_released_meanwhile)
{
    run((struct race){make_event, release_event, wait_for_it, ROUNDS});
}
END_TEST

static void *make_context(void)
{
    return clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, NULL);
}

static void release_context(void *ctx)
{
    clReleaseContext(ctx);
}

static void allocate_in_it(void *ctx)
{
    cl_mem mem = clCreateBuffer(ctx, 0, BYTES, NULL, NULL);
    void *svm = clSVMAlloc(ctx, CL_MEM_READ_WRITE, BYTES, 0);

    if (svm) // it may have been another context, which has freed it
        clSVMFree(ctx, svm);
    if (mem)
        clReleaseMemObject(mem);
}

START_TEST(contexts_may_be_released_meanwhile)
{
    run((struct race){make_context, release_context, allocate_in_it, ROUNDS / 4});
}
END_TEST

// ---- Reports ----

enum { WAITS = 500 };

static atomic_uint bad_reports, reports;

static void CL_CALLBACK ask_the_context(const char *text, const void *info, size_t n,
                                        void *data)
{
    cl_uint count;

    (void)text, (void)info, (void)n;
    atomic_fetch_add(&reports, 1);
    if (clGetContextInfo(*(cl_context *)data, CL_CONTEXT_NUM_DEVICES, sizeof(count),
                         &count, NULL) != CL_SUCCESS)
        atomic_fetch_add(&bad_reports, 1);
}

static atomic_bool waits;

static void *fail_and_release(void *ev)
{
    while (!atomic_load(&waits))
        continue;
    for (unsigned i = 0; i < MOST_WAITS; i++)
        (void)atomic_load(&stop);
    clSetUserEventStatus(ev, -1);
    clReleaseEvent(ev);
    return NULL;
}

// The event that clWaitForEvents() waits for is the last that owns the context.
START_TEST(context_lives_until_the_report_has_ended)
{
    for (int i = 0; i < WAITS; i++) {
        cl_context ctx =
            clCreateContext(NULL, 1, &tf_api.device, ask_the_context, &ctx, NULL);
        cl_event ev = clCreateUserEvent(ctx, NULL);
        pthread_t thread;

        ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
        atomic_store(&waits, false);
        ck_assert_int_eq(pthread_create(&thread, NULL, fail_and_release, ev), 0);
        atomic_store(&waits, true);
        ck_assert_int_lt(clWaitForEvents(1, &ev), 0);
        pthread_join(thread, NULL);
    }
    ck_assert_uint_gt(atomic_load(&reports), 0);
    ck_assert_uint_eq(atomic_load(&bad_reports), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("released_meanwhile");
    TCase *tcase = tcase_create("races");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, buffers_may_be_released_meanwhile, 0, USES_OF_BUFFERS);
    tcase_add_loop_test(tcase, sub_buffers_may_be_released_meanwhile, 0, USES_OF_BUFFERS);
    tcase_add_test(tcase, kernels_may_be_released_meanwhile);
    tcase_add_test(tcase, queues_may_be_released_meanwhile);
    tcase_add_test(tcase, events_may_be_released_meanwhile);
    tcase_add_test(tcase, contexts_may_be_released_meanwhile);
    tcase_add_test(tcase, context_lives_until_the_report_has_ended);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
