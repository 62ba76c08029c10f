// SPDX-License-Identifier: MIT
#include "support/api.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

static cl_int code;

static void setup(void)
{
    tf_api_begin();
    code = 1;
}

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes,
                               void *data)
{
    (void)info, (void)bytes;
    snprintf(data, 200, "%s", text);
}

START_TEST(contexts_are_made)
{
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (intptr_t)tf_api.platform,
                                          CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    const cl_device_id twice[] = {tf_api.device, tf_api.device};
    cl_context_properties back[5];
    cl_context ctx = clCreateContext(list, 2, twice, NULL, NULL, &code);
    cl_uint n = 0;

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetContextInfo(ctx, CL_CONTEXT_NUM_DEVICES, sizeof(n), &n, NULL),
                     0);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(
        clGetContextInfo(ctx, CL_CONTEXT_PROPERTIES, sizeof(back), back, NULL), 0);
    ck_assert_mem_eq(back, list, sizeof(list));
    ck_assert_int_eq(clRetainContext(ctx), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_INVALID_CONTEXT);
    ck_assert_int_eq(clRetainContext(ctx), CL_INVALID_CONTEXT);
    ctx = clCreateContextFromType(list, CL_DEVICE_TYPE_CPU, NULL, NULL, NULL);
    ck_assert_ptr_nonnull(ctx);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
}
END_TEST

static void create_fails(const cl_context_properties *list, cl_int wanted)
{
    code = 1;
    ck_assert_ptr_null(clCreateContext(list, 1, &tf_api.device, NULL, NULL, &code));
    ck_assert_int_eq(code, wanted);
    code = 1;
    ck_assert_ptr_null(
        clCreateContextFromType(list, CL_DEVICE_TYPE_ALL, NULL, NULL, &code));
    ck_assert_int_eq(code, wanted);
}

START_TEST(bad_properties)
{
    const intptr_t platform = (intptr_t)tf_api.platform;
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, platform,
                                           CL_CONTEXT_PLATFORM, platform, 0};
    const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 0, 0};
    const cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (intptr_t)tf_api.ctx, 0};
    const cl_context_properties no_bool[] = {CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};

    create_fails(unknown, CL_INVALID_PROPERTY);
    create_fails(twice, CL_INVALID_PROPERTY);
    create_fails(no_platform, CL_INVALID_PLATFORM);
    create_fails(wrong, CL_INVALID_PLATFORM);
    create_fails(no_bool, CL_INVALID_PROPERTY);
}
END_TEST

START_TEST(bad_devices_and_callbacks)
{
    cl_device_id bad = NULL;
    int data;

    ck_assert_ptr_null(clCreateContext(NULL, 0, &tf_api.device, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clCreateContext(NULL, 1, NULL, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clCreateContext(NULL, 1, &bad, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    bad = (cl_device_id)tf_api.q;
    ck_assert_ptr_null(clCreateContext(NULL, 1, &bad, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_ptr_null(clCreateContext(NULL, 1, &tf_api.device, NULL, &data, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(
        clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, &data, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clCreateContextFromType(NULL, 0, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE_TYPE);
    ck_assert_ptr_null(
        clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_DEVICE_NOT_FOUND);
}
END_TEST

START_TEST(bad_contexts)
{
    ck_assert_rejects(CL_INVALID_CONTEXT, clRetainContext(bad), tf_api.q);
    ck_assert_rejects(CL_INVALID_CONTEXT, clReleaseContext(bad), tf_api.q);
    ck_assert_rejects(CL_INVALID_CONTEXT,
                      clGetContextInfo(bad, CL_CONTEXT_DEVICES, 0, NULL, NULL), tf_api.q);
    ck_assert_int_eq(clGetContextInfo(tf_api.ctx, 0, 0, NULL, NULL), CL_INVALID_VALUE);
}
END_TEST

START_TEST(errors_reach_the_callback)
{
    char text[200] = "";
    cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, notify, text, &code);
    char small;

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetContextInfo(ctx, CL_CONTEXT_DEVICES, 1, &small, NULL),
                     CL_INVALID_VALUE);
    ck_assert_ptr_eq(strstr(text, "clGetContextInfo: error -30 (CL_INVALID_VALUE): "),
                     text);
    clReleaseContext(ctx);
}
END_TEST

static atomic_int ended;

static void CL_CALLBACK end(cl_context ctx, void *data)
{
    (void)ctx, (void)data;
    atomic_fetch_add(&ended, 1);
}

START_TEST(destructor_callback_runs)
{
    cl_context ctx = tf_api_context();

    ck_assert_int_eq(clSetContextDestructorCallback(ctx, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_CONTEXT, clSetContextDestructorCallback(bad, end, NULL),
                      tf_api.q);
    ck_assert_int_eq(clSetContextDestructorCallback(ctx, end, NULL), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    ck_assert(TEST_UNTIL(atomic_load(&ended) == 1));
}
END_TEST

// In the child the parent's objects answer at once, and a context of its own works.
static int in_child(void)
{
    cl_context ctx;
    cl_command_queue q;

    if (clFinish(tf_api.q) != CL_OUT_OF_RESOURCES)
        return 1;
    if (clRetainContext(tf_api.ctx) != CL_OUT_OF_RESOURCES)
        return 2;
    if (clReleaseCommandQueue(tf_api.q) || clReleaseContext(tf_api.ctx))
        return 3;
    if (clReleaseCommandQueue(tf_api.q)) // counts nothing
        return 4;
    ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, &code);
    q = clCreateCommandQueue(ctx, tf_api.device, 0, &code);
    if (code || clEnqueueBarrierWithWaitList(q, 0, NULL, NULL) || clFinish(q))
        return 5;
    return clReleaseCommandQueue(q) || clReleaseContext(ctx) ? 6 : 0;
}

START_TEST(forked_child_starts_anew)
{
    const pid_t child = tf_fork();
    int status = -1;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); // Check's handler would end the parent, too
        alarm(TEST_LIMIT_S);
        _exit(in_child());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("context");
    TCase *tcase = tcase_create("context");

    tcase_add_checked_fixture(tcase, setup, tf_api_end);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, contexts_are_made);
    tcase_add_test(tcase, bad_properties);
    tcase_add_test(tcase, bad_devices_and_callbacks);
    tcase_add_test(tcase, bad_contexts);
    tcase_add_test(tcase, errors_reach_the_callback);
    tcase_add_test(tcase, destructor_callback_runs);
    tcase_add_test(tcase, forked_child_starts_anew);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
