// SPDX-License-Identifier: MIT
#include "support/fake_compiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "devices/mock/mock.h"
#include "support/fake_object.h"

enum { NAME_CHARS_MAX = 32, KERNELS_MAX = 24 };

atomic_int fake_compiler_compiled, fake_compiler_linked, fake_compiler_generated;
atomic_int fake_compiler_generated_quickly;
atomic_uint fake_compiler_delay_us;
struct tf_fit fake_compiler_fit;
atomic_bool fake_compiler_damages;

static const struct fake_kernel *defined;
static size_t defined_count;
static atomic_int failures[KERNELS_MAX]; // left of each kernel

static pthread_mutex_t hold_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t let_go = PTHREAD_COND_INITIALIZER;
static bool is_held; // under hold_lock

static void set_held(bool held)
{
    pthread_mutex_lock(&hold_lock);
    is_held = held;
    pthread_cond_broadcast(&let_go);
    pthread_mutex_unlock(&hold_lock);
}

void fake_compiler_hold(void)
{
    set_held(true);
}

void fake_compiler_let_go(void)
{
    set_held(false);
}

static void wait_while_held(void)
{
    pthread_mutex_lock(&hold_lock);
    while (is_held)
        pthread_cond_wait(&let_go, &hold_lock);
    pthread_mutex_unlock(&hold_lock);
}

void fake_compiler_define(const struct fake_kernel *kernels, size_t count)
{
    defined = kernels;
    defined_count = count;
    for (size_t i = 0; i < count; i++)
        atomic_store(&failures[i], kernels[i].failures);
}

static size_t find(const char *name, size_t length)
{
    size_t i = 0;

    while (i < defined_count && (strlen(defined[i].name) != length ||
                                 strncmp(defined[i].name, name, length) != 0))
        i++;
    return i;
}

// Text copied into memory of this allocator, with a terminating 0 that is not counted.
static struct tf_compiler_bytes copy(const char *text, size_t bytes)
{
    struct tf_compiler_bytes out = {calloc(1, bytes + 1), bytes};

    if (!out.data)
        abort();
    memcpy(out.data, text, bytes);
    return out;
}

static char *copy_text(const char *text)
{
    return copy(text, strlen(text)).data;
}

static enum tf_compiler_status compile(const struct tf_compile_in *in,
                                       struct tf_compile_out *out)
{
    struct tf_compiler_bytes source = copy(in->source, in->source_bytes);

    atomic_fetch_add(&fake_compiler_compiled, 1);
    if (strstr(in->options, "bad")) {
        free(source.data);
        out->log = copy_text("unknown option\n");
        return TF_COMPILER_BAD_OPTIONS;
    }
    if (strstr(source.data, "error")) {
        free(source.data);
        out->log = copy_text("1:1: error: the source says so\n");
        return TF_COMPILER_BAD_SOURCE;
    }
    out->bitcode = source;
    out->log = copy_text("");
    return TF_COMPILER_OK;
}

// Kernels of the text; false when one is not defined.
static bool find_kernels(const char *text, struct tf_kernel_arg_info *args,
                         struct tf_kernel_info *infos, size_t *count)
{
    const char *p = text;

    *count = 0;
    while ((p = strstr(p, "kernel ")) && *count < KERNELS_MAX) {
        size_t length, i;

        p += strlen("kernel ");
        length = strspn(p, "abcdefghijklmnopqrstuvwxyz_0123456789");
        i = find(p, length);
        if (i == defined_count)
            return false;
        infos[(*count)++] =
            (struct tf_kernel_info){.name = defined[i].name,
                                    .attributes = "",
                                    .args = args,
                                    .arg_count = TF_MOCK_ARGS,
                                    .arg_block_bytes = TF_MOCK_BLOCK_BYTES,
                                    .flags = defined[i].flags,
                                    .private_bytes = defined[i].private_bytes};
    }
    return true;
}

static enum tf_compiler_status link_modules(const struct tf_link_in *in,
                                            struct tf_link_out *out)
{
    struct tf_kernel_info infos[KERNELS_MAX];
    struct tf_kernel_arg_info args[TF_MOCK_ARGS];
    size_t count, bytes = 0;
    char *text = calloc(1, 1);

