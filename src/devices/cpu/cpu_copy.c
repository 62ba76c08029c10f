// SPDX-License-Identifier: MIT
#include "devices/cpu/cpu_copy.h"

#include <string.h>

#include "base/range.h"
#include "devices/cpu/cpu_mem.h"

// Ranges of one command may overlap only where the specification allows it to fail or
// leaves the result open; memmove keeps even that from being undefined behaviour.
static cl_int copy(void *dst, const void *src, size_t bytes)
{
    if (bytes == 0)
        return CL_COMPLETE;
    if (!dst || !src)
        return CL_INVALID_VALUE;
    memmove(dst, src, bytes);
    return CL_COMPLETE;
}

static cl_int fill(char *dst, const uint8_t *pattern, size_t pattern_bytes, size_t bytes)
{
    size_t done;

    if (bytes == 0)
        return CL_COMPLETE;
    if (!dst || pattern_bytes == 0 || pattern_bytes > 128 || bytes % pattern_bytes)
        return CL_INVALID_VALUE;
    if (pattern_bytes == 1) {
        memset(dst, pattern[0], bytes);
        return CL_COMPLETE;
    }
    // What is filled doubles up to a block that stays in the first cache.
    memcpy(dst, pattern, pattern_bytes);
    for (done = pattern_bytes; done < bytes;) {
        const size_t block = done < 8192 ? done : 8192 / pattern_bytes * pattern_bytes;
        const size_t n = bytes - done < block ? bytes - done : block;

        memcpy(dst + done, dst, n);
        done += n;
    }
    return CL_COMPLETE;
}

// One side of a rectangle copy: the first byte, and the way to the next row and slice.
struct side {
    char *start;
    size_t row_bytes, slice_bytes;
};

// Offset of the box's first byte, and of the byte after its last. False when that wraps.
static bool box_span(const struct tf_rect *rect, const size_t region[3], size_t *first,
                     size_t *end)
{
    const size_t last_row = region[1] - 1;
    const size_t last_slice = region[2] - 1;
    size_t y, z, span_y, span_z;

    return !tf_mul_overflow(rect->origin[1], rect->row_pitch_bytes, &y) &&
           !tf_mul_overflow(rect->origin[2], rect->slice_pitch_bytes, &z) &&
           !tf_add_overflow(rect->origin[0], y, first) &&
           !tf_add_overflow(*first, z, first) &&
           !tf_mul_overflow(last_row, rect->row_pitch_bytes, &span_y) &&
           !tf_mul_overflow(last_slice, rect->slice_pitch_bytes, &span_z) &&
           !tf_add_overflow(*first, span_y, end) && !tf_add_overflow(*end, span_z, end) &&
           !tf_add_overflow(*end, region[0], end);
}

// `host` is NULL when the side is device memory.
static bool side_of(struct side *out, const struct tf_rect *rect, const size_t region[3],
                    const struct tf_devrange *range, const void *host)
{
    size_t first, end, total;

    if (!box_span(rect, region, &first, &end))
        return false;
    out->row_bytes = rect->row_pitch_bytes;
    out->slice_bytes = rect->slice_pitch_bytes;
    if (host) {
        out->start = (char *)(uintptr_t)host + first;
        return true;
    }
    if (tf_add_overflow(range->offset_bytes, end, &total) ||
        total > tf_cpu_mem_bytes(range->mem))
        return false;
    out->start = tf_cpu_mem_range(range->mem, range->offset_bytes + first, end - first);
    return out->start != NULL;
}

static cl_int copy_rect(const struct tf_command *cmd, void *host_dst,
                        const void *host_src)
{
    const size_t *region = cmd->region;
    struct side dst, src;

    if (region[0] == 0 || region[1] == 0 || region[2] == 0)
        return CL_COMPLETE;
    if (!side_of(&dst, &cmd->dst_rect, region, &cmd->dst, host_dst) ||
        !side_of(&src, &cmd->src_rect, region, &cmd->src, host_src))
        return CL_INVALID_VALUE;
    for (size_t z = 0; z < region[2]; z++) {
        for (size_t y = 0; y < region[1]; y++)
            memmove(dst.start + z * dst.slice_bytes + y * dst.row_bytes,
                    src.start + z * src.slice_bytes + y * src.row_bytes, region[0]);
    }
    return CL_COMPLETE;
}

static void *range_of(const struct tf_devrange *range, size_t bytes)
{
    return tf_cpu_mem_range(range->mem, range->offset_bytes, bytes);
}

cl_int tf_cpu_copy_run(const struct tf_command *cmd)
{
    const size_t bytes = cmd->size_bytes;

    switch (cmd->kind) {
    case TF_CMD_READ:
        return copy(cmd->host, range_of(&cmd->src, bytes), bytes);
    case TF_CMD_WRITE:
        return copy(range_of(&cmd->dst, bytes), cmd->host_src, bytes);
    case TF_CMD_COPY:
        return copy(range_of(&cmd->dst, bytes), range_of(&cmd->src, bytes), bytes);
    case TF_CMD_FILL:
        return fill(range_of(&cmd->dst, bytes), cmd->pattern, cmd->pattern_bytes, bytes);
    case TF_CMD_READ_RECT:
        return cmd->host ? copy_rect(cmd, cmd->host, NULL) : CL_INVALID_VALUE;
    case TF_CMD_WRITE_RECT:
        return cmd->host_src ? copy_rect(cmd, NULL, cmd->host_src) : CL_INVALID_VALUE;
    case TF_CMD_COPY_RECT:
        return copy_rect(cmd, NULL, NULL);
    case TF_CMD_SVM_COPY:
        return copy(cmd->host, cmd->host_src, bytes);
    case TF_CMD_SVM_FILL:
        return fill(cmd->host, cmd->pattern, cmd->pattern_bytes, bytes);
    case TF_CMD_NONE:
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
    case TF_CMD_MIGRATE:
        return CL_COMPLETE;
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
        break;
    }
    return CL_INVALID_VALUE;
}
