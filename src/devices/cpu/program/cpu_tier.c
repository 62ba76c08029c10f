// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_tier.h"

#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "base/range.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/program/cpu_variant.h"

// Quick code that threads have run for so long is worth optimizing: a short launch or two
// never pay that, and what runs for long loses no more than this.
#define HOT_NS 1000000u

enum { FEW_GROUPS_A_UNIT = 32 };

enum policy {
    POLICY_AUTO,
    POLICY_QUICK, // never optimized
    POLICY_FULL,  // never quick
    POLICY_MIX,   // tests: both, by turns
};

static enum policy read_policy(void)
{
    const char *text = tf_env_text(TF_ENV_TIER), *form = tf_env_text(TF_ENV_WG);

    if (text && !strcmp(text, "0"))
        return POLICY_QUICK;
    if (text && !strcmp(text, "mix"))
        return POLICY_MIX;
    // Who pins a form wants to see that form.
    if ((text && !strcmp(text, "1")) || (!text && form && strcmp(form, "auto") != 0))
        return POLICY_FULL;
    return POLICY_AUTO;
}

static enum policy policy_of(const struct tf_devprog *prog, size_t index)
{
    return (enum policy)prog->kernels[index].policy;
}

void tf_cpu_tier_settle(struct tf_devprog *prog)
{
    const enum policy wanted = read_policy();

    tf_cpu_variant_settle(prog);
    for (size_t i = 0; i < prog->kernel_count; i++) {
        struct tf_cpu_kernel *const kernel = tf_cpu_kernel_at(prog, i, TF_SLOT_FULL);
        // Kernels in their natural shape are not optimized anyhow; where arithmetic is
        // loose the two might disagree.
        const bool full =
            prog->infos[i].flags & (TF_KERNEL_DEBUG_FORM | TF_KERNEL_LOOSE_VALUES);
        const enum policy policy = full ? POLICY_FULL : wanted;

        kernel->policy = (unsigned char)policy;
        kernel->varies =
            tf_cpu_variant_policy() != TF_VARIANTS_NONE &&
            (policy == POLICY_AUTO || tf_cpu_variant_policy() == TF_VARIANTS_ALL) &&
            kernel->variant_kind != TF_VARIANT_NONE;
    }
}

static const char *name_of(const struct tf_devprog *prog, size_t index)
{
    return prog->infos[index].name;
}

// ---- Variants ----

// Says once which variant launches run, and keeps in mind for the report that they do.
static void note_variant(const struct tf_devprog *prog, size_t index,
                         const struct tf_cpu_kernel *code)
{
    const ptrdiff_t number = code - tf_cpu_kernel_at(prog, index, TF_SLOT_VARIANT);
    const enum tf_cpu_slot slot = (enum tf_cpu_slot)(TF_SLOT_VARIANT + number);
    atomic_bool *const launched = &tf_cpu_kernel_at(prog, index, slot)->launched;
    char *text;

    if (!(tf_log_on(TF_LOG_BUILD) || prog->reports) ||
        atomic_load_explicit(launched, memory_order_relaxed) ||
        atomic_exchange_explicit(launched, true, memory_order_relaxed) ||
        !tf_log_on(TF_LOG_BUILD))
        return;
    text = tf_cpu_variant_text(prog, index, slot);
    tf_log(TF_LOG_BUILD, "kernel %s: runs the variant for %s", name_of(prog, index),
           text ? text : "");
    tf_free(text);
}

// Whether the code of a variant serves the launch. Where lanes do not pay for one of
// formats, code for all without them would gain little, and take ten times as long to be
// made.
static bool serves(const struct tf_devprog *prog, size_t index,
                   const struct tf_cpu_kernel *code, const struct tf_launch *launch)
{
    return tf_fit_can(&code->code.fit, launch) &&
           (prog->kernels[index].variant_kind != TF_VARIANT_SIZE ||
            tf_fit_pays(&code->code.fit, launch));
}

// The variant for the launch, if it is there.
static const struct tf_cpu_kernel *variant(const struct tf_devprog *prog, size_t index,
                                           const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code =
        prog->kernels[index].varies ? tf_cpu_variant_peek(prog, index, launch) : NULL;

    if (!code || !serves(prog, index, code, launch))
        return NULL;
    note_variant(prog, index, code);
    return code;
}

