// SPDX-License-Identifier: MIT
#include "base/job_thread.h"

#include "base/attr.h"
#include "base/log.h"

static void run_all(struct tf_job *job)
{
    while (job) {
        struct tf_job *next = job->next; // the job frees itself

        tf_assert_no_locks();
        job->run(job);
        job = next;
    }
}

void tf_job_thread_run(struct tf_job_thread *t)
{
    tf_lock(&t->lock);
    while (t->head && !t->is_taken) {
        struct tf_job *jobs = t->head;

        t->head = t->tail = NULL;
        t->is_taken = true;
        tf_unlock(&t->lock);
        run_all(jobs);
        tf_lock(&t->lock);
        t->is_taken = false;
    }
    tf_unlock(&t->lock);
}

// False: the thread ends.
static bool wait_for_jobs(struct tf_job_thread *t)
{
    bool is_over = false;

    tf_lock(&t->lock);
    while ((!t->head || t->is_taken) && !is_over)
        is_over = !tf_idle_wait(&t->work, &t->lock);
    is_over = !t->head || t->is_taken;
    if (is_over)
        t->started = false;
    tf_unlock(&t->lock);
    return !is_over;
}

static void *job_thread(void *arg)
{
    struct tf_job_thread *t = arg;

    while (wait_for_jobs(t))
        tf_job_thread_run(t);
    return NULL;
}

void tf_job_thread_idler(struct tf_idler *idler)
{
    struct tf_job_thread *t = tf_container_of(idler, struct tf_job_thread, idler);

    tf_lock(&t->lock);
    tf_cond_signal_all(&t->work);
    tf_unlock(&t->lock);
}

void tf_job_thread_add(struct tf_job_thread *t, struct tf_job *first)
{
    struct tf_job *last = first;

    while (last->next)
        last = last->next;
    tf_lock(&t->lock);
    if (t->tail)
        t->tail->next = first;
    else
        t->head = first;
    t->tail = last;
    tf_unlock(&t->lock);
}

void tf_job_thread_wake(struct tf_job_thread *t)
{
    bool starts;

    tf_lock(&t->lock);
    starts = !t->started;
    t->started = true;
    tf_cond_signal_all(&t->work);
    tf_unlock(&t->lock);
    if (starts)
        tf_idler_add(&t->idler);
    if (!starts || tf_thread_start(t->name, t->stack_bytes, job_thread, t))
        return;
    tf_log(TF_LOG_ERROR, "no thread %s: its work is done where it comes up", t->name);
    tf_lock(&t->lock);
    t->started = false;
    tf_unlock(&t->lock);
    tf_job_thread_run(t);
}

void tf_job_thread_forked(struct tf_job_thread *t) TF_NO_TSA
{
    tf_mutex_init(&t->lock, TF_RANK_LEAF);
    tf_cond_init(&t->work);
    t->head = t->tail = NULL;
    t->is_taken = t->started = false;
}
