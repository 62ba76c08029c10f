// SPDX-License-Identifier: MIT
// Callbacks may call whatever does not wait: each kind of callback here enqueues, makes
// and releases objects, sets user events, and provokes errors.
#include "support/api.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "support/limits.h"
#include "support/suite.h"

static const char source[] =
    "kernel void one(global int *p) { p[get_global_id(0)] = 1; }";

static cl_command_queue q; // another than the fixture's, whose commands we may enqueue
static cl_mem mem;
static atomic_int calls, failed_line;

// A callback has its own thread: the test looks at failed_line.
#define EXPECT(condition)                                                   \
    do {                                                                    \
        int none_ = 0;                                                      \
        if (!(condition))                                                   \
            atomic_compare_exchange_strong(&failed_line, &none_, __LINE__); \
    } while (0)

static void wait_for_calls(int wanted)
{
    ck_assert(TEST_UNTIL(atomic_load(&calls) >= wanted));
    ck_assert_int_eq(atomic_load(&calls), wanted);
    ck_assert_int_eq(atomic_load(&failed_line), 0);
}

// What every callback does, on the fixture's context and device.
static void use_the_api(void)
{
    const cl_int value = 7;
    cl_uint count = 0;
    cl_int code;
    cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, &code);
    cl_event user = clCreateUserEvent(tf_api.ctx, &code);
    cl_mem own = clCreateBuffer(tf_api.ctx, CL_MEM_READ_WRITE, 64, NULL, &code);
    cl_event marker;

    EXPECT(code == CL_SUCCESS);
    EXPECT(clEnqueueFillBuffer(q, own, &value, sizeof(value), 0, 64, 1, &user, &marker) ==
           CL_SUCCESS);
    EXPECT(clFlush(q) == CL_SUCCESS);
    EXPECT(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    EXPECT(clGetEventInfo(marker, CL_EVENT_REFERENCE_COUNT, sizeof(count), &count,
                          NULL) == CL_SUCCESS);
    EXPECT(clReleaseEvent(NULL) == CL_INVALID_EVENT);
    EXPECT(!clReleaseEvent(user) && !clReleaseEvent(marker) && !clReleaseMemObject(own));
    EXPECT(clReleaseContext(ctx) == CL_SUCCESS);
}

static void begin(void)
{
    cl_int code;

    tf_api_begin();
    q = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mem = tf_api_buffer(CL_MEM_READ_WRITE, 64 * sizeof(cl_int), NULL);
}

static void end(void)
{
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    tf_api_end();
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
    EXPECT(status <= *(cl_int *)data);
    EXPECT(clRetainEvent(event) == CL_SUCCESS);
    use_the_api();
    EXPECT(clReleaseEvent(event) == CL_SUCCESS);
    atomic_fetch_add(&calls, 1);
}

START_TEST(event_callbacks_call_the_api)
{
    static const cl_int states[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
    cl_event user = tf_api_user_event(), event;

    for (int n = 0; n < 20; n++) {
        ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 1, &user, &event), 0);
        for (int s = 0; s < 3; s++)
            ck_assert_int_eq(clSetEventCallback(event, states[s], on_event,
                                                (void *)(uintptr_t)&states[s]),
                             CL_SUCCESS);
        ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
    }
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    wait_for_calls(60);
}
END_TEST

static atomic_int left;

// Each command enqueues the next one when it has ended.
static void CL_CALLBACK go_on(cl_event event, cl_int status, void *data)
{
    cl_event next;

    (void)event, (void)data;
    EXPECT(status == CL_COMPLETE);
    if (atomic_fetch_sub(&left, 1) > 1) {
        EXPECT(clEnqueueMarkerWithWaitList(q, 0, NULL, &next) == CL_SUCCESS);
        EXPECT(clSetEventCallback(next, CL_COMPLETE, go_on, NULL) == CL_SUCCESS);
        EXPECT(clReleaseEvent(next) == CL_SUCCESS);
    }
    atomic_fetch_add(&calls, 1);
}

START_TEST(callbacks_enqueue_what_calls_back)
{
    cl_event first;

    atomic_store(&left, 500);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(q, 0, NULL, &first), CL_SUCCESS);
    ck_assert_int_eq(clSetEventCallback(first, CL_COMPLETE, go_on, NULL), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(first), CL_SUCCESS);
    wait_for_calls(500);
}
END_TEST

static void CL_CALLBACK on_memory(cl_mem dead, void *data)
{
    (void)data;
    EXPECT(clRetainMemObject(dead) == CL_INVALID_MEM_OBJECT);
    use_the_api();
    atomic_fetch_add(&calls, 1);
}

