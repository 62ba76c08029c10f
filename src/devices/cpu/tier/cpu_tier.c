// SPDX-License-Identifier: MIT
#include "devices/cpu/tier/cpu_tier.h"

#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "devices/cpu/program/cpu_variant.h"
#include "devices/cpu/tier/tier_variant.h"
#include "devices/cpu/tier/tier_work.h"

// Quick code that threads have run for so long is worth optimizing: a short launch or two
// never pay that, and what runs for long loses no more than this.
#define HOT_NS 1000000u

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

// Whether the launch is to begin with optimized code. Only a first one: later ones take
// what is there. A kernel that enqueues a block does not wait while that is optimized.
static bool wants_full(const struct tf_devprog *prog, size_t index,
                       const struct tf_launch *launch)
{
    return !atomic_load_explicit(&prog->kernels[index].launched, memory_order_relaxed) &&
           !(prog->infos[index].flags & TF_KERNEL_BLOCK) &&
           (tf_tier_is_coarse(prog, index, launch) ||
            tf_tier_is_long(prog, index, launch));
}

// ---- What is there ----

// Optimized code for the launch, if it is there. `lacks`: whether code would be better
// that serves launches like this one alone, and is not there.
static const struct tf_cpu_kernel *peek_optimized(const struct tf_devprog *prog,
                                                  size_t index,
                                                  const struct tf_launch *launch,
                                                  bool *lacks)
{
    const struct tf_cpu_kernel *const special = tf_tier_variant(prog, index, launch);
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
        code = tf_tier_variant_wait(prog, index, launch);
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
        tf_cpu_variant_is_there(prog, index) && tf_tier_is_coarse(prog, index, launch))
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
        tf_tier_variant_find(prog, index, launch);
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
    slot = tf_tier_variant_slot(prog, index, launch);
    if (slot != TF_SLOT_COUNT && tf_cpu_kernel_wait(prog, index, slot) &&
        tf_tier_variant_slot(prog, index, launch) == slot)
        return tf_tier_variant(prog, index, launch);
    if (policy_of(prog, index) != POLICY_QUICK &&
        tf_cpu_kernel_wait(prog, index, TF_SLOT_FULL))
        code = tf_cpu_kernel_wait(prog, index, lasting_slot(prog, index, launch));
    return code ? code : tf_cpu_tier_first(prog, index, launch);
}

// What tf_cpu_tier_lasting() would give, if it is there. Asks for nothing, and gives no
// variant a slot: who looks may hold a lock.
static const struct tf_cpu_kernel *peek_lasting(const struct tf_devprog *prog,
                                                size_t index,
                                                const struct tf_launch *launch)
{
    if (tf_tier_variant_comes(prog, index, launch))
        return tf_cpu_variant_peek(prog, index, launch);
    return tf_cpu_kernel_peek(prog, index, lasting_slot(prog, index, launch));
}

bool tf_cpu_tier_is_outdated(const struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch,
                             const struct tf_cpu_kernel *code)
{
    return policy_of(prog, index) != POLICY_QUICK &&
           peek_lasting(prog, index, launch) != code;
}

// Whether values among the arguments decide if the code serves.
static bool is_by_values(const struct tf_cpu_kernel *code)
{
    return code && code->code.fit.spacings[0];
}

bool tf_cpu_tier_depends_on_values(const struct tf_devprog *prog, size_t index,
                                   const struct tf_launch *launch)
{
    return is_by_values(tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL)) ||
           (prog->kernels[index].varies &&
            is_by_values(tf_cpu_variant_peek(prog, index, launch)));
}

bool tf_cpu_tier_is_lasting_ready(const struct tf_devprog *prog, size_t index,
                                  const struct tf_launch *launch)
{
    if (!prog || index >= prog->kernel_count)
        return true; // which the launch will be told
    if (policy_of(prog, index) == POLICY_QUICK)
        return tf_cpu_tier_is_ready(prog, index, launch);
    return peek_lasting(prog, index, launch) != NULL;
}

void tf_cpu_tier_expect_lasting(struct tf_devprog *prog, size_t index,
                                const struct tf_launch *launch)
{
    enum tf_cpu_slot slot;

    if (tf_cpu_tier_is_lasting_ready(prog, index, launch) ||
        policy_of(prog, index) == POLICY_QUICK)
        return;
    slot = tf_tier_variant_slot(prog, index, launch);
    tf_cpu_kernel_ask(prog, index,
                      slot == TF_SLOT_COUNT ? lasting_slot(prog, index, launch) : slot);
}

// ---- While a launch runs ----

// What to optimize for launches like this one. Its variant may have come to be there
// since the launch looked for it.
static enum tf_cpu_slot slot_for(struct tf_devprog *prog, size_t index,
                                 const struct tf_launch *launch)
{
    const enum tf_cpu_slot slot = tf_tier_variant_slot(prog, index, launch);

    return slot == TF_SLOT_COUNT ? TF_SLOT_FULL : slot;
}

// Optimized code for all launches, which a variant would replace.
static bool is_replaced(const struct tf_devprog *prog, size_t index,
                        const struct tf_launch *launch, const struct tf_cpu_kernel *code)
{
    return code == tf_cpu_kernel_at(prog, index, TF_SLOT_FULL) &&
           policy_of(prog, index) == POLICY_AUTO &&
           tf_tier_variant_comes(prog, index, launch);
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
    const enum policy policy = policy_of(prog, index);
    bool lacks;

    // What arguments decide.
    if (prog->kernels[index].varies ||
        is_by_values(tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL)))
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
