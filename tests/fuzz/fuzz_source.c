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

enum { MAX_FILES = 1000, MAX_BYTES = 40000, MAX_OPTIONS = 400, MOST_KERNELS = 3 };

static const char *const words[] = {
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "__attribute__((",
    "reqd_work_group_size(",
    "vec_type_hint(",
    "))",
    "((",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "...",
    "float16",
    "double3",
    "half",
    "long",
    "ulong8",
    "char2",
    "size_t",
    "event_t",
    "image2d_t",
    "read_only",
    "write_only",
    "read_write",
    "pipe",
    "sampler_t",
    "atomic_int",
    "memory_order_seq_cst",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "inline",
    "volatile",
    "restrict",
    "const",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default:",
    "goto",
    "break",
    "continue",
    "return",
    "if",
    "else",
    "sizeof",
    "?",
    ":",
    "<<",
    ">>=",
    "->",
    ".",
    "&&",
    "!",
    "~",
    "%",
    "==",
    "/*",
    "*/",
    "//",
    "#",
    "#define M M M",
    "#define F(x) F(x) x",
    "#include \"x\"",
    "#pragma unroll 100000",
    "#pragma OPENCL EXTENSION all : enable",
    "#if",
    "#elif 1",
    "#else",
    "#endif",
    "\\\n",
    "\"",
    "'",
    "%s",
    "barrier(CLK_LOCAL_MEM_FENCE)",
    "get_global_id(",
    "printf(",
    "async_work_group_copy(",
    "work_group_reduce_add(",
    "sub_group_broadcast(",
    "atomic_fetch_add(",
    "vload16(",
    "shuffle2(",
    "as_float4(",
    "convert_uchar4_sat_rte(",
    "__builtin_unreachable()",
    "__builtin_trap()",
    "__builtin_memcpy(",
    "asm(\"nop\")",
    "_Static_assert(",
    "_Generic(",
    "__attribute__((overloadable))",
    "goto *",
    "&&label",
    "__block",
    "^{",
    "^(int x) {",
    "auto",
    "register",
    "_Complex",
    "__int128",
    "__fp16",
    "wchar_t",
    "typeof(",
    "main",
    "0",
    "-1",
    "1",
    "0x7fffffff",
    "4294967296",
    "1e308",
    "1.0f",
    "0x1p-1074",
    "NAN",
    "(-2147483647 - 1)",
    "\xff",
    "\xe2\x82\xac",
};
enum { WORDS = sizeof(words) / sizeof(*words) };

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

struct text {
    char bytes[MAX_BYTES + 1];
    size_t count;
};

static char *corpus[MAX_FILES];
static size_t corpus_bytes[MAX_FILES];
static int corpus_count;

// ---- Chance (SplitMix64, Steele et al. 2014) ----

static uint64_t state;

