// SPDX-License-Identifier: MIT
// Fixture of the tests that go through the entry points: the platform's device, two
// contexts with a queue each, and short ways to what most tests need. Every function
// fails the test if it cannot do its job.
#ifndef TF_TESTS_SUPPORT_API_H
#define TF_TESTS_SUPPORT_API_H

#include <check.h>

#include "support/entry_points.h"

struct tf_api {
    cl_platform_id platform;
    cl_device_id device;
    cl_context ctx, other_ctx;
    cl_command_queue q, other_q; // in-order, profiling
};

extern struct tf_api tf_api;

// For tcase_add_checked_fixture().
void tf_api_begin(void);
void tf_api_end(void);

cl_context tf_api_context(void); // a new one
cl_mem tf_api_buffer(cl_mem_flags flags, size_t size, void *host_ptr);
cl_mem tf_api_other_buffer(size_t size); // of the other context
cl_program tf_api_program(const char *source, const char *options); // built
cl_kernel tf_api_kernel(cl_program prog, const char *name);
void tf_api_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
void tf_api_read(cl_mem mem, size_t offset, size_t size, void *to); // blocking

// Pointers that are no object of the wanted class, to be tried in each handle argument:
// NULL and an object of another class.
#define ck_assert_rejects(wanted, call_with_handle, other)  \
    do {                                                    \
        void *bad_[2] = {NULL, (other)};                    \
        for (int bad_i_ = 0; bad_i_ < 2; bad_i_++) {        \
            void *bad = bad_[bad_i_];                       \
            ck_assert_int_eq((call_with_handle), (wanted)); \
        }                                                   \
    } while (0)

// A wait list that is wrong in each way: for every entry point that takes one.
// CALL(n, list) is the call with these; it must not succeed.
#define TF_API_CHECK_WAIT_LIST(CALL)                                                 \
    do {                                                                             \
        cl_event bad_ = (cl_event)(void *)tf_api.q, strange_ = tf_api_other_event(); \
        ck_assert_int_eq(CALL(1, NULL), CL_INVALID_EVENT_WAIT_LIST);                 \
        ck_assert_int_eq(CALL(0, &strange_), CL_INVALID_EVENT_WAIT_LIST);            \
        ck_assert_int_eq(CALL(1, &bad_), CL_INVALID_EVENT_WAIT_LIST);                \
        ck_assert_int_eq(CALL(1, &strange_), CL_INVALID_CONTEXT);                    \
        ck_assert_int_eq(clReleaseEvent(strange_), CL_SUCCESS);                      \
    } while (0)

// A finished user event of the other context.
cl_event tf_api_other_event(void);

// A user event of the context; finish it with clSetUserEventStatus().
cl_event tf_api_user_event(void);

cl_int tf_api_event_status(cl_event ev);
cl_command_type tf_api_event_type(cl_event ev);

#endif // TF_TESTS_SUPPORT_API_H
