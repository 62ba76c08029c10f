// SPDX-License-Identifier: MIT
// Error codes of the platform, device, context, queue, event and sampler chapters that
// all entry points of a kind share: values that do not fit, objects that are gone, times
// that are not known.
#include "support/api.h"

#include <string.h>

#include "support/suite.h"

static cl_int code;

static void setup(void)
{
    tf_api_begin();
    code = 1;
}

// A query of one object by its entry point.
#define QUERY(function, handle, param)                                       \
    static cl_int ask_##function(size_t size, void *value, size_t *size_ret) \
    {                                                                        \
        return function(handle, param, size, value, size_ret);               \
    }

static cl_event event;
static cl_sampler sampler;

QUERY(clGetPlatformInfo, tf_api.platform, CL_PLATFORM_VERSION)
QUERY(clGetDeviceInfo, tf_api.device, CL_DEVICE_MAX_WORK_GROUP_SIZE)
QUERY(clGetContextInfo, tf_api.ctx, CL_CONTEXT_NUM_DEVICES)
QUERY(clGetCommandQueueInfo, tf_api.q, CL_QUEUE_CONTEXT)
QUERY(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE)
QUERY(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END)
QUERY(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT)

static void make_objects(void)
{
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 0, NULL, &event), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    sampler =
        clCreateSampler(tf_api.ctx, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

// Every query tells its size, fills a value that is large enough, and leaves one alone
// that is not.
START_TEST(values_must_fit)
{
    static cl_int (*const queries[])(size_t, void *, size_t *) = {
        ask_clGetPlatformInfo,     ask_clGetDeviceInfo, ask_clGetContextInfo,
        ask_clGetCommandQueueInfo, ask_clGetEventInfo,  ask_clGetEventProfilingInfo,
        ask_clGetSamplerInfo};

    make_objects();
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        unsigned char value[256], untouched[256];
        size_t size = 0, again = 0;

        memset(value, 0xee, sizeof(value));
        memset(untouched, 0xee, sizeof(untouched));
        ck_assert_int_eq(queries[i](0, NULL, &size), CL_SUCCESS);
        ck_assert_uint_gt(size, 0);
        ck_assert_int_eq(queries[i](size - 1, value, &again), CL_INVALID_VALUE);
        ck_assert_mem_eq(value, untouched, sizeof(value));
        ck_assert_int_eq(queries[i](0, value, &again), CL_INVALID_VALUE);
        ck_assert_uint_eq(again, 0);
        ck_assert_int_eq(queries[i](size, value, NULL), CL_SUCCESS);
        ck_assert_mem_eq(value + size, untouched, sizeof(value) - size);
        ck_assert_int_eq(queries[i](sizeof(value), value, &again), CL_SUCCESS);
        ck_assert_uint_eq(again, size);
    }
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
    ck_assert_int_eq(clReleaseSampler(sampler), CL_SUCCESS);
}
END_TEST

static cl_int end_time(cl_event of)
{
    cl_ulong ns;

    return clGetEventProfilingInfo(of, CL_PROFILING_COMMAND_END, sizeof(ns), &ns, NULL);
}

