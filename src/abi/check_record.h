// SPDX-License-Identifier: MIT
// What checked kernels (doc/checking.md) tell the run-time: a table of places, constant
// data of the kernel's object, and a record of each work-item on its stack. Plain data of
// fixed layout: the compiler writes the table byte by byte.
#ifndef TF_ABI_CHECK_RECORD_H
#define TF_ABI_CHECK_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi/cpu_abi.h"

enum tf_check_mode {
    TF_CHECK_MEMORY = 1u << 0,
    TF_CHECK_RACES = 1u << 1,
    TF_CHECK_UNINITIALIZED = 1u << 2,
    TF_CHECK_DIVERGENCE = 1u << 3,
    TF_CHECK_ALL = (1u << 4) - 1,
};

// The build option that asks for them, with a list behind it.
#define TF_CHECK_OPTION "-cl-trefoil-check="

// Bits of the words of such a list ("memory,races", "all"). *unknown, if there is one,
// becomes the place of a word that is none of them, or stays as it is.
static inline unsigned tf_check_modes(const char *list, const char **unknown)
{
    static const struct {
        const char *word;
        unsigned modes;
    } words[] = {{"memory", TF_CHECK_MEMORY},
                 {"races", TF_CHECK_RACES},
                 {"uninitialized", TF_CHECK_UNINITIALIZED},
                 {"divergence", TF_CHECK_DIVERGENCE},
                 {"all", TF_CHECK_ALL}};
    unsigned modes = 0;

    while (list && *list) {
        const size_t bytes = strcspn(list, ",");
        unsigned found = 0;

        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            if (strlen(words[i].word) == bytes && !strncmp(list, words[i].word, bytes))
                found = words[i].modes;
        }
        if (!found && bytes > 0 && unknown)
            *unknown = list;
        modes |= found;
        list += bytes + (list[bytes] == ',');
    }
    return modes;
}

// What happens at a place.
enum tf_check_op {
    TF_CHECK_BEGIN, // of a work-item: fills its record
    TF_CHECK_END,
    TF_CHECK_READ,
    TF_CHECK_WRITE,
    TF_CHECK_UPDATE,       // an atomic operation that reads and writes
    TF_CHECK_BARRIER,      // a work-item arrives
    TF_CHECK_BARRIER_LEFT, // and goes on
    TF_CHECK_FENCE,
    TF_CHECK_FLAGS, // of the barrier that comes next: `address` has them
    // The answer has a bit for each part of the memory, of object_bytes, that was never
    // written in whole.
    TF_CHECK_INIT,
    // `address` is not 0 where a value that decides was never written; `base`: where it
    // is stored, 0 if there is no doubt about that.
    TF_CHECK_VALUE,
    TF_CHECK_SUB_GROUP,
    // An access to an image: `address` is its descriptor's, `value` the sampler, `bytes`
    // two coordinates of 32 bits, `base` the third and the level.
    TF_CHECK_IMAGE,
    TF_CHECK_PRIVATE, // a variable, `base`, of `bytes`; `address` is tf_check_private's
    // Memory of the work-item is written, by values of which `value` has a bit for each
    // part, of object_bytes, that has none. `address` 0: all of its variables, as a
    // whole.
    TF_CHECK_SET,
    TF_CHECK_COPY,    // from `base` to `address`
    TF_CHECK_ENQUEUE, // the work-item asks for something that is enqueued
    TF_CHECK_LEAVE,   // a function ends: of its last variables `bytes` are gone
    TF_CHECK_OPS,
};

// What an address was computed from, as far as the code shows.
enum tf_check_base {
    TF_CHECK_ANY,      // unknown
    TF_CHECK_ARG,      // a buffer, local memory, or a value that an argument gives
    TF_CHECK_VARIABLE, // a variable: `base` is its address, object_bytes its size
    TF_CHECK_CAPTURED, // a pointer, `base`, that a block has captured
    TF_CHECK_BASES,
};

// What a value decides: `arg` of TF_CHECK_VALUE.
enum tf_check_use { TF_CHECK_DECISION, TF_CHECK_ADDRESS, TF_CHECK_STORED };

// How an image is accessed: object_bytes of TF_CHECK_IMAGE.
enum {
    TF_CHECK_IMAGE_DIMS = 3u, // the mask; the layer of an array comes behind so many
    TF_CHECK_IMAGE_ARRAY = 1u << 2,
    TF_CHECK_IMAGE_WRITE = 1u << 3,
    TF_CHECK_IMAGE_SAMPLER = 1u << 4,
    TF_CHECK_IMAGE_FLOAT = 1u << 5, // what the coordinates are
    TF_CHECK_IMAGE_LEVEL = 1u << 6, // one is given that has to be there
};

enum {
    TF_CHECK_RELEASE = 1u << 0, // orderings of atomic operations and fences
    TF_CHECK_ACQUIRE = 1u << 1,
    TF_CHECK_ATOMIC = 1u << 2,
    // A range whose size the call gives: the answer is 0 where it must not be touched.
    TF_CHECK_RANGE = 1u << 3,
    TF_CHECK_HAS_VALUE = 1u << 4, // of a store, of 8 bytes at most
};

// A place of the program. Text by offsets into the table; 0: not known.
struct tf_check_site {
    uint8_t op;    // enum tf_check_op
    uint8_t space; // number of the address space: 0 private, 1 global, 2 constant, ..
    uint8_t base;  // enum tf_check_base
    uint8_t flags;
    uint32_t line, column;
    uint32_t file, variable;
    uint32_t arg;          // of TF_CHECK_ARG; or enum tf_check_use
    uint64_t object_bytes; // of TF_CHECK_VARIABLE; or as the operation says
};

// Of one kernel. The sites follow, then the texts.
struct tf_check_table {
    uint32_t modes;      // enum tf_check_mode
    uint32_t site_count; //
    uint32_t bytes;      // in all
    uint32_t kernel;     // text: its name
    uint64_t digest;     // of the rest, and of the code
};

static inline const struct tf_check_site *tf_check_sites(
    const struct tf_check_table *table)
{
    return (const struct tf_check_site *)(table + 1);
}

static inline const char *tf_check_text(const struct tf_check_table *table,
                                        uint32_t offset)
{
    return offset ? (const char *)table + offset : "";
}

// A work-item. The kernel fills the first three when it starts and calls with
// TF_CHECK_BEGIN, and knows of `result`; the rest is the run-time's.
struct tf_check_item {
    const struct tf_check_table *table;
    const struct tf_group *group;
    uint64_t local_id[3];
    uint64_t result; // of the function that was called last: elements without a value
    uint64_t rest[8];
};

// Of a private variable whose bytes are followed: in memory of the work-item, and the
// run-time's from TF_CHECK_PRIVATE on. As many bits as the variable has bytes follow.
struct tf_check_private {
    struct tf_check_private *next;
    uint64_t start, bytes;
    uint64_t written[];
};

// The services of struct tf_launch, as checked kernels know them: one more, which no
// other kernel asks for. `site` is a number in the table of the item, `base` the address
// of the variable that it names. The answer to an access is the address that is to be
// used, to a range not 0 where it may be touched. `value` is what a small store leaves.
struct tf_checked_services {
    struct tf_services services;
    tf_u64 (*check)(const struct tf_launch *, struct tf_worker *, struct tf_check_item *,
                    tf_u64 site, tf_u64 address, tf_u64 bytes, tf_u64 base, tf_u64 value);
};

// Bytes that one load or store has at most: what is invalid goes to a place as large.
enum { TF_CHECK_ACCESS_BYTES = 256 };

#endif // TF_ABI_CHECK_RECORD_H
