// SPDX-License-Identifier: MIT
// Copying and filling memory. Up to what the caches hold this is memmove() and plain
// stores; beyond, stores that go past the caches: they save reading what is about to be
// overwritten, and do not care how far source and destination lie apart (library copies
// may fall to a quarter of their speed when destination minus source is 16 to 512 bytes
// modulo 4096).
#ifndef TF_DEVICES_CPU_MOVE_CPU_BYTES_H
#define TF_DEVICES_CPU_MOVE_CPU_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Once, before anything else; without it nothing is streamed. `cache_bytes` is the
// largest cache (0: unknown), `level` an index into tf_arch_levels() that the processor
// has.
void tf_bytes_init(uint64_t cache_bytes, unsigned level);

// Whether an operation that reads and writes `touched_bytes` in all should stream: when
// that is half of the largest cache, data would push each other out, and all else too.
bool tf_bytes_should_stream(uint64_t touched_bytes);

// Overlapping ranges are copied as by memmove(). After streamed calls the thread that
// made them calls tf_bytes_stream_end(), once for all.
void tf_bytes_copy(void *dst, const void *src, size_t bytes, bool stream);

// Repeats the TF_LONG16_BYTES bytes at `block` from `dst` on, the last time perhaps in
// part.
void tf_bytes_fill(void *dst, const uint8_t *block, size_t bytes, bool stream);

// Orders streamed bytes before everything the thread writes later.
void tf_bytes_stream_end(void);

#endif // TF_DEVICES_CPU_MOVE_CPU_BYTES_H
