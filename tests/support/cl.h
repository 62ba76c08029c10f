// SPDX-License-Identifier: MIT
// Fixture of the tests of entry points: the platform, its first device, a context,
// queues.
#ifndef TF_TESTS_SUPPORT_CL_H
#define TF_TESTS_SUPPORT_CL_H

#include <check.h>

#include "support/dispatch.h"

struct tf_cl {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; // in-order
};

// Fail the test if a call of theirs fails.
struct tf_cl tf_cl_begin(void);
void tf_cl_end(struct tf_cl *cl);
cl_context tf_cl_other_context(const struct tf_cl *cl);

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

#endif // TF_TESTS_SUPPORT_CL_H
