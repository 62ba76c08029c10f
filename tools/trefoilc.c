// SPDX-License-Identifier: MIT
// Offline compiler: runs the stages of libtrefoil-compiler.so on a file and writes what
// one of them made. Needs no device and no OpenCL loader. For work on the compiler and
// for looking at the code of one's own kernels.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/compiler.h"
#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "base/lib.h"
#include "base/str.h"

static const char usage[] =
    "usage: trefoilc [options] file.cl or file.spv\n"
    "  --emit=WHAT    bc      bitcode of the front end\n"
    "                 linked  bitcode with built-ins, cleaned up\n"
    "                 obj     machine code of one kernel, ELF\n"
    "                 table   the kernel table as text (default)\n"
    "                 ll, link, cleanup, cfg, shape, plan, gang, split, lowered, asm\n"
    "                         text after the stage: front end, built-ins linked,\n"
    "                         cleaned up, control flow, shapes of values, their forms,\n"
    "                         lanes, barriers, work-group form, machine code\n"
    "  -p LIST        the same for several of them: cfg,shape,plan\n"
    "                 The file may be IR text, as --emit=cleanup writes it\n"
    "  -o FILE        where to write (default: standard output)\n"
    "  --kernel=NAME  kernel to generate code for (default: the first)\n"
    "  --cpu=NAME     LLVM's name of the processor (default: x86-64-v3)\n"
    "  --form=FORM    auto, loops, fibers, simt, gang_fibers\n"
    "  --quick        code as a kernel's first launch gets it, of the form loops\n"
    "  --width=LANES  of simt: 2, 4, ... 64 (default: as fits the processor)\n"
    "  --pack=ROWS    of simt, as one: 1, 2, 4 (default: as pays)\n"
    "  --report       say what became of the work-items, and why, line by line; of "
    "all\n"
    "                 kernels without --kernel\n"
    "  --check        fail where lanes break a rule of masks\n"
    "  --times        say how long each step of code generation took, in us\n"
    "  others         build options of OpenCL: -D, -I, -cl-std=CL3.0, ...\n";

// What the CPU device offers; main() adds extensions and features.
static struct tf_compiler_device device = {
    .opencl_c_max = 300,
    .device_version = 300,
    .sub_group_size = 16,
    .max_group_size = 4096,
    .max_local_bytes = 65536,
    .max_variable_bytes = 1 << 20,
};

// What can be written, and the stage of TREFOIL_DUMP that writes it (NULL: we do).
static const struct emit {
    const char *name;
    const char *dump;
    enum { AFTER_COMPILE, AFTER_LINK, AFTER_GENERATE } last_stage;
} emits[] = {
    {"bc", NULL, AFTER_COMPILE},        {"ll", "frontend", AFTER_COMPILE},
    {"linked", NULL, AFTER_LINK},       {"table", NULL, AFTER_LINK},
    {"link", "link", AFTER_LINK},       {"cleanup", "cleanup", AFTER_LINK},
    {"obj", NULL, AFTER_GENERATE},      {"gang", "gang", AFTER_GENERATE},
    {"lowered", "wg", AFTER_GENERATE},  {"asm", "asm", AFTER_GENERATE},
    {"shape", "shape", AFTER_GENERATE}, {"split", "split", AFTER_GENERATE},
    {"cfg", "cfg", AFTER_GENERATE},     {"plan", "plan", AFTER_GENERATE},
};

struct arguments {
    const struct emit *emit;
    const char *input, *output, *kernel, *cpu;
    enum tf_wg_form form;
    bool quick;
    uint32_t width, pack_rows;
    bool report, times;
    struct emit printed; // of -p
    struct tf_str options, stages;
};

static const char *value_of(const char *arg, const char *name)
{
    const size_t bytes = strlen(name);

    return !strncmp(arg, name, bytes) ? arg + bytes : NULL;
}

static const struct emit *find_emit(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof emits / sizeof *emits; i++)
        if (strlen(emits[i].name) == bytes && !memcmp(emits[i].name, name, bytes))
            return &emits[i];
    return NULL;
}

