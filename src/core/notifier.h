// SPDX-License-Identifier: MIT
// The notifier: the thread that runs the application's callbacks, in the order in which
// they were posted, with no lock held. A callback may call any entry point, blocking ones
// included.
#ifndef TF_CORE_NOTIFIER_H
#define TF_CORE_NOTIFIER_H

#include "base/job_thread.h"

// tf_job_thread_post() on the notifier's thread.
void tf_notifier_post(struct tf_job *first);

// In a forked child.
void tf_notifier_forked(void);

#endif // TF_CORE_NOTIFIER_H
