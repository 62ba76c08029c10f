// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_device_event.h"

#include "base/alloc.h"
#include "base/thread.h"

enum {
    BLOCK_SLOTS = 1024,
    BLOCKS = TF_DEVICE_EVENTS / BLOCK_SLOTS,
    SUBMITTED = CL_SUBMITTED,
};

// Where a kernel wants the times of an event that has not ended.
struct capture {
    struct capture *next;
    uint64_t *out;
};

struct slot {
    uint32_t generation; // of the event that lives here; 0: none
    uint32_t last_generation;
    uint32_t refs;
    cl_int status;  // SUBMITTED, CL_COMPLETE or an error
    uint64_t owner; // of one that a kernel ends; 0: of a command
    struct tf_device_times times;
    struct tf_device_waiter *waiters;
    struct capture *captures; // owned
    uint32_t next_free;       // its place + 1; 0: the last
};

static struct {
    struct tf_mutex lock;
    struct slot *blocks[BLOCKS] TF_GUARDED_BY(&lock); // for ever, once made
    uint32_t count TF_GUARDED_BY(&lock);              // of slots ever used
    uint32_t first_free TF_GUARDED_BY(&lock);         // its place + 1
    uint32_t hand TF_GUARDED_BY(&lock);               // of the search for ended ones
} table = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

static struct slot *slot_at(uint32_t place) TF_REQUIRES(&table.lock)
{
    return &table.blocks[place / BLOCK_SLOTS][place % BLOCK_SLOTS];
}

static struct slot *find(uint64_t event) TF_REQUIRES(&table.lock)
{
    const uint32_t place = (uint32_t)event, generation = (uint32_t)(event >> 32);
    struct slot *slot;

    if (generation == 0 || place >= table.count)
        return NULL;
    slot = slot_at(place);
    return slot->generation == generation ? slot : NULL;
}

static void write_times(const struct slot *slot, uint64_t *out)
{
    const struct tf_device_times *t = &slot->times;

    // A command that was quicker than the clock ticks took something, too.
    out[0] = t->end_ns > t->start_ns ? t->end_ns - t->start_ns : 1;
    out[1] = t->complete_ns > t->start_ns ? t->complete_ns - t->start_ns : 1;
    if (out[1] < out[0])
        out[1] = out[0];
}

static void free_slot(struct slot *slot, uint32_t place) TF_REQUIRES(&table.lock)
{
    while (slot->captures) {
        struct capture *next = slot->captures->next;

        tf_free(slot->captures);
        slot->captures = next;
    }
    slot->generation = 0;
    slot->next_free = table.first_free;
    table.first_free = place + 1;
}

// An event that has ended, and that nobody released: it gives its place away.
static bool reclaim(uint32_t *place) TF_REQUIRES(&table.lock)
{
    for (uint32_t i = 0; i < table.count; i++) {
        struct slot *slot;

        *place = table.hand++ % table.count;
        slot = slot_at(*place);
        if (slot->generation && slot->status != SUBMITTED) {
            free_slot(slot, *place);
            table.first_free = slot->next_free;
            return true;
        }
    }
    return false;
}

static bool take_place(uint32_t *place) TF_REQUIRES(&table.lock)
{
    if (table.first_free) {
        *place = table.first_free - 1;
        table.first_free = slot_at(*place)->next_free;
        return true;
    }
    if (table.count == TF_DEVICE_EVENTS)
        return reclaim(place);
    if (table.count % BLOCK_SLOTS == 0 && !table.blocks[table.count / BLOCK_SLOTS]) {
        struct slot *block = tf_alloc_forever(BLOCK_SLOTS * sizeof(struct slot));

        if (!block)
            return false;
        table.blocks[table.count / BLOCK_SLOTS] = block;
    }
    *place = table.count++;
    return true;
}

uint64_t tf_device_event_new(uint64_t owner)
{
    uint64_t event = 0;
    uint32_t place;

    tf_lock(&table.lock);
    if (take_place(&place)) {
        struct slot *slot = slot_at(place);
        const uint32_t generation = slot->last_generation + 1;

        *slot = (struct slot){.generation = generation ? generation : 1,
                              .refs = 2,
                              .status = SUBMITTED,
                              .owner = owner};
        slot->last_generation = slot->generation;
        event = (uint64_t)slot->generation << 32 | place;
    }
    tf_unlock(&table.lock);
    return event;
}

bool tf_device_event_is_valid(uint64_t event)
{
    bool valid;

    tf_lock(&table.lock);
    valid = find(event) != NULL;
    tf_unlock(&table.lock);
    return valid;
}

