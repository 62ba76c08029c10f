// SPDX-License-Identifier: MIT
// The mock device's data, and what its sources are for each other.
#ifndef TF_DEVICES_MOCK_MOCK_PARTS_H
#define TF_DEVICES_MOCK_MOCK_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/thread.h"
#include "core/platform/device_caps.h"
#include "core/platform/device_interface.h"

enum {
    TF_MOCK_THREADS_MAX = 8,
    TF_MOCK_ARGS = 3,
    TF_MOCK_BLOCK_BYTES = 24,
    TF_MOCK_UNITS = 4, // compute units: two L3 caches of two L2 caches each, no L4
};

// Arguments of each kernel: data, value, scratch.
extern const struct tf_kernel_arg_info tf_mock_args[TF_MOCK_ARGS];

struct tf_mock {
    struct tf_device dev;
    struct tf_device_info info;
    // As much as Trefoil has; a test takes away or adds (images, an out-of-order queue,
    // a level of SVM, the compiler) before it registers the device, or while nobody asks.
    // Parts have that of the whole.
    struct tf_device_caps caps;
    // A copy: a test may replace operations before it registers the device. Parts use
    // that of the whole.
    struct tf_device_ops ops;

    // Switches, to be set while no command runs.
    atomic_bool finish_inside_submit; // runs commands in the caller, without threads
    atomic_int open_status;           // what open() returns
    atomic_int next_status; // status of the next command, once; 0 is CL_COMPLETE

    // Counters
    atomic_int opened, closed, submitted, finished, helped, ran_here, forked,
        live_memories, live_programs, builds, live_parts;

    // Sub-devices: what they are a part of, and its compute units in them. Their commands
    // run on the threads of the whole.
    struct tf_mock *whole;
    uint32_t units[TF_MOCK_UNITS];

    struct tf_mutex lock;
    struct tf_cond work;
    struct tf_command *head TF_GUARDED_BY(&lock);
    struct tf_command *tail TF_GUARDED_BY(&lock);
    bool stop TF_GUARDED_BY(&lock);
    bool held TF_GUARDED_BY(&lock);
    unsigned threads_wanted, thread_count;
    pthread_t threads[TF_MOCK_THREADS_MAX];
};

// Fills the memory and program operations and those of sub-devices.
void tf_mock_memory_ops(struct tf_device_ops *ops);
void tf_mock_part_ops(struct tf_device_ops *ops);
void tf_mock_program_ops(struct tf_device_ops *ops);
// Does what the command says.
void tf_mock_run_copy(const struct tf_command *cmd);
void tf_mock_run_kernel(const struct tf_command_kernel *kernel);
void *tf_mock_address(const struct tf_devmem *mem);

#endif // TF_DEVICES_MOCK_MOCK_PARTS_H
