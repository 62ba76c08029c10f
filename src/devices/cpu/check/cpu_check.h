// SPDX-License-Identifier: MIT
// What checked kernels ask (tf_checked_services.check): whether an access is one that the
// program may make. Of what is not, a message goes out, and the work-item gets an address
// where it does no harm. doc/checking.md says what is found.
#ifndef TF_DEVICES_CPU_CHECK_CPU_CHECK_H
#define TF_DEVICES_CPU_CHECK_CPU_CHECK_H

#include <stdbool.h>

#include "abi/check_record.h"
#include "abi/cpu_abi.h"

struct tf_batch_replay;
struct tf_command;
struct tf_command_kernel;
struct tf_check_family;
struct tf_check_thread;

// One launch. All zero: of kernels that do not ask.
struct tf_check_launch {
    const struct tf_command_kernel *kernel; // NULL: nothing is known of its arguments
    uint64_t since; // number and time of its start; 0: of several at the same time
    struct tf_check_family *family; // of kernels that enqueue kernels; or NULL
    uint32_t number;                // in it
};

// Fills *out, which is what tf_launch.reserved points to: it lives as long as the launch,
// as does `k`.
void tf_check_launch_begin(const struct tf_command_kernel *k,
                           struct tf_check_launch *out);
// Behind tf_check_launch_begin(): it is one of the family (check_family.h), if there is
// one.
void tf_check_launch_join(struct tf_check_launch *launch, struct tf_check_family *family,
                          uint32_t number, const struct tf_command_kernel *k);

// For launches that are made once and run again and again: tf_launch.reserved itself.
void *tf_check_launch_again(const struct tf_command_kernel *k);
// A batch is run once more: what is to be known of that, in its replay.
void tf_check_replay_begin(struct tf_batch_replay *replay);

// One question. *own is the calling thread's, NULL before the first. `cmd`, which may be
// NULL, is the command that the messages are of; *fails becomes true where it is to end
// with an error.
tf_u64 tf_check_ask(struct tf_check_thread **own, const struct tf_command *cmd,
                    const struct tf_launch *launch, struct tf_worker *worker,
                    struct tf_check_item *item, const tf_u64 about[5], bool *fails);

void tf_check_thread_free(struct tf_check_thread *own); // NULL is allowed

// In a forked child.
void tf_check_forked(void);

#endif // TF_DEVICES_CPU_CHECK_CPU_CHECK_H
