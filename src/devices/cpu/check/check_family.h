// SPDX-License-Identifier: MIT
// Launches that a kernel enqueues, and what orders them: who enqueued which, where, with
// which flag, and what it waits for. Nothing of it changes while a launch runs that it is
// about, so that races look at it without a lock.
//
// A launch comes behind
// - what the work-item that enqueued it had done, with what that comes behind;
// - with CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, all that its group does; with WAIT_KERNEL,
// all
//   that its launch does, but not behind other launches that this enqueues;
// - each launch that it has an event of, with all that this enqueues; what ends a user
//   event; and what those come behind.
// (OpenCL C 6.15.18; The OpenCL Specification, 3.3.6, 5.13.)
#ifndef TF_DEVICES_CPU_CHECK_CHECK_FAMILY_H
#define TF_DEVICES_CPU_CHECK_CHECK_FAMILY_H

#include "devices/cpu/check/check_shadow.h"
#include "devices/cpu/check/check_state.h"

struct tf_command_kernel;
struct tf_enqueue_record;

enum { TF_CHECK_LAUNCHES = 1 << 16 }; // of one family that are told apart

// NULL: the kernel does not ask, or memory ran out.
struct tf_check_family *tf_check_family_new(const struct tf_command_kernel *k);
void tf_check_family_free(struct tf_check_family *family); // NULL is allowed
// Something was enqueued, or a user event made, by the work-item that the thread runs, of
// the launch `by`: the number that it has. `family` may be NULL.
uint32_t tf_check_enqueued(struct tf_check_family *family,
                           const struct tf_check_thread *own, uint32_t by,
                           const struct tf_enqueue_record *record, uint64_t event);
// The work-item ends a user event.
void tf_check_event_set(struct tf_check_family *family, const struct tf_check_thread *own,
                        uint32_t by, uint64_t event);
// One of them begins to run: the time that all of the family counts from. 0: it is not
// known here.
uint64_t tf_check_family_join(struct tf_check_family *family, uint32_t number,
                              const struct tf_command_kernel *k);

// What a launch of the family is, for messages.
struct tf_check_member {
    const struct tf_check_table *table; // NULL: it has not begun
    uint64_t group_count[3], local_size[3];
};
struct tf_check_member tf_check_member(const struct tf_check_family *family,
                                       uint32_t number);

// A work-item of the launch begins.
void tf_check_family_begin(struct tf_check_question *q);
// TF_CHECK_ENQUEUE: what tf_check_enqueued() is called for comes from here.
void tf_check_point(struct tf_check_question *q);
// Fills in the ids of the work-item that asks.
void tf_check_ids(const struct tf_check_question *q, struct tf_check_point *at);
// Who enqueued the launch, and the table that the point's place is in. False: nobody, or
// it is not known.
bool tf_check_parent(const struct tf_check_question *q,
                     const struct tf_check_table **table, struct tf_check_point *at);

// Whether the access of another launch comes before the launch `number`. One at a time.
bool tf_check_comes_before(const struct tf_check_family *family,
                           const struct tf_check_mark *mark, uint32_t number);

#endif // TF_DEVICES_CPU_CHECK_CHECK_FAMILY_H
