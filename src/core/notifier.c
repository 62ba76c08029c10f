// SPDX-License-Identifier: MIT
#include "core/notifier.h"

#include <stdbool.h>

#include "base/log.h"
#include "base/thread.h"

static struct {
    struct tf_mutex lock;
    struct tf_cond work;
    struct tf_note *head TF_GUARDED_BY(&lock);
    struct tf_note *tail TF_GUARDED_BY(&lock);
    bool started TF_GUARDED_BY(&lock);
} notifier = {
    .lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF),
    .work = TF_COND_INITIALIZER,
};

static struct tf_note *take_all(void) TF_REQUIRES(&notifier.lock)
{
    struct tf_note *first = notifier.head;

    notifier.head = notifier.tail = NULL;
    return first;
}

static void run_all(struct tf_note *note)
{
    while (note) {
        struct tf_note *next = note->next; // the note frees itself

        tf_assert_no_locks();
        note->run(note);
        note = next;
    }
}

static void *notifier_thread(void *arg)
{
    for (;;) {
        struct tf_note *notes;

        tf_lock(&notifier.lock);
        while (!notifier.head)
            tf_cond_wait(&notifier.work, &notifier.lock);
        notes = take_all();
        tf_unlock(&notifier.lock);
        run_all(notes);
    }
    return arg;
}

static void run_here(void)
{
    struct tf_note *notes;

    tf_log(TF_LOG_ERROR, "no thread for callbacks: they run where they were posted");
    tf_lock(&notifier.lock);
    notifier.started = false; // the next post tries again
    notes = take_all();
    tf_unlock(&notifier.lock);
    run_all(notes);
}

void tf_notifier_post(struct tf_note *first)
{
    struct tf_note *last = first;
    bool start;

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
    start = !notifier.started;
    notifier.started = true;
    tf_cond_signal_all(&notifier.work);
    tf_unlock(&notifier.lock);
    if (start && !tf_thread_start("trefoil-notify", 0, notifier_thread, NULL))
        run_here();
}

void tf_notifier_forked(void) TF_NO_TSA
{
    tf_mutex_init(&notifier.lock, TF_RANK_LEAF);
    tf_cond_init(&notifier.work);
    notifier.head = notifier.tail = NULL;
    notifier.started = false;
}