static void CL_CALLBACK on_context(cl_context dead, void *data)
{
    (void)data;
    EXPECT(clRetainContext(dead) == CL_INVALID_CONTEXT);
    use_the_api();
    atomic_fetch_add(&calls, 1);
}

START_TEST(destructor_callbacks_call_the_api)
{
    cl_mem dying = tf_api_buffer(CL_MEM_READ_WRITE, 64, NULL);
    cl_context ctx = tf_api_context();

    ck_assert_int_eq(clSetMemObjectDestructorCallback(dying, on_memory, NULL), 0);
    ck_assert_int_eq(clSetContextDestructorCallback(ctx, on_context, NULL), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(dying), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    wait_for_calls(2);
}
END_TEST

static void CL_CALLBACK on_build(cl_program program, void *data)
{
    const size_t items = 64;
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, "one", &code);

    (void)data;
    EXPECT(code == CL_SUCCESS);
    EXPECT(clSetKernelArg(kernel, 0, sizeof(mem), &mem) == CL_SUCCESS);
    EXPECT(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) ==
           CL_SUCCESS);
    EXPECT(clReleaseKernel(kernel) == CL_SUCCESS);
    use_the_api();
    EXPECT(clReleaseProgram(program) == CL_SUCCESS);
    atomic_fetch_add(&calls, 1);
}

START_TEST(build_callbacks_call_the_api)
{
    const char *text = source;
    cl_int code, got[64] = {0};
    cl_program program = clCreateProgramWithSource(tf_api.ctx, 1, &text, NULL, &code);

    ck_assert_int_eq(clBuildProgram(program, 0, NULL, NULL, on_build, NULL), CL_SUCCESS);
    wait_for_calls(1);
    ck_assert_int_eq(
        clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL), 0);
    ck_assert_int_eq(got[63], 1);
}
END_TEST

// The errors that it makes do not reach it: they are other contexts' or nobody's.
static void CL_CALLBACK on_error(const char *text, const void *info, size_t bytes,
                                 void *data)
{
    (void)info, (void)bytes, (void)data;
    EXPECT(strstr(text, "clGetContextInfo") == text);
    use_the_api();
    atomic_fetch_add(&calls, 1);
}

START_TEST(error_callbacks_call_the_api)
{
    cl_int code;
    cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, on_error, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetContextInfo(ctx, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    wait_for_calls(1);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
}
END_TEST

static void CL_CALLBACK on_device(void *args)
{
    (void)args;
    use_the_api();
    atomic_fetch_add(&calls, 1);
}

START_TEST(native_kernels_call_the_api)
{
    int unused = 0;

    ck_assert_int_eq(clEnqueueNativeKernel(tf_api.q, on_device, &unused, sizeof(unused),
                                           0, NULL, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clFlush(tf_api.q), CL_SUCCESS);
    wait_for_calls(1);
}
END_TEST

// The last reference to a context, its queue and the event may go in the event's own
// callback.
static void CL_CALLBACK drop_everything(cl_event event, cl_int status, void *data)
{
    cl_context ctx;
    cl_command_queue own;

    (void)data;
    EXPECT(status == CL_COMPLETE);
    EXPECT(!clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(ctx), &ctx, NULL));
    EXPECT(!clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(own), &own, NULL));
    EXPECT(!clReleaseCommandQueue(own) && !clReleaseContext(ctx) &&
           !clReleaseEvent(event));
    atomic_fetch_add(&calls, 1);
}

START_TEST(callbacks_release_everything)
{
    for (int n = 0; n < 20; n++) {
        cl_int code;
        cl_context ctx = tf_api_context();
        cl_command_queue own = clCreateCommandQueue(ctx, tf_api.device, 0, &code);
        cl_event user = clCreateUserEvent(ctx, &code), event;

        ck_assert_int_eq(clEnqueueMarkerWithWaitList(own, 1, &user, &event), CL_SUCCESS);
        ck_assert_int_eq(clSetEventCallback(event, CL_COMPLETE, drop_everything, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
        ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
        wait_for_calls(n + 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("callbacks");
    TCase *tcase = tcase_create("callbacks");

    tcase_add_checked_fixture(tcase, begin, end);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, event_callbacks_call_the_api);
    tcase_add_test(tcase, callbacks_enqueue_what_calls_back);
    tcase_add_test(tcase, destructor_callbacks_call_the_api);
    tcase_add_test(tcase, build_callbacks_call_the_api);
    tcase_add_test(tcase, error_callbacks_call_the_api);
    tcase_add_test(tcase, native_kernels_call_the_api);
    tcase_add_test(tcase, callbacks_release_everything);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