    atomic_fetch_add(&fake_compiler_linked, 1);
    for (size_t i = 0; i < in->module_count; i++) {
        text = realloc(text, bytes + in->modules[i].bytes + 1);
        memcpy(text + bytes, in->modules[i].data, in->modules[i].bytes);
        bytes += in->modules[i].bytes;
        text[bytes] = '\0';
    }
    out->bitcode = (struct tf_compiler_bytes){text, bytes};
    out->log = copy_text("");
    if (in->create_library)
        return TF_COMPILER_OK;
    memcpy(args, tf_mock_args, sizeof(args));
    if (!find_kernels(text, args, infos, &count)) {
        free(out->log);
        out->log = copy_text("undefined kernel\n");
        return TF_COMPILER_BAD_SOURCE;
    }
    // The packed table comes from another allocator than the one of release().
    void *packed = tf_kernel_info_pack(infos, count, &bytes);
    if (!packed)
        return TF_COMPILER_NO_MEMORY;
    out->kernels = copy(packed, bytes);
    if (atomic_load(&fake_compiler_damages))
        memset((void *)(uintptr_t)out->kernels.data, 0, bytes);
    tf_free(packed);
    return TF_COMPILER_OK;
}

static enum tf_compiler_status generate(const struct tf_generate_in *in,
                                        struct tf_generate_out *out)
{
    const size_t i = find(in->kernel, strlen(in->kernel));
    const unsigned delay_us = atomic_load(&fake_compiler_delay_us);
    char symbol[NAME_CHARS_MAX + 8];
    tf_wg_entry entry;
    bool is_apart;

    atomic_fetch_add(&fake_compiler_generated_quickly, in->quick);
    atomic_fetch_add(&fake_compiler_generated, 1);
    if (delay_us)
        usleep(delay_us);
    wait_while_held();
    out->log = copy_text("");
    if (i == defined_count)
        return TF_COMPILER_INTERNAL;
    if (atomic_load(&failures[i]) < 0 && !in->plain)
        return TF_COMPILER_INTERNAL;
    if (atomic_load(&failures[i]) > 0) {
        atomic_fetch_sub(&failures[i], 1);
        return TF_COMPILER_INTERNAL;
    }
    snprintf(symbol, sizeof(symbol), "tf_wg_%s", defined[i].name);
    is_apart = in->quick && defined[i].quick_entry;
    entry = is_apart ? defined[i].quick_entry : defined[i].entry;
    out->object.data =
        fake_object_jump(symbol, (const void *)(uintptr_t)entry, &out->object.bytes);
    out->stack_bytes = defined[i].stack_bytes;
    out->form = is_apart ? TF_WG_LOOPS : defined[i].form;
    if (is_apart)
        return TF_COMPILER_OK;
    out->fibers = defined[i].fibers;
    if (in->form != TF_WG_LOOPS)
        out->fit = fake_compiler_fit;
    if (out->fibers.width + out->fibers.row_width == 0)
        out->fibers.width = defined[i].form == TF_WG_FIBERS;
    return TF_COMPILER_OK;
}

const struct tf_compiler *fake_compiler_table(void)
{
    static const struct tf_compiler table = {
        .abi = TF_COMPILER_ABI,
        .cpu_abi = TF_CPU_ABI_VERSION,
        .llvm_version = "0",
        .build_id = "fake",
        .compile = compile,
        .link = link_modules,
        .generate = generate,
        .release = free,
    };

    return &table;
}

uint64_t fake_group_number(const struct tf_launch *launch, const uint64_t id[3])
{
    return (id[2] * launch->group_count[1] + id[1]) * launch->group_count[0] + id[0];
}

void fake_for_each_group(
    const struct tf_launch *launch, const uint64_t first[3], uint64_t count,
    void (*fn)(const struct tf_launch *, const struct tf_group *, void *), void *arg)
{
    const uint64_t from = fake_group_number(launch, first);

    for (uint64_t n = from; n < from + count; n++) {
        struct tf_group group;

        tf_group_id(launch, n, group.group_id);
        for (int i = 0; i < 3; i++) {
            const uint64_t at = group.group_id[i] * launch->local_size[i];

            group.local_size[i] = launch->global_size[i] - at < launch->local_size[i]
                                      ? launch->global_size[i] - at
                                      : launch->local_size[i];
            group.global_base[i] = at + launch->global_offset[i];
        }
        fn(launch, &group, arg);
    }
}
