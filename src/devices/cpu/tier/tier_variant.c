// SPDX-License-Identifier: MIT
#include "devices/cpu/tier/tier_variant.h"

#include "base/alloc.h"
#include "base/log.h"
#include "devices/cpu/program/cpu_variant.h"

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
    tf_log(TF_LOG_BUILD, "kernel %s: runs the variant for %s", prog->infos[index].name,
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

const struct tf_cpu_kernel *tf_tier_variant(const struct tf_devprog *prog, size_t index,
                                            const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code =
        prog->kernels[index].varies ? tf_cpu_variant_peek(prog, index, launch) : NULL;

    if (!code || !serves(prog, index, code, launch))
        return NULL;
    note_variant(prog, index, code);
    return code;
}

enum tf_cpu_slot tf_tier_variant_slot(struct tf_devprog *prog, size_t index,
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

bool tf_tier_variant_comes(const struct tf_devprog *prog, size_t index,
                           const struct tf_launch *launch)
{
    const struct tf_cpu_kernel *code;

    if (!prog->kernels[index].varies)
        return false;
    code = tf_cpu_variant_peek(prog, index, launch);
    return code ? serves(prog, index, code, launch)
                : tf_cpu_variant_may_come(prog, index, launch);
}

void tf_tier_variant_find(struct tf_devprog *prog, size_t index,
                          const struct tf_launch *launch)
{
    // In tests it is made now.
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

const struct tf_cpu_kernel *tf_tier_variant_wait(struct tf_devprog *prog, size_t index,
                                                 const struct tf_launch *launch)
{
    const enum tf_cpu_slot slot = tf_tier_variant_slot(prog, index, launch);

    if (slot == TF_SLOT_COUNT || !tf_cpu_kernel_wait(prog, index, slot))
        return NULL;
    tf_cpu_kernel_wait(prog, index, TF_SLOT_QUICK);
    return tf_tier_variant(prog, index, launch);
}
