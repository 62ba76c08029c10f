// SPDX-License-Identifier: MIT
// Eight threads replay command buffers: one of all of them, and one of each, which it
// updates while its runs are in flight.
#include "api/command_buffer_rig.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/suite.h"

enum { THREADS = 8, RUNS = 60, STEPS = 20 };

static cl_command_buffer_khr shared;
static cl_mem counts; // STEPS ints
static pthread_barrier_t start;

// Failures of threads other than the test's own; the first line that was not so.
static _Atomic int failed_line;

#define EXPECT(condition)                                                   \
    do {                                                                    \
        int none_ = 0;                                                      \
        if (!(condition))                                                   \
            atomic_compare_exchange_strong(&failed_line, &none_, __LINE__); \
    } while (0)

static const char source[] =
    "kernel void count(global int *p, int at) { atomic_inc(&p[at]); }\n"
    "kernel void add(global int *p, int v) { p[get_global_id(0)] += v; }\n";

static cl_program prog;

// ---- One command buffer of all threads ----

static void *replay(void *arg)
{
    cl_command_queue q = rig_queue((cl_command_queue_properties)(uintptr_t)arg);
    cl_event ev = NULL;

    pthread_barrier_wait(&start);
    for (int i = 0; i < RUNS; i++) {
        cl_event next;

        EXPECT(clEnqueueCommandBufferKHR(1, &q, shared, i % 3 == 2,
                                         i % 3 == 2 ? &ev : NULL, &next) == CL_SUCCESS);
        if (ev)
            clReleaseEvent(ev);
        ev = next;
        if (i % 7 == 0)
            EXPECT(clWaitForEvents(1, &ev) == CL_SUCCESS);
    }
    EXPECT(clFinish(q) == CL_SUCCESS);
    clReleaseEvent(ev);
    clReleaseCommandQueue(q);
    return NULL;
}

static void record_counts(void)
{
    cl_kernel kernel = tf_api_kernel(prog, "count");
    const size_t items = 64, local = 8;

    shared = rig_buffer(rig.out_of_order, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    tf_api_set_arg(kernel, 0, sizeof(counts), &counts);
    for (cl_int i = 0; i < STEPS; i++) {
        tf_api_set_arg(kernel, 1, sizeof(i), &i);
        ck_assert_int_eq(clCommandNDRangeKernelKHR(shared, NULL, NULL, kernel, 1, NULL,
                                                   &items, &local, 0, NULL, NULL, NULL),
                         CL_SUCCESS);
        if (i % 5 == 4)
            ck_assert_int_eq(
                clCommandBarrierWithWaitListKHR(shared, NULL, NULL, 0, NULL, NULL, NULL),
                CL_SUCCESS);
    }
    rig_finalize(shared);
    clReleaseKernel(kernel);
}

START_TEST(one_buffer_runs_for_eight_threads)
{
    static int zeros[STEPS];
    pthread_t threads[THREADS];
    int seen[STEPS];

    prog = tf_api_program(source, "");
    counts = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zeros), zeros);
    record_counts();
    pthread_barrier_init(&start, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, replay,
                           (void *)(i % 2 * CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)),
            0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&failed_line), 0);
    tf_api_read(counts, 0, sizeof(seen), seen);
    for (int i = 0; i < STEPS; i++)
        ck_assert_int_eq(seen[i], THREADS * RUNS * 64);
    pthread_barrier_destroy(&start);
    rig_release(shared);
    clReleaseMemObject(counts);
    clReleaseProgram(prog);
}
END_TEST

// ---- Each its own, with updates ----

static void update(cl_command_buffer_khr buffer, cl_mutable_command_khr command,
                   const cl_int *value, const cl_mem *mem)
{
    const cl_command_buffer_update_type_khr type =
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const cl_mutable_dispatch_arg_khr args[] = {{1, sizeof(*value), value},
                                                {0, sizeof(*mem), mem}};
    const cl_mutable_dispatch_config_khr config = {
        .command = command, .num_args = 2, .arg_list = args};
    const void *configs[] = {&config};

    EXPECT(clUpdateMutableCommandsKHR(buffer, 1, &type, configs) == CL_SUCCESS);
}

// Each run adds its number to one of two buffers.
static void run_updated(cl_command_queue q, cl_command_buffer_khr buffer,
                        cl_mutable_command_khr command)
{
    cl_mem mems[2];
    cl_int sums[2] = {0, 0}, seen[ITEMS];

    for (int i = 0; i < 2; i++) {
        static int zeros[ITEMS];

        mems[i] = clCreateBuffer(tf_api.ctx, CL_MEM_COPY_HOST_PTR, BYTES, zeros, NULL);
    }
    for (cl_int i = 0; i < RUNS; i++) {
        update(buffer, command, &i, &mems[i % 2]);
        EXPECT(clEnqueueCommandBufferKHR(1, &q, buffer, 0, NULL, NULL) == CL_SUCCESS);
        sums[i % 2] += i;
        if (i % 10 == 9)
            EXPECT(clFinish(q) == CL_SUCCESS);
    }
    for (int i = 0; i < 2; i++) {
        EXPECT(clEnqueueReadBuffer(q, mems[i], CL_TRUE, 0, BYTES, seen, 0, NULL, NULL) ==
               CL_SUCCESS);
        for (int k = 0; k < ITEMS; k++)
            EXPECT(seen[k] == sums[i]);
        clReleaseMemObject(mems[i]);
    }
}

static void *replay_own(void *arg)
{
    cl_command_queue q = rig_queue(0);
    cl_command_buffer_khr buffer = rig_buffer(q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr command = NULL;
    const size_t items = ITEMS;

    EXPECT(clCommandNDRangeKernelKHR(buffer, NULL, NULL, arg, 1, NULL, &items, NULL, 0,
                                     NULL, NULL, &command) == CL_SUCCESS);
    EXPECT(clFinalizeCommandBufferKHR(buffer) == CL_SUCCESS);
    pthread_barrier_wait(&start);
    run_updated(q, buffer, command);
    clReleaseCommandBufferKHR(buffer);
    clReleaseCommandQueue(q);
    return NULL;
}

START_TEST(eight_threads_update_their_own)
{
    const cl_int zero = 0;
    cl_kernel kernel;
    pthread_t threads[THREADS];

    prog = tf_api_program(source, "");
    kernel = tf_api_kernel(prog, "add");
    tf_api_set_arg(kernel, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(kernel, 1, sizeof(zero), &zero);
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, replay_own, kernel), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&failed_line), 0);
    pthread_barrier_destroy(&start);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api_command_buffer_threads");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, rig_begin, rig_end);
    tcase_add_test(tests, one_buffer_runs_for_eight_threads);
    tcase_add_test(tests, eight_threads_update_their_own);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
