// SPDX-License-Identifier: MIT
// Commands on images (OpenCL 3.1 §5.3.4 to §5.3.7): each is one on a box of bytes.
// Arguments are checked; failures as in core/command/command_copy.h.
#ifndef TF_CORE_COMMAND_COMMAND_IMAGE_H
#define TF_CORE_COMMAND_COMMAND_IMAGE_H

#include "core/command/enqueue.h"
#include "core/memory/image.h"

struct tf_image_transfer {
    cl_mem image;
    struct tf_image_box box;
    struct tf_image_steps host_steps; // never 0
    void *host;                       // read: destination
    const void *host_src;             // write: source
};

cl_int tf_enqueue_read_image(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_image_transfer *what);
cl_int tf_enqueue_write_image(struct tf_err *err, const struct tf_enqueue *at,
                              const struct tf_image_transfer *what);

struct tf_image_copy {
    cl_mem src, dst; // of one format
    struct tf_image_box src_box, dst_box;
};

cl_int tf_enqueue_copy_image(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_image_copy *what);

// True if both boxes lie in the same image and share a pixel.
bool tf_image_copy_overlaps(const struct tf_image_copy *what);

// The buffer's side has no gaps.
struct tf_image_buffer_copy {
    cl_mem image, buffer;
    struct tf_image_box box;
    size_t buffer_offset_bytes;
};

cl_int tf_enqueue_copy_image_to_buffer(struct tf_err *err, const struct tf_enqueue *at,
                                       const struct tf_image_buffer_copy *what);
cl_int tf_enqueue_copy_buffer_to_image(struct tf_err *err, const struct tf_enqueue *at,
                                       const struct tf_image_buffer_copy *what);

struct tf_image_fill {
    cl_mem image;
    struct tf_image_box box;
    const void *color; // as clEnqueueFillImage takes it
};

cl_int tf_enqueue_fill_image(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_image_fill *what);

struct tf_image_map {
    cl_mem image;
    struct tf_image_box box;
    cl_map_flags flags;
};

// Failures as of tf_enqueue_map().
cl_int tf_enqueue_map_image(struct tf_err *err, const struct tf_enqueue *at,
                            const struct tf_image_map *what, void **host)
    TF_EXCLUDES(&what->image->lock);

#endif // TF_CORE_COMMAND_COMMAND_IMAGE_H
