// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_mem.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "base/range.h"
#include "core/object/error.h"
#include "devices/cpu/move/cpu_mem_list.h"
#include "devices/cpu/move/cpu_spare_maps.h"

enum {
    PAGE_BYTES = 4096, // alignment of everything that fills a page
    MAX_ALIGN_BYTES = 1 << 20,
    HUGE_PAGE_BYTES = 2 << 20,
};

// Owned memory of all devices. Relaxed: it guards nothing but the limit itself.
static _Atomic uint64_t in_use_bytes;

struct tf_devmem {
    char *data;
    size_t bytes;
    char *block;      // what `data` lies in; NULL: the application's
    size_t map_bytes; // of the block if it is a mapping; 0: it came from tf_zalloc
    struct tf_mem_entry *entry; // in the list of all memory, or NULL
    atomic_bool is_touched;     // somebody has asked where it lies. Relaxed: who frees it
                                // comes after all who have
};

// Counts memory as in use, unless that is more than the device has. The system itself
// would hand out any amount, and kill the process when it is used. `dev` may be NULL.
static bool take_memory(const struct tf_device *dev, uint64_t bytes)
{
    const uint64_t limit = dev ? dev->info->global_memory_bytes : UINT64_MAX;
    uint64_t used = atomic_load_explicit(&in_use_bytes, memory_order_relaxed);

    do {
        if (used > limit || bytes > limit - used)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(
        &in_use_bytes, &used, used + bytes, memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void give_memory(uint64_t bytes)
{
    atomic_fetch_sub_explicit(&in_use_bytes, bytes, memory_order_relaxed);
}

static char *align_up(char *at, size_t align)
{
    return at + (-(uintptr_t)at & (align - 1));
}

static void *map_pages(size_t bytes)
{
    void *block;

    do {
        block =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    } while (block == MAP_FAILED && tf_spare_maps_drop());
    return block == MAP_FAILED ? NULL : block;
}

// Pages that nobody has touched: they are zeros, and cost nothing before they are used.
// Large memory lies in huge pages where the system has some: a copy or a kernel that goes
// through it spends a third of its time on page tables otherwise. Only advice.
static bool map_memory(struct tf_devmem *mem, size_t bytes)
{
    const size_t step = TF_SPARE_MAP_STEP_BYTES;
    const size_t map_bytes = (bytes + HUGE_PAGE_BYTES + step - 1) / step * step;
    void *block;

    if (!tf_alloc_allowed())
        return false;
    block = tf_spare_map_take(map_bytes);
    if (!block) {
        block = map_pages(map_bytes);
        if (!block)
            return false;
        madvise(align_up(block, HUGE_PAGE_BYTES), map_bytes - HUGE_PAGE_BYTES,
                MADV_HUGEPAGE);
    }
    mem->block = block;
    mem->map_bytes = map_bytes;
    mem->data = align_up(block, HUGE_PAGE_BYTES);
    return true;
}

// Zeros, whatever the memory was before: what a kernel reads of memory that nobody wrote
// would decide its results from run to run otherwise. Below a few huge pages clearing
// memory that was used before takes far less time than new pages.
static bool get_memory(struct tf_devmem *mem, size_t align, size_t bytes, bool zeroed)
{
    if (bytes >= 2 * (size_t)HUGE_PAGE_BYTES)
        return map_memory(mem, bytes);
    mem->block = zeroed ? tf_zalloc(bytes + align) : tf_alloc_aligned(align, bytes);
    if (mem->block)
        mem->data = align_up(mem->block, align);
    return mem->block != NULL;
}

cl_int tf_cpu_mem_alloc(struct tf_err *err, struct tf_device *dev,
                        const struct tf_mem_desc *desc, struct tf_devmem **out)
{
    const bool zeroed = !(desc->flags & CL_MEM_COPY_HOST_PTR); // then core writes it all
    size_t align = desc->size_bytes >= PAGE_BYTES ? PAGE_BYTES : TF_LONG16_BYTES;
    struct tf_devmem *mem;
    size_t room;

    *out = NULL;
    if (desc->align_bytes > align)
        align = desc->align_bytes;
    // The padding lets vector code read a whole register at the end of a buffer.
    if (align > MAX_ALIGN_BYTES || align & (align - 1) ||
        tf_add_overflow(desc->size_bytes, (size_t)TF_LONG16_BYTES - 1, &room) ||
        room > PTRDIFF_MAX - 2 * HUGE_PAGE_BYTES)
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes aligned to %zu",
                       desc->size_bytes, align);
    mem = tf_zalloc(sizeof(*mem));
    if (!mem)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "memory descriptor");
    mem->bytes = desc->size_bytes;
    if (desc->flags & CL_MEM_USE_HOST_PTR && desc->host_ptr) {
        mem->data = desc->host_ptr;
    } else if (take_memory(dev, mem->bytes) &&
               !get_memory(mem, align, room & ~(size_t)(TF_LONG16_BYTES - 1), zeroed)) {
        give_memory(mem->bytes);
    }
    if (!mem->data) {
        tf_free(mem);
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes",
                       desc->size_bytes);
    }
    mem->entry = tf_mem_list_add(mem->data, mem->bytes, mem->block != NULL);
    *out = mem;
    return CL_SUCCESS;
}

void tf_cpu_mem_free(struct tf_device *dev, struct tf_devmem *mem)
{
    (void)dev;
    if (!mem)
        return;
    tf_mem_list_remove(mem->entry);
    if (mem->map_bytes > 0)
        tf_spare_map_give(mem->block, mem->map_bytes,
                          atomic_load_explicit(&mem->is_touched, memory_order_relaxed));
    else
        tf_free(mem->block);
    if (mem->block)
        give_memory(mem->bytes);
    tf_free(mem);
}

cl_int tf_cpu_mem_map(struct tf_err *err, struct tf_device *dev, struct tf_devmem *mem,
                      size_t offset_bytes, size_t size_bytes, cl_map_flags flags,
                      void **host)
{
    (void)dev;
    *host = tf_cpu_mem_range(mem, offset_bytes, size_bytes);
    if (*host && flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        tf_mem_list_written(*host, size_bytes); // nobody sees which of it
    if (!*host)
        return tf_fail(err, CL_INVALID_VALUE, "range %zu+%zu of %zu bytes", offset_bytes,
                       size_bytes, tf_cpu_mem_bytes(mem));
    return CL_SUCCESS;
}

void tf_cpu_mem_unmap(struct tf_device *dev, struct tf_devmem *mem, void *host)
{
    (void)dev;
    (void)mem;
    (void)host;
}

void *tf_cpu_mem_data(struct tf_devmem *mem)
{
    if (!mem)
        return NULL;
    // Launches of several threads ask: they share the line as long as nobody writes to
    // it.
    if (!atomic_load_explicit(&mem->is_touched, memory_order_relaxed))
        atomic_store_explicit(&mem->is_touched, true, memory_order_relaxed);
    return mem->data;
}

void *tf_cpu_mem_range(struct tf_devmem *mem, size_t offset_bytes, size_t size_bytes)
{
    if (!mem || !tf_range_ok(offset_bytes, size_bytes, mem->bytes))
        return NULL;
    return (char *)tf_cpu_mem_data(mem) + offset_bytes;
}

size_t tf_cpu_mem_bytes(const struct tf_devmem *mem)
{
    return mem ? mem->bytes : 0;
}
