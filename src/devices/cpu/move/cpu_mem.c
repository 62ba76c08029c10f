// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_mem.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "base/range.h"
#include "core/object/error.h"

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
    bool owned; // `data` came from tf_alloc_aligned
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

// Large memory lies in huge pages where the system has some: a copy or a kernel that goes
// through it spends a third of its time on page tables otherwise. Only advice.
static char *get_memory(size_t align, size_t bytes)
{
    const size_t whole = bytes & ~(size_t)(HUGE_PAGE_BYTES - 1);
    char *data;

    if (whole < 2 * (size_t)HUGE_PAGE_BYTES)
        return tf_alloc_aligned(align, bytes);
    data = tf_alloc_aligned(HUGE_PAGE_BYTES, bytes);
    if (!data)
        return tf_alloc_aligned(align, bytes); // the alignment may have been too much
    madvise(data, whole, MADV_HUGEPAGE);
    return data;
}

cl_int tf_cpu_mem_alloc(struct tf_err *err, struct tf_device *dev,
                        const struct tf_mem_desc *desc, struct tf_devmem **out)
{
    size_t align = desc->size_bytes >= PAGE_BYTES ? PAGE_BYTES : TF_LONG16_BYTES;
    struct tf_devmem *mem;
    size_t room;

    *out = NULL;
    if (desc->align_bytes > align)
        align = desc->align_bytes;
    // The padding lets vector code read a whole register at the end of a buffer.
    if (align > MAX_ALIGN_BYTES || align & (align - 1) ||
        tf_add_overflow(desc->size_bytes, (size_t)TF_LONG16_BYTES - 1, &room) ||
        room > PTRDIFF_MAX)
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes aligned to %zu",
                       desc->size_bytes, align);
    mem = tf_zalloc(sizeof(*mem));
    if (!mem)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "memory descriptor");
    mem->bytes = desc->size_bytes;
    if (desc->flags & CL_MEM_USE_HOST_PTR && desc->host_ptr) {
        mem->data = desc->host_ptr;
    } else if (take_memory(dev, mem->bytes)) {
        mem->data = get_memory(align, room & ~(size_t)(TF_LONG16_BYTES - 1));
        mem->owned = true;
    }
    if (!mem->data) {
        tf_cpu_mem_free(dev, mem);
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes",
                       desc->size_bytes);
    }
    *out = mem;
    return CL_SUCCESS;
}

void tf_cpu_mem_free(struct tf_device *dev, struct tf_devmem *mem)
{
    (void)dev;
    if (!mem)
        return;
    if (mem->owned) {
        tf_free(mem->data);
        give_memory(mem->bytes);
    }
    tf_free(mem);
}

cl_int tf_cpu_mem_map(struct tf_err *err, struct tf_device *dev, struct tf_devmem *mem,
                      size_t offset_bytes, size_t size_bytes, cl_map_flags flags,
                      void **host)
{
    (void)dev;
    (void)flags;
    *host = tf_cpu_mem_range(mem, offset_bytes, size_bytes);
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

void *tf_cpu_mem_data(const struct tf_devmem *mem)
{
    return mem ? mem->data : NULL;
}

void *tf_cpu_mem_range(const struct tf_devmem *mem, size_t offset_bytes,
                       size_t size_bytes)
{
    if (!mem || !tf_range_ok(offset_bytes, size_bytes, mem->bytes))
        return NULL;
    return mem->data + offset_bytes;
}

size_t tf_cpu_mem_bytes(const struct tf_devmem *mem)
{
    return mem ? mem->bytes : 0;
}
