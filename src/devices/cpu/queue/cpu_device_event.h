// SPDX-License-Identifier: MIT
// Events that kernels make and wait for (clk_event_t). To a kernel an event is a number:
// a place in a table and how often that place has been used, so that numbers which are
// out of date, or never were an event, are told from others. One table and one lock for
// all devices.
//
// Who makes one owns a reference (the kernel's), and what will end it another.
#ifndef TF_DEVICES_CPU_QUEUE_CPU_DEVICE_EVENT_H
#define TF_DEVICES_CPU_QUEUE_CPU_DEVICE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "base/attr.h"

// Alive at a time. Beyond them, events that ended and were never released make room.
enum { TF_DEVICE_EVENTS = 1 << 16 };

// What waits for one event; the memory is the waiter's.
struct tf_device_waiter {
    struct tf_device_waiter *next;
    void *owner;
};

// When the command of an event began, ended, and ended with all that it had enqueued.
struct tf_device_times {
    uint64_t start_ns, end_ns, complete_ns;
};

// A new event, or 0 when there is no room. `owner` 0: of a command; otherwise one that a
// kernel ends, of the family with that number.
uint64_t tf_device_event_new(uint64_t owner) TF_NODISCARD;
bool tf_device_event_is_valid(uint64_t event);
void tf_device_event_retain(uint64_t event);
void tf_device_event_release(uint64_t event);

// Makes `waiter` wait. False if the event has ended already, or is none (*status 1).
bool tf_device_event_wait(uint64_t event, struct tf_device_waiter *waiter,
                          cl_int *status) TF_NODISCARD;

// Ends an event of a command with its status, and drops the command's reference. `times`
// is NULL where nobody has looked at the clock. Returns who waited for it.
struct tf_device_waiter *tf_device_event_end(uint64_t event, cl_int status,
                                             const struct tf_device_times *times);
// Ends an event that a kernel made; any other call does nothing.
struct tf_device_waiter *tf_device_event_set(uint64_t event, cl_int status);

// Ends an event with an error that a kernel of `owner` made and nobody has ended, and for
// which somebody waits: kernels that failed end none any more. NULL: there is none.
struct tf_device_waiter *tf_device_event_give_up(uint64_t owner, cl_int status);

// Takes away all that waits and whose owner is wanted, without ending anything.
struct tf_device_waiter *tf_device_event_take(bool (*wanted)(const void *owner));

// Stores how long the command ran, and how long it took with what it enqueued, as soon as
// it has ended: two words at `out`.
void tf_device_event_capture(uint64_t event, uint64_t *out);

// In a forked child.
void tf_device_events_forked(void);

#endif // TF_DEVICES_CPU_QUEUE_CPU_DEVICE_EVENT_H
