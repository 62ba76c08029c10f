// SPDX-License-Identifier: MIT
// Sources and options as nobody would write them, through the compiler in a helper
// process: whatever Clang, LLVM or our passes do with them, this process goes on, and the
// next sound program compiles. Mutations know nothing of the language but some of its
// words.
// Usage: fuzz_source HELPER LIBRARY SECONDS SEED FOLDER|- FILE.cl ...
// Inputs that end a helper are kept in FOLDER, with the log as a comment in front.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/compiler.h"
#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "base/time.h"
#include "devices/cpu/helper/helper_compiler.h"
#include "source_changes.h"

enum { MAX_FILES = 1000, MAX_OPTIONS = 400, MOST_KERNELS = 3 };

static const char *const option_words[] = {
    "-cl-std=CL1.2",
    "-cl-std=CL2.0",
    "-cl-std=CL3.0",
    "-cl-std=CLC++",
    "-cl-std=",
    "-cl-opt-disable",
    "-cl-fast-relaxed-math",
    "-cl-mad-enable",
    "-cl-finite-math-only",
    "-cl-unsafe-math-optimizations",
    "-cl-denorms-are-zero",
    "-cl-strict-aliasing",
    "-cl-single-precision-constant",
    "-cl-uniform-work-group-size",
    "-Werror",
    "-w",
    "-g",
    "-gline-tables-only",
    "-cl-kernel-arg-info",
    "-D",
    "-DX=(((",
    "-DX",
    "-Dkernel=",
    "-Dint=float",
    "-D X\"=1\"",
    "-I",
    "-I.",
    "-I/",
    "-I/nonexistent",
    "-cl-trefoil-report",
    "\"",
    "'",
    "\\",
    "-x spir",
    "-o x",
    "-c",
    "-fplugin=x",
    "-mllvm",
    "-Xclang",
    "@file",
    "-include",
    "-Dfor=if",
    "-cl-no-signed-zeros",
    "-create-library",
    "-enable-link-options",
    "--",
    "-cl-ext=-all",
    "-D__OPENCL_VERSION__=0",
    "-DX=1 2",
    "\t",
    "\x01",
};
enum { OPTION_WORDS = sizeof(option_words) / sizeof(*option_words) };

static char *corpus[MAX_FILES];
static size_t corpus_bytes[MAX_FILES];
static int corpus_count;

static void make_source(struct source_text *t)
{
    const int file = (int)source_below((size_t)corpus_count);

    t->count = 0;
    source_replace(t, 0, 0, corpus[file],
                   corpus_bytes[file] < SOURCE_BYTES ? corpus_bytes[file] : SOURCE_BYTES);
    for (size_t n = 1 + source_below(source_below(4) ? 2 : 20); n > 0; n--) {
        const int other = (int)source_below((size_t)corpus_count);

        source_change(t, corpus[other], corpus_bytes[other]);
    }
}

static void make_options(char options[MAX_OPTIONS])
{
    size_t at = 0;

    options[0] = '\0';
    for (size_t n = source_below(5); n > 0; n--) {
        const char *const word = option_words[source_below(OPTION_WORDS)];

        if (at + strlen(word) + 2 < MAX_OPTIONS)
            at += (size_t)snprintf(options + at, MAX_OPTIONS - at, "%s%s",
                                   source_below(8) ? " " : "", word);
    }
    if (at > 0 && source_below(4) == 0)
        options[source_below(at)] = (char)(1 + source_below(255));
}

// ---- One program ----

static struct tf_compiler_device device = {
    .opencl_c_max = 310,
    .device_version = 310,
    .sub_group_size = 16,
    .max_group_size = 4096,
    .max_local_bytes = 65536,
    .max_variable_bytes = 1 << 20,
};
static unsigned long programs, compiled, generated, ends;
static const char *folder;

// A helper's end shows in the log (devices/cpu/helper).
static bool is_end(const char *log)
{
    return log && (strstr(log, "error: the compiler crashed") ||
                   strstr(log, "error: the compiler needed more") ||
                   strstr(log, "error: the compiler ran out of memory") ||
                   strstr(log, "error: the compiler's process"));
}

static void look_at(const struct source_text *source, const char *options,
                    const char *log)
{
    char path[4096];
    FILE *file;

    if (!is_end(log))
        return;
    ends++;
    printf("program %lu: %.300s\n", programs, strstr(log, "error: the compiler"));
    if (!strcmp(folder, "-"))
        return;
    snprintf(path, sizeof(path), "%s/%lu-%llx.cl", folder, programs,
             (unsigned long long)source_state);
    file = fopen(path, "wb");
    if (!file)
        return;
    fprintf(file, "/* options: %s\n%s*/\n", options, strstr(log, "error: the compiler"));
    fwrite(source->bytes, 1, source->count, file);
    fclose(file);
}

