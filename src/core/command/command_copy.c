// SPDX-License-Identifier: MIT
#include "core/command/command_copy.h"

#include <string.h>

#include "base/range.h"
#include "core/object/error.h"

cl_int tf_enqueue_read(struct tf_err *err, const struct tf_enqueue *at,
                       const struct tf_transfer *what)
{
    cl_event ev = tf_enqueue_new(err, at, CL_COMMAND_READ_BUFFER, 1);

    if (!ev)
        return err->code;
    ev->cmd.kind = what->size_bytes ? TF_CMD_READ : TF_CMD_NONE;
    ev->cmd.size_bytes = what->size_bytes;
    ev->cmd.src = tf_mem_range(what->mem, tf_enqueue_device(at), what->offset_bytes);
    ev->cmd.host = what->host;
    tf_event_hold(ev, what->mem);
    return tf_enqueue_publish(err, at, ev);
}

cl_int tf_enqueue_write(struct tf_err *err, const struct tf_enqueue *at,
                        const struct tf_transfer *what)
{
    cl_event ev = tf_enqueue_new(err, at, CL_COMMAND_WRITE_BUFFER, 1);

    if (!ev)
        return err->code;
    ev->cmd.kind = what->size_bytes ? TF_CMD_WRITE : TF_CMD_NONE;
    ev->cmd.size_bytes = what->size_bytes;
    ev->cmd.dst = tf_mem_range(what->mem, tf_enqueue_device(at), what->offset_bytes);
    ev->cmd.host_src = what->host_src;
    tf_event_hold(ev, what->mem);
    return tf_enqueue_publish(err, at, ev);
}

cl_int tf_enqueue_copy(struct tf_err *err, const struct tf_enqueue *at,
                       const struct tf_copy *what)
{
    cl_event ev = tf_enqueue_new(err, at, CL_COMMAND_COPY_BUFFER, 2);

    if (!ev)
        return err->code;
    ev->cmd.kind = what->size_bytes ? TF_CMD_COPY : TF_CMD_NONE;
    ev->cmd.size_bytes = what->size_bytes;
    ev->cmd.src = tf_mem_range(what->src, tf_enqueue_device(at), what->src_offset_bytes);
    ev->cmd.dst = tf_mem_range(what->dst, tf_enqueue_device(at), what->dst_offset_bytes);
    tf_event_hold(ev, what->src);
    tf_event_hold(ev, what->dst);
    return tf_enqueue_publish(err, at, ev);
}

static bool same_storage(cl_mem a, cl_mem b)
{
    return a->storage == b->storage;
}

bool tf_copy_overlaps(const struct tf_copy *what)
{
    const size_t src = what->src->origin_bytes + what->src_offset_bytes;
    const size_t dst = what->dst->origin_bytes + what->dst_offset_bytes;

    return same_storage(what->src, what->dst) && src < dst + what->size_bytes &&
           dst < src + what->size_bytes;
}

cl_int tf_enqueue_fill(struct tf_err *err, const struct tf_enqueue *at,
                       const struct tf_fill *what)
{
    cl_event ev = tf_enqueue_new(err, at, CL_COMMAND_FILL_BUFFER, 1);

    if (!ev)
        return err->code;
    ev->cmd.kind = what->size_bytes ? TF_CMD_FILL : TF_CMD_NONE;
    ev->cmd.size_bytes = what->size_bytes;
    ev->cmd.dst = tf_mem_range(what->mem, tf_enqueue_device(at), what->offset_bytes);
    memcpy(ev->cmd.pattern, what->pattern, what->pattern_bytes);
    ev->cmd.pattern_bytes = what->pattern_bytes;
    tf_event_hold(ev, what->mem);
    return tf_enqueue_publish(err, at, ev);
}

bool tf_rect_default_pitches(struct tf_rect *rect, const size_t region[3])
{
    if (!rect->row_pitch_bytes)
        rect->row_pitch_bytes = region[0];
    if (rect->slice_pitch_bytes)
        return true;
    return !tf_mul_overflow(region[1], rect->row_pitch_bytes, &rect->slice_pitch_bytes);
}

static void set_region(cl_event ev, const size_t region[3])
{
    memcpy(ev->cmd.region, region, sizeof(ev->cmd.region));
}

cl_int tf_enqueue_read_rect(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type, const struct tf_rect_transfer *what)
{
    cl_event ev = tf_enqueue_new(err, at, type, 1);

    if (!ev)
        return err->code;
    ev->cmd.kind = TF_CMD_READ_RECT;
    ev->cmd.src = tf_mem_range(what->mem, tf_enqueue_device(at), 0);
    ev->cmd.src_rect = what->buffer;
    ev->cmd.dst_rect = what->host_rect;
    ev->cmd.host = what->host;
    set_region(ev, what->region);
    tf_event_hold(ev, what->mem);
    return tf_enqueue_publish(err, at, ev);
}