START_TEST(times_are_known_of_profiled_commands_that_have_ended)
{
    cl_event user = tf_api_user_event(), waiting, plain;
    cl_command_queue q = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code);

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 1, &user, &waiting),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(q, 0, NULL, &plain), CL_SUCCESS);
    ck_assert_int_eq(end_time(waiting), CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(end_time(waiting), CL_SUCCESS);
    ck_assert_int_eq(end_time(plain), CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(end_time(user), CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(clReleaseEvent(waiting), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(plain), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

static void CL_CALLBACK no_context(cl_context ctx, void *data)
{
    (void)ctx, (void)data;
    ck_abort();
}

START_TEST(released_context_is_rejected)
{
    cl_context gone = tf_api_context();
    const cl_int wanted = CL_INVALID_CONTEXT;

    ck_assert_int_eq(clReleaseContext(gone), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(gone), wanted);
    ck_assert_int_eq(clRetainContext(gone), wanted);
    ck_assert_int_eq(clGetContextInfo(gone, CL_CONTEXT_DEVICES, 0, NULL, NULL), wanted);
    ck_assert_int_eq(clSetContextDestructorCallback(gone, no_context, NULL), wanted);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(gone, tf_api.device, tf_api.q),
                     wanted);
    ck_assert_ptr_null(clCreateUserEvent(gone, &code));
    ck_assert_int_eq(code, wanted);
    ck_assert_ptr_null(clCreateCommandQueue(gone, tf_api.device, 0, &code));
    ck_assert_int_eq(code, wanted);
    ck_assert_ptr_null(
        clCreateCommandQueueWithProperties(gone, tf_api.device, NULL, &code));
    ck_assert_int_eq(code, wanted);
    ck_assert_ptr_null(
        clCreateSampler(gone, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
    ck_assert_int_eq(code, wanted);
    ck_assert_ptr_null(clCreateSamplerWithProperties(gone, NULL, &code));
    ck_assert_int_eq(code, wanted);
}
END_TEST

START_TEST(released_queue_is_rejected)
{
    cl_command_queue gone = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code);
    const cl_int wanted = CL_INVALID_COMMAND_QUEUE;
    cl_event ev = tf_api_user_event();
    cl_event out;

    ck_assert_int_eq(clReleaseCommandQueue(gone), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(gone), wanted);
    ck_assert_int_eq(clRetainCommandQueue(gone), wanted);
    ck_assert_int_eq(clFlush(gone), wanted);
    ck_assert_int_eq(clFinish(gone), wanted);
    ck_assert_int_eq(clGetCommandQueueInfo(gone, CL_QUEUE_DEVICE, 0, NULL, NULL), wanted);
    ck_assert_int_eq(clSetCommandQueueProperty(gone, 0, CL_TRUE, NULL), wanted);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(gone, 0, NULL, NULL), wanted);
    ck_assert_int_eq(clEnqueueBarrierWithWaitList(gone, 0, NULL, NULL), wanted);
    ck_assert_int_eq(clEnqueueMarker(gone, &out), wanted);
    ck_assert_int_eq(clEnqueueBarrier(gone), wanted);
    ck_assert_int_eq(clEnqueueWaitForEvents(gone, 1, &ev), wanted);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}
END_TEST

static void CL_CALLBACK no_event(cl_event ev, cl_int status, void *data)
{
    (void)ev, (void)status, (void)data;
    ck_abort();
}

START_TEST(released_event_is_rejected)
{
    cl_event gone = tf_api_user_event();
    const cl_int wanted = CL_INVALID_EVENT, in_list = CL_INVALID_EVENT_WAIT_LIST;

    ck_assert_int_eq(clReleaseEvent(gone), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(gone), wanted);
    ck_assert_int_eq(clRetainEvent(gone), wanted);
    ck_assert_int_eq(clSetUserEventStatus(gone, CL_COMPLETE), wanted);
    ck_assert_int_eq(clGetEventInfo(gone, CL_EVENT_CONTEXT, 0, NULL, NULL), wanted);
    ck_assert_int_eq(end_time(gone), wanted);
    ck_assert_int_eq(clSetEventCallback(gone, CL_COMPLETE, no_event, NULL), wanted);
    ck_assert_int_eq(clWaitForEvents(1, &gone), wanted);
    ck_assert_int_eq(clEnqueueWaitForEvents(tf_api.q, 1, &gone), wanted);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 1, &gone, NULL), in_list);
    ck_assert_int_eq(clEnqueueBarrierWithWaitList(tf_api.q, 1, &gone, NULL), in_list);
}
END_TEST

// Codes go nowhere if nobody wants them; failed calls return NULL all the same.
START_TEST(codes_are_optional)
{
    cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(ctx, tf_api.device, 0, NULL);
    cl_event ev = clCreateUserEvent(ctx, NULL);
    cl_sampler s = clCreateSamplerWithProperties(ctx, NULL, NULL);

    ck_assert(ctx && q && ev && s);
    ck_assert_ptr_null(clCreateContext(NULL, 0, NULL, NULL, NULL, NULL));
    ck_assert_ptr_null(clCreateContextFromType(NULL, 0, NULL, NULL, NULL));
    ck_assert_ptr_null(clCreateCommandQueue(NULL, tf_api.device, 0, NULL));
    ck_assert_ptr_null(clCreateUserEvent(NULL, NULL));
    ck_assert_ptr_null(clCreateSamplerWithProperties(NULL, NULL, NULL));
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
}
END_TEST

// The other entry points of the platform chapter.
START_TEST(platform_calls_want_a_platform)
{
    ck_assert_rejects(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(bad), tf_api.ctx);
    ck_assert_rejects(CL_INVALID_PLATFORM, clIcdSetPlatformDispatchDataKHR(bad, NULL),
                      tf_api.ctx);
    ck_assert_ptr_null(clGetExtensionFunctionAddressForPlatform(NULL, "clFinish"));
    ck_assert_ptr_null(clGetExtensionFunctionAddressForPlatform(
        (cl_platform_id)(void *)tf_api.ctx, "clFinish"));
    ck_assert_ptr_null(clGetExtensionFunctionAddressForPlatform(tf_api.platform, NULL));
    ck_assert_ptr_null(clGetExtensionFunctionAddressForPlatform(tf_api.platform, "clX"));
    ck_assert_ptr_null(clGetExtensionFunctionAddress("clX"));
    ck_assert_ptr_null(clGetExtensionFunctionAddress(NULL));
    ck_assert_ptr_nonnull(
        (void *)clGetExtensionFunctionAddress("clCreateCommandQueueWithPropertiesKHR"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("errors_host");
    TCase *tcase = tcase_create("errors_host");

    tcase_add_checked_fixture(tcase, setup, tf_api_end);
    tcase_add_test(tcase, values_must_fit);
    tcase_add_test(tcase, times_are_known_of_profiled_commands_that_have_ended);
    tcase_add_test(tcase, released_context_is_rejected);
    tcase_add_test(tcase, released_queue_is_rejected);
    tcase_add_test(tcase, released_event_is_rejected);
    tcase_add_test(tcase, codes_are_optional);
    tcase_add_test(tcase, platform_calls_want_a_platform);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