// "cfg,shape": each is a text that --emit= names, too.
static bool take_stages(struct arguments *args, const char *list)
{
    for (const char *at = list; at;) {
        const size_t bytes = strcspn(at, ",");
        const struct emit *const stage = find_emit(at, bytes);

        if (!stage || !stage->dump)
            return false;
        tf_str_printf(&args->stages, "%s,", stage->dump);
        at = at[bytes] ? at + bytes + 1 : NULL;
    }
    args->printed = (struct emit){"-p", args->stages.text, AFTER_GENERATE};
    args->emit = &args->printed;
    return !args->stages.failed;
}

static bool take_form(struct arguments *args, const char *name)
{
    args->form = !strcmp(name, "loops")         ? TF_WG_LOOPS
                 : !strcmp(name, "simt")        ? TF_WG_SIMT
                 : !strcmp(name, "fibers")      ? TF_WG_FIBERS
                 : !strcmp(name, "gang_fibers") ? TF_WG_GANG_FIBERS
                                                : TF_WG_AUTO;
    return args->form != TF_WG_AUTO || !strcmp(name, "auto");
}

// Each word is quoted, so that the compiler splits the text into the same words again.
static void add_option(struct tf_str *options, const char *word)
{
    tf_str_add(options, " \"");
    for (; *word; word++)
        tf_str_printf(options, "%s%c", strchr("\"\\", *word) ? "\\" : "", *word);
    tf_str_add(options, "\"");
}

static bool parse_arguments(struct arguments *args, int argc, char **argv)
{
    const char *value;
    bool ok = true;

    args->emit = find_emit("table", strlen("table"));
    for (int i = 1; i < argc && ok; i++) {
        if ((value = value_of(argv[i], "--emit=")))
            ok = (args->emit = find_emit(value, strlen(value)));
        else if ((value = value_of(argv[i], "--kernel=")))
            args->kernel = value;
        else if ((value = value_of(argv[i], "--cpu=")))
            args->cpu = value;
        else if ((value = value_of(argv[i], "--form=")))
            ok = take_form(args, value);
        else if ((value = value_of(argv[i], "--width=")))
            args->width = (uint32_t)strtoul(value, NULL, 10);
        else if ((value = value_of(argv[i], "--pack=")))
            args->pack_rows = (uint32_t)strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--report")) {
            args->report = true;
            add_option(&args->options, "-cl-trefoil-report");
        } else if (!strcmp(argv[i], "--check"))
            setenv("TREFOIL_CHECK", "1", 1); // read at its first use
        else if (!strcmp(argv[i], "--quick"))
            args->quick = true;
        else if (!strcmp(argv[i], "--times"))
            args->times = true;
        else if (!strcmp(argv[i], "-p"))
            ok = ++i < argc && take_stages(args, argv[i]);
        else if (!strcmp(argv[i], "-o"))
            ok = ++i < argc && (args->output = argv[i]);
        else if (argv[i][0] == '-') {
            add_option(&args->options, argv[i]);
            if ((!strcmp(argv[i], "-D") || !strcmp(argv[i], "-I")) && i + 1 < argc)
                add_option(&args->options, argv[++i]);
        } else {
            ok = !args->input;
            args->input = argv[i];
        }
    }
    return ok && args->input;
}

static bool read_file(const char *path, struct tf_str *text)
{
    FILE *const file = fopen(path, "rb");
    char block[4096];
    size_t bytes;

    if (!file)
        return false;
    while ((bytes = fread(block, 1, sizeof block, file)) > 0)
        tf_str_add_bytes(text, block, bytes);
    const bool ok = !ferror(file) && !text->failed;
    fclose(file);
    return ok;
}

static const struct tf_compiler *load_compiler(void)
{
    char path[4096], text[256];
    union {
        void *address;
        tf_compiler_entry_fn call;
    } entry = {NULL};

    if (tf_lib_beside((const void *)usage, "libtrefoil-compiler.so", path, sizeof path) ==
            0 &&
        access(path, R_OK) == 0)
        entry.address = tf_lib_symbol(path, TF_COMPILER_ENTRY_NAME, text, sizeof text);
    else
        entry.address = tf_lib_symbol("libtrefoil-compiler.so", TF_COMPILER_ENTRY_NAME,
                                      text, sizeof text);
    if (!entry.address)
        fprintf(stderr, "trefoilc: %s\n", text);
    return entry.address ? entry.call() : NULL;
}

