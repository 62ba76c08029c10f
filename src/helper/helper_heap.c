// SPDX-License-Identifier: MIT
// One job runs at a time. An arena of its thread's own would grow page by page, each with
// a call of the kernel, and what a job frees the next one takes again. The first job
// touches two megabytes: as one huge page they are there at a tenth of what 500 small
// ones cost (63 us instead of 630, a virtual machine on a Zen 5).
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    STEP_BYTES = 4 << 20, // by which the heap grows
    KEPT_BYTES = 64 << 20,
    LARGE_BYTES = 4 << 20,
    HUGE_BYTES = 2 << 20,
    // More than the heap can have left, less than LARGE_BYTES: makes it grow.
    FIRST_BYTES = 144 << 10,
    SPARE_BYTES = 8 << 10
};

static void prepare_heap(void)
{
    const uintptr_t at = (uintptr_t)sbrk(0);
    const uintptr_t border =
        (at + FIRST_BYTES + HUGE_BYTES - 1) & ~(uintptr_t)(HUGE_BYTES - 1);
    void *volatile first; // an optimizer would leave it out
    uintptr_t end;

    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_TOP_PAD, STEP_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    // What the heap writes when it grows lies before the border: a huge page is given
    // only where nothing is yet.
    if (sbrk((intptr_t)(border - FIRST_BYTES - at)) == (void *)-1)
        return;
    first = malloc(FIRST_BYTES - SPARE_BYTES);
    free(first);
    end = (uintptr_t)sbrk(0) & ~(uintptr_t)(HUGE_BYTES - 1);
    if (end > border)
        (void)madvise((void *)border, end - border, MADV_HUGEPAGE);
}

// Before all constructors: those of LLVM are in trefoil-helper-whole, and allocate.
static void (*const early)(void)
    __attribute__((section(".preinit_array"), used)) = prepare_heap;
