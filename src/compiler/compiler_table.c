// SPDX-License-Identifier: MIT
// The table that libtrefoil-compiler.so exports: each entry runs its stage as a job.
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi/compiler.h"
#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "compiler/clang/clang_frontend.h"
#include "compiler/clang/emitter.h"
#include "compiler/codegen/codegen.h"
#include "compiler/codegen/spirv_out.h"
#include "compiler/front/llvm_init.h"
#include "compiler/job/compile_job.h"
#include "compiler/job/crash.h"
#include "compiler/job/planted.h"
#include "compiler/module/compile.h"
#include "compiler/module/link.h"

__attribute__((visibility("default"))) const struct tf_compiler *tf_compiler_entry(void);

struct compile_work {
    const struct tf_compile_in *in;
    struct tf_compile_out *out;
    struct tf_file_list files;
};

static enum tf_compiler_status run_compile(void *arg, struct tf_str *log)
{
    struct compile_work *const work = arg;

    tf_planted("compile", work->in->source, work->in->source_bytes);
    return tf_compile_source(work->in, &work->out->bitcode, &work->files, log);
}

static enum tf_compiler_status compile(const struct tf_compile_in *in,
                                       struct tf_compile_out *out)
{
    struct compile_work work = {.in = in, .out = out};
    enum tf_compiler_status status;

    memset(out, 0, sizeof *out);
    tf_llvm_init();
    status = tf_compile_job_run(run_compile, &work, &out->log);
    out->files.data = tf_file_list_take(&work.files, &out->files.bytes);
    return status;
}

struct link_work {
    const struct tf_link_in *in;
    struct tf_link_out *out;
};

static enum tf_compiler_status run_link(void *arg, struct tf_str *log)
{
    const struct link_work *const work = arg;
    const struct tf_compile_in *const source = work->in->source;

    if (source)
        tf_planted("link", source->source, source->source_bytes);
    return tf_link_program(work->in, work->out, log);
}

static enum tf_compiler_status link_stage(const struct tf_link_in *in,
                                          struct tf_link_out *out)
{
    struct link_work work = {in, out};

    memset(out, 0, sizeof *out);
    tf_llvm_init();
    return tf_compile_job_run(run_link, &work, &out->log);
}

struct generate_work {
    const struct tf_generate_in *in;
    struct tf_generate_out *out;
};

static enum tf_compiler_status run_generate(void *arg, struct tf_str *log)
{
    const struct generate_work *const work = arg;
    const char *const kernel = work->in->kernel;

    // Not where the library tries again: the kernel can be used after all.
    if (!work->in->plain || strstr(kernel, "always"))
        tf_planted("generate", kernel, strlen(kernel));
    return tf_codegen_kernel(work->in, work->out, log);
}

static enum tf_compiler_status generate(const struct tf_generate_in *in,
                                        struct tf_generate_out *out)
{
    struct generate_work work = {in, out};

    memset(out, 0, sizeof *out);
    tf_llvm_init();
    return tf_compile_job_run(run_generate, &work, &out->log);
}

struct spirv_work {
    const struct tf_compiler_bytes *bitcode;
    struct tf_compile_out *out;
};

static enum tf_compiler_status run_to_spirv(void *arg, struct tf_str *log)
{
    const struct spirv_work *const work = arg;

    return tf_spirv_out(work->bitcode, &work->out->bitcode, log);
}

static enum tf_compiler_status to_spirv(const struct tf_compiler_bytes *bitcode,
                                        struct tf_compile_out *out)
{
    struct spirv_work work = {bitcode, out};

    memset(out, 0, sizeof *out);
    tf_llvm_init();
    return tf_compile_job_run(run_to_spirv, &work, &out->log);
}

static void own_process(void (*died)(int))
{
    tf_llvm_init();
    tf_compile_job_own_process();
    tf_clang_watch_passes();
    tf_crash_watch(died, tf_clang_print_passes);
}

static bool knows_processor(const char *triple, const char *cpu)
{
    tf_llvm_init();
    return tf_emitter_knows(triple, cpu);
}

static char build_id[64] = "unknown";

// Copies the linker's build id out of notes; false: it is not among them.
static bool read_build_id(const char *at, const char *end)
{
    while (at + sizeof(ElfW(Nhdr)) < end) {
        ElfW(Nhdr) head;

        memcpy(&head, at, sizeof head);
        at += sizeof head + (head.n_namesz + 3u) / 4 * 4;
        if (head.n_type == NT_GNU_BUILD_ID) {
            for (size_t i = 0; i < head.n_descsz && 2 * i + 2 < sizeof build_id; i++)
                snprintf(build_id + 2 * i, 3, "%02x", (unsigned char)at[i]);
            return true;
        }
        at += (head.n_descsz + 3u) / 4 * 4;
    }
    return false;
}

// That of the object file that holds `build_id` itself.
static int find_build_id(struct dl_phdr_info *info, size_t bytes, void *arg)
{
    const uintptr_t here = (uintptr_t)build_id;
    bool ours = false;

    (void)bytes;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const part = &info->dlpi_phdr[i];
        const uintptr_t start = info->dlpi_addr + part->p_vaddr;

        if (part->p_type == PT_LOAD)
            ours |= here >= start && here - start < part->p_memsz;
    }
    // A program has notes of other kinds, too, each kind as a part of its own.
    for (int i = 0; ours && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const part = &info->dlpi_phdr[i];
        const char *const at = (const char *)(info->dlpi_addr + part->p_vaddr);

        if (part->p_type == PT_NOTE && read_build_id(at, at + part->p_memsz))
            break;
    }
    return ours;
}

static struct tf_compiler table = {
    .abi = TF_COMPILER_ABI,
    .cpu_abi = TF_CPU_ABI_VERSION,
    .build_id = build_id,
    .compile = compile,
    .link = link_stage,
    .generate = generate,
    .release = tf_free,
    .to_spirv = to_spirv,
    .own_process = own_process,
    .knows_processor = knows_processor,
};

static void init_once(void)
{
    dl_iterate_phdr(find_build_id, NULL);
    table.llvm_version = tf_clang_version();
}

const struct tf_compiler *tf_compiler_entry(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, init_once);
    return &table;
}