static void print_table(const struct tf_compiler_bytes *packed)
{
    bool is_damaged;
    size_t count;
    struct tf_kernel_info *const infos =
        tf_kernel_info_unpack(packed->data, packed->bytes, &count, &is_damaged);

    for (size_t i = 0; i < count; i++) {
        const struct tf_kernel_info *const info = &infos[i];

        printf("kernel %s\n", info->name);
        printf("  attributes \"%s\", flags 0x%x, sub-group size %u\n", info->attributes,
               info->flags, info->sub_group_size);
        printf("  local %llu bytes, private %llu bytes, arguments %u bytes\n",
               (unsigned long long)info->local_bytes,
               (unsigned long long)info->private_bytes, info->arg_block_bytes);
        for (uint32_t k = 0; k < info->arg_count; k++) {
            const struct tf_kernel_arg_info *const arg = &info->args[k];

            printf("  %-12s %-8s kind %d, %u bytes at %u, aligned to %u\n",
                   arg->type_name, arg->name, arg->kind, arg->size_bytes,
                   arg->block_offset_bytes, arg->align_bytes);
        }
    }
    tf_free(infos);
}

static int report(const char *stage, enum tf_compiler_status status, const char *log)
{
    fputs(log ? log : "", stderr);
    if (status != TF_COMPILER_OK)
        fprintf(stderr, "trefoilc: %s failed (%d)\n", stage, status);
    return status == TF_COMPILER_OK ? 0 : 1;
}

static int write_bytes(const struct tf_compiler_bytes *bytes)
{
    return fwrite(bytes->data, 1, bytes->bytes, stdout) == bytes->bytes && !fflush(stdout)
               ? 0
               : 1;
}

// Preferred by the levels and processors that LLVM names, AVX2's for all others.
static uint32_t vector_bits(const char *cpu)
{
    static const char *const wide[] = {"x86-64-v4", "znver4", "znver5", "cascadelake"};

    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (!strcmp(cpu, wide[i]))
            return 512;
    return !strcmp(cpu, "x86-64") || !strcmp(cpu, "x86-64-v2") ? 128 : 256;
}

static int generate(const struct arguments *args, const struct tf_compiler *compiler,
                    const struct tf_link_out *linked, const char *kernel, bool write)
{
    const char *const cpu = args->cpu ? args->cpu : "x86-64-v3";
    const struct tf_generate_in in = {
        .bitcode = linked->bitcode,
        .is_text = !linked->kernels.data, // it has no table
        .kernel = kernel,
        .triple = "x86_64-unknown-linux-gnu",
        .cpu = cpu,
        .features = "",
        .tune = cpu,
        .vector_bits = vector_bits(cpu),
        .form = args->quick && args->form == TF_WG_AUTO ? TF_WG_LOOPS : args->form,
        .quick = args->quick,
        .has_fma = vector_bits(cpu) > 128,
        .width = args->width,
        .pack_rows = args->pack_rows,
        .report = args->report,
        .times = args->times};
    struct tf_generate_out out = {0};
    const enum tf_compiler_status status = compiler->generate(&in, &out);
    int failed = report("code generation", status, out.log);

    if (!failed && write)
        failed = write_bytes(&out.object);
    compiler->release(out.object.data);
    compiler->release(out.log);
    return failed;
}

// The kernel that was named, or the first; for a report or times all of them.
static int generate_wanted(const struct arguments *args,
                           const struct tf_compiler *compiler,
                           const struct tf_link_out *linked)
{
    const bool write = !strcmp(args->emit->name, "obj");
    const bool all = args->report || args->times;
    bool is_damaged;
    size_t count;
    struct tf_kernel_info *const infos = tf_kernel_info_unpack(
        linked->kernels.data, linked->kernels.bytes, &count, &is_damaged);
    int failed = 0;

    if (args->kernel) {
        failed = generate(args, compiler, linked, args->kernel, write);
    } else if (count == 0) {
        fprintf(stderr, "trefoilc: the program has no kernel\n");
        failed = 1;
    }
    for (size_t i = 0; !args->kernel && i < (all ? count : count > 0); i++)
        failed |= generate(args, compiler, linked, infos[i].name, write && i == 0);
    tf_free(infos);
    return failed;
}

