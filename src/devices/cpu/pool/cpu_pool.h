// SPDX-License-Identifier: MIT
// The worker threads of a device and the work that they share: runs (lists of ready
// commands) that nobody has begun, and units of work that more threads may join. Workers
// start when there is work for them and are never joined. What a command does is the
// client's business.
//
// Any number of commands are in progress at once, one per thread that began a run. A unit
// belongs to all threads that joined it; the last one to leave it goes on with its run.
#ifndef TF_DEVICES_CPU_POOL_CPU_POOL_H
#define TF_DEVICES_CPU_POOL_CPU_POOL_H

#include <stdbool.h>

#include "base/thread.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/facts/cpu_topology.h"
#include "devices/cpu/pool/cpu_pool_place.h"
#include "devices/cpu/pool/cpu_unit.h"
#include "devices/cpu/pool/cpu_work_list.h"

struct tf_pool;

// Whom a pool works for.
struct tf_pool_client {
    // What a thread needs to work: `index` tells those in use apart. NULL when memory ran
    // out. It is used by one thread at a time, and trimmed when that has nothing to do.
    struct tf_exec *(*exec_new)(unsigned index);
    void (*exec_free)(struct tf_exec *exec); // NULL is allowed
    void (*exec_trim)(struct tf_exec *exec);
    // What a worker does with a task.
    void (*work)(struct tf_pool *pool, struct tf_exec *exec,
                 const struct tf_pool_task *task);
    // What becomes of a run when not one worker thread can be had, nor memory to do
    // without.
    void (*reject)(struct tf_command *run);
    // Whether a host thread that waits may take the run.
    bool (*may_help)(const struct tf_command *run);
};

// A pool of up to `threads` workers, which run on `cpus` only, or NULL. Starts nothing.
// The client is borrowed.
struct tf_pool *tf_pool_new(const struct tf_pool_client *client, unsigned threads,
                            const union tf_cpu_set *cpus) TF_NODISCARD;
// Once there is no work; NULL is allowed. Any thread may call, one of the pool's workers
// too: workers end on their own, the last one with the pool.
void tf_pool_free(struct tf_pool *pool);
unsigned tf_pool_threads(const struct tf_pool *pool);
// Whether its CPUs are of more than one core, as far as the system says.
bool tf_pool_has_cores(struct tf_pool *pool);

// Adds a run and sees to it that a worker takes it; where none can be started the calling
// thread executes it before this returns. Called by a worker of the pool in the
// middle of its own work, it wakes nobody: the worker calls tf_pool_wake_for_own() soon.
void tf_pool_push(struct tf_pool *pool, struct tf_command *run);

// A worker that pushed runs meanwhile: wakes others for them. With `takes_one` the caller
// itself is about to ask for work.
void tf_pool_wake_for_own(bool takes_one);

// Whether runs wait that nobody has begun; may be out of date at once.
bool tf_pool_has_runs(const struct tf_pool *pool);

// Frames a call of user code on a worker: what that code enqueues is not left until the
// worker wakes others, because the code may wait for it.
void tf_pool_user_code(bool begins);

// Offers a unit to other threads; the caller is its first user.
void tf_pool_offer(struct tf_pool *pool, struct tf_unit *unit);
// The same, and wakes nobody: tf_pool_renew() does when there are pieces.
void tf_pool_share(struct tf_pool *pool, struct tf_unit *unit);
// There are pieces again of a unit that has a user (otherwise nothing happens): others
// may join once more, and one is woken.
void tf_pool_renew(struct tf_pool *pool, struct tf_unit *unit);
// Leaves a unit, and nobody may join it any more (unless it lasts and has pieces). True
// for the last thread to leave: the unit has ended and is the caller's.
bool tf_pool_leave(struct tf_pool *pool, struct tf_unit *unit) TF_NODISCARD;

// What the pool knows of a thread that works for it.
struct tf_pool_worker {
    struct tf_pool *pool;
    struct tf_exec *exec;
    unsigned number; // from 0
    struct tf_cond wake;
    struct tf_pool_worker *next_idle;
    bool woken; // under the pool's lock
    struct tf_pool_place place;
    bool spin_pays;      // the last time without work was short
    unsigned own_pushes; // runs pushed since the last tf_pool_wake_for_own()
    bool has_skipped;    // nobody was woken for the last run, which it may take itself
    bool in_user_code;   // pushes as a host thread does
    bool works_alone;    // a host thread, for want of workers
};

// A host thread that helps. It counts as a worker meanwhile: what its commands make ready
// wakes nobody before it has looked at it itself. All zero before the first call.
struct tf_pool_helper {
    struct tf_pool_worker worker;  // its exec does the work
    struct tf_pool_worker *before; // what the thread was
};
// Stores work that the command waits for: a unit, or a run that nobody has begun, of
// `cmd` or of commands that come before it. False when there is none, or no memory: the
// thread does not help any more. The pool lives until then.
bool tf_pool_help(struct tf_pool *pool, struct tf_pool_helper *helper,
                  const struct tf_command *cmd, struct tf_pool_task *task) TF_NODISCARD;

// In a forked child: no thread and no work is left of the parent's, in any pool.
void tf_pool_forked(void);

#endif // TF_DEVICES_CPU_POOL_CPU_POOL_H
