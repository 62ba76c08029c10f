// SPDX-License-Identifier: MIT
// The only allocator of the library, so that tests can make it fail on the n-th call and
// count what lives (TF_DEBUG builds; release builds count nothing).
#ifndef TF_BASE_ALLOC_H
#define TF_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

// Zeroed memory of `bytes` bytes (at least 1), or NULL.
void *tf_zalloc(size_t bytes) TF_NODISCARD;
// Like realloc; new bytes are not zeroed. NULL leaves the old block as it was.
void *tf_realloc(void *p, size_t bytes) TF_NODISCARD;
// Copies; NULL when memory ran out.
void *tf_memdup(const void *src, size_t bytes) TF_NODISCARD;
char *tf_strdup(const char *text) TF_NODISCARD;
// `align` is a power of two, at least sizeof(void *). Not zeroed. Freed with tf_free.
void *tf_alloc_aligned(size_t align, size_t bytes) TF_NODISCARD;
void tf_free(void *p); // NULL is allowed

// Zeroed memory that lives as long as the process; not counted. NULL when memory ran out.
void *tf_alloc_forever(size_t bytes) TF_NODISCARD;
// For allocators built on top of this one: false if the next allocation is to fail
// (tests).
bool tf_alloc_allowed(void) TF_NODISCARD;

// Tests only: fail the n-th allocation from now (0 = next); n < 0 switches it off.
void tf_alloc_fail_at(long n);
// Tests only: live allocations; always 0 without TF_DEBUG.
long tf_alloc_live(void);

#endif // TF_BASE_ALLOC_H
