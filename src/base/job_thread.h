// SPDX-License-Identifier: MIT
// Jobs that run one after another, in the order in which they were posted, on a thread of
// their own or on one that offers itself. A wake starts the thread where there is none;
// it ends when it idles after the main thread (base/thread.h).
#ifndef TF_BASE_JOB_THREAD_H
#define TF_BASE_JOB_THREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/thread.h"

struct tf_job {
    struct tf_job *next;
    void (*run)(struct tf_job *job); // owns the job: frees what holds it
};

struct tf_job_thread {
    struct tf_mutex lock;
    struct tf_cond work;
    struct tf_job *head TF_GUARDED_BY(&lock);
    struct tf_job *tail TF_GUARDED_BY(&lock);
    bool is_taken TF_GUARDED_BY(&lock); // a thread runs jobs
    bool started TF_GUARDED_BY(&lock);  // the thread of its own
    const char *name;                   // 15 characters at most
    size_t stack_bytes;                 // 0: the system's default
    struct tf_idler idler;
};

void tf_job_thread_idler(struct tf_idler *idler);

// For objects of static storage.
#define TF_JOB_THREAD_INITIALIZER(thread_name, thread_stack_bytes)               \
    {                                                                            \
        .lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .work = TF_COND_INITIALIZER, \
        .name = (thread_name), .stack_bytes = (thread_stack_bytes), .idler = {   \
            .wake = tf_job_thread_idler                                          \
        }                                                                        \
    }

// Adds a list of jobs, linked by `next`, in its order. Nobody is told.
void tf_job_thread_add(struct tf_job_thread *t, struct tf_job *first);

// Has the thread look for jobs. No lock may be held, and none is held where a job runs.
// Cannot fail: when no thread can be started, the jobs run before this returns, and the
// next one tries again.
void tf_job_thread_wake(struct tf_job_thread *t);

// Runs what there is in this thread, unless another one does.
void tf_job_thread_run(struct tf_job_thread *t);

static inline void tf_job_thread_post(struct tf_job_thread *t, struct tf_job *first)
{
    tf_job_thread_add(t, first);
    tf_job_thread_wake(t);
}

// In a forked child: forgets the parent's thread and its jobs.
void tf_job_thread_forked(struct tf_job_thread *t);

#endif // TF_BASE_JOB_THREAD_H