static void generate(const struct tf_compiler *compiler, const struct source_text *source,
                     const char *options, const struct tf_link_out *linked)
{
    static const enum tf_wg_form forms[] = {TF_WG_AUTO, TF_WG_LOOPS, TF_WG_FIBERS,
                                            TF_WG_SIMT, TF_WG_GANG_FIBERS};
    bool damaged;
    size_t count;
    struct tf_kernel_info *const kernels = tf_kernel_info_unpack(
        linked->kernels.data, linked->kernels.bytes, &count, &damaged);

    for (size_t i = 0; i < count && i < MOST_KERNELS; i++) {
        struct tf_generate_in in = {.bitcode = linked->bitcode,
                                    .kernel = kernels[i].name,
                                    .triple = "x86_64-unknown-linux-gnu",
                                    .cpu = "x86-64-v3",
                                    .features = "",
                                    .tune = "",
                                    .vector_bits = 256};
        struct tf_generate_out out = {0};

        in.form = forms[source_below(sizeof(forms) / sizeof(*forms))];
        in.plain = source_below(4) == 0;
        in.width = source_below(2) ? 0 : 1u << (1 + source_below(6));
        generated += compiler->generate(&in, &out) == TF_COMPILER_OK;
        look_at(source, options, out.log);
        compiler->release(out.object.data);
        compiler->release(out.log);
    }
    tf_free(kernels);
}

// True if it became code.
static bool build(const struct tf_compiler *compiler, const struct source_text *source,
                  const char *options)
{
    const struct tf_compile_in in = {.source = source->bytes,
                                     .source_bytes = source->count,
                                     .options = options,
                                     .device = &device};
    struct tf_compile_out made = {0};
    struct tf_link_out linked = {0};
    const unsigned long before = generated;

    programs++;
    if (compiler->compile(&in, &made) == TF_COMPILER_OK) {
        const struct tf_link_in link = {.modules = &made.bitcode,
                                        .module_count = 1,
                                        .options = options,
                                        .source = &in,
                                        .device = &device};

        compiled++;
        if (compiler->link(&link, &linked) == TF_COMPILER_OK)
            generate(compiler, source, options, &linked);
        look_at(source, options, linked.log);
    }
    look_at(source, options, made.log);
    compiler->release(made.bitcode.data);
    compiler->release(made.files.data);
    compiler->release(made.log);
    compiler->release(linked.bitcode.data);
    compiler->release(linked.kernels.data);
    compiler->release(linked.data.data);
    compiler->release(linked.log);
    return generated > before;
}

static void read_corpus(char **paths)
{
    for (; *paths && corpus_count < MAX_FILES; paths++) {
        FILE *const file = fopen(*paths, "rb");
        char *const text = malloc(SOURCE_BYTES + 1);
        size_t bytes = 0;

        if (file && text)
            bytes = fread(text, 1, SOURCE_BYTES, file);
        if (file)
            fclose(file);
        if (bytes == 0)
            continue;
        corpus[corpus_count] = text;
        corpus_bytes[corpus_count++] = bytes;
    }
}

int main(int argc, char **argv)
{
    static struct source_text source, sound;
    char reason[300], options[MAX_OPTIONS];
    const struct tf_compiler *compiler;
    uint64_t end_ns;

    if (argc < 7)
        return 2;
    compiler = tf_helper_compiler(argv[1], argv[2], NULL, reason, sizeof(reason));
    if (!compiler) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    device.features = tf_features_ours();
    end_ns = tf_time_ns() + strtoull(argv[3], NULL, 10) * 1000000000u;
    source_state = strtoull(argv[4], NULL, 10);
    folder = argv[5];
    read_corpus(argv + 6);
    source_replace(&sound, 0, 0, "kernel void k(global int *p) { p[0] = 1; }", 42);
    while (corpus_count > 0 && tf_time_ns() < end_ns) {
        make_source(&source);
        make_options(options);
        build(compiler, &source, source_below(3) ? "" : options);
    }
    printf("%d files, %lu programs, %lu compiled, %lu kernels made, %lu helpers ended\n",
           corpus_count, programs, compiled, generated, ends);
    return corpus_count > 0 && build(compiler, &sound, "") ? EXIT_SUCCESS : EXIT_FAILURE;
}
