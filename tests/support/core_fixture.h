// SPDX-License-Identifier: MIT
// The variables of unit tests on a context of the mock device, and the set-up of each
// test. Included by one source file of a test program.
#ifndef TF_TESTS_SUPPORT_CORE_FIXTURE_H
#define TF_TESTS_SUPPORT_CORE_FIXTURE_H

#include "support/core.h"
#include "support/suite.h"

static struct tf_core core; // its device has 4 threads
static struct tf_err err;
static atomic_int runs; // calls of count_run()

// For tcase_add_checked_fixture().
static inline void setup(void)
{
    core = tf_core_begin(4);
    err = (struct tf_err){0};
    atomic_store(&runs, 0);
}

static inline void teardown(void)
{
    tf_core_end(&core);
}

// A native function for tf_core_enqueue().
static inline void CL_CALLBACK count_run(void *arg)
{
    (void)arg;
    atomic_fetch_add(&runs, 1);
}

#define OUT_OF_ORDER CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

// The flags of both kinds of queue, for loop tests over them.
static const cl_command_queue_properties modes[] = {0, OUT_OF_ORDER};

#endif // TF_TESTS_SUPPORT_CORE_FIXTURE_H
