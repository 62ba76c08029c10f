// SPDX-License-Identifier: MIT
#include "core/command/fork.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/object/notifier.h"
#include "core/object/object.h"
#include "core/platform/platform.h"
#include "core/schedule/event.h"

static atomic_uint epoch;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Runs in the child, whose only thread is the one that forked: no other holds a lock, but
// locks may be held for good by threads that no longer exist.
static void child(void)
{
    atomic_fetch_add(&epoch, 1);
    tf_object_forked();
    tf_notifier_forked();
    tf_event_forked();
    tf_platform_forked();
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, child);
}

void tf_fork_watch(void)
{
    pthread_once(&once, watch);
}

unsigned tf_fork_epoch(void)
{
    return atomic_load_explicit(&epoch, memory_order_relaxed);
}
