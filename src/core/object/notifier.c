// SPDX-License-Identifier: MIT
// A role rather than a thread: whoever has it runs jobs until none is left, one thread at
// a time. A worker of a device takes it when it has nothing else to do, because it is
// awake; otherwise a thread of the notifier's own does.
#include "core/object/notifier.h"

static struct tf_job_thread notifier = TF_JOB_THREAD_INITIALIZER("trefoil-notify", 0);

// Of a worker: whether it is one, and whether it has posted jobs that it told nobody of.
static TF_THREAD_LOCAL struct {
    bool is_worker;
    bool has_due;
} self;

void tf_notifier_post(struct tf_job *first)
{
    if (!first)
        return;
    tf_job_thread_add(&notifier, first);
    if (self.is_worker)
        self.has_due = true;
    else
        tf_job_thread_wake(&notifier);
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
    tf_job_thread_wake(&notifier);
}

bool tf_worker_has_due(void)
{
    return self.has_due;
}

void tf_worker_run_due(void)
{
    self.has_due = false;
    tf_job_thread_run(&notifier);
    self.has_due = false; // of what callbacks posted nothing is left either
}

void tf_notifier_forked(void)
{
    tf_job_thread_forked(&notifier);
    self.is_worker = self.has_due = false;
}
