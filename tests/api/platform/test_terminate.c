// SPDX-License-Identifier: MIT
// cl_khr_terminate_context: whatever the commands of a context wait for or do, they end.
// A launch of these would take many minutes; the time limit of the test is the proof.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "support/suite.h"

enum { THREADS = 8, ITEMS = 1 << 26, LOCAL = 16, WORDS = 1024 };

static const char source[] =
    "kernel void slow(global uint *out) {\n"
    "    uint x = get_global_id(0);\n"
    "    for (uint i = 0; i < 300000; i++) x = x * 1664525u + 1013904223u;\n"
    "    out[get_global_id(0) % 1024] = x;\n"
    "}\n"
    "kernel void grouped(global uint *out, local uint *room) {\n"
    "    for (uint i = 0; i < 1000; i++) {\n"
    "        room[get_local_id(0)] = i + out[get_local_id(0)];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        out[get_local_id(0)] = room[get_local_size(0) - 1 - get_local_id(0)];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

static cl_context ctx;
static cl_command_queue q, loose; // in order, out of order
static cl_mem mem;
static cl_kernel slow, grouped;
static atomic_int notified, notified_code;

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes,
                               void *data)
{
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_eq(data, &notified);
    if (bytes == sizeof(cl_int) && !strncmp(text, "clTerminateContextKHR", 21))
        atomic_store(&notified_code, *(const cl_int *)info);
    atomic_fetch_add(&notified, 1);
}

