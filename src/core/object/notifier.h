// SPDX-License-Identifier: MIT
// The notifier runs the application's callbacks, one at a time, in the order in which
// they were posted, with no lock held. A callback may call any entry point, blocking ones
// included.
#ifndef TF_CORE_OBJECT_NOTIFIER_H
#define TF_CORE_OBJECT_NOTIFIER_H

#include "base/job_thread.h"

// Posts a list of jobs, linked by `next`, in its order; NULL is allowed. Cannot fail:
// when no thread can be started, the jobs run before this returns. A worker (device.h)
// runs them when it has nothing else to do.
void tf_notifier_post(struct tf_job *first);

// In a forked child.
void tf_notifier_forked(void);

#endif // TF_CORE_OBJECT_NOTIFIER_H
