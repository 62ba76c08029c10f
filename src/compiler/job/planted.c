// SPDX-License-Identifier: MIT
#include "compiler/job/planted.h"

#ifdef TF_DEBUG

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "compiler/job/compile_job.h"

// Volatile: what is planted must come up.
static int *volatile nowhere;
static volatile int zero;
static volatile unsigned depth;

static void plant_null(void)
{
    *nowhere = 1;
}

static void plant_trap(void)
{
    __builtin_trap();
}

static void plant_divide(void)
{
    raise(SIGFPE); // not every processor traps
}

static int recurse(volatile char *above)
{
    volatile char frame[4096];

    frame[0] = above[0];
    depth++;
    return zero ? 0 : recurse(frame) + frame[0];
}

static void plant_stack(void)
{
    char first = 1;

    zero = recurse(&first);
}

static void plant_loop(void)
{
    while (!zero)
        depth++;
}

static void plant_sleep(void)
{
    for (;;)
        pause();
}

static void plant_memory(void)
{
    for (;;) {
        char *const block = tf_zalloc((size_t)16 << 20);

        if (!block)
            tf_compile_job_leave(TF_COMPILER_NO_MEMORY, "error: out of memory\n");
        for (size_t i = 0; i < (size_t)16 << 20; i += 4096)
            ((volatile char *)block)[i] = 1;
    }
}

static void plant_exit(void)
{
    _exit(0);
}

static void plant_kill(void)
{
    kill(getpid(), SIGKILL);
}

static const struct {
    const char *name;
    void (*act)(void);
} plants[] = {
    {"null", plant_null},     {"abort", abort},         {"trap", plant_trap},
    {"divide", plant_divide}, {"stack", plant_stack},   {"loop", plant_loop},
    {"sleep", plant_sleep},   {"memory", plant_memory}, {"exit", plant_exit},
    {"kill", plant_kill},
};

void tf_planted(const char *stage, const char *text, size_t bytes)
{
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        char word[64];

        snprintf(word, sizeof word, "plant_%s_%s", stage, plants[i].name);
        if (memmem(text, bytes, word, strlen(word)))
            plants[i].act();
    }
}

#else
typedef int tf_no_planted; // a source is never empty
#endif
