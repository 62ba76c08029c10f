// SPDX-License-Identifier: MIT
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Written by tests only: release builds read it and share no written counter.
static atomic_long fail_at = -1;
#ifdef TF_DEBUG
static atomic_long live;
#define COUNT(n) atomic_fetch_add_explicit(&live, (n), memory_order_relaxed)
#else
#define COUNT(n) ((void)0)
#endif

bool tf_alloc_allowed(void)
{
    return atomic_load_explicit(&fail_at, memory_order_relaxed) < 0 ||
           atomic_fetch_sub(&fail_at, 1) != 0;
}

void *tf_zalloc(size_t bytes)
{
    void *p = tf_alloc_allowed() ? calloc(1, bytes ? bytes : 1) : NULL;

    if (p)
        COUNT(1);
    return p;
}

void *tf_realloc(void *old, size_t bytes)
{
    void *p = tf_alloc_allowed() ? realloc(old, bytes ? bytes : 1) : NULL;

    if (p && !old)
        COUNT(1);
    return p;
}

void *tf_memdup(const void *src, size_t bytes)
{
    void *p = tf_zalloc(bytes);

    if (p && bytes)
        memcpy(p, src, bytes);
    return p;
}

char *tf_strdup(const char *text)
{
    return tf_memdup(text, strlen(text) + 1);
}

void *tf_alloc_aligned(size_t align, size_t bytes)
{
    void *p = NULL;

    if (!tf_alloc_allowed() || posix_memalign(&p, align, bytes ? bytes : 1))
        return NULL;
    COUNT(1);
    return p;
}

void *tf_alloc_forever(size_t bytes)
{
    return tf_alloc_allowed() ? calloc(1, bytes ? bytes : 1) : NULL;
}

void tf_free(void *p)
{
    if (p)
        COUNT(-1);
    free(p);
}

void tf_alloc_fail_at(long n)
{
    atomic_store(&fail_at, n);
}

long tf_alloc_live(void)
{
#ifdef TF_DEBUG
    return atomic_load(&live);
#else
    return 0;
#endif
}