cl_int tf_enqueue_write_rect(struct tf_err *err, const struct tf_enqueue *at,
                             cl_command_type type, const struct tf_rect_transfer *what)
{
    cl_event ev = tf_enqueue_new(err, at, type, 1);

    if (!ev)
        return err->code;
    ev->cmd.kind = TF_CMD_WRITE_RECT;
    ev->cmd.dst = tf_mem_range(what->mem, tf_enqueue_device(at), 0);
    ev->cmd.dst_rect = what->buffer;
    ev->cmd.src_rect = what->host_rect;
    ev->cmd.host_src = what->host_src;
    set_region(ev, what->region);
    tf_event_hold(ev, what->mem);
    return tf_enqueue_publish(err, at, ev);
}

cl_int tf_enqueue_copy_rect(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type, const struct tf_rect_copy *what)
{
    cl_event ev = tf_enqueue_new(err, at, type, 2);

    if (!ev)
        return err->code;
    ev->cmd.kind = TF_CMD_COPY_RECT;
    ev->cmd.src = tf_mem_range(what->src, tf_enqueue_device(at), 0);
    ev->cmd.dst = tf_mem_range(what->dst, tf_enqueue_device(at), 0);
    ev->cmd.src_rect = what->src_rect;
    ev->cmd.dst_rect = what->dst_rect;
    set_region(ev, what->region);
    tf_event_hold(ev, what->src);
    tf_event_hold(ev, what->dst);
    return tf_enqueue_publish(err, at, ev);
}

cl_int tf_enqueue_fill_rect(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type, const struct tf_rect_fill *what)
{
    cl_event ev = tf_enqueue_new(err, at, type, 1);

    if (!ev)
        return err->code;
    ev->cmd.kind = TF_CMD_FILL_RECT;
    ev->cmd.dst = tf_mem_range(what->mem, tf_enqueue_device(at), 0);
    ev->cmd.dst_rect = what->rect;
    memcpy(ev->cmd.pixel, what->pixel, what->pixel_bytes);
    ev->cmd.pixel_bytes = what->pixel_bytes;
    set_region(ev, what->region);
    tf_event_hold(ev, what->mem);
    return tf_enqueue_publish(err, at, ev);
}

// Largest integer k with k * step <= distance.
static int64_t floor_divide(int64_t distance, int64_t step)
{
    return distance / step - (distance % step < 0);
}

// Two boxes of equal region and pitches, `distance` bytes apart, meet if the distance is
// dx + dy * row + dz * slice with |dx|, |dy|, |dz| below the region. As dx + dy * row is
// smaller than a slice, and dx than a row, each of dz and dy has two candidates.
static bool boxes_meet(int64_t distance, const int64_t region[3], int64_t row,
                       int64_t slice)
{
    const int64_t dz_first = floor_divide(distance, slice);

    for (int64_t dz = dz_first; dz <= dz_first + 1; dz++) {
        const int64_t in_slice = distance - dz * slice;
        const int64_t dy_first = floor_divide(in_slice, row);

        for (int64_t dy = dy_first; dy <= dy_first + 1; dy++) {
            const int64_t dx = in_slice - dy * row;

            if (dx > -region[0] && dx < region[0] && dy > -region[1] && dy < region[1] &&
                dz > -region[2] && dz < region[2])
                return true;
        }
    }
    return false;
}

bool tf_rect_copy_overlaps(const struct tf_rect_copy *what)
{
    const size_t *r = what->region;
    const int64_t region[3] = {(int64_t)r[0], (int64_t)r[1], (int64_t)r[2]};
    size_t src, src_end, dst, dst_end;
    int64_t row, slice;

    if (!same_storage(what->src, what->dst) ||
        !tf_rect_span(&what->src_rect, r, &src, &src_end) ||
        !tf_rect_span(&what->dst_rect, r, &dst, &dst_end))
        return false;
    src += what->src->origin_bytes;
    src_end += what->src->origin_bytes;
    dst += what->dst->origin_bytes;
    dst_end += what->dst->origin_bytes;
    if (src >= dst_end || dst >= src_end)
        return false;
    if (what->src_rect.row_pitch_bytes != what->dst_rect.row_pitch_bytes ||
        what->src_rect.slice_pitch_bytes != what->dst_rect.slice_pitch_bytes)
        return true;
    // A pitch that is never stepped over may be larger than any buffer: leave it out.
    row = (int64_t)(r[1] > 1 ? what->src_rect.row_pitch_bytes : r[0]);
    slice = r[2] > 1 ? (int64_t)what->src_rect.slice_pitch_bytes : row * region[1];
    return boxes_meet((int64_t)(dst - src), region, row, slice);
}

cl_int tf_enqueue_in_order(struct tf_err *err, const struct tf_enqueue *at,
                           cl_command_type type, cl_uint mem_count, const cl_mem *mems)
{
    cl_event ev = tf_enqueue_new(err, at, type, mem_count);

    if (!ev)
        return err->code;
    ev->cmd.kind = TF_CMD_NONE;
    for (cl_uint i = 0; i < mem_count; i++)
        tf_event_hold(ev, mems[i]);
    return tf_enqueue_publish(err, at, ev);
}
