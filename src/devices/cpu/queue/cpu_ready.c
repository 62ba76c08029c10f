// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_ready.h"

#include <string.h>

#include "base/alloc.h"

enum { LINE_BYTES = 64, FETCHED_LINES = 3 };

// ---- Both ends ----

struct ends {
    uint16_t oldest, behind; // positions
    uint32_t taken;          // times, ever
};

static struct ends unpack(uint64_t word)
{
    return (struct ends){.oldest = (uint16_t)(word >> 48),
                         .behind = (uint16_t)word,
                         .taken = (uint32_t)(word >> 16)};
}

static uint64_t pack(struct ends ends)
{
    return (uint64_t)ends.oldest << 48 | (uint64_t)ends.taken << 16 | ends.behind;
}

static unsigned count(struct ends ends)
{
    return (uint16_t)(ends.behind - ends.oldest);
}

// Whether nobody has changed *word, which else becomes what it is now.
static bool change(struct tf_ready *ready, uint64_t *word, struct ends ends)
{
    return atomic_compare_exchange_weak(&ready->ends, word, pack(ends));
}

// ---- Places ----

void tf_ready_init(struct tf_ready *ready)
{
    atomic_init(&ready->ends, 0);
    ready->kept_count = 0;
    ready->first.count = TF_READY_FIRST;
    ready->first.older = NULL;
    ready->first.nodes = ready->first_nodes;
    atomic_init(&ready->places, &ready->first);
}

void tf_ready_finish(struct tf_ready *ready)
{
    struct tf_ready_places *places =
        atomic_load_explicit(&ready->places, memory_order_relaxed);

    while (places != &ready->first) {
        struct tf_ready_places *older = places->older;

        tf_free(places);
        places = older;
    }
}

static _Atomic(struct tf_ready_node *) *at(const struct tf_ready_places *places,
                                           uint16_t position)
{
    return &places->nodes[position % places->count];
}

static struct tf_ready_node *node_at(const struct tf_ready_places *places,
                                     uint16_t position)
{
    return atomic_load_explicit(at(places, position), memory_order_relaxed);
}

static void put(struct tf_ready_places *places, uint16_t position,
                struct tf_ready_node *node)
{
    atomic_store_explicit(at(places, position), node, memory_order_relaxed);
}

// NULL: more are not to be had.
static struct tf_ready_places *grow(struct tf_ready *ready, struct tf_ready_places *from,
                                    struct ends ends, unsigned wanted)
{
    struct tf_ready_places *places;
    uint32_t size = from->count;

    while (size < wanted)
        size *= 2;
    if (size > TF_READY_MOST)
        return NULL;
    places = tf_alloc_aligned(sizeof(void *),
                              sizeof(*places) + size * sizeof(places->nodes[0]));
    if (!places)
        return NULL;
    places->nodes = (_Atomic(struct tf_ready_node *) *)(places + 1);
    places->count = size;
    places->older = from;
    for (uint16_t i = ends.oldest; i != ends.behind; i++)
        put(places, i, node_at(from, i));
    atomic_store_explicit(&ready->places, places, memory_order_release);
    return places;
}

// ---- By the owner ----

// It will be wanted soon.
static void fetch(const struct tf_ready_node *node)
{
    for (size_t i = 0; i < FETCHED_LINES; i++)
        __builtin_prefetch((const char *)node + i * LINE_BYTES, 1);
}

// Room for so many more, at *behind; NULL: there is none. *word: the ends.
static struct tf_ready_places *make_room(struct tf_ready *ready, unsigned added,
                                         uint64_t *word, uint16_t *behind)
{
    struct tf_ready_places *places =
        atomic_load_explicit(&ready->places, memory_order_relaxed);
    struct ends ends;

    // Others have read the places that they freed before they said so.
    *word = atomic_load_explicit(&ready->ends, memory_order_acquire);
    ends = unpack(*word);
    *behind = ends.behind;
    if (added > TF_READY_MOST)
        return NULL;
    return count(ends) + added > places->count
               ? grow(ready, places, ends, count(ends) + added)
               : places;
}

// What was put there is to be seen. Returns how many are.
static unsigned add(struct tf_ready *ready, uint64_t word, unsigned added)
{
    struct ends ends;

    do {
        ends = unpack(word);
        ends.behind = (uint16_t)(ends.behind + added);
    } while (!change(ready, &word, ends));
    return count(ends);
}

