// SPDX-License-Identifier: MIT
// Forks at random moments while other threads work: the child must neither hang on a lock
// that a thread of the parent held nor get a wrong result.
#include "support/api.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

enum { THREADS_MAX = 3, FORKS = 100, WORDS = 1024, ROUNDS = 10 };

// The sanitizers' own allocators hang in a child if another thread was inside them
// (support/forks.h).
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const int thread_count = 0;
#else
static const int thread_count = THREADS_MAX;
#endif

static cl_device_id whole;
static atomic_bool stop;

// Writes, reads back and compares. 0, or the step that failed.
static int use_queue(cl_command_queue q, cl_mem mem)
{
    int to[WORDS], from[WORDS];
    cl_event event;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++)
            to[i] = i + round;
        if (clEnqueueWriteBuffer(q, mem, round % 2 ? CL_TRUE : CL_FALSE, 0, sizeof(to),
                                 to, 0, NULL, &event))
            return 4;
        if (clReleaseEvent(event) ||
            clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(from), from, 0, NULL, NULL))
            return 5;
        if (memcmp(to, from, sizeof(to)))
            return 6;
        if (clEnqueueBarrierWithWaitList(q, 0, NULL, NULL) || clFinish(q))
            return 7;
    }
    return 0;
}

static int use_device(cl_device_id device)
{
    cl_int code;
    cl_context ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue q;
    cl_mem mem;
    int step;

    if (code)
        return 1;
    q = clCreateCommandQueue(ctx, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    if (code)
        return 2;
    clReleaseCommandQueue(q);
    q = clCreateCommandQueue(ctx, device, 0, &code);
    mem = clCreateBuffer(ctx, CL_MEM_READ_WRITE, WORDS * sizeof(int), NULL, &code);
    step = code ? 3 : use_queue(q, mem);
    if (clReleaseMemObject(mem) || clReleaseCommandQueue(q) || clReleaseContext(ctx))
        return 8;
    return step;
}

// The whole device, and a part of it where it has parts.
static int use_everything(void)
{
    const cl_device_partition_property single[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0,
                                                   0};
    cl_device_id part;
    int step = use_device(whole);
    cl_int code;

    if (step)
        return step;
    code = clCreateSubDevices(whole, single, 1, &part, NULL);
    if (code)
        return code == CL_DEVICE_PARTITION_FAILED ? 0 : 9;
    step = use_device(part);
    return clReleaseDevice(part) ? 10 : step;
}

static void *work(void *failed)
{
    while (!atomic_load(&stop))
        if (use_everything())
            return failed;
    return NULL;
}

START_TEST(children_of_a_busy_process_work)
{
    pthread_t threads[THREADS_MAX];
    cl_platform_id platform;
    void *failed;

    ck_assert_int_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &whole, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < thread_count; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &stop), 0);
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        pid_t child;

        usleep((useconds_t)(i * 37 % 1500));
        child = tf_fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            signal(SIGALRM, SIG_DFL); // Check's handler would end the parent, too
            alarm(TEST_LIMIT_S);
            _exit(use_everything());
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < thread_count; i++) {
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fork");
    TCase *tcase = tcase_create("fork");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, children_of_a_busy_process_work);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
