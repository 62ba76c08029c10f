// SPDX-License-Identifier: MIT
#include "core/notifier.h"

static struct tf_job_thread notifier = TF_JOB_THREAD_INITIALIZER("trefoil-notify", 0);

void tf_notifier_post(struct tf_job *first)
{
    tf_job_thread_post(&notifier, first);
}

void tf_notifier_forked(void)
{
    tf_job_thread_forked(&notifier);
}
