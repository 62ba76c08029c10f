// SPDX-License-Identifier: MIT
// Threads that generate code in the background: one fewer than the CPUs of this process,
// so that compiling leaves kernels room, but at least one. They start when there is more
// to do than idle ones, and end when they idle after the main thread (base/thread.h).
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_GENERATOR_H
#define TF_DEVICES_CPU_PROGRAM_CPU_GENERATOR_H

#include <stddef.h>

struct tf_generator_job {
    struct tf_generator_job *next;
    void (*run)(struct tf_generator_job *job); // owns the job: frees what holds it
};

enum tf_generator_turn {
    TF_GENERATOR_SOON, // a launch will wait if this takes long
    TF_GENERATOR_LATER,
    TF_GENERATOR_TURNS,
};

// Runs the job on one of the threads, those of an earlier turn first. No lock may be
// held. Cannot fail: where no thread can be had the job runs before this returns.
void tf_generator_post(struct tf_generator_job *job, enum tf_generator_turn turn);

// Calls fn(arg, 0) to fn(arg, count - 1), each once: the caller, and those of the threads
// that have nothing else to do. Returns when all are done. No lock may be held.
void tf_generator_each(size_t count, void (*fn)(void *arg, size_t index), void *arg);

// In a forked child: forgets the parent's threads and their jobs.
void tf_generator_forked(void);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_GENERATOR_H
