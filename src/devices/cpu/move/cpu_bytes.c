// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_bytes.h"

#include <string.h>

#include "abi/long16.h"
#include "devices/cpu/arch/cpu_arch.h"

enum {
    LINE_BYTES = TF_ARCH_STREAM_BYTES,
    // A shorter row is mostly its two ends, which are not streamed.
    LEAST_STREAM_BYTES = 8 * LINE_BYTES,
    USUAL_CACHE_BYTES = 8 << 20, // where the processor does not say
};

static struct {
    unsigned level;
    uint64_t stream_bytes;
} limits = {.stream_bytes = UINT64_MAX};

void tf_bytes_init(uint64_t cache_bytes, unsigned level)
{
    limits.level = level;
    limits.stream_bytes = (cache_bytes ? cache_bytes : USUAL_CACHE_BYTES) / 2;
}

bool tf_bytes_should_stream(uint64_t touched_bytes)
{
    return touched_bytes >= limits.stream_bytes;
}

// Bytes from `p` to the next line.
static size_t to_line(const void *p)
{
    return -(uintptr_t)p & (LINE_BYTES - 1);
}

static bool overlap(const char *a, const char *b, size_t bytes)
{
    return (uintptr_t)a < (uintptr_t)b + bytes && (uintptr_t)b < (uintptr_t)a + bytes;
}

void tf_bytes_copy(void *dst, const void *src, size_t bytes, bool stream)
{
    const size_t head = to_line(dst);
    size_t body;
    char *to = dst;
    const char *from = src;

    if (!stream || bytes < LEAST_STREAM_BYTES || overlap(to, from, bytes)) {
        memmove(dst, src, bytes);
        return;
    }
    body = (bytes - head) & ~(size_t)(LINE_BYTES - 1);
    if (head)
        memcpy(to, from, head);
    tf_arch_stream_copy(limits.level, to + head, from + head, body);
    if (head + body < bytes)
        memcpy(to + head + body, from + head + body, bytes - head - body);
}

void tf_bytes_fill(void *dst, const uint8_t *block, size_t bytes, bool stream)
{
    const size_t head = to_line(dst);
    uint8_t turned[TF_LONG16_BYTES];
    size_t body;
    char *to = dst;

    if (bytes <= TF_LONG16_BYTES) {
        memcpy(to, block, bytes);
        return;
    }
    memcpy(to, block, head);
    memcpy(turned, block + head, sizeof(turned) - head);
    memcpy(turned + sizeof(turned) - head, block, head);
    body = (bytes - head) & ~(size_t)(TF_LONG16_BYTES - 1);
    tf_arch_fill(limits.level, to + head, turned, body, stream);
    memcpy(to + head + body, turned, bytes - head - body);
}

void tf_bytes_stream_end(void)
{
    tf_arch_stream_end();
}
