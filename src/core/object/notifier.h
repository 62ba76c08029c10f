// SPDX-License-Identifier: MIT
// The notifier runs the application's callbacks, one at a time, in the order in which
// they were posted, with no lock held. A callback may call any entry point, blocking ones
// included.
#ifndef TF_CORE_OBJECT_NOTIFIER_H
#define TF_CORE_OBJECT_NOTIFIER_H

#include <stdbool.h>

#include "base/job_thread.h"

// Posts a list of jobs, linked by `next`, in its order; NULL is allowed. Cannot fail:
// when no thread can be started, the jobs run before this returns. A worker runs them
// when it has nothing else to do.
void tf_notifier_post(struct tf_job *first);

// Optional for devices: callbacks without a switch of threads. A thread of the device
// becomes a worker: the callbacks that it posts (they come due when it says that a
// command has started or finished) are left to it, and are due. It runs them when it has
// nothing else to do, as user code that may block, with no lock held. Before it does
// anything else that takes time it hands them over, and another thread runs them. No
// worker while it runs other user code (native kernels), nor at its end.
void tf_worker_begins(void);
void tf_worker_ends(void);
void tf_worker_hand_over(void);
bool tf_worker_has_due(void);
void tf_worker_run_due(void);

// In a forked child.
void tf_notifier_forked(void);

#endif // TF_CORE_OBJECT_NOTIFIER_H
