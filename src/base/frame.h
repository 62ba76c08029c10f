// SPDX-License-Identifier: MIT
// Messages on a stream socket between two processes of ours: a kind, a length, bytes.
// Neither side believes the other: lengths are bounded, memory is taken as bytes arrive.
// No signal is raised where the other side is gone; a link that an application closed, or
// gave the number of to a file of its own, has ended.
#ifndef TF_BASE_FRAME_H
#define TF_BASE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/kept_fd.h"

#define TF_FRAME_MAX_BYTES ((uint64_t)1 << 31)
#define TF_FRAME_NO_LIMIT UINT64_MAX

enum tf_frame_result {
    TF_FRAME_OK,
    TF_FRAME_END,  // the other side closed; while receiving: before the frame began
    TF_FRAME_CUT,  // it closed in the middle of one, or sent what is no frame
    TF_FRAME_LATE, // `until_ns` (tf_time_ns) passed
    TF_FRAME_NO_MEMORY,
};

struct tf_frame {
    uint32_t kind;
    void *data; // tf_free; NULL if there are no bytes
    size_t bytes;
};

enum tf_frame_result tf_frame_send(const struct tf_kept_fd *link, uint32_t kind,
                                   const void *data, size_t bytes,
                                   uint64_t until_ns) TF_NODISCARD;
enum tf_frame_result tf_frame_receive(const struct tf_kept_fd *link, struct tf_frame *out,
                                      uint64_t until_ns) TF_NODISCARD;
// What comes after a frame until the other side closes, cut to what `text` holds with its
// 0. False when it did not close in time.
bool tf_frame_rest(const struct tf_kept_fd *link, char *text, size_t text_bytes,
                   uint64_t until_ns);
// True if there is something to receive, or the end.
bool tf_frame_waits(const struct tf_kept_fd *link);

#endif // TF_BASE_FRAME_H
