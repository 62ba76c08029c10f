// SPDX-License-Identifier: MIT
// Native code of kernels: its states, and who waits for it. Whoever finds code missing
// has it generated (cpu_generate.c): a background thread that was asked, or a worker when
// a launch cannot wait for that. Arguments and sizes are inputs of the code, so each is
// made once. Which code a launch gets is decided in tier/cpu_tier.c.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"
#include "base/time.h"
#include "devices/cpu/program/cpu_code_cache.h"
#include "devices/cpu/program/cpu_generator.h"
#include "devices/cpu/program/cpu_program.h"
#include "trace/trace.h"

enum { REASON_BYTES = 300 };

const struct tf_cpu_kernel *tf_cpu_kernel_peek(const struct tf_devprog *prog,
                                               size_t index, enum tf_cpu_slot slot)
{
    const struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, slot);

    if (atomic_load_explicit(&kernel->state, memory_order_acquire) != TF_CODE_READY)
        return NULL;
    return kernel;
}

// ---- One piece of code ----

// Takes the code over (given where that succeeds).
static bool load(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot,
                 const struct tf_cpu_code *code, char *text, size_t text_bytes)
{
    struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, slot);
    struct tf_str symbol = {0};
    char *name;
    bool ok;

    tf_str_printf(&symbol, "tf_wg_%s", prog->infos[index].name);
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

static void trace_stage(const struct tf_devprog *prog, size_t index, uint64_t start_ns,
                        bool ok)
{
    char name[128];

    snprintf(name, sizeof(name), "generate %s", prog->infos[index].name);
    tf_trace_stage(tf_trace_name(name), start_ns, ok);
}

// One attempt. True when the kernel's fields are filled. `report`, or NULL, takes what
// the compiler says of lanes.
static bool attempt(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot,
                    bool plain, struct tf_str *report)
{
    static const char *const which[] = {[TF_SLOT_FULL] = "",
                                        [TF_SLOT_SINGLE] = " (one by one)",
                                        [TF_SLOT_QUICK] = " (quick)",
                                        [TF_SLOT_VARIANT] = " (variant)"};
    struct tf_cpu_wanted wanted = tf_cpu_wanted(prog, index, slot);
    const uint64_t start_ns = tf_time_ns();
    struct tf_cpu_code code;
    char reason[REASON_BYTES] = "";
    struct tf_str log = {0};
    char *text;
    bool ok;

    wanted.plain |= plain;
    ok = tf_cpu_code_cache_make(prog, index, &wanted, report != NULL, &code, &log) &&
         load(prog, index, slot, &code, reason, sizeof(reason));
    if (!ok)
        tf_cpu_code_finish(&code);
    if (tf_trace_on())
        trace_stage(prog, index, start_ns, ok);
    text = tf_str_take(&log);
    tf_log(TF_LOG_BUILD, "kernel %s: %s%s%s in %.1f ms %s %s", prog->infos[index].name,
           ok ? "generated" : "failed",
           which[slot < TF_SLOT_VARIANT ? slot : TF_SLOT_VARIANT],
           plain ? " (plain)" : "", (double)(tf_time_ns() - start_ns) / 1e6,
           text ? text : "", reason);
    if (report && text)
        tf_str_add(report, text);
    tf_free(text);
    return ok;
}

static bool generate(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot,
                     struct tf_str *report)
{
    if (attempt(prog, index, slot, false, report))
        return true;
    // Plain code would be no faster than quick code.
    return !tf_cpu_kernel_peek(prog, index, TF_SLOT_QUICK) &&
           attempt(prog, index, slot, true, report);
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

static void make(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot,
                 struct tf_str *report)
{
    struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, slot);
    struct tf_str its_own = {0};
    bool ok;

    if (!claim(prog, kernel))
        return;
    if (prog->reports && slot >= TF_SLOT_VARIANT)
        report = &its_own;
    ok = generate(prog, index, slot, report);
    if (report == &its_own)
        kernel->report = tf_str_take(&its_own);
    publish(prog, kernel, ok ? TF_CODE_READY : TF_CODE_FAILED);
}

