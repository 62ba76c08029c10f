// SPDX-License-Identifier: MIT
#include "base/job_thread.h"

#include "base/log.h"

static struct tf_job *take_all(struct tf_job_thread *t) TF_REQUIRES(&t->lock)
{
    struct tf_job *first = t->head;

    t->head = t->tail = NULL;
    return first;
}

static void run_all(struct tf_job *job)
{
    while (job) {
        struct tf_job *next = job->next; // the job frees itself

        tf_assert_no_locks();
        job->run(job);
        job = next;
    }
}

static void *job_thread(void *arg)
{
    struct tf_job_thread *t = arg;

    for (;;) {
        struct tf_job *jobs;

        tf_lock(&t->lock);
        while (!t->head)
            tf_cond_wait(&t->work, &t->lock);
        jobs = take_all(t);
        tf_unlock(&t->lock);
        run_all(jobs);
    }
    return NULL;
}

static void run_here(struct tf_job_thread *t)
{
    struct tf_job *jobs;

    tf_log(TF_LOG_ERROR, "no thread %s: its work is done where it comes up", t->name);
    tf_lock(&t->lock);
    t->started = false;
    jobs = take_all(t);
    tf_unlock(&t->lock);
    run_all(jobs);
}

void tf_job_thread_post(struct tf_job_thread *t, struct tf_job *first)
{
    struct tf_job *last = first;
    bool starts;

    if (!first)
        return;
    while (last->next)
        last = last->next;
    tf_lock(&t->lock);
    if (t->tail)
        t->tail->next = first;
    else
        t->head = first;
    t->tail = last;
    starts = !t->started;
    t->started = true;
    tf_cond_signal_all(&t->work);
    tf_unlock(&t->lock);
    if (starts && !tf_thread_start(t->name, t->stack_bytes, job_thread, t))
        run_here(t);
}

void tf_job_thread_forked(struct tf_job_thread *t) TF_NO_TSA
{
    tf_mutex_init(&t->lock, TF_RANK_LEAF);
    tf_cond_init(&t->work);
    t->head = t->tail = NULL;
    t->started = false;
}