static int link_and_generate(const struct arguments *args,
                             const struct tf_compiler *compiler,
                             const struct tf_compile_in *source,
                             const struct tf_compiler_bytes *bitcode)
{
    const struct tf_link_in in = {.modules = bitcode,
                                  .module_count = 1,
                                  .options = source->options,
                                  .source = source,
                                  .device = &device};
    struct tf_link_out out;
    const enum tf_compiler_status status = compiler->link(&in, &out);
    int failed = report("linking", status, out.log);

    if (!failed &&
        (args->emit->last_stage == AFTER_GENERATE || args->report || args->times))
        failed = generate_wanted(args, compiler, &out);
    else if (!failed && !strcmp(args->emit->name, "linked"))
        failed = write_bytes(&out.bitcode);
    else if (!failed && !args->emit->dump)
        print_table(&out.kernels);
    compiler->release(out.bitcode.data);
    compiler->release(out.kernels.data);
    compiler->release(out.log);
    return failed;
}

// IR text: the kernel that was named, or the first.
static int generate_text(const struct arguments *args, const struct tf_compiler *compiler,
                         const struct tf_str *text)
{
    static const char kernel[] = "spir_kernel void @";
    const struct tf_link_out linked = {.bitcode = {text->text, text->bytes}};
    const char *const first = strstr(text->text, kernel);
    char name[256] = "";

    if (first)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(first + strlen(kernel), "("),
                 first + strlen(kernel));
    return generate(args, compiler, &linked, args->kernel ? args->kernel : name,
                    !strcmp(args->emit->name, "obj"));
}

static bool has_ending(const char *path, const char *ending)
{
    const size_t bytes = strlen(path), tail = strlen(ending);

    return bytes > tail && !strcmp(path + bytes - tail, ending);
}

static int run(const struct arguments *args, const char *options,
               const struct tf_str *text)
{
    const struct tf_compiler *const compiler = load_compiler();
    const struct tf_compile_in in = {.source = text->text ? text->text : "",
                                     .source_bytes = text->bytes,
                                     .options = options,
                                     .device = &device,
                                     .is_il = has_ending(args->input, ".spv")};
    struct tf_compile_out out;
    int failed;

    if (!compiler)
        return 1;
    if (has_ending(args->input, ".ll"))
        return generate_text(args, compiler, text);
    const enum tf_compiler_status status = compiler->compile(&in, &out);
    failed = report("compilation", status, out.log);
    if (!failed && args->emit->last_stage != AFTER_COMPILE)
        failed = link_and_generate(args, compiler, &in, &out.bitcode);
    else if (!failed && !args->emit->dump)
        failed = write_bytes(&out.bitcode);
    compiler->release(out.bitcode.data);
    compiler->release(out.log);
    return failed;
}

int main(int argc, char **argv)
{
    struct arguments args = {0};
    struct tf_str text = {0};
    char *options = NULL;
    int failed = 1;

    device.features = tf_features_ours();
    tf_features_put_images(&device.features, true);
    if (!parse_arguments(&args, argc, argv)) {
        fputs(usage, stderr);
    } else if (!read_file(args.input, &text)) {
        fprintf(stderr, "trefoilc: %s: %s\n", args.input, strerror(errno));
    } else if (args.output && !freopen(args.output, "wb", stdout)) {
        fprintf(stderr, "trefoilc: %s: %s\n", args.output, strerror(errno));
    } else if ((options = tf_str_take(&args.options))) {
        // The stages write their text to standard error.
        if (args.emit->dump) {
            setenv("TREFOIL_DUMP", args.emit->dump, 1);
            dup2(STDOUT_FILENO, STDERR_FILENO);
        }
        failed = run(&args, options, &text);
    }
    tf_free(options);
    tf_str_finish(&args.options);
    tf_str_finish(&args.stages);
    tf_str_finish(&text);
    return failed;
}