// The slot of the variant for the launch, as far as is known that it can run it;
// TF_SLOT_COUNT: none.
static enum tf_cpu_slot variant_slot(struct tf_devprog *prog, size_t index,
                                     const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code;
    enum tf_cpu_slot slot;

    if (!prog->kernels[index].varies)
        return TF_SLOT_COUNT;
    slot = tf_cpu_variant_slot(prog, index, launch);
    if (slot == TF_SLOT_COUNT || !tf_cpu_variant_may_be_made(prog, index, slot) ||
        atomic_load_explicit(&tf_cpu_kernel_at(prog, index, slot)->state,
                             memory_order_relaxed) == TF_CODE_FAILED)
        return TF_SLOT_COUNT;
    code = tf_cpu_kernel_peek(prog, index, slot);
    return !code || serves(prog, index, code, launch) ? slot : TF_SLOT_COUNT;
}

// What to optimize for launches like this one. Its variant may have come to be there
// since the launch looked for it.
static enum tf_cpu_slot slot_for(struct tf_devprog *prog, size_t index,
                                 const struct tf_launch *launch)
{
    const enum tf_cpu_slot slot = variant_slot(prog, index, launch);

    return slot == TF_SLOT_COUNT ? TF_SLOT_FULL : slot;
}

// Whether quick code would take longer for the launch than optimized code to be made, if
// a work-item runs so many instructions.
static bool is_long(const struct tf_kernel_info *info, const struct tf_launch *launch,
                    uint64_t work)
{
    enum { INSTRUCTIONS_A_NS = 2 };

    for (int d = 0; d < 3; d++)
        if (tf_mul_overflow(work, launch->global_size[d], &work))
            return true;
    return work / INSTRUCTIONS_A_NS / tf_cpu_info_units() > tf_cpu_generate_ns(info);
}

// The instructions that a work-item runs at most, as far as arguments say it: the rounds
// of all such loops are multiplied, as if they stood in each other. False: they do not.
static bool find_most_work(const struct tf_kernel_info *info,
                           const struct tf_launch *launch, uint64_t *work)
{
    *work = info->item_instructions;
    if (!info->loop_args[0] || !launch->args)
        return false;
    for (int i = 0; i < TF_KERNEL_LOOP_ARGS && info->loop_args[i]; i++) {
        const uint32_t number = info->loop_args[i] - 1;
        const struct tf_kernel_arg_info *arg = &info->args[number];
        uint64_t limit = 0;

        if (number >= info->arg_count || arg->kind != TF_ARG_VALUE ||
            arg->size_bytes > sizeof(limit))
            return false;
        memcpy(&limit, (const char *)launch->args + arg->block_offset_bytes,
               arg->size_bytes);
        if (limit == UINT64_MAX || tf_mul_overflow(*work, limit + 1, work))
            return false;
    }
    return true;
}

// Quick code may be 80 times as slow as lanes (bench's mandelbrot), and a thread leaves
// it only when a group has ended. With loops and few groups a first launch would lose
// more in its first groups than optimized code takes to be made; unless the arguments say
// that the whole of it is short.
static bool is_coarse(const struct tf_devprog *prog, size_t index,
                      const struct tf_launch *launch)
{
    const struct tf_kernel_info *info = &prog->infos[index];
    uint64_t groups = 1, work;

    if (!(info->flags & TF_KERNEL_MAY_RUN_LONG))
        return false;
    for (int d = 0; d < 3; d++)
        if (tf_mul_overflow(groups, launch->group_count[d], &groups))
            return false;
    return groups < (uint64_t)FEW_GROUPS_A_UNIT * tf_cpu_info_units() &&
           (!find_most_work(info, launch, &work) || is_long(info, launch, work));
}

// Whether the launch is to begin with optimized code. Only a first one: later ones take
// what is there. A kernel that enqueues a block does not wait while that is optimized.
static bool wants_full(const struct tf_devprog *prog, size_t index,
                       const struct tf_launch *launch)
{
    return !atomic_load_explicit(&prog->kernels[index].launched, memory_order_relaxed) &&
           !(prog->infos[index].flags & TF_KERNEL_BLOCK) &&
           (is_coarse(prog, index, launch) ||
            is_long(&prog->infos[index], launch, prog->infos[index].item_instructions));
}

// ---- What is there ----

