// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_copy.h"

#include <string.h>

#include "abi/long16.h"
#include "base/range.h"
#include "devices/cpu/move/cpu_bytes.h"
#include "devices/cpu/move/cpu_mem.h"
#include "devices/cpu/move/cpu_mem_list.h"

enum {
    // Long enough that taking a piece costs nothing, short enough that threads end at
    // about the same time. A multiple of every pattern.
    PIECE_BYTES = 256 << 10,
};

// ---- Planning ----

static bool rows_overlap(const struct tf_copy_plan *plan)
{
    const uintptr_t dst = (uintptr_t)plan->dst.start;
    const uintptr_t src = (uintptr_t)plan->src.start;

    return src && src < dst + plan->row_bytes && dst < src + plan->row_bytes;
}

// Cuts `slices` x plan->rows rows of plan->row_bytes, none of them 0, into pieces. Ranges
// of one command overlap only where the specification allows it to fail or leaves the
// result open; a single row that does stays whole, so that it is moved as by memmove().
static cl_int cut(struct tf_copy_plan *plan, size_t slices)
{
    const bool whole = rows_overlap(plan);
    uint64_t rows, bytes;

    if (tf_mul_overflow(plan->rows, slices, &rows) ||
        tf_mul_overflow(rows, plan->row_bytes, &bytes))
        return CL_INVALID_VALUE;
    plan->stream = tf_bytes_should_stream(plan->src.start ? 2 * bytes : bytes);
    plan->piece_bytes =
        whole || plan->row_bytes < PIECE_BYTES ? plan->row_bytes : (size_t)PIECE_BYTES;
    plan->pieces_per_row = (plan->row_bytes - 1) / plan->piece_bytes + 1;
    plan->piece_count = rows * plan->pieces_per_row;
    return CL_COMPLETE;
}

static cl_int plan_copy(struct tf_copy_plan *plan, void *dst, const void *src,
                        size_t bytes)
{
    if (bytes == 0)
        return CL_COMPLETE;
    if (!dst || !src)
        return CL_INVALID_VALUE;
    plan->dst.start = dst;
    plan->src.start = (char *)(uintptr_t)src;
    plan->row_bytes = bytes;
    plan->rows = 1;
    return cut(plan, 1);
}

// False where the pattern does not fill rows of so many bytes.
static bool set_block(struct tf_copy_plan *plan, const uint8_t *pattern,
                      size_t pattern_bytes, size_t row_bytes)
{
    if (pattern_bytes == 0 || TF_LONG16_BYTES % pattern_bytes ||
        row_bytes % pattern_bytes)
        return false;
    // What divides the block is a power of two.
    memcpy(plan->block, pattern, pattern_bytes);
    for (size_t i = pattern_bytes; i < TF_LONG16_BYTES; i *= 2)
        memcpy(plan->block + i, plan->block, i);
    return true;
}

static cl_int plan_fill(struct tf_copy_plan *plan, void *dst,
                        const struct tf_command *cmd)
{
    if (cmd->size_bytes == 0)
        return CL_COMPLETE;
    if (!dst || !set_block(plan, cmd->pattern, cmd->pattern_bytes, cmd->size_bytes))
        return CL_INVALID_VALUE;
    plan->dst.start = dst;
    plan->row_bytes = cmd->size_bytes;
    plan->rows = 1;
    return cut(plan, 1);
}

