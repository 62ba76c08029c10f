// SPDX-License-Identifier: MIT
// The device of the unit tests: every operation of core/platform/device_interface.h, in
// the plainest way, and switches that make it behave badly on purpose. Its programs are
// fake: each word that follows "kernel" in the source names a kernel (global uint *data,
// uint value, local uint *scratch) that adds value to data[i] for each work-item; source
// with the word "error" does not build.
#ifndef TF_DEVICES_MOCK_MOCK_H
#define TF_DEVICES_MOCK_MOCK_H

#include <stdbool.h>

#include "devices/mock/mock_parts.h"

// A device with `threads` threads (at most TF_MOCK_THREADS_MAX), or NULL.
struct tf_mock *tf_mock_create(unsigned threads);
// Runs what is queued, ends the threads and frees it. Its cl_device_id must not be used
// again.
void tf_mock_destroy(struct tf_mock *mock);

// Before its device is registered: images, with pitches of four pixels.
void tf_mock_give_images(struct tf_mock *mock);

// While held, submitted commands wait.
void tf_mock_hold(struct tf_mock *mock, bool held);
// From now on the device has the operation run_here. While no command runs.
void tf_mock_enable_run_here(struct tf_mock *mock);

#endif // TF_DEVICES_MOCK_MOCK_H