// Optimized code for the launch, if it is there. `lacks`: whether code would be better
// that serves launches like this one alone, and is not there.
static const struct tf_cpu_kernel *peek_optimized(const struct tf_devprog *prog,
                                                  size_t index,
                                                  const struct tf_launch *launch,
                                                  bool *lacks)
{
    const struct tf_cpu_kernel *const special = variant(prog, index, launch);
    const struct tf_cpu_kernel *full = tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL);
    const struct tf_cpu_kernel *single;
    bool can;

    *lacks = false;
    if (special)
        return special;
    if (!full)
        return NULL;
    can = tf_fit_can(&full->code.fit, launch);
    if (can && tf_fit_pays(&full->code.fit, launch))
        return full;
    single = tf_cpu_kernel_peek(prog, index, TF_SLOT_SINGLE);
    if (single)
        return single;
    *lacks = true;
    return can ? full : NULL;
}

// The same; code that it lacks is asked for.
static const struct tf_cpu_kernel *optimized(struct tf_devprog *prog, size_t index,
                                             const struct tf_launch *launch)
{
    bool lacks;
    const struct tf_cpu_kernel *const code = peek_optimized(prog, index, launch, &lacks);

    if (lacks)
        tf_cpu_kernel_ask(prog, index, TF_SLOT_SINGLE);
    return code;
}

// Quick code for the launch, if it is there.
static const struct tf_cpu_kernel *quick(const struct tf_devprog *prog, size_t index,
                                         const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code = tf_cpu_kernel_peek(prog, index, TF_SLOT_QUICK);

    return code && tf_fit_can(&code->code.fit, launch) ? code : NULL;
}

// Asks for nothing: who looks may hold a lock. `lacks`: as peek_optimized() says.
static const struct tf_cpu_kernel *peek_best(const struct tf_devprog *prog, size_t index,
                                             const struct tf_launch *launch, bool *lacks)
{
    const enum policy policy = policy_of(prog, index);
    const struct tf_cpu_kernel *code = NULL;

    *lacks = false;
    if (policy == POLICY_MIX && !tf_cpu_kernel_peek(prog, index, TF_SLOT_QUICK))
        return NULL;
    if (policy == POLICY_QUICK)
        code = quick(prog, index, launch);
    if (!code)
        code = peek_optimized(prog, index, launch, lacks);
    if (!code && policy == POLICY_AUTO && !wants_full(prog, index, launch))
        code = quick(prog, index, launch);
    return code;
}

static const struct tf_cpu_kernel *best(struct tf_devprog *prog, size_t index,
                                        const struct tf_launch *launch)
{
    bool lacks;
    const struct tf_cpu_kernel *const code = peek_best(prog, index, launch, &lacks);

    if (lacks)
        tf_cpu_kernel_ask(prog, index, TF_SLOT_SINGLE);
    return code;
}

bool tf_cpu_tier_is_ready(const struct tf_devprog *prog, size_t index,
                          const struct tf_launch *launch)
{
    bool lacks;

    return prog && index < prog->kernel_count && peek_best(prog, index, launch, &lacks);
}

// ---- Waiting ----

static atomic_uint blocked_launches;

unsigned tf_cpu_tier_blocked_launches(void)
{
    return atomic_load(&blocked_launches);
}

static void note_wait(const struct tf_devprog *prog, size_t index)
{
    const char *name = name_of(prog, index);
    const struct tf_cpu_kernel *full = tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL);

    if (!atomic_load_explicit(&prog->kernels[index].launched, memory_order_relaxed))
        tf_log(TF_LOG_BUILD, "kernel %s: its first launch waits for code", name);
    else if (full)
        tf_log(TF_LOG_BUILD, "kernel %s: its first launch past 2^31 waits for code",
               name);
    else
        tf_log(TF_LOG_BUILD, "kernel %s: blocking compilation %u: a launch waits again",
               name, atomic_fetch_add(&blocked_launches, 1) + 1);
}

// Takes code out of the cache on disk, once. Optimized code, which an earlier process
// came to want, spares the quick one.
static bool find_kept(struct tf_devprog *prog, size_t index)
{
    const enum policy policy = policy_of(prog, index);

    if (policy == POLICY_MIX || atomic_exchange_explicit(&prog->kernels[index].looked_for,
                                                         true, memory_order_relaxed))
        return false;
    if (policy != POLICY_QUICK && tf_cpu_kernel_find(prog, index, TF_SLOT_FULL))
        return true;
    return policy != POLICY_FULL && tf_cpu_kernel_find(prog, index, TF_SLOT_QUICK);
}

