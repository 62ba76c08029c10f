// SPDX-License-Identifier: MIT
// Fixture of the unit tests: a mock device, its object, a context.
#ifndef TF_TESTS_SUPPORT_CORE_H
#define TF_TESTS_SUPPORT_CORE_H

#include <check.h>

#include "core/object/error.h"
#include "core/platform/context.h"
#include "core/schedule/queue.h"
#include "devices/mock/mock.h"

struct tf_core {
    struct tf_mock *mock;
    cl_device_id device;
    cl_context ctx; // the user's handle
};

// A device with `threads` threads and a context on it; fails the test if it cannot.
struct tf_core tf_core_begin(unsigned threads);
// Releases the context, waits until every object is gone, checks that nothing is left.
void tf_core_end(struct tf_core *core);

cl_command_queue tf_core_queue(const struct tf_core *core,
                               cl_command_queue_properties flags);
cl_event tf_core_user_event(const struct tf_core *core);

// Enqueues a native command that calls fn(arg); NULL: a marker. Returns the user's
// handle.
cl_event tf_core_enqueue(cl_command_queue q, void(CL_CALLBACK *fn)(void *), void *arg,
                         cl_uint dep_count, const cl_event *deps);

// clRelease*; fails the test unless it succeeds.
void tf_core_release(void *handle, const struct tf_class *cls);

// Waits up to 10 s for the value; false if it never came.
bool tf_core_wait_int(atomic_int *value, int wanted);

#endif // TF_TESTS_SUPPORT_CORE_H
