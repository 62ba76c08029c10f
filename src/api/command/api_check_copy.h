// SPDX-License-Identifier: MIT
// Checks of copies, for entry points that enqueue and that record them.
#ifndef TF_API_COMMAND_API_CHECK_COPY_H
#define TF_API_COMMAND_API_CHECK_COPY_H

#include "core/command/command_copy.h"
#include "core/command/command_image.h"

// What clEnqueueCopyBuffer demands: CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT,
// CL_INVALID_CONTEXT, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_MEM_COPY_OVERLAP.
cl_int check_copy(struct tf_err *err, const struct tf_enqueue *at,
                  const struct tf_copy *what);

// The same for clEnqueueFillBuffer.
cl_int check_fill(struct tf_err *err, const struct tf_enqueue *at,
                  const struct tf_fill *what);

// The same for clEnqueueCopyBufferRect; sets origins and region of *what, and the pitches
// that were given as 0.
cl_int check_rect_copy(struct tf_err *err, const struct tf_enqueue *at,
                       const size_t *src_origin, const size_t *dst_origin,
                       const size_t *region, struct tf_rect_copy *what);

// The same for images: what clEnqueueFillImage, clEnqueueCopyImage,
// clEnqueueCopyImageToBuffer and clEnqueueCopyBufferToImage demand; they set the boxes.
cl_int check_image_fill(struct tf_err *err, const struct tf_enqueue *at,
                        const size_t *origin, const size_t *region,
                        struct tf_image_fill *what);
cl_int check_image_copy(struct tf_err *err, const struct tf_enqueue *at,
                        const size_t *src_origin, const size_t *dst_origin,
                        const size_t *region, struct tf_image_copy *what);
cl_int check_image_to_buffer(struct tf_err *err, const struct tf_enqueue *at,
                             const size_t *origin, const size_t *region,
                             struct tf_image_buffer_copy *what);
cl_int check_buffer_to_image(struct tf_err *err, const struct tf_enqueue *at,
                             const size_t *origin, const size_t *region,
                             struct tf_image_buffer_copy *what);

#endif // TF_API_COMMAND_API_CHECK_COPY_H
