// SPDX-License-Identifier: MIT
// The buffers of the tests of commands on buffers. Included by one source file of each
// test program.
#ifndef TF_TESTS_API_BUFFER_RIG_H
#define TF_TESTS_API_BUFFER_RIG_H

#include "support/api.h"

static cl_mem mem, other; // of tf_api.ctx, of tf_api.other_ctx

// For the set-up of each test: two buffers of this size, the first with these bytes.
static inline void begin_with(void *bytes, size_t size)
{
    tf_api_begin();
    mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, size, bytes);
    other = tf_api_other_buffer(size);
}

// For tcase_add_checked_fixture().
static inline void end(void)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(other), CL_SUCCESS);
    tf_api_end();
}

#endif // TF_TESTS_API_BUFFER_RIG_H
