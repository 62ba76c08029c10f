// SPDX-License-Identifier: MIT
// Native code of kernels: its states, and who waits for it. Whoever finds a kernel
// without code has it generated (cpu_generate.c): the background thread in the order of
// the builds, a worker when a launch cannot wait for that. Arguments and sizes are inputs
// of the code, so it is made once.
#include <stdio.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"

enum { REASON_BYTES = 300, GENERATOR_STACK_BYTES = 1 << 20 };

static struct tf_job_thread generator =
    TF_JOB_THREAD_INITIALIZER("trefoil-gen", GENERATOR_STACK_BYTES);

// ---- One kernel ----

// Of its code, too, for launches that do not fit: `index` is larger by the number of
// kernels then.
static const char *name_of(const struct tf_devprog *prog, size_t index)
{
    return prog->infos[index % prog->kernel_count].name;
}

// Takes the code over (given where that succeeds).
static bool load(struct tf_devprog *prog, size_t index, const struct tf_cpu_code *code,
                 char *text, size_t text_bytes)
{
    struct tf_cpu_kernel *kernel = &prog->kernels[index];
    struct tf_str symbol = {0};
    char *name;
    bool ok;

    tf_str_printf(&symbol, "tf_wg_%s", name_of(prog, index));
    name = tf_str_take(&symbol);
    if (!name) {
        kernel->image.system_refused = true;
        snprintf(text, text_bytes, "out of memory");
        return false;
    }
    ok = tf_elf_load(&kernel->image, code->object, code->object_bytes, name, text,
                     text_bytes);
    tf_free(name);
    if (ok)
        kernel->code = *code;
    return ok;
}

// One attempt. True when the kernel's fields are filled. `report`, or NULL, takes what
// the compiler says of lanes.
static bool attempt(struct tf_devprog *prog, size_t index, bool plain,
                    struct tf_str *report)
{
    const bool one_by_one = index >= prog->kernel_count;
    const size_t kernel = index % prog->kernel_count;
    struct tf_cpu_wanted wanted = tf_cpu_wanted(prog, kernel, one_by_one);
    struct tf_cpu_code code;
    char reason[REASON_BYTES] = "";
    struct tf_str log = {0};
    char *text;
    bool ok;

    wanted.plain |= plain;
    ok = tf_cpu_generate(prog, kernel, &wanted, report != NULL, &code, &log) &&
         load(prog, index, &code, reason, sizeof(reason));
    if (!ok)
        tf_cpu_code_finish(&code);
    text = tf_str_take(&log);
    tf_log(TF_LOG_BUILD, "kernel %s: %s%s%s %s %s", name_of(prog, index),
           ok ? "generated" : "failed", one_by_one ? " (one by one)" : "",
           plain ? " (plain)" : "", text ? text : "", reason);
    if (report && text)
        tf_str_add(report, text);
    tf_free(text);
    return ok;
}

static bool generate(struct tf_devprog *prog, size_t index, struct tf_str *report)
{
    char reason[REASON_BYTES];

    if (!tf_cpu_compiler(reason, sizeof(reason))) {
        tf_log(TF_LOG_ERROR, "kernel %s: no compiler: %s", name_of(prog, index), reason);
        return false;
    }
    return attempt(prog, index, false, report) || attempt(prog, index, true, report);
}

// Takes the kernel over for generation; false when it is, or was, in other hands.
static bool claim(struct tf_devprog *prog, struct tf_cpu_kernel *kernel)
{
    bool claimed;

    tf_lock(&prog->lock);
    claimed = atomic_load_explicit(&kernel->state, memory_order_relaxed) == TF_CODE_NONE;
    if (claimed)
        atomic_store_explicit(&kernel->state, TF_CODE_BUSY, memory_order_relaxed);
    tf_unlock(&prog->lock);
    return claimed;
}

// Release: whoever reads READY without the lock sees the code.
static void publish(struct tf_devprog *prog, struct tf_cpu_kernel *kernel,
                    enum tf_code_state state)
{
    tf_lock(&prog->lock);
    atomic_store_explicit(&kernel->state, (int)state, memory_order_release);
    tf_cond_signal_all(&prog->changed);
    tf_unlock(&prog->lock);
}

static const struct tf_cpu_kernel *peek(const struct tf_devprog *prog, size_t index)
{
    const struct tf_cpu_kernel *kernel = &prog->kernels[index];

    if (atomic_load_explicit(&kernel->state, memory_order_acquire) != TF_CODE_READY)
        return NULL;
    return kernel;
}

const struct tf_cpu_kernel *tf_cpu_kernel_peek(const struct tf_devprog *prog,
                                               size_t index)
{
    return prog && index < prog->kernel_count ? peek(prog, index) : NULL;
}

void tf_cpu_kernel_report(struct tf_devprog *prog, struct tf_str *report)
{
    for (size_t i = 0; i < prog->kernel_count; i++) {
        struct tf_cpu_kernel *kernel = &prog->kernels[i];

        if (claim(prog, kernel))
            publish(prog, kernel,
                    generate(prog, i, report) ? TF_CODE_READY : TF_CODE_FAILED);
    }
}