unsigned tf_ready_push(struct tf_ready *ready, struct tf_ready_node *first,
                       unsigned added)
{
    uint16_t behind;
    uint64_t word;
    struct tf_ready_places *places = make_room(ready, added, &word, &behind);

    if (!places)
        return 0;
    for (unsigned i = added; i-- > 0; first = i > 0 ? first->below : NULL)
        put(places, (uint16_t)(behind + i), first);
    return add(ready, word, added);
}

unsigned tf_ready_show(struct tf_ready *ready, unsigned most)
{
    const unsigned some = ready->kept_count < most ? ready->kept_count : most;
    uint16_t behind;
    uint64_t word;
    struct tf_ready_places *places =
        some > 0 ? make_room(ready, some, &word, &behind) : NULL;

    if (!places)
        return 0;
    for (unsigned i = 0; i < some; i++)
        put(places, (uint16_t)(behind + i), ready->kept[i]);
    ready->kept_count -= some;
    memmove(ready->kept, ready->kept + some, ready->kept_count * sizeof(ready->kept[0]));
    return add(ready, word, some);
}

// Takes up to so many from the top and keeps them.
static void take_top(struct tf_ready *ready, unsigned most)
{
    const struct tf_ready_places *places =
        atomic_load_explicit(&ready->places, memory_order_relaxed);
    uint64_t word = atomic_load_explicit(&ready->ends, memory_order_relaxed);
    struct ends ends;
    unsigned some;

    do {
        ends = unpack(word);
        some = count(ends) < most ? count(ends) : most;
        if (some == 0)
            return;
        ends.behind = (uint16_t)(ends.behind - some);
        ends.taken++;
    } while (!change(ready, &word, ends));
    for (unsigned i = 0; i < some; i++)
        ready->kept[i] = node_at(places, (uint16_t)(ends.behind + i));
    ready->kept_count = some;
    // Below what it has taken, if it does not come by here before that is wanted.
    if (some == 1 && count(ends) > 0)
        fetch(node_at(places, (uint16_t)(ends.behind - 1)));
}

struct tf_ready_node *tf_ready_pop(struct tf_ready *ready, bool keeps)
{
    if (ready->kept_count == 0)
        take_top(ready, keeps ? TF_READY_KEPT / 2 : 1);
    if (ready->kept_count == 0)
        return NULL;
    if (--ready->kept_count > 0)
        fetch(ready->kept[ready->kept_count - 1]);
    return ready->kept[ready->kept_count];
}

// ---- By others ----

// What it has read is right as long as nobody has taken anything since. What was put on
// top meanwhile does not matter.
static unsigned take_oldest(struct tf_ready *from, struct tf_ready_node **taken,
                            unsigned least, unsigned limit)
{
    uint64_t word = atomic_load(&from->ends);

    for (;;) {
        const struct ends seen = unpack(word);
        struct tf_ready_places *places =
            atomic_load_explicit(&from->places, memory_order_acquire);
        const unsigned half = (count(seen) + 1) / 2;
        const unsigned most = half < limit ? half : limit;
        struct ends now = seen;

        if (count(seen) < least)
            return 0;
        for (unsigned i = 0; i < most; i++)
            taken[i] = node_at(places, (uint16_t)(seen.oldest + i));
        while (now.taken == seen.taken) {
            now.oldest = (uint16_t)(now.oldest + most);
            now.taken++;
            if (change(from, &word, now))
                return most;
            now = unpack(word);
        }
    }
}

// The owner of an empty stack, from which nobody takes anything.
static void put_all(struct tf_ready *to, struct tf_ready_node *const *nodes,
                    unsigned some)
{
    struct tf_ready_places *places =
        atomic_load_explicit(&to->places, memory_order_relaxed);
    uint64_t word = atomic_load_explicit(&to->ends, memory_order_acquire);
    struct ends ends = unpack(word);

    for (unsigned i = some; i-- > 0;) {
        put(places, (uint16_t)(ends.behind + i), nodes[i]);
        fetch(nodes[i]);
    }
    ends.behind = (uint16_t)(ends.behind + some);
    while (!change(to, &word, ends))
        continue; // for nothing: nobody else changes it
}

struct tf_ready_node *tf_ready_steal(struct tf_ready *from, struct tf_ready *to,
                                     unsigned least)
{
    struct tf_ready_node *taken[TF_READY_STOLEN];
    const unsigned some = take_oldest(from, taken, least, to ? TF_READY_STOLEN : 1);

    if (some == 0)
        return NULL;
    if (some > 1)
        put_all(to, taken, some - 1);
    return taken[some - 1];
}
