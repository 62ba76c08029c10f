// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/jit_interface.h"

#include <stdint.h>

#include "base/alloc.h"
#include "base/thread.h"

// Names, types and numbers are the debugger's: it looks them up in the library, reads the
// list, and stops the program where the function is called.
struct tf_jit_entry {
    struct tf_jit_entry *next, *prev;
    const void *object; // owned
    uint64_t bytes;
};

enum { VERSION = 1, NOTHING = 0, REGISTERED = 1, UNREGISTERED = 2 };

struct descriptor {
    uint32_t version;
    uint32_t action;
    struct tf_jit_entry *relevant, *first;
};

extern struct descriptor __jit_debug_descriptor;
void __jit_debug_register_code(void);

__attribute__((visibility("default"), used)) struct descriptor __jit_debug_descriptor = {
    .version = VERSION, .action = NOTHING};

// Neither inlined nor left out: debuggers set a breakpoint in it.
__attribute__((visibility("default"), used, noinline)) void __jit_debug_register_code(
    void)
{
    __asm__ volatile("" ::: "memory");
}

static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);

static void tell(struct tf_jit_entry *entry, uint32_t action) TF_REQUIRES(&lock)
{
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.relevant = NULL;
    __jit_debug_descriptor.action = NOTHING;
}

struct tf_jit_entry *tf_jit_register(void *object, size_t bytes)
{
    struct tf_jit_entry *entry = tf_zalloc(sizeof(*entry));

    if (!entry) {
        tf_free(object);
        return NULL;
    }
    entry->object = object;
    entry->bytes = bytes;
    tf_lock(&lock);
    entry->next = __jit_debug_descriptor.first;
    if (entry->next)
        entry->next->prev = entry;
    __jit_debug_descriptor.first = entry;
    tell(entry, REGISTERED);
    tf_unlock(&lock);
    return entry;
}

void tf_jit_unregister(struct tf_jit_entry *entry)
{
    if (!entry)
        return;
    tf_lock(&lock);
    if (entry->prev)
        entry->prev->next = entry->next;
    else
        __jit_debug_descriptor.first = entry->next;
    if (entry->next)
        entry->next->prev = entry->prev;
    tell(entry, UNREGISTERED);
    tf_unlock(&lock);
    tf_free((void *)(uintptr_t)entry->object);
    tf_free(entry);
}

void tf_jit_forked(void) TF_NO_TSA
{
    // The list stays: the parent's code is still there, for the child's debugger, too.
    tf_mutex_init(&lock, TF_RANK_LEAF);
}