static const struct tf_cpu_kernel *wait_for(struct tf_devprog *prog, size_t index)
{
    const struct tf_cpu_kernel *ready = peek(prog, index);
    struct tf_cpu_kernel *kernel = &prog->kernels[index];

    if (ready)
        return ready;
    if (claim(prog, kernel))
        publish(prog, kernel,
                generate(prog, index, NULL) ? TF_CODE_READY : TF_CODE_FAILED);
    tf_lock(&prog->lock);
    while (atomic_load_explicit(&kernel->state, memory_order_relaxed) == TF_CODE_BUSY)
        tf_cond_wait(&prog->changed, &prog->lock);
    tf_unlock(&prog->lock);
    return peek(prog, index);
}

const struct tf_cpu_kernel *tf_cpu_kernel_code(struct tf_devprog *prog, size_t index)
{
    return prog && index < prog->kernel_count ? wait_for(prog, index) : NULL;
}

static atomic_uint blocked_launches;

unsigned tf_cpu_kernel_blocked_launches(void)
{
    return atomic_load(&blocked_launches);
}

static void note_wait(const struct tf_devprog *prog, size_t index)
{
    const char *name = prog->infos[index].name;

    if (!atomic_load_explicit(&prog->kernels[index].launched, memory_order_relaxed))
        tf_log(TF_LOG_BUILD, "kernel %s: its first launch waits for code", name);
    else
        tf_log(TF_LOG_BUILD, "kernel %s: blocking compilation %u: a launch waits again",
               name, atomic_fetch_add(&blocked_launches, 1) + 1);
}

// ---- Launches that the code does not fit ----

struct asked_job {
    struct tf_job job;
    struct tf_devprog *prog;
    size_t index;
};

static void generate_asked(struct tf_job *job)
{
    struct asked_job *asked = tf_container_of(job, struct asked_job, job);
    struct tf_devprog *prog = asked->prog;

    if (atomic_load(&prog->refs) > 1)
        (void)wait_for(prog, asked->index);
    tf_free(asked);
    tf_cpu_program_unref(prog);
}

// In the background, once; without memory the next launch asks again.
static void ask_for(struct tf_devprog *prog, size_t index)
{
    atomic_bool *was_asked = &prog->kernels[index].asked;
    struct asked_job *asked;

    if (atomic_exchange_explicit(was_asked, true, memory_order_relaxed))
        return;
    asked = tf_zalloc(sizeof(*asked));
    if (!asked) {
        atomic_store_explicit(was_asked, false, memory_order_relaxed);
        return;
    }
    atomic_fetch_add_explicit(&prog->refs, 1, memory_order_relaxed);
    *asked = (struct asked_job){{.run = generate_asked}, prog, index};
    tf_job_thread_post(&generator, &asked->job);
}

static const struct tf_cpu_kernel *choose(struct tf_devprog *prog, size_t index,
                                          const struct tf_cpu_kernel *code,
                                          const struct tf_launch *launch)
{
    const size_t other = prog->kernel_count + index;
    const bool can = tf_fit_can(&code->code.fit, launch);
    const struct tf_cpu_kernel *ready;

    if (can && tf_fit_pays(&code->code.fit, launch))
        return code;
    ready = peek(prog, other);
    if (ready)
        return ready;
    if (can) {
        ask_for(prog, other);
        return code;
    }
    tf_log(TF_LOG_BUILD, "kernel %s: its first launch past 2^31 waits for code",
           name_of(prog, index));
    return wait_for(prog, other);
}

bool tf_cpu_kernel_is_ready(struct tf_devprog *prog, size_t index,
                            const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code = tf_cpu_kernel_peek(prog, index);

    return code && (tf_fit_can(&code->code.fit, launch) ||
                    peek(prog, prog->kernel_count + index) != NULL);
}

const struct tf_cpu_kernel *tf_cpu_kernel_code_for_launch(struct tf_devprog *prog,
                                                          size_t index,
                                                          const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code = tf_cpu_kernel_peek(prog, index);
    atomic_bool *launched;

    if (!code && prog && index < prog->kernel_count) {
        note_wait(prog, index);
        code = tf_cpu_kernel_code(prog, index);
    }
    if (!code)
        return NULL;
    // Most launches only read it: many threads have it in their caches.
    launched = &prog->kernels[index].launched;
    if (!atomic_load_explicit(launched, memory_order_relaxed))
        atomic_store_explicit(launched, true, memory_order_relaxed);
    return choose(prog, index, code, launch);
}

bool tf_cpu_kernel_adopt(struct tf_devprog *prog, size_t index,
                         const struct tf_cpu_code *code, char *text, size_t text_bytes)
{
    if (!load(prog, index, code, text, text_bytes))
        return false;
    publish(prog, &prog->kernels[index], TF_CODE_READY);
    return true;
}

// ---- In the background ----

static void generate_all(struct tf_job *job)
{
    struct tf_devprog *prog = tf_container_of(job, struct tf_devprog, job);

    // A program that only this job still holds was released: its code has no use.
    for (size_t i = 0; i < prog->kernel_count && atomic_load(&prog->refs) > 1; i++)
        (void)tf_cpu_kernel_code(prog, i);
    tf_cpu_program_unref(prog);
}

void tf_cpu_kernel_start(struct tf_devprog *prog)
{
    if (prog->kernel_count == 0)
        return;
    atomic_fetch_add_explicit(&prog->refs, 1, memory_order_relaxed);
    prog->job = (struct tf_job){.run = generate_all};
    tf_job_thread_post(&generator, &prog->job);
}

void tf_cpu_kernel_forked(void)
{
    tf_job_thread_forked(&generator);
}