static cl_context terminable(void)
{
    const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    cl_int code;
    cl_context made =
        clCreateContext(properties, 1, &tf_api.device, notify, &notified, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static cl_command_queue queue_of(cl_command_queue_properties properties)
{
    cl_int code;
    cl_command_queue made = clCreateCommandQueue(ctx, tf_api.device, properties, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static void setup(void)
{
    cl_program prog;
    cl_int code;
    const char *text = source;

    tf_api_begin();
    atomic_store(&notified, 0);
    atomic_store(&notified_code, 0);
    ctx = terminable();
    q = queue_of(CL_QUEUE_PROFILING_ENABLE);
    loose = queue_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    mem = clCreateBuffer(ctx, CL_MEM_READ_WRITE, WORDS * sizeof(cl_uint), NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    prog = clCreateProgramWithSource(ctx, 1, &text, NULL, &code);
    ck_assert_int_eq(clBuildProgram(prog, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    slow = tf_api_kernel(prog, "slow");
    grouped = tf_api_kernel(prog, "grouped");
    tf_api_set_arg(slow, 0, sizeof(mem), &mem);
    tf_api_set_arg(grouped, 0, sizeof(mem), &mem);
    tf_api_set_arg(grouped, 1, LOCAL * sizeof(cl_uint), NULL);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}

static void teardown(void)
{
    ck_assert_int_eq(clReleaseKernel(slow), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(grouped), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(loose), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    tf_api_end();
}

static cl_int launch_in(cl_command_queue queue, cl_kernel kernel, cl_event after,
                        cl_event *out)
{
    const size_t items = ITEMS, local = LOCAL;

    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, after ? 1 : 0,
                                  after ? &after : NULL, out);
}

static cl_event launch(cl_command_queue queue, cl_kernel kernel, cl_event after)
{
    cl_event ev = NULL;

    ck_assert_int_eq(launch_in(queue, kernel, after, &ev), CL_SUCCESS);
    return ev;
}

static void terminate(void)
{
    ck_assert_int_eq(clTerminateContextKHR(ctx), CL_SUCCESS);
}

static void was_terminated(cl_event ev)
{
    ck_assert_int_eq(clWaitForEvents(1, &ev),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(tf_api_event_status(ev), CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

static void await_running(cl_event ev)
{
    while (tf_api_event_status(ev) > CL_RUNNING)
        usleep(500);
    usleep(20000);
    ck_assert_int_eq(tf_api_event_status(ev), CL_RUNNING);
}

// ---- Calls ----

START_TEST(terminating_is_checked)
{
    const cl_context_properties strange[] = {CL_CONTEXT_TERMINATE_KHR, 2, 0};
    cl_bitfield capability = 0;
    cl_int code = 0;

    ck_assert_ptr_null(clCreateContext(strange, 1, &tf_api.device, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_PROPERTY);
    ck_assert_rejects(CL_INVALID_CONTEXT, clTerminateContextKHR(bad), tf_api.q);
    ck_assert_int_eq(clTerminateContextKHR(tf_api.ctx), CL_INVALID_OPERATION);
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_TERMINATE_CAPABILITY_KHR,
                                     sizeof(capability), &capability, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(capability, CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR);
    ck_assert_int_eq(atomic_load(&notified), 0);
    terminate();
    ck_assert_int_eq(atomic_load(&notified), 1);
    ck_assert_int_eq(atomic_load(&notified_code), CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(clTerminateContextKHR(ctx), CL_CONTEXT_TERMINATED_KHR);
}
END_TEST

START_TEST(nothing_is_made_any_more)
{
    const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                  CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    const cl_buffer_region region = {0, 128};
    const char *text = source;
    cl_program prog;
    cl_int code = 0;

    ck_assert_int_eq(clGetKernelInfo(slow, CL_KERNEL_PROGRAM, sizeof(prog), &prog, NULL),
                     CL_SUCCESS);
    terminate();
#define MAKES_NOTHING(call)                                \
    do {                                                   \
        code = 0;                                          \
        ck_assert_ptr_null(call);                          \
        ck_assert_int_eq(code, CL_CONTEXT_TERMINATED_KHR); \
    } while (0)
    MAKES_NOTHING(clCreateBuffer(ctx, 0, 64, NULL, &code));
    MAKES_NOTHING(
        clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    MAKES_NOTHING(clCreateCommandQueue(ctx, tf_api.device, 0, &code));
    MAKES_NOTHING(clCreateUserEvent(ctx, &code));
    MAKES_NOTHING(clCreateProgramWithSource(ctx, 1, &text, NULL, &code));
    MAKES_NOTHING(clCreateKernel(prog, "slow", &code));
    MAKES_NOTHING(clCloneKernel(slow, &code));
    MAKES_NOTHING(clCreateSampler(ctx, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
    MAKES_NOTHING(clCreatePipe(ctx, 0, 4, 4, NULL, &code));
    MAKES_NOTHING(clCreateSemaphoreWithPropertiesKHR(ctx, binary, &code));
    MAKES_NOTHING(clCreateCommandBufferKHR(1, &q, NULL, &code));
    MAKES_NOTHING(clHostMemAllocINTEL(ctx, NULL, 64, 0, &code));
    ck_assert_ptr_null(clSVMAlloc(ctx, 0, 64, 0));
    ck_assert_int_eq(clBuildProgram(prog, 0, NULL, NULL, NULL, NULL),
                     CL_CONTEXT_TERMINATED_KHR);
}
END_TEST

START_TEST(nothing_is_enqueued_any_more)
{
    cl_uint word = 0;

    terminate();
    ck_assert_int_eq(launch_in(q, slow, NULL, NULL), CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(loose, 0, NULL, NULL),
                     CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(
        clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(word), &word, 0, NULL, NULL),
        CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clFinish(loose), CL_SUCCESS);
}
END_TEST

START_TEST(queries_and_releases_go_on)
{
    void *svm = clSVMAlloc(ctx, 0, 64, 0);
    cl_event user;
    cl_uint count;
    cl_int code;

    user = clCreateUserEvent(ctx, &code);
    terminate();
    ck_assert_int_eq(
        clGetContextInfo(ctx, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        clGetCommandQueueInfo(q, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clRetainContext(ctx), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    clSVMFree(ctx, svm);
    ck_assert_int_eq(tf_api_event_status(user), CL_SUBMITTED);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_status(user), CL_COMPLETE);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
}
END_TEST

// ---- Commands ----

START_TEST(a_running_launch_ends)
{
    cl_kernel kernel = _i % 2 ? grouped : slow;
    cl_command_queue queue = _i / 2 ? loose : q;
    cl_event first = launch(queue, kernel, NULL), second = launch(queue, kernel, first);
    cl_ulong ns;

    await_running(first);
    terminate();
    was_terminated(second);
    ck_assert_int_eq(
        clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof(ns), &ns, NULL),
        CL_PROFILING_INFO_NOT_AVAILABLE);
    was_terminated(first);
    ck_assert_int_eq(clFinish(queue), CL_SUCCESS);
}
END_TEST

static void CL_CALLBACK note_status(cl_event ev, cl_int status, void *data)
{
    (void)ev;
    atomic_store((atomic_int *)data, status);
}

START_TEST(what_waits_for_a_user_event_ends)
{
    cl_command_queue queue = _i ? loose : q;
    cl_event user, waiting, behind, marker;
    atomic_int status = 1;
    cl_uint word = 7;
    cl_int code;

    user = clCreateUserEvent(ctx, &code);
    waiting = launch(queue, slow, user);
    ck_assert_int_eq(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof(word), &word, 1,
                                         &waiting, &behind),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker), CL_SUCCESS);
    ck_assert_int_eq(clSetEventCallback(behind, CL_COMPLETE, note_status, &status),
                     CL_SUCCESS);
    terminate();
    was_terminated(marker);
    was_terminated(behind);
    was_terminated(waiting);
    while (atomic_load(&status) > 0)
        usleep(500);
    ck_assert_int_eq(atomic_load(&status), CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(tf_api_event_status(user), CL_SUBMITTED);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
}
END_TEST

START_TEST(what_waits_for_a_semaphore_ends)
{
    const cl_semaphore_properties_khr properties[] = {
        CL_SEMAPHORE_TYPE_KHR,
        CL_SEMAPHORE_TYPE_BINARY_KHR,
        _i ? CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR : 0,
        CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
        0,
        0};
    cl_semaphore_khr sema;
    cl_event waiting, second;
    cl_int code;

    sema = clCreateSemaphoreWithPropertiesKHR(ctx, properties, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clEnqueueWaitSemaphoresKHR(q, 1, &sema, NULL, 0, NULL, &waiting),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueWaitSemaphoresKHR(loose, 1, &sema, NULL, 0, NULL, &second),
                     CL_SUCCESS);
    ck_assert_int_eq(clReleaseSemaphoreKHR(sema), CL_SUCCESS);
    usleep(5000);
    terminate();
    was_terminated(waiting);
    was_terminated(second);
}
END_TEST

static void *terminate_soon(void *arg)
{
    usleep(20000);
    ck_assert_int_eq(clTerminateContextKHR(arg), CL_SUCCESS);
    return NULL;
}

START_TEST(a_waiting_thread_comes_back)
{
    cl_event running = launch(q, slow, NULL);
    cl_uint word;
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, terminate_soon, ctx), 0);
    ck_assert_int_eq(
        clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(word), &word, 0, NULL, NULL),
        CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    was_terminated(running);
}
END_TEST

START_TEST(a_command_buffer_ends)
{
    const size_t items = ITEMS, local = LOCAL;
    cl_command_buffer_khr buffer;
    cl_event replay;
    cl_int code;

    buffer = clCreateCommandBufferKHR(1, &q, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, slow, 1, NULL,
                                                   &items, &local, 0, NULL, NULL, NULL),
                         CL_SUCCESS);
    ck_assert_int_eq(clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &replay),
                     CL_SUCCESS);
    await_running(replay);
    terminate();
    was_terminated(replay);
    ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
}
END_TEST

// ---- Threads ----

struct thread {
    cl_command_queue q;
    cl_event user, filled;
    cl_mem mem; // nobody else's: what two threads write is the application's business
    cl_uint word;
};

static cl_int enqueue_something(struct thread *self, cl_kernel kernel, int turn)
{
    switch (turn % 4) {
    case 0:
        return clEnqueueMarkerWithWaitList(self->q, 1, &self->user, NULL);
    case 1:
        return launch_in(self->q, kernel, NULL, NULL);
    case 2:
        return clEnqueueFillBuffer(self->q, self->mem, &turn, sizeof(turn), 0,
                                   WORDS * sizeof(cl_uint), 0, NULL, &self->filled);
    default:
        return clEnqueueReadBuffer(self->q, self->mem, CL_TRUE, 0, sizeof(self->word),
                                   &self->word, 1, &self->filled, NULL);
    }
}

// Enqueues all kinds of things until that is refused, or ended.
static void *enqueue_until_the_end(void *arg)
{
    struct thread self = {0};
    cl_kernel kernel;
    cl_int code, ignored;

    self.q = clCreateCommandQueue(
        ctx, tf_api.device,
        (intptr_t)arg % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    kernel = clCloneKernel(slow, &ignored);
    self.mem =
        clCreateBuffer(ctx, CL_MEM_READ_WRITE, WORDS * sizeof(cl_uint), NULL, &ignored);
    self.user = clCreateUserEvent(ctx, &code);
    for (int i = 0; self.user && code == CL_SUCCESS; i++) {
        code = enqueue_something(&self, kernel, i);
        if (i % 4 == 3) {
            clReleaseEvent(self.filled);
            self.filled = NULL;
        }
    }
    ck_assert(code == CL_CONTEXT_TERMINATED_KHR);
    if (self.q)
        ck_assert_int_eq(clFinish(self.q), CL_SUCCESS);
    clReleaseEvent(self.filled);
    clReleaseEvent(self.user);
    clReleaseMemObject(self.mem);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(self.q);
    return NULL;
}

START_TEST(threads_enqueue_meanwhile)
{
    pthread_t threads[THREADS];

    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, enqueue_until_the_end, (void *)i), 0);
    usleep(1000u << _i);
    terminate();
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terminated contexts");
    TCase *tcase = tcase_create("terminated contexts");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, terminating_is_checked);
    tcase_add_test(tcase, nothing_is_made_any_more);
    tcase_add_test(tcase, nothing_is_enqueued_any_more);
    tcase_add_test(tcase, queries_and_releases_go_on);
    tcase_add_loop_test(tcase, a_running_launch_ends, 0, 4);
    tcase_add_loop_test(tcase, what_waits_for_a_user_event_ends, 0, 2);
    tcase_add_loop_test(tcase, what_waits_for_a_semaphore_ends, 0, 2);
    tcase_add_test(tcase, a_waiting_thread_comes_back);
    tcase_add_test(tcase, a_command_buffer_ends);
    tcase_add_loop_test(tcase, threads_enqueue_meanwhile, 0, 6);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