static uint64_t any(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t below(size_t limit)
{
    return limit > 0 ? (size_t)(any() % limit) : 0;
}

// ---- Mutations ----

static void replace(struct text *t, size_t at, size_t removed, const char *with,
                    size_t count)
{
    at = at < t->count ? at : t->count;
    removed = removed < t->count - at ? removed : t->count - at;
    if (t->count - removed + count > MAX_BYTES)
        return;
    memmove(t->bytes + at + count, t->bytes + at + removed, t->count - at - removed);
    memcpy(t->bytes + at, with, count);
    t->count += count - removed;
    t->bytes[t->count] = '\0';
}

static void insert_word(struct text *t)
{
    const char *const word = words[below(WORDS)];
    size_t at = below(t->count + 1);

    // Mostly where a word ends, so that others stay whole.
    while (at < t->count && below(8) &&
           strchr("_abcdefghijklmnopqrstuvwxyz", t->bytes[at]))
        at++;
    replace(t, at, below(3) ? 0 : below(12), " ", 1);
    replace(t, at + 1, 0, word, strlen(word));
    replace(t, at + 1 + strlen(word), 0, " ", 1);
}

// A number becomes another one.
static void change_number(struct text *t)
{
    static const char *const numbers[] = {"0",     "1",     "-1",         "2147483648",
                                          "65537", "1e38f", "1000000000", "0x40",
                                          "7u",    "3.5"};
    const size_t from = below(t->count);
    const char *const number = numbers[below(sizeof(numbers) / sizeof(*numbers))];

    for (size_t i = from; i < t->count; i++)
        if (t->bytes[i] >= '0' && t->bytes[i] <= '9') {
            replace(t, i, strspn(t->bytes + i, "0123456789"), number, strlen(number));
            return;
        }
}

// A piece of this program or of another one comes somewhere else.
static void copy_piece(struct text *t)
{
    const int file = (int)below((size_t)corpus_count);
    const bool own = below(2);
    const char *const from = own ? t->bytes : corpus[file];
    const size_t bytes = own ? t->count : corpus_bytes[file];
    const size_t at = below(bytes), count = below(below(4) ? 60 : 600);
    char piece[600];

    memcpy(piece, from + at, count < bytes - at ? count : bytes - at);
    replace(t, below(t->count + 1), below(2) ? count : 0, piece,
            count < bytes - at ? count : bytes - at);
}

// The same over and over: depth and length.
static void repeat_piece(struct text *t)
{
    const size_t at = below(t->count);
    const size_t count = 1 + below(below(2) ? 3 : 40);
    char piece[48];

    if (at + count > t->count)
        return;
    memcpy(piece, t->bytes + at, count);
    for (size_t n = below(below(4) ? 8 : 3000); n > 0; n--)
        replace(t, at, 0, piece, count);
}

static void mutate(struct text *t)
{
    char byte;

    switch (below(8)) {
    case 0:
        byte = (char)any();
        replace(t, below(t->count), 1, &byte, 1);
        break;
    case 1:
        replace(t, below(t->count), below(below(3) ? 10 : 200), "", 0);
        break;
    case 2:
    case 3:
        insert_word(t);
        break;
    case 4:
        change_number(t);
        break;
    case 5:
    case 6:
        copy_piece(t);
        break;
    default:
        repeat_piece(t);
        break;
    }
}

static void make_source(struct text *t)
{
    const int file = (int)below((size_t)corpus_count);

    t->count = 0;
    replace(t, 0, 0, corpus[file],
            corpus_bytes[file] < MAX_BYTES ? corpus_bytes[file] : MAX_BYTES);
    for (size_t n = 1 + below(below(4) ? 2 : 20); n > 0; n--)
        mutate(t);
}

static void make_options(char options[MAX_OPTIONS])
{
    size_t at = 0;

    options[0] = '\0';
    for (size_t n = below(5); n > 0; n--) {
        const char *const word = option_words[below(OPTION_WORDS)];

        if (at + strlen(word) + 2 < MAX_OPTIONS)
            at += (size_t)snprintf(options + at, MAX_OPTIONS - at, "%s%s",
                                   below(8) ? " " : "", word);
    }
    if (at > 0 && below(4) == 0)
        options[below(at)] = (char)(1 + below(255));
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

static void look_at(const struct text *source, const char *options, const char *log)
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
             (unsigned long long)state);
    file = fopen(path, "wb");
    if (!file)
        return;
    fprintf(file, "/* options: %s\n%s*/\n", options, strstr(log, "error: the compiler"));
    fwrite(source->bytes, 1, source->count, file);
    fclose(file);
}

static void generate(const struct tf_compiler *compiler, const struct text *source,
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

        in.form = forms[below(sizeof(forms) / sizeof(*forms))];
        in.plain = below(4) == 0;
        in.width = below(2) ? 0 : 1u << (1 + below(6));
        generated += compiler->generate(&in, &out) == TF_COMPILER_OK;
        look_at(source, options, out.log);
        compiler->release(out.object.data);
        compiler->release(out.log);
    }
    tf_free(kernels);
}

// True if it became code.
static bool build(const struct tf_compiler *compiler, const struct text *source,
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
        char *const text = malloc(MAX_BYTES + 1);
        size_t bytes = 0;

        if (file && text)
            bytes = fread(text, 1, MAX_BYTES, file);
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
    static struct text source, sound;
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
    state = strtoull(argv[4], NULL, 10);
    folder = argv[5];
    read_corpus(argv + 6);
    replace(&sound, 0, 0, "kernel void k(global int *p) { p[0] = 1; }", 42);
    while (corpus_count > 0 && tf_time_ns() < end_ns) {
        make_source(&source);
        make_options(options);
        build(compiler, &source, below(3) ? "" : options);
    }
    printf("%d files, %lu programs, %lu compiled, %lu kernels made, %lu helpers ended\n",
           corpus_count, programs, compiled, generated, ends);
    return corpus_count > 0 && build(compiler, &sound, "") ? EXIT_SUCCESS : EXIT_FAILURE;
}