// The launch's variant: for tests it is made now. Code for one size of groups, which an
// earlier process came to want, is taken out of the cache, once.
static void find_kept_variant(struct tf_devprog *prog, size_t index,
                              const struct tf_launch *launch)
{
    const bool waits = tf_cpu_variant_policy() == TF_VARIANTS_ALL;
    const bool by_size = prog->kernels[index].variant_kind == TF_VARIANT_SIZE;
    const enum tf_cpu_slot slot =
        waits || by_size ? tf_cpu_variant_slot(prog, index, launch) : TF_SLOT_COUNT;
    atomic_bool *looked_for;

    if (slot == TF_SLOT_COUNT)
        return;
    looked_for = &tf_cpu_kernel_at(prog, index, slot)->looked_for;
    if (waits)
        tf_cpu_kernel_wait(prog, index, slot);
    else if (!atomic_load_explicit(looked_for, memory_order_relaxed) &&
             !atomic_exchange_explicit(looked_for, true, memory_order_relaxed))
        tf_cpu_kernel_find(prog, index, slot);
}

// The launch's variant, which is there in a fifth of the time that code for all formats
// takes. Launches of other formats find quick code then.
static const struct tf_cpu_kernel *wait_for_variant(struct tf_devprog *prog, size_t index,
                                                    const struct tf_launch *launch)
{
    const enum tf_cpu_slot slot = variant_slot(prog, index, launch);

    if (slot == TF_SLOT_COUNT || !tf_cpu_kernel_wait(prog, index, slot))
        return NULL;
    tf_cpu_kernel_wait(prog, index, TF_SLOT_QUICK);
    return variant(prog, index, launch);
}

// There is no code for the launch.
static const struct tf_cpu_kernel *wait_for(struct tf_devprog *prog, size_t index,
                                            const struct tf_launch *launch)
{
    const enum policy policy = policy_of(prog, index);
    const bool full = policy == POLICY_AUTO && wants_full(prog, index, launch);
    const struct tf_cpu_kernel *code = NULL;

    note_wait(prog, index);
    // Code for one size would leave all others to quick code.
    if (full && prog->kernels[index].variant_kind == TF_VARIANT_IMAGES)
        code = wait_for_variant(prog, index, launch);
    if (code)
        return code;
    if (policy != POLICY_FULL && !full)
        code = tf_cpu_kernel_wait(prog, index, TF_SLOT_QUICK);
    if (!code || policy == POLICY_MIX || !tf_fit_can(&code->code.fit, launch))
        code = tf_cpu_kernel_wait(prog, index, TF_SLOT_FULL);
    if (!code && policy == POLICY_AUTO)
        code = tf_cpu_kernel_wait(prog, index, TF_SLOT_QUICK);
    if (code && !tf_fit_can(&code->code.fit, launch))
        code = tf_cpu_kernel_wait(prog, index, TF_SLOT_SINGLE);
    return code;
}

static bool is_quick(const struct tf_devprog *prog, size_t index,
                     const struct tf_cpu_kernel *code)
{
    return code == tf_cpu_kernel_at(prog, index, TF_SLOT_QUICK);
}

// Quick code runs because what is optimized is for groups of other sizes: where its first
// groups may take long, code for all sizes is made at once.
static void ask_for_all_sizes(struct tf_devprog *prog, size_t index,
                              const struct tf_launch *launch,
                              const struct tf_cpu_kernel *code)
{
    if (is_quick(prog, index, code) && policy_of(prog, index) == POLICY_AUTO &&
        tf_cpu_variant_is_there(prog, index) && is_coarse(prog, index, launch))
        tf_cpu_kernel_ask(prog, index, TF_SLOT_FULL);
}

const struct tf_cpu_kernel *tf_cpu_tier_first(struct tf_devprog *prog, size_t index,
                                              const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code;
    atomic_bool *launched;

    if (!prog || index >= prog->kernel_count)
        return NULL;
    if (prog->kernels[index].varies)
        find_kept_variant(prog, index, launch);
    code = best(prog, index, launch);
    if (!code && find_kept(prog, index))
        code = best(prog, index, launch);
    if (!code)
        code = wait_for(prog, index, launch);
    if (!code)
        return NULL;
    if (prog->kernels[index].varies)
        ask_for_all_sizes(prog, index, launch, code);
    // Most launches only read it: many threads have it in their caches.
    launched = &prog->kernels[index].launched;
    if (!atomic_load_explicit(launched, memory_order_relaxed))
        atomic_store_explicit(launched, true, memory_order_relaxed);
    return code;
}

