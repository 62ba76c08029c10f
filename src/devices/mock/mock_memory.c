// SPDX-License-Identifier: MIT
// Memory of the mock device: host memory.
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "devices/mock/mock_parts.h"

struct tf_devmem {
    unsigned char *bytes;
    bool borrowed; // CL_MEM_USE_HOST_PTR
};

static cl_int mem_alloc(struct tf_err *err, struct tf_device *dev,
                        const struct tf_mem_desc *desc, struct tf_devmem **out)
{
    struct tf_mock *mock = tf_container_of(dev, struct tf_mock, dev);
    struct tf_devmem *mem = tf_zalloc(sizeof(*mem));

    if (!mem)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mock memory");
    mem->borrowed = desc->flags & CL_MEM_USE_HOST_PTR;
    mem->bytes = mem->borrowed ? desc->host_ptr
                               : tf_alloc_aligned(desc->align_bytes, desc->size_bytes);
    if (!mem->bytes) {
        tf_free(mem);
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE, "mock memory of %zu bytes",
                       desc->size_bytes);
    }
    if (!mem->borrowed)
        memset(mem->bytes, 0, desc->size_bytes);
    atomic_fetch_add(&mock->live_memories, 1);
    *out = mem;
    return CL_SUCCESS;
}

static void mem_free(struct tf_device *dev, struct tf_devmem *mem)
{
    struct tf_mock *mock = tf_container_of(dev, struct tf_mock, dev);

    if (!mem->borrowed)
        tf_free(mem->bytes);
    tf_free(mem);
    atomic_fetch_sub(&mock->live_memories, 1);
}

static cl_int mem_map(struct tf_err *err, struct tf_device *dev, struct tf_devmem *mem,
                      size_t offset_bytes, size_t size_bytes, cl_map_flags flags,
                      void **host)
{
    (void)err, (void)dev, (void)size_bytes, (void)flags;
    *host = mem->bytes + offset_bytes;
    return CL_SUCCESS;
}

static void mem_unmap(struct tf_device *dev, struct tf_devmem *mem, void *host)
{
    (void)dev, (void)mem, (void)host;
}

void *tf_mock_address(const struct tf_devmem *mem)
{
    return mem->bytes;
}

static unsigned char *at(const struct tf_devrange *range)
{
    return range->mem->bytes + range->offset_bytes;
}

static size_t row_offset(const struct tf_rect *rect, size_t y, size_t z)
{
    return rect->origin[0] + (rect->origin[1] + y) * rect->row_pitch_bytes +
           (rect->origin[2] + z) * rect->slice_pitch_bytes;
}

static void copy_rect(const struct tf_command *cmd, unsigned char *dst,
                      const unsigned char *src)
{
    for (size_t z = 0; z < cmd->region[2]; z++)
        for (size_t y = 0; y < cmd->region[1]; y++)
            memmove(dst + row_offset(&cmd->dst_rect, y, z),
                    src + row_offset(&cmd->src_rect, y, z), cmd->region[0]);
}

static void fill_rect(const struct tf_command *cmd, unsigned char *dst)
{
    for (size_t z = 0; z < cmd->region[2]; z++)
        for (size_t y = 0; y < cmd->region[1]; y++)
            for (size_t x = 0; x < cmd->region[0]; x += cmd->pixel_bytes)
                memcpy(dst + row_offset(&cmd->dst_rect, y, z) + x, cmd->pixel,
                       cmd->pixel_bytes);
}

static void fill(const struct tf_command *cmd, unsigned char *dst)
{
    for (size_t i = 0; i < cmd->size_bytes; i += cmd->pattern_bytes)
        memcpy(dst + i, cmd->pattern, cmd->pattern_bytes);
}

void tf_mock_run_copy(const struct tf_command *cmd)
{
    switch (cmd->kind) {
    case TF_CMD_READ:
        memmove(cmd->host, at(&cmd->src), cmd->size_bytes);
        break;
    case TF_CMD_WRITE:
        memmove(at(&cmd->dst), cmd->host_src, cmd->size_bytes);
        break;
    case TF_CMD_COPY:
        memmove(at(&cmd->dst), at(&cmd->src), cmd->size_bytes);
        break;
    case TF_CMD_FILL:
        fill(cmd, at(&cmd->dst));
        break;
    case TF_CMD_SVM_COPY:
        memmove(cmd->host, cmd->host_src, cmd->size_bytes);
        break;
    case TF_CMD_SVM_FILL:
        fill(cmd, cmd->host);
        break;
    case TF_CMD_READ_RECT:
        copy_rect(cmd, cmd->host, at(&cmd->src));
        break;
    case TF_CMD_WRITE_RECT:
        copy_rect(cmd, at(&cmd->dst), cmd->host_src);
        break;
    case TF_CMD_COPY_RECT:
        copy_rect(cmd, at(&cmd->dst), at(&cmd->src));
        break;
    case TF_CMD_FILL_RECT:
        fill_rect(cmd, at(&cmd->dst));
        break;
    case TF_CMD_NONE:
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
    case TF_CMD_BATCH:
        break;
    }
}

void tf_mock_memory_ops(struct tf_device_ops *ops)
{
    ops->mem_alloc = mem_alloc;
    ops->mem_free = mem_free;
    ops->mem_map = mem_map;
    ops->mem_unmap = mem_unmap;
}
