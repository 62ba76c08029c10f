// SPDX-License-Identifier: MIT
// Commands that move bytes: read, write, copy and fill of buffers, whole or as boxes
// (OpenCL 3.1 §5.2.2), of boxes of images (§5.3.4), and migration (§5.5.3). Arguments are
// checked; each function fails with CL_OUT_OF_HOST_MEMORY, or if blocking with the
// command's own error. The command holds the memory objects until it has ended.
#ifndef TF_CORE_COMMAND_COMMAND_COPY_H
#define TF_CORE_COMMAND_COMMAND_COPY_H

#include "core/command/enqueue.h"
#include "core/memory/mem.h"

// One of the two sides is a buffer range, the other the host's memory or a buffer range.
struct tf_transfer {
    cl_mem mem;
    size_t offset_bytes;
    size_t size_bytes;    // 0: the command does nothing
    void *host;           // read: destination
    const void *host_src; // write: source
};

cl_int tf_enqueue_read(struct tf_err *err, const struct tf_enqueue *at,
                       const struct tf_transfer *what);
cl_int tf_enqueue_write(struct tf_err *err, const struct tf_enqueue *at,
                        const struct tf_transfer *what);

struct tf_copy {
    cl_mem src, dst;
    size_t src_offset_bytes, dst_offset_bytes;
    size_t size_bytes;
};

cl_int tf_enqueue_copy(struct tf_err *err, const struct tf_enqueue *at,
                       const struct tf_copy *what);

// True if the ranges share a byte of the same storage; sub-buffers count with their
// parent's offsets.
bool tf_copy_overlaps(const struct tf_copy *what);

struct tf_fill {
    cl_mem mem;
    size_t offset_bytes;
    size_t size_bytes;
    const void *pattern;
    size_t pattern_bytes; // 1, 2, 4 ... 128
};

cl_int tf_enqueue_fill(struct tf_err *err, const struct tf_enqueue *at,
                       const struct tf_fill *what);

// ---- Boxes ----

// Puts pitches in place of zeros: rows follow each other, then slices. False on overflow.
bool tf_rect_default_pitches(struct tf_rect *rect, const size_t region[3]);

struct tf_rect_transfer {
    cl_mem mem;
    struct tf_rect buffer, host_rect;
    size_t region[3];
    void *host;
    const void *host_src;
};

// `type` is what the event says of the command: boxes of buffers and of images are alike.
cl_int tf_enqueue_read_rect(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type, const struct tf_rect_transfer *what);
cl_int tf_enqueue_write_rect(struct tf_err *err, const struct tf_enqueue *at,
                             cl_command_type type, const struct tf_rect_transfer *what);

struct tf_rect_copy {
    cl_mem src, dst;
    struct tf_rect src_rect, dst_rect;
    size_t region[3];
};

cl_int tf_enqueue_copy_rect(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type, const struct tf_rect_copy *what);

// True if the two boxes share a byte of the same storage. With equal pitches the answer
// is exact (appendix "Checking for Memory Copy Overlap"); with different pitches, which
// the API allows only for different objects, it is that of the spans.
bool tf_rect_copy_overlaps(const struct tf_rect_copy *what);

struct tf_rect_fill {
    cl_mem mem;
    struct tf_rect rect;
    size_t region[3];
    uint8_t pixel[TF_PIXEL_BYTES_MAX];
    size_t pixel_bytes; // 1, 2, 4, 8, 16; divides region[0]
};

cl_int tf_enqueue_fill_rect(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type, const struct tf_rect_fill *what);

// ---- Migration, ownership ----

// A command that has nothing to do but to come in its turn: the one storage of an object
// is where every device finds it, and others see the same memory.
cl_int tf_enqueue_in_order(struct tf_err *err, const struct tf_enqueue *at,
                           cl_command_type type, cl_uint mem_count, const cl_mem *mems);

#endif // TF_CORE_COMMAND_COMMAND_COPY_H