// ---- For good ----

// The slot of optimized code that serves the launch well; FULL as long as that is not
// there to say so.
static enum tf_cpu_slot lasting_slot(const struct tf_devprog *prog, size_t index,
                                     const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *full = tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL);
    const bool fits = !full || (tf_fit_can(&full->code.fit, launch) &&
                                tf_fit_pays(&full->code.fit, launch));

    return fits ? TF_SLOT_FULL : TF_SLOT_SINGLE;
}

const struct tf_cpu_kernel *tf_cpu_tier_lasting(struct tf_devprog *prog, size_t index,
                                                const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code = NULL;
    enum tf_cpu_slot slot;

    if (!prog || index >= prog->kernel_count)
        return NULL;
    slot = variant_slot(prog, index, launch);
    if (slot != TF_SLOT_COUNT && tf_cpu_kernel_wait(prog, index, slot) &&
        variant_slot(prog, index, launch) == slot)
        return variant(prog, index, launch);
    if (policy_of(prog, index) != POLICY_QUICK &&
        tf_cpu_kernel_wait(prog, index, TF_SLOT_FULL))
        code = tf_cpu_kernel_wait(prog, index, lasting_slot(prog, index, launch));
    return code ? code : tf_cpu_tier_first(prog, index, launch);
}

// The slot that tf_cpu_tier_lasting() takes its code from.
static enum tf_cpu_slot lasting_slot_for(struct tf_devprog *prog, size_t index,
                                         const struct tf_launch *launch)
{
    const enum tf_cpu_slot slot = variant_slot(prog, index, launch);

    return slot == TF_SLOT_COUNT ? lasting_slot(prog, index, launch) : slot;
}

bool tf_cpu_tier_is_outdated(struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch,
                             const struct tf_cpu_kernel *code)
{
    return policy_of(prog, index) != POLICY_QUICK &&
           tf_cpu_kernel_peek(prog, index, lasting_slot_for(prog, index, launch)) != code;
}

bool tf_cpu_tier_depends_on_values(const struct tf_devprog *prog, size_t index)
{
    const struct tf_cpu_kernel *full = tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL);

    return full && full->code.fit.spacings[0];
}

bool tf_cpu_tier_is_lasting_ready(struct tf_devprog *prog, size_t index,
                                  const struct tf_launch *launch)
{
    if (!prog || index >= prog->kernel_count)
        return true; // which the launch will be told
    if (policy_of(prog, index) == POLICY_QUICK)
        return tf_cpu_tier_is_ready(prog, index, launch);
    return tf_cpu_kernel_peek(prog, index, lasting_slot_for(prog, index, launch)) != NULL;
}

void tf_cpu_tier_expect_lasting(struct tf_devprog *prog, size_t index,
                                const struct tf_launch *launch)
{
    if (!tf_cpu_tier_is_lasting_ready(prog, index, launch) &&
        policy_of(prog, index) != POLICY_QUICK)
        tf_cpu_kernel_ask(prog, index, lasting_slot_for(prog, index, launch));
}

// ---- While a launch runs ----

// Optimized code for all launches, which a variant would replace.
static bool is_replaced(const struct tf_devprog *prog, size_t index,
                        const struct tf_launch *launch, const struct tf_cpu_kernel *code)
{
    const struct tf_cpu_kernel *special;

    if (code != tf_cpu_kernel_at(prog, index, TF_SLOT_FULL) ||
        policy_of(prog, index) != POLICY_AUTO || !prog->kernels[index].varies)
        return false;
    special = tf_cpu_variant_peek(prog, index, launch);
    return special ? serves(prog, index, special, launch)
                   : tf_cpu_variant_may_come(prog, index, launch);
}

bool tf_cpu_tier_watches(const struct tf_devprog *prog, size_t index,
                         const struct tf_launch *launch, const struct tf_cpu_kernel *code)
{
    const enum policy policy = policy_of(prog, index);

    return policy == POLICY_MIX ||
           (policy == POLICY_AUTO && is_quick(prog, index, code)) ||
           is_replaced(prog, index, launch, code);
}

