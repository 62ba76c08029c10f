// SPDX-License-Identifier: MIT
// A role rather than a thread: whoever has it runs jobs until none is left, one thread at
// a time. A worker of a device takes it when it has nothing else to do, because it is
// awake; otherwise a thread of the notifier's own does.
#include "core/object/notifier.h"

#include "base/log.h"

static struct {
    struct tf_mutex lock;
    struct tf_cond work;
    struct tf_job *head TF_GUARDED_BY(&lock);
    struct tf_job *tail TF_GUARDED_BY(&lock);
    bool is_taken TF_GUARDED_BY(&lock); // a thread has the role
    bool started TF_GUARDED_BY(&lock);  // the thread of its own
} notifier = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .work = TF_COND_INITIALIZER};

// Of a worker: whether it is one, and whether it has posted jobs that it told nobody of.
static _Thread_local struct {
    bool is_worker;
    bool has_due;
} self;

static void run_all(struct tf_job *job)
{
    while (job) {
        struct tf_job *next = job->next; // the job frees itself

        tf_assert_no_locks();
        job->run(job);
        job = next;
    }
}

// Runs what there is, unless another thread does.
static void run_jobs(void)
{
    tf_lock(&notifier.lock);
    while (notifier.head && !notifier.is_taken) {
        struct tf_job *jobs = notifier.head;

        notifier.head = notifier.tail = NULL;
        notifier.is_taken = true;
        tf_unlock(&notifier.lock);
        run_all(jobs);
        tf_lock(&notifier.lock);
        notifier.is_taken = false;
    }
    tf_unlock(&notifier.lock);
}

static void *notifier_thread(void *arg)
{
    (void)arg;
    for (;;) {
        tf_lock(&notifier.lock);
        while (!notifier.head || notifier.is_taken)
            tf_cond_wait(&notifier.work, &notifier.lock);
        tf_unlock(&notifier.lock);
        run_jobs();
    }
    return NULL;
}

// Has the thread of its own look for jobs.
static void tell(void)
{
    bool starts;

    tf_lock(&notifier.lock);
    starts = !notifier.started;
    notifier.started = true;
    tf_cond_signal_all(&notifier.work);
    tf_unlock(&notifier.lock);
    if (!starts || tf_thread_start("trefoil-notify", 0, notifier_thread, NULL))
        return;
    tf_log(TF_LOG_ERROR, "no thread for callbacks: they run where they come due");
    tf_lock(&notifier.lock);
    notifier.started = false;
    tf_unlock(&notifier.lock);
    run_jobs();
}

void tf_notifier_post(struct tf_job *first)
{
    struct tf_job *last = first;

    if (!first)
        return;
    while (last->next)
        last = last->next;
    tf_lock(&notifier.lock);
    if (notifier.tail)
        notifier.tail->next = first;
    else
        notifier.head = first;
    notifier.tail = last;
    tf_unlock(&notifier.lock);
    if (self.is_worker)
        self.has_due = true;
    else
        tell();
}

void tf_worker_begins(void)
{
    self.is_worker = true;
}

void tf_worker_ends(void)
{
    tf_worker_hand_over();
    self.is_worker = false;
}

void tf_worker_hand_over(void)
{
    if (!self.has_due)
        return;
    self.has_due = false;
    tell();
}

bool tf_worker_has_due(void)
{
    return self.has_due;
}

void tf_worker_run_due(void)
{
    self.has_due = false;
    run_jobs();
    self.has_due = false; // of what callbacks posted nothing is left either
}

void tf_notifier_forked(void) TF_NO_TSA
{
    tf_mutex_init(&notifier.lock, TF_RANK_LEAF);
    tf_cond_init(&notifier.work);
    notifier.head = notifier.tail = NULL;
    notifier.is_taken = notifier.started = false;
    self.is_worker = self.has_due = false;
}