void tf_device_event_retain(uint64_t event)
{
    struct slot *slot;

    tf_lock(&table.lock);
    slot = find(event);
    if (slot && slot->refs < UINT32_MAX)
        slot->refs++;
    tf_unlock(&table.lock);
}

static void drop(uint64_t event, struct slot *slot) TF_REQUIRES(&table.lock)
{
    if (--slot->refs == 0)
        free_slot(slot, (uint32_t)event);
}

void tf_device_event_release(uint64_t event)
{
    struct slot *slot;

    tf_lock(&table.lock);
    slot = find(event);
    // The last reference of an event that has not ended is not the kernel's to drop, but
    // for one that nobody can end any more, and nobody waits for.
    if (slot && slot->refs == 2 && slot->owner && slot->status == SUBMITTED &&
        !slot->waiters)
        free_slot(slot, (uint32_t)event);
    else if (slot && (slot->refs > 1 || slot->status != SUBMITTED))
        drop(event, slot);
    tf_unlock(&table.lock);
}

bool tf_device_event_wait(uint64_t event, struct tf_device_waiter *waiter, cl_int *status)
{
    struct slot *slot;
    bool waits = false;

    tf_lock(&table.lock);
    slot = find(event);
    *status = slot ? slot->status : 1;
    if (slot && slot->status == SUBMITTED) {
        waiter->next = slot->waiters;
        slot->waiters = waiter;
        waits = true;
    }
    tf_unlock(&table.lock);
    return waits;
}

static struct tf_device_waiter *end(uint64_t event, struct slot *slot, cl_int status,
                                    const struct tf_device_times *times)
    TF_REQUIRES(&table.lock)
{
    struct tf_device_waiter *waiters = slot->waiters;

    slot->status = status;
    slot->waiters = NULL;
    if (times)
        slot->times = *times;
    for (const struct capture *c = slot->captures; c; c = c->next)
        write_times(slot, c->out);
    drop(event, slot);
    return waiters;
}

struct tf_device_waiter *tf_device_event_end(uint64_t event, cl_int status,
                                             const struct tf_device_times *times)
{
    struct tf_device_waiter *waiters = NULL;
    struct slot *slot;

    tf_lock(&table.lock);
    slot = find(event);
    if (slot)
        waiters = end(event, slot, status, times);
    tf_unlock(&table.lock);
    return waiters;
}

struct tf_device_waiter *tf_device_event_set(uint64_t event, cl_int status)
{
    struct tf_device_waiter *waiters = NULL;
    struct slot *slot;

    tf_lock(&table.lock);
    slot = find(event);
    if (slot && slot->owner && slot->status == SUBMITTED && status <= CL_COMPLETE)
        waiters = end(event, slot, status, NULL);
    tf_unlock(&table.lock);
    return waiters;
}

struct tf_device_waiter *tf_device_event_give_up(uint64_t owner, cl_int status)
{
    struct tf_device_waiter *waiters = NULL;

    tf_lock(&table.lock);
    for (uint32_t place = 0; place < table.count && !waiters; place++) {
        struct slot *slot = slot_at(place);

        if (slot->generation && slot->owner == owner && slot->status == SUBMITTED &&
            slot->waiters)
            waiters = end((uint64_t)slot->generation << 32 | place, slot, status, NULL);
    }
    tf_unlock(&table.lock);
    return waiters;
}

static void take_of(struct slot *slot, bool (*wanted)(const void *owner),
                    struct tf_device_waiter **taken)
{
    struct tf_device_waiter **link = &slot->waiters;

    while (*link) {
        struct tf_device_waiter *waiter = *link;

        if (!wanted(waiter->owner)) {
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        waiter->next = *taken;
        *taken = waiter;
    }
}

struct tf_device_waiter *tf_device_event_take(bool (*wanted)(const void *owner))
{
    struct tf_device_waiter *taken = NULL;

    tf_lock(&table.lock);
    for (uint32_t place = 0; place < table.count; place++)
        if (slot_at(place)->generation)
            take_of(slot_at(place), wanted, &taken);
    tf_unlock(&table.lock);
    return taken;
}

void tf_device_event_capture(uint64_t event, uint64_t *out)
{
    struct capture *capture = tf_zalloc(sizeof(*capture));
    struct slot *slot;

    tf_lock(&table.lock);
    slot = find(event);
    if (slot && slot->status != SUBMITTED) {
        write_times(slot, out);
    } else if (slot && capture) {
        *capture = (struct capture){.next = slot->captures, .out = out};
        slot->captures = capture;
        capture = NULL;
    }
    tf_unlock(&table.lock);
    tf_free(capture);
}

void tf_device_events_forked(void) TF_NO_TSA
{
    tf_mutex_init(&table.lock, TF_RANK_LEAF);
}
