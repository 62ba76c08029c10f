// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_generate.h"

#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"

// Of optimization: 50 to 500 times of what bench's kernels take.
enum { REASON_BYTES = 300, BUDGET_MS = 4000 };

// ---- What is wanted ----

static enum tf_wg_form form_of_environment(void)
{
    const char *text = tf_env_text(TF_ENV_WG);

    if (text && !strcmp(text, "loops"))
        return TF_WG_LOOPS;
    if (text && !strcmp(text, "fibers"))
        return TF_WG_FIBERS;
    if (text && !strcmp(text, "simt"))
        return TF_WG_SIMT;
    if (text && !strcmp(text, "gang_fibers"))
        return TF_WG_GANG_FIBERS;
    return TF_WG_AUTO;
}

struct tf_cpu_wanted tf_cpu_wanted_of_environment(void)
{
    return (struct tf_cpu_wanted){
        .level = tf_cpu_info_level(),
        .form = form_of_environment(),
        .width = (uint32_t)tf_env_number(TF_ENV_WIDTH, 0),
        .pack_rows = (uint32_t)tf_env_number(TF_ENV_PACK, 0),
    };
}

static void take_key(struct tf_cpu_wanted *wanted, const struct tf_variant_key *key)
{
    memcpy(wanted->local_size, key->local_size, sizeof(wanted->local_size));
    if (key->arg_bytes == 0)
        return;
    wanted->fixed_args = key->args;
    wanted->fixed_arg_bytes = key->arg_bytes;
}

struct tf_cpu_wanted tf_cpu_wanted(const struct tf_devprog *prog, size_t index,
                                   enum tf_cpu_slot slot)
{
    // Each work-item a plain call with its own frame, as the source has it.
    const bool natural = prog->infos[index].flags & TF_KERNEL_DEBUG_FORM;
    const bool checked = prog->infos[index].flags & TF_KERNEL_CHECKED;
    struct tf_cpu_wanted wanted = tf_cpu_wanted_of_environment();

    wanted.quick = slot == TF_SLOT_QUICK;
    if (slot == TF_SLOT_SINGLE)
        wanted.form = TF_WG_LOOPS;
    else if ((wanted.form == TF_WG_AUTO && natural) || checked)
        wanted.form = TF_WG_FIBERS;
    else if (wanted.form == TF_WG_AUTO && wanted.quick)
        wanted.form = TF_WG_LOOPS;
    wanted.plain = natural && !checked;
    if (slot >= TF_SLOT_VARIANT)
        take_key(&wanted, atomic_load(&tf_cpu_kernel_at(prog, index, slot)->key));
    return wanted;
}

// ---- Generating ----

static bool keep(struct tf_cpu_code *code, const struct tf_generate_out *out,
                 struct tf_str *log)
{
    *code = (struct tf_cpu_code){
        .object = tf_memdup(out->object.data, out->object.bytes),
        .object_bytes = out->object.bytes,
        .stack_bytes = out->stack_bytes,
        .form = out->form,
        .scratch = out->scratch,
        .fibers = out->fibers,
        .fit = out->fit,
    };
    if (!code->object)
        tf_str_add(log, "out of memory");
    return code->object != NULL;
}

bool tf_cpu_generate(const struct tf_devprog *prog, size_t index,
                     const struct tf_cpu_wanted *wanted, bool report,
                     struct tf_cpu_code *code, struct tf_str *log)
{
    const struct tf_arch_level *level = wanted->level;
    const struct tf_generate_in in = {
        .bitcode = {prog->bitcode, prog->bitcode_bytes},
        .kernel = prog->infos[index].name,
        .triple = level->triple,
        .cpu = level->llvm_cpu,
        .features = level->llvm_features,
        .vector_bits = level->vector_bits,
        .form = wanted->form,
        .plain = wanted->plain,
        .quick = wanted->quick,
        .has_fma = level->has_fma,
        .budget_ms = wanted->plain || wanted->quick ? 0 : BUDGET_MS,
        .width = wanted->width,
        .pack_rows = wanted->pack_rows,
        .fixed_args = wanted->fixed_args,
        .fixed_arg_bytes = wanted->fixed_arg_bytes,
        .local_size = {wanted->local_size[0], wanted->local_size[1],
                       wanted->local_size[2]},
        .report = report,
    };
    struct tf_generate_out out = {0};
    enum tf_compiler_status status = TF_COMPILER_INTERNAL;
    char reason[REASON_BYTES];
    const struct tf_compiler *compiler = tf_cpu_compiler(reason, sizeof(reason));
    bool ok;

    *code = (struct tf_cpu_code){0};
    if (!compiler) {
        tf_log(TF_LOG_ERROR, "kernel %s: no compiler: %s", in.kernel, reason);
        return false;
    }
    if (tf_cpu_compiler_enter()) {
        status = compiler->generate(&in, &out);
        tf_cpu_compiler_leave();
    }
    if (out.log)
        tf_str_add(log, out.log);
    ok = status == TF_COMPILER_OK && keep(code, &out, log);
    compiler->release(out.object.data);
    compiler->release(out.log);
    return ok;
}

uint64_t tf_cpu_generate_ns(const struct tf_kernel_info *info)
{
    enum { ANY_NS = 10000000, INSTRUCTION_NS = 100000 };

    return ANY_NS + (uint64_t)info->instructions * INSTRUCTION_NS;
}

void tf_cpu_code_finish(struct tf_cpu_code *code)
{
    tf_free(code->object);
    *code = (struct tf_cpu_code){0};
}
