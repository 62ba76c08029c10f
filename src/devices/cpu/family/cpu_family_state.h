// SPDX-License-Identifier: MIT
// What a family (cpu_family.h) is made of, for those who run its launches and those who
// make and end it, and what its kernels may ask of it.
#ifndef TF_DEVICES_CPU_FAMILY_CPU_FAMILY_STATE_H
#define TF_DEVICES_CPU_FAMILY_CPU_FAMILY_STATE_H

#include "devices/cpu/family/cpu_child.h"
#include "devices/cpu/pool/cpu_pool.h"
#include "devices/cpu/queue/cpu_ready_list.h"
#include "devices/cpu/queue/cpu_worth.h"

struct tf_check_family;
struct tf_running;

struct tf_family {
    struct tf_child first;
    // What may begin: put there by those who work on something else, or came when all
    // stacks were taken.
    struct tf_ready_list shared;
    struct tf_unit unit; // of the session; a piece is left as long as there is work
    struct tf_command *cmd;
    struct tf_pool *pool;
    uint64_t number; // from 1 on: no other ever has it
    struct tf_mutex lock;
    struct tf_running *open TF_GUARDED_BY(&lock);  // with more groups than one
    struct tf_running *spare TF_GUARDED_BY(&lock); // owned
    atomic_uint opened;                            // of them, ever
    unsigned workers TF_GUARDED_BY(&lock);         // threads in the session
    unsigned threads;
    atomic_int status;              // of the command: the first launch that failed
    struct tf_check_family *checks; // of checked kernels; owned, or NULL
    bool in_session TF_GUARDED_BY(&lock);
    bool is_pushed TF_GUARDED_BY(&lock); // as a run, by one who ended an event
    atomic_bool has_ended;               // set under the lock
    uint64_t taken TF_GUARDED_BY(&lock); // stacks that a thread has, a bit each
    // Threads that have found nothing to do and will look at all stacks again.
    atomic_uint seekers;
    struct tf_worth worth;
    unsigned stack_count;
    struct tf_ready *stacks; // the same for each thread, behind the family
};

static inline bool tf_family_has_work(const struct tf_family *family)
{
    return tf_unit_is_left(&family->unit);
}

static inline void tf_family_set_work(struct tf_family *family, bool has)
{
    atomic_store(&family->unit.next_piece, has ? 0 : 1);
}

// There is more to do: others may come.
void tf_family_announce(struct tf_family *family) TF_REQUIRES(&family->lock);
// The status of the command, if no launch has failed before.
void tf_family_fail(struct tf_family *family, cl_int status);

static inline bool tf_family_is_stopped(const struct tf_family *family)
{
    return tf_command_stopped(family->cmd) < 0;
}
// Where get_default_queue() leads, and whether `queue` is one that the family may use.
static inline struct tf_devqueue *tf_family_queue(const struct tf_family *family)
{
    return family->cmd->kernel.default_queue;
}
bool tf_family_has_queue(const struct tf_family *family, uint64_t queue);

static inline struct tf_devprog *tf_family_program(const struct tf_family *family)
{
    return family->cmd->kernel.program;
}

static inline struct tf_device *tf_family_device(const struct tf_family *family)
{
    return family->cmd->kernel.dev;
}

#endif // TF_DEVICES_CPU_FAMILY_CPU_FAMILY_STATE_H