// `host` is NULL when the side is device memory.
static bool side_of(struct tf_copy_side *out, const struct tf_rect *rect,
                    const size_t region[3], const struct tf_devrange *range,
                    const void *host)
{
    size_t first, end, total;

    if (!tf_rect_span(rect, region, &first, &end))
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

static bool has_no_gaps(const struct tf_copy_side *side, const struct tf_copy_plan *plan,
                        size_t slices)
{
    return (plan->rows == 1 || side->row_bytes == plan->row_bytes) &&
           (slices == 1 || side->slice_bytes == plan->row_bytes * plan->rows);
}

// Rows without a gap on both sides are one long row. Returns how many slices are left.
static size_t join_rows(struct tf_copy_plan *plan, size_t slices)
{
    if (!has_no_gaps(&plan->dst, plan, slices) ||
        (plan->src.start && !has_no_gaps(&plan->src, plan, slices)))
        return slices;
    plan->row_bytes *= plan->rows * slices;
    plan->rows = 1;
    return 1;
}

static cl_int plan_rect(struct tf_copy_plan *plan, const struct tf_command *cmd,
                        void *host_dst, const void *host_src)
{
    const size_t *region = cmd->region;

    if (region[0] == 0 || region[1] == 0 || region[2] == 0)
        return CL_COMPLETE;
    if (!side_of(&plan->dst, &cmd->dst_rect, region, &cmd->dst, host_dst) ||
        !side_of(&plan->src, &cmd->src_rect, region, &cmd->src, host_src))
        return CL_INVALID_VALUE;
    plan->row_bytes = region[0];
    plan->rows = region[1];
    return cut(plan, join_rows(plan, region[2]));
}

static cl_int plan_fill_rect(struct tf_copy_plan *plan, const struct tf_command *cmd)
{
    const size_t *region = cmd->region;

    if (region[0] == 0 || region[1] == 0 || region[2] == 0)
        return CL_COMPLETE;
    if (!set_block(plan, cmd->pixel, cmd->pixel_bytes, region[0]) ||
        !side_of(&plan->dst, &cmd->dst_rect, region, &cmd->dst, NULL))
        return CL_INVALID_VALUE;
    plan->row_bytes = region[0];
    plan->rows = region[1];
    return cut(plan, join_rows(plan, region[2]));
}

static void *range_of(const struct tf_devrange *range, size_t bytes)
{
    return tf_cpu_mem_range(range->mem, range->offset_bytes, bytes);
}

cl_int tf_cpu_copy_plan(struct tf_copy_plan *plan, const struct tf_command *cmd)
{
    const size_t bytes = cmd->size_bytes;

    plan->piece_count = 0;
    plan->dst = plan->src = (struct tf_copy_side){0};
    switch (cmd->kind) {
    case TF_CMD_READ:
        return plan_copy(plan, cmd->host, range_of(&cmd->src, bytes), bytes);
    case TF_CMD_WRITE:
        return plan_copy(plan, range_of(&cmd->dst, bytes), cmd->host_src, bytes);
    case TF_CMD_COPY:
        return plan_copy(plan, range_of(&cmd->dst, bytes), range_of(&cmd->src, bytes),
                         bytes);
    case TF_CMD_FILL:
        return plan_fill(plan, range_of(&cmd->dst, bytes), cmd);
    case TF_CMD_READ_RECT:
        return cmd->host ? plan_rect(plan, cmd, cmd->host, NULL) : CL_INVALID_VALUE;
    case TF_CMD_WRITE_RECT:
        return cmd->host_src ? plan_rect(plan, cmd, NULL, cmd->host_src)
                             : CL_INVALID_VALUE;
    case TF_CMD_COPY_RECT:
        return plan_rect(plan, cmd, NULL, NULL);
    case TF_CMD_FILL_RECT:
        return plan_fill_rect(plan, cmd);
    case TF_CMD_SVM_COPY:
        return plan_copy(plan, cmd->host, cmd->host_src, bytes);
    case TF_CMD_SVM_FILL:
        return plan_fill(plan, cmd->host, cmd);
    case TF_CMD_NONE:
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
        return CL_COMPLETE;
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
    case TF_CMD_BATCH:
        break;
    }
    return CL_INVALID_VALUE;
}

// ---- Moving ----

// Where pieces are taken: a row by its place in its slice, and a piece of it.
struct place {
    size_t y, z;
    uint64_t part;
};

static struct place place_of(const struct tf_copy_plan *plan, uint64_t piece)
{
    const uint64_t row = piece / plan->pieces_per_row;

    return (struct place){.y = row % plan->rows,
                          .z = row / plan->rows,
                          .part = piece % plan->pieces_per_row};
}

static void next_row(const struct tf_copy_plan *plan, struct place *at)
{
    at->part = 0;
    if (++at->y == plan->rows) {
        at->y = 0;
        at->z++;
    }
}

static char *address(const struct tf_copy_side *side, const struct place *at)
{
    return side->start + at->z * side->slice_bytes + at->y * side->row_bytes;
}

// Bytes [from, to) of the row at `at`.
static void move_part(const struct tf_copy_plan *plan, const struct place *at,
                      size_t from, size_t to)
{
    char *dst = address(&plan->dst, at) + from;

    tf_mem_list_written(dst, to - from);
    if (plan->src.start)
        tf_bytes_copy(dst, address(&plan->src, at) + from, to - from, plan->stream);
    else
        tf_bytes_fill(dst, plan->block, to - from, plan->stream);
}

void tf_cpu_copy_pieces(const struct tf_copy_plan *plan, uint64_t first, uint64_t count)
{
    struct place at;

    if (count == 0)
        return;
    at = place_of(plan, first);
    while (count > 0) {
        const uint64_t left = plan->pieces_per_row - at.part;
        const uint64_t taken = count < left ? count : left;
        const size_t from = at.part * plan->piece_bytes;

        // The last piece of a row ends with it.
        move_part(plan, &at, from,
                  taken == left ? plan->row_bytes : from + taken * plan->piece_bytes);
        count -= taken;
        next_row(plan, &at);
    }
    if (plan->stream)
        tf_bytes_stream_end();
}

cl_int tf_cpu_copy_run(const struct tf_command *cmd)
{
    struct tf_copy_plan plan;
    const cl_int status = tf_cpu_copy_plan(&plan, cmd);

    if (status == CL_COMPLETE)
        tf_cpu_copy_pieces(&plan, 0, plan.piece_count);
    return status;
}
