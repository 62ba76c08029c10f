// SPDX-License-Identifier: MIT
// The notifier: one thread, started on first use, that runs the application's callbacks
// in the order in which they were posted, with no lock held. A callback may call any
// entry point, blocking ones included.
#ifndef TF_CORE_NOTIFIER_H
#define TF_CORE_NOTIFIER_H

struct tf_note {
    struct tf_note *next;
    void (*run)(struct tf_note *note); // owns the note: frees what holds it
};

// Posts a list of notes, linked by `next`, in its order; NULL is allowed. Cannot fail:
// when no thread can be started, the notes run before this returns. No lock may be held.
void tf_notifier_post(struct tf_note *first);

// In a forked child: forgets the parent's thread and its notes.
void tf_notifier_forked(void);

#endif // TF_CORE_NOTIFIER_H