// Where it is counted how long threads have run code that is to be replaced: each size of
// groups is worth its variant by itself.
static struct tf_cpu_kernel *counts_for(struct tf_devprog *prog, size_t index,
                                        const struct tf_launch *launch)
{
    const enum tf_cpu_slot slot = prog->kernels[index].variant_kind == TF_VARIANT_SIZE
                                      ? slot_for(prog, index, launch)
                                      : TF_SLOT_QUICK;

    return tf_cpu_kernel_at(prog, index, slot < TF_SLOT_VARIANT ? TF_SLOT_QUICK : slot);
}

bool tf_cpu_tier_is_final(const struct tf_devprog *prog, size_t index,
                          const struct tf_launch *launch,
                          const struct tf_cpu_kernel *code)
{
    const struct tf_cpu_kernel *full = tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL);
    const enum policy policy = policy_of(prog, index);
    bool lacks;

    // What arguments decide.
    if (prog->kernels[index].varies || (full && full->code.fit.spacings[0]))
        return false;
    return policy == POLICY_QUICK
               ? code == quick(prog, index, launch)
               : policy != POLICY_MIX &&
                     code == peek_optimized(prog, index, launch, &lacks) && !lacks;
}

// Quick code has run for long enough. Whoever finds that others would be at it for longer
// than twice what better code takes makes that here: a thread less that takes the
// generator's time.
static void improve(struct tf_devprog *prog, size_t index, const struct tf_launch *launch,
                    uint64_t left_ns)
{
    const enum tf_cpu_slot slot = slot_for(prog, index, launch);
    struct tf_cpu_kernel *const counts = counts_for(prog, index, launch);

    if (left_ns / 2 > tf_cpu_generate_ns(&prog->infos[index]) &&
        !atomic_exchange_explicit(&counts->improved, true, memory_order_relaxed))
        tf_cpu_kernel_wait(prog, index, slot);
    else
        tf_cpu_kernel_ask(prog, index, slot);
}

const struct tf_cpu_kernel *tf_cpu_tier_next(struct tf_devprog *prog, size_t index,
                                             const struct tf_launch *launch,
                                             const struct tf_cpu_kernel *code,
                                             uint64_t ns, uint64_t left_ns)
{
    const bool mixes = policy_of(prog, index) == POLICY_MIX;
    const struct tf_cpu_kernel *other;
    struct tf_cpu_kernel *self;

    if (!is_quick(prog, index, code) && !is_replaced(prog, index, launch, code)) {
        other = mixes ? quick(prog, index, launch) : NULL;
        return other ? other : code;
    }
    other = optimized(prog, index, launch);
    if (mixes || (other && other != code))
        return other ? other : code;
    self = counts_for(prog, index, launch);
    // Relaxed: a number that says no more than itself.
    if (atomic_fetch_add_explicit(&self->ran_ns, ns, memory_order_relaxed) + ns < HOT_NS)
        return code;
    improve(prog, index, launch, left_ns);
    other = optimized(prog, index, launch);
    return other ? other : code;
}

static void expect(struct tf_devprog *prog, size_t index)
{
    const bool full = policy_of(prog, index) == POLICY_FULL;

    if (!tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL) && !find_kept(prog, index))
        tf_cpu_kernel_ask(prog, index, full ? TF_SLOT_FULL : TF_SLOT_QUICK);
}

void tf_cpu_tier_expect(struct tf_devprog *prog, size_t index)
{
    expect(prog, index);
    for (size_t i = prog->host_kernel_count;
         prog->infos[index].flags & TF_KERNEL_ENQUEUES && i < prog->kernel_count; i++)
        expect(prog, i);
}

bool tf_cpu_tier_blocks_ready(const struct tf_devprog *prog)
{
    return atomic_load_explicit(&prog->blocks_ready, memory_order_acquire);
}

bool tf_cpu_tier_prepare_blocks(struct tf_devprog *prog)
{
    struct tf_launch launch = {.work_dim = 1};
    bool ready = true;

    if (tf_cpu_tier_blocks_ready(prog))
        return true;
    for (int i = 0; i < 3; i++)
        launch.global_size[i] = launch.local_size[i] = launch.group_count[i] = 1;
    for (size_t i = prog->host_kernel_count; i < prog->kernel_count; i++)
        expect(prog, i);
    for (size_t i = prog->host_kernel_count; i < prog->kernel_count; i++)
        ready = tf_cpu_tier_first(prog, i, &launch) && ready;
    if (ready)
        atomic_store_explicit(&prog->blocks_ready, true, memory_order_release);
    return ready;
}
