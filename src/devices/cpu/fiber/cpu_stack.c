// SPDX-License-Identifier: MIT
// Free stacks are linked through their own highest bytes, which are in memory already.
// Each guard page splits a mapping in two, and the system limits mappings (65,530 by
// default): past a budget stacks go without one. Code generation bounds every frame, the
// guard is the second line of defence.
#include "devices/cpu/fiber/cpu_stack.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "devices/cpu/arch/cpu_arch.h"

enum {
    MIN_LOG2 = 15, // 32 KiB
    MAX_LOG2 = 28, // 256 MiB
    CLASS_COUNT = MAX_LOG2 - MIN_LOG2 + 1,
    GUARD_BUDGET = 12000,
};
static const size_t max_cached_bytes = (size_t)64 << 20;

struct free_stack {
    struct free_stack *next;
    bool guarded;
    uint64_t number;
};

static struct {
    struct tf_mutex lock;
    struct free_stack *free[CLASS_COUNT] TF_GUARDED_BY(&lock);
    size_t cached_bytes TF_GUARDED_BY(&lock);
    long guard_count TF_GUARDED_BY(&lock);
} stacks = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static int class_of(size_t bytes)
{
    int log2 = MIN_LOG2;

    while (log2 <= MAX_LOG2 && ((size_t)1 << log2) < bytes)
        log2++;
    return log2 <= MAX_LOG2 ? log2 - MIN_LOG2 : -1;
}

size_t tf_stack_class_bytes(size_t bytes)
{
    const int class = class_of(bytes);

    return class < 0 ? 0 : (size_t)1 << (class + MIN_LOG2);
}

static struct free_stack *record_of(const struct tf_stack *stack)
{
    return (struct free_stack *)(void *)(stack->low + stack->bytes) - 1;
}

static bool take_cached(struct tf_stack *out, int class) TF_EXCLUDES(&stacks.lock)
{
    struct free_stack *found;

    out->bytes = (size_t)1 << (class + MIN_LOG2);
    tf_lock(&stacks.lock);
    found = stacks.free[class];
    if (found) {
        stacks.free[class] = found->next;
        stacks.cached_bytes -= out->bytes;
    }
    tf_unlock(&stacks.lock);
    if (!found)
        return false;
    out->guarded = found->guarded;
    out->number = found->number;
    out->low = (char *)(found + 1) - out->bytes;
    // The frames that were left for good are none any more.
    tf_arch_ask_valgrind(TF_VALGRIND_FORGET, out->low, out->bytes);
    return true;
}

// Counts one guard page up or down; false when there are enough of them.
static bool count_guard(long change) TF_EXCLUDES(&stacks.lock)
{
    bool allowed;

    tf_lock(&stacks.lock);
    allowed = change < 0 || stacks.guard_count < GUARD_BUDGET;
    if (allowed)
        stacks.guard_count += change;
    tf_unlock(&stacks.lock);
    return allowed;
}

static bool map_new(struct tf_stack *out, int class)
{
    const size_t guard_bytes = page_bytes();
    char *map;

    out->bytes = (size_t)1 << (class + MIN_LOG2);
    map = mmap(NULL, guard_bytes + out->bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (map == MAP_FAILED)
        return false;
    out->low = map + guard_bytes;
    // Otherwise it would take the distance to another stack for the size of a frame.
    out->number = tf_arch_ask_valgrind(TF_VALGRIND_ADD_STACK, out->low,
                                       (uint64_t)(uintptr_t)(out->low + out->bytes) - 1);
    if (count_guard(1)) {
        out->guarded = mprotect(map, guard_bytes, PROT_NONE) == 0;
        if (!out->guarded)
            count_guard(-1);
    }
    return true;
}

bool tf_stack_take(struct tf_stack *out, size_t bytes)
{
    const int class = class_of(bytes);

    memset(out, 0, sizeof(*out));
    if (class >= 0 && tf_alloc_allowed() &&
        (take_cached(out, class) || map_new(out, class)))
        return true;
    memset(out, 0, sizeof(*out));
    return false;
}

void tf_stack_give(struct tf_stack *stack)
{
    const int class = class_of(stack->bytes);
    struct free_stack *record;
    bool kept = false;

    if (!stack->low)
        return;
    record = record_of(stack);
    tf_lock(&stacks.lock);
    if (stacks.cached_bytes + stack->bytes <= max_cached_bytes) {
        record->guarded = stack->guarded;
        record->number = stack->number;
        record->next = stacks.free[class];
        stacks.free[class] = record;
        stacks.cached_bytes += stack->bytes;
        kept = true;
    }
    tf_unlock(&stacks.lock);
    if (!kept) {
        if (stack->guarded)
            count_guard(-1);
        tf_arch_ask_valgrind(TF_VALGRIND_DROP_STACK, (void *)(uintptr_t)stack->number, 0);
        munmap(stack->low - page_bytes(), stack->bytes + page_bytes());
    }
    memset(stack, 0, sizeof(*stack));
}

void tf_stack_forked(void) TF_NO_TSA
{
    // The parent's lock may have been held: the lists may be half-changed and are
    // dropped.
    tf_mutex_init(&stacks.lock, TF_RANK_LEAF);
    memset(stacks.free, 0, sizeof(stacks.free));
    stacks.cached_bytes = 0;
}
