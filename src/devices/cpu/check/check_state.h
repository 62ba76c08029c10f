// SPDX-License-Identifier: MIT
// What the parts of this room share.
#ifndef TF_DEVICES_CPU_CHECK_CHECK_STATE_H
#define TF_DEVICES_CPU_CHECK_CHECK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/check_record.h"
#include "abi/cpu_abi.h"
#include "core/platform/device_interface.h"

// What a work-item has done: the rest of its record.
struct tf_check_state {
    uint32_t flags;    // of the barrier that comes next; 0: not known, all memory
    uint32_t barriers; // that it has come to
    // Times (check_race.h): what was done before is seen by the work-item, ..
    uint32_t sync;         // whoever has done it
    uint32_t local_time;   // in local memory, by its group
    uint32_t global_time;  // the same elsewhere
    uint32_t may_sync;     // once it passes a fence
    uint32_t released;     // its last fence that gives what it has done to others
    uint32_t barrier_site; // where it waits
    uint64_t bad_address;  // of the last access that was not made
    struct tf_check_private *variables; // those whose bytes are followed
};

static inline struct tf_check_state *tf_check_state(struct tf_check_item *item)
{
    return (struct tf_check_state *)item->rest;
}

// The group that a thread runs.
struct tf_check_group {
    uint64_t since;  // of the launch
    uint64_t stamp;  // of the group: no other one on any thread has it
    uint32_t number; // in the launch
    uint32_t launch; // in its family
    bool told;       // that its work-items are apart
    // By number of the work-item; room for `size`.
    struct tf_check_item **items;
    size_t size, room;
    uint32_t round; // barriers that all have passed
    uint32_t time;  // of the last one
    uint32_t sync;  // the latest of those who came there
};

// Cells of bytes that were accessed (check_race.h): pages of them, by address.
struct tf_check_page;
struct tf_check_shadow {
    struct tf_check_page **slots; // hashed
    size_t slot_count, page_count, bytes;
};
void tf_check_shadow_finish(struct tf_check_shadow *shadow);

// Where a work-item asks for something that is enqueued.
struct tf_check_point {
    bool is_known;
    uint32_t group, item; // numbers, in the launch and in the group
    uint32_t site;
    uint32_t time;       // what it did before has a lesser one,
    uint32_t group_time; // what its group did before it, one less than this,
    uint32_t sync;       // and whoever did what it has acquired
    uint64_t global_id[3], local_id[3], group_id[3];
};

// A thread that runs checked kernels.
struct tf_check_thread {
    struct tf_check_group group;
    struct tf_check_shadow local; // of local memory
    struct tf_check_point point;  // of the work-item that asks now
    unsigned char *local_written; // a bit a byte of the group's; NULL: all is written
    size_t local_bytes, local_room;
    // Where what must not happen does no harm: reads find zeros, writes are lost.
    _Alignas(128) unsigned char zeros[TF_CHECK_ACCESS_BYTES];
    unsigned char sink[TF_CHECK_ACCESS_BYTES];
};

// One question on its way.
struct tf_check_question {
    struct tf_check_thread *own;
    const struct tf_command *cmd;
    const struct tf_launch *launch;
    const struct tf_command_kernel *kernel; // of the launch; NULL: not known
    const struct tf_kernel_info *info;      // the same
    const struct tf_worker *worker;
    struct tf_check_item *item;
    const struct tf_check_site *site;
    uint64_t since;                       // of the launch: struct tf_check_launch
    const struct tf_check_family *family; // the same
    uint32_t number;                      // the same
    uint64_t address, bytes, base, value;
    bool fails; // the launch is to end with an error
};

// What an address may be used for: an object, as far as it is known.
struct tf_check_object {
    bool is_known;     // start and bytes
    bool is_read_only; // to kernels
    uint64_t start, bytes;
    char name[160]; // for messages
};

void tf_check_find_object(const struct tf_check_question *q, struct tf_check_object *out);

// The next moment of the process.
uint64_t tf_check_tick(void);
uint64_t tf_check_ticks(size_t count); // so many in a row: the first
// The moment as a time of the launch; `next`: a new one.
uint32_t tf_check_time(const struct tf_check_question *q, bool next);

// The number of the group in the launch, and of the work-item in its group.
uint64_t tf_check_group_number(const struct tf_check_question *q);
size_t tf_check_item_number(const struct tf_check_item *item);

// ---- Messages ----

// A place of a program as a number.
uint64_t tf_check_place(const struct tf_check_table *table, uint64_t site);
// Whether the fault at this place, seen together with `other` (0: nothing), is a new one:
// each is told once, and counted. It is to be told then.
bool tf_check_is_new(struct tf_check_question *q, const char *kind, uint64_t other);
// Tells: `what` happens, in a line, `where`, in another one; either may say nothing.
void tf_check_tell(struct tf_check_question *q, const char *kind, const char *what,
                   const char *where);
// Counts a work-item that begins: the message at the end has their number.
void tf_check_count_item(void);
// In a forked child.
void tf_check_tell_forked(void);

#endif // TF_DEVICES_CPU_CHECK_CHECK_STATE_H
