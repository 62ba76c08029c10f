// SPDX-License-Identifier: MIT
#include "core/command/command_image.h"

#include "core/command/command_copy.h"
#include "core/command/command_map.h"
#include "core/object/error.h"

static struct tf_rect_transfer transfer_of(const struct tf_image_transfer *what)
{
    struct tf_rect_transfer rect = {
        .mem = what->image,
        .host_rect = {.row_pitch_bytes = what->host_steps.row_bytes,
                      .slice_pitch_bytes = what->host_steps.slice_bytes},
        .host = what->host,
        .host_src = what->host_src,
    };

    rect.buffer = tf_image_rect(what->image, &what->box, rect.region);
    return rect;
}

cl_int tf_enqueue_read_image(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_image_transfer *what)
{
    const struct tf_rect_transfer rect = transfer_of(what);

    return tf_enqueue_read_rect(err, at, CL_COMMAND_READ_IMAGE, &rect);
}

cl_int tf_enqueue_write_image(struct tf_err *err, const struct tf_enqueue *at,
                              const struct tf_image_transfer *what)
{
    const struct tf_rect_transfer rect = transfer_of(what);

    return tf_enqueue_write_rect(err, at, CL_COMMAND_WRITE_IMAGE, &rect);
}

cl_int tf_enqueue_copy_image(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_image_copy *what)
{
    struct tf_rect_copy rect = {.src = what->src, .dst = what->dst};

    rect.src_rect = tf_image_rect(what->src, &what->src_box, rect.region);
    rect.dst_rect = tf_image_rect(what->dst, &what->dst_box, rect.region);
    return tf_enqueue_copy_rect(err, at, CL_COMMAND_COPY_IMAGE, &rect);
}

bool tf_image_copy_overlaps(const struct tf_image_copy *what)
{
    return what->src == what->dst &&
           tf_image_boxes_overlap(&what->src_box, &what->dst_box);
}

// The buffer's side.
static struct tf_rect packed(size_t offset_bytes, const size_t region[3])
{
    return (struct tf_rect){.origin = {offset_bytes},
                            .row_pitch_bytes = region[0],
                            .slice_pitch_bytes = region[0] * region[1]};
}

cl_int tf_enqueue_copy_image_to_buffer(struct tf_err *err, const struct tf_enqueue *at,
                                       const struct tf_image_buffer_copy *what)
{
    struct tf_rect_copy rect = {.src = what->image, .dst = what->buffer};

    rect.src_rect = tf_image_rect(what->image, &what->box, rect.region);
    rect.dst_rect = packed(what->buffer_offset_bytes, rect.region);
    return tf_enqueue_copy_rect(err, at, CL_COMMAND_COPY_IMAGE_TO_BUFFER, &rect);
}

cl_int tf_enqueue_copy_buffer_to_image(struct tf_err *err, const struct tf_enqueue *at,
                                       const struct tf_image_buffer_copy *what)
{
    struct tf_rect_copy rect = {.src = what->buffer, .dst = what->image};

    rect.dst_rect = tf_image_rect(what->image, &what->box, rect.region);
    rect.src_rect = packed(what->buffer_offset_bytes, rect.region);
    return tf_enqueue_copy_rect(err, at, CL_COMMAND_COPY_BUFFER_TO_IMAGE, &rect);
}

cl_int tf_enqueue_fill_image(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_image_fill *what)
{
    const struct tf_image *image = what->image->image;
    struct tf_rect_fill rect = {.mem = what->image,
                                .pixel_bytes = image->shape.pixel_bytes};

    rect.rect = tf_image_rect(what->image, &what->box, rect.region);
    tf_image_format_pixel(&image->format, what->color, rect.pixel);
    return tf_enqueue_fill_rect(err, at, CL_COMMAND_FILL_IMAGE, &rect);
}

cl_int tf_enqueue_map_image(struct tf_err *err, const struct tf_enqueue *at,
                            const struct tf_image_map *what, void **host)
{
    struct tf_map_desc desc = {.flags = what->flags, .box = what->box};
    size_t region[3], end = 0;
    const struct tf_rect rect = tf_image_rect(what->image, &what->box, region);

    if (!tf_rect_span(&rect, region, &desc.offset_bytes, &end))
        return tf_fail(err, CL_MAP_FAILURE, "the box ends beyond all memory");
    desc.size_bytes = end - desc.offset_bytes;
    return tf_enqueue_map(err, at, what->image, &desc, host);
}
