// SPDX-License-Identifier: MIT
#include "core/command/fork.h"

#include <pthread.h>

#include "base/lib.h"
#include "base/thread.h"
#include "core/memory/external.h"
#include "core/object/notifier.h"
#include "core/object/object.h"
#include "core/platform/platform.h"
#include "core/schedule/event.h"
#include "core/semaphore/semaphore_command.h"
#include "core/semaphore/semaphore_watch.h"

// Runs in the child, whose only thread is the one that forked: no other holds a lock, but
// locks may be held for good by threads that no longer exist.
static void child(void)
{
    tf_lib_forked();
    tf_main_thread_forked();
    tf_object_forked();
    tf_notifier_forked();
    tf_event_forked();
    tf_external_forked();
    tf_semaphore_commands_forked();
    tf_semaphore_watch_forked();
    tf_platform_forked();
}

void tf_fork_watch(void)
{
    pthread_atfork(tf_lib_before_fork, tf_lib_after_fork, child);
}