// Host programs that lay three numbers side by side get every fourth one wrong.
static void warn_of_threes(const struct tf_kernel_info *info, struct tf_str *report)
{
    for (uint32_t i = 0; i < info->arg_count; i++) {
        const char *const type = info->args[i].type_name;
        const size_t name = strspn(type, "abcdefghijklmnopqrstuvwxyz");

        if (!strcmp(type + name, "3*"))
            tf_str_printf(report,
                          "hint: kernel %s, argument %s: elements of %.*s3 lie as far "
                          "apart as those of %.*s4: vload3() reads packed ones\n",
                          info->name, info->args[i].name, (int)name, type, (int)name,
                          type);
    }
}

void tf_cpu_kernel_report(struct tf_devprog *prog, struct tf_str *report)
{
    prog->reports = true;
    for (size_t i = 0; i < prog->shown_count; i++) {
        make(prog, i, TF_SLOT_FULL, report);
        warn_of_threes(&prog->infos[i], report);
    }
}

const struct tf_cpu_kernel *tf_cpu_kernel_wait(struct tf_devprog *prog, size_t index,
                                               enum tf_cpu_slot slot)
{
    const struct tf_cpu_kernel *ready = tf_cpu_kernel_peek(prog, index, slot);
    struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, slot);

    if (ready)
        return ready;
    make(prog, index, slot, NULL);
    tf_lock(&prog->lock);
    while (atomic_load_explicit(&kernel->state, memory_order_relaxed) == TF_CODE_BUSY)
        tf_cond_wait(&prog->changed, &prog->lock);
    tf_unlock(&prog->lock);
    return tf_cpu_kernel_peek(prog, index, slot);
}

bool tf_cpu_kernel_find(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot)
{
    const struct tf_cpu_wanted wanted = tf_cpu_wanted(prog, index, slot);
    struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, slot);
    struct tf_cpu_code code;
    char reason[REASON_BYTES];
    bool ok;

    if (atomic_load_explicit(&kernel->state, memory_order_relaxed) != TF_CODE_NONE ||
        !tf_cpu_code_cache_find(prog, index, &wanted, &code))
        return tf_cpu_kernel_peek(prog, index, slot) != NULL;
    if (!claim(prog, kernel)) { // somebody was faster
        tf_cpu_code_finish(&code);
        return tf_cpu_kernel_peek(prog, index, slot) != NULL;
    }
    ok = load(prog, index, slot, &code, reason, sizeof(reason));
    if (!ok)
        tf_cpu_code_finish(&code);
    tf_log(TF_LOG_BUILD, "kernel %s: found in the cache", prog->infos[index].name);
    ok = ok || generate(prog, index, slot, NULL);
    publish(prog, kernel, ok ? TF_CODE_READY : TF_CODE_FAILED);
    return ok;
}

bool tf_cpu_kernel_adopt(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot,
                         const struct tf_cpu_code *code, char *text, size_t text_bytes)
{
    if (!load(prog, index, slot, code, text, text_bytes))
        return false;
    publish(prog, tf_cpu_kernel_at(prog, index, slot), TF_CODE_READY);
    return true;
}

// ---- In the background ----

struct asked_job {
    struct tf_generator_job job;
    struct tf_devprog *prog;
    size_t index;
    enum tf_cpu_slot slot;
};

static void make_asked(struct tf_generator_job *job)
{
    struct asked_job *asked = tf_container_of(job, struct asked_job, job);
    struct tf_devprog *prog = asked->prog;

    if (!atomic_load_explicit(&prog->released, memory_order_relaxed))
        make(prog, asked->index, asked->slot, NULL);
    tf_free(asked);
    tf_cpu_program_unref(prog);
}

void tf_cpu_kernel_ask(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot)
{
    struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, slot);
    struct asked_job *asked;

    // Most who ask again only read it.
    if (atomic_load_explicit(&kernel->asked, memory_order_relaxed) ||
        atomic_load_explicit(&kernel->state, memory_order_relaxed) != TF_CODE_NONE ||
        atomic_exchange_explicit(&kernel->asked, true, memory_order_relaxed))
        return;
    asked = tf_zalloc(sizeof(*asked));
    if (!asked) { // the next one asks again
        atomic_store_explicit(&kernel->asked, false, memory_order_relaxed);
        return;
    }
    atomic_fetch_add_explicit(&prog->refs, 1, memory_order_relaxed);
    *asked = (struct asked_job){{.run = make_asked}, prog, index, slot};
    tf_generator_post(&asked->job,
                      slot == TF_SLOT_QUICK ? TF_GENERATOR_SOON : TF_GENERATOR_LATER);
}

void tf_cpu_kernel_forked(void)
{
    tf_generator_forked();
}
