// SPDX-License-Identifier: MIT
// Offline compiler: runs the stages of libtrefoil-compiler.so on a file and writes what
// one of them made. Needs no device and no OpenCL loader. For work on the compiler and
// for looking at the code of one's own kernels.
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/compiler.h"
#include "abi/kernel_info.h"
#include "arguments.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/lib.h"
#include "base/str.h"
#include "binary.h"
#include "inputs.h"
#include "trefoilc-help.h"

#define TRIPLE "x86_64-unknown-linux-gnu"

// Exit statuses.
enum { FINE, BAD_PROGRAM, BAD_COMMAND_LINE, BAD_FILE };

// What the CPU device offers; main() adds extensions and features.
static struct tf_compiler_device device = {
    .opencl_c_max = 310,
    .device_version = 310,
    .sub_group_size = 16,
    .max_group_size = 4096,
    .max_local_bytes = 65536,
    .max_variable_bytes = 1 << 20,
};

// What failed leaves no file that looks like a result. A device or a pipe is not ours.
static void remove_result(const char *path)
{
    struct stat facts;

    if (!lstat(path, &facts) && S_ISREG(facts.st_mode))
        (void)unlink(path);
}

// ---- A crash of the compiler ----

// For a signal's handler.
static struct {
    const char *stage, *path, *output;
    int messages;
} at_work = {.messages = STDERR_FILENO};

// Nothing of the process can be trusted any more, but a program that the compiler cannot
// take has to end as other bad programs do. What Clang and LLVM were doing comes behind
// this on standard error; then the process ends with BAD_PROGRAM.
static void compiler_died(int number)
{
    char text[1000];
    const int bytes = snprintf(text, sizeof(text),
                               "error: the compiler crashed (signal %d)\n"
                               "trefoilc: %.500s: %s failed\n",
                               number, at_work.path, at_work.stage);

    (void)!write(at_work.messages, text, (size_t)bytes);
    if (at_work.output)
        remove_result(at_work.output);
}

static_assert(BAD_PROGRAM == 1, "tf_crash_watch() ends the process with 1");

static void begin_stage(const char *stage, const char *path)
{
    at_work.stage = stage;
    at_work.path = path;
}

// Beside this program, as in a build folder; where an installation has it; where the
// system looks.
static const struct tf_compiler *load_compiler(void)
{
    static const char *const places[] = {"libtrefoil-compiler.so",
                                         TF_COMPILER_FROM_PROGRAMS};
    const char *path = tf_env_text(TF_ENV_COMPILER_LIBRARY);
    const struct tf_compiler *table;
    char beside[4096], text[256];
    tf_compiler_entry_fn entry;

    for (size_t i = 0; !path && i < sizeof places / sizeof *places; i++)
        if (tf_lib_beside((const void *)&device, places[i], beside, sizeof beside) == 0 &&
            access(beside, R_OK) == 0)
            path = beside;
    entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(
        path ? path : places[0], TF_COMPILER_ENTRY_NAME, text, sizeof text);
    table = entry ? entry() : NULL;
    if (!entry)
        fprintf(messages(), "trefoilc: no compiler: %s\n", text);
    else if (table->abi != TF_COMPILER_ABI)
        fprintf(messages(), "trefoilc: the compiler library is of another version\n");
    return table && table->abi == TF_COMPILER_ABI ? table : NULL;
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
        printf("  instructions %u, of a work-item at least %u\n", info->instructions,
               info->item_instructions);
        for (uint32_t k = 0; k < info->arg_count; k++) {
            const struct tf_kernel_arg_info *const arg = &info->args[k];

            printf("  %-12s %-8s kind %d, %u bytes at %u, aligned to %u\n",
                   arg->type_name, arg->name, arg->kind, arg->size_bytes,
                   arg->block_offset_bytes, arg->align_bytes);
        }
    }
    tf_free(infos);
}

static int report(const char *stage, enum tf_compiler_status status, const char *log,
                  const char *path)
{
    print_log(log, path);
    if (status != TF_COMPILER_OK)
        fprintf(messages(), "trefoilc: %s: %s failed\n", path, stage);
    return status == TF_COMPILER_OK ? FINE : BAD_PROGRAM;
}

static int write_bytes(const struct tf_compiler_bytes *bytes)
{
    if (fwrite(bytes->data, 1, bytes->bytes, stdout) == bytes->bytes && !fflush(stdout))
        return FINE;
    fprintf(messages(), "trefoilc: the output cannot be written: %s\n", strerror(errno));
    return BAD_FILE;
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

static bool knows_processor(const struct arguments *args,
                            const struct tf_compiler *compiler)
{
    if (!args->cpu || compiler->knows_processor(TRIPLE, args->cpu))
        return true;
    fprintf(
        messages(),
        "trefoilc: --cpu=%s is none of 64 bits that LLVM %s knows: x86-64, x86-64-v2, "
        "x86-64-v3, x86-64-v4, or a name as skylake, znver4\n",
        args->cpu, compiler->llvm_version);
    return false;
}

static int generate(const struct arguments *args, const struct tf_compiler *compiler,
                    const struct tf_link_out *linked, const char *kernel, bool write)
{
    const char *const cpu = args->cpu ? args->cpu : "x86-64-v3";
    const struct tf_generate_in in = {
        .bitcode = linked->bitcode,
        .is_text = !linked->kernels.data, // it has no table
        .kernel = kernel,
        .triple = TRIPLE,
        .cpu = cpu,
        .features = "",
        .tune = cpu,
        .vector_bits = vector_bits(cpu),
        .form = args->quick && args->form == TF_WG_AUTO ? TF_WG_LOOPS : args->form,
        .quick = args->quick,
        .budget_ms = args->budget_ms,
        .has_fma = vector_bits(cpu) > 128,
        .width = args->width,
        .pack_rows = args->pack_rows,
        .report = args->report,
        .times = args->times,
        .local_size = {args->local_size[0], args->local_size[1], args->local_size[2]}};
    struct tf_generate_out out = {0};

    begin_stage("code generation", args->inputs[0]);
    const enum tf_compiler_status status = compiler->generate(&in, &out);
    int failed = report("code generation", status, out.log, args->inputs[0]);

    if (!failed && write)
        failed = write_bytes(&out.object);
    compiler->release(out.object.data);
    compiler->release(out.log);
    return failed;
}

static bool has_kernel(const struct arguments *args, const struct tf_kernel_info *infos,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(infos[i].name, args->kernel))
            return true;
    fprintf(messages(), "trefoilc: %s: there is no kernel %s%s", args->inputs[0],
            args->kernel, count ? "; there are" : "");
    for (size_t i = 0; i < count; i++)
        fprintf(messages(), " %s", infos[i].name);
    fputc('\n', messages());
    return false;
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
        failed = has_kernel(args, infos, count)
                     ? generate(args, compiler, linked, args->kernel, write)
                     : BAD_PROGRAM;
    } else if (count == 0) {
        fprintf(messages(), "trefoilc: %s: the program has no kernel\n", args->inputs[0]);
        failed = BAD_PROGRAM;
    }
    for (size_t i = 0; !args->kernel && i < (all ? count : count > 0); i++) {
        const int one = generate(args, compiler, linked, infos[i].name, write && i == 0);

        failed = one > failed ? one : failed;
    }
    tf_free(infos);
    return failed;
}

static int link_and_generate(const struct arguments *args,
                             const struct tf_compiler *compiler,
                             const struct input *inputs)
{
    const char *const options = args->link_options.text;
    const bool one = args->input_count == 1 && inputs[0].kind != INPUT_BITCODE;
    const bool library = !strcmp(args->emit->name, "library");
    struct tf_compiler_bytes modules[MAX_INPUTS];
    const struct tf_link_in in = {.modules = modules,
                                  .module_count = (size_t)args->input_count,
                                  .options = one       ? inputs[0].compile.options
                                             : options ? options
                                                       : "",
                                  .create_library = library,
                                  .source = one ? &inputs[0].compile : NULL,
                                  .device = &device};
    struct tf_link_out out;

    for (int i = 0; i < args->input_count; i++)
        modules[i] = inputs[i].bitcode;
    begin_stage("linking", inputs[0].path);
    const enum tf_compiler_status status = compiler->link(&in, &out);
    int failed = report("linking", status, out.log, inputs[0].path);

    if (!failed &&
        (args->emit->last_stage == AFTER_GENERATE || args->report || args->times))
        failed = generate_wanted(args, compiler, &out);
    else if (!failed && (library || !strcmp(args->emit->name, "linked")))
        failed = write_bytes(&out.bitcode);
    else if (!failed && !args->emit->dump)
        print_table(&out.kernels);
    compiler->release(out.bitcode.data);
    compiler->release(out.kernels.data);
    compiler->release(out.data.data);
    compiler->release(out.log);
    return failed;
}

// IR text: the kernel that was named, or the first.
static int generate_text(const struct arguments *args, const struct tf_compiler *compiler,
                         const struct tf_str *text)
{
    static const char kernel[] = "spir_kernel void @";
    const struct tf_link_out linked = {.bitcode = {text->text, text->bytes}};
    const char *const first = text->text ? strstr(text->text, kernel) : NULL;
    char name[256] = "";

    if (first)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(first + strlen(kernel), "("),
                 first + strlen(kernel));
    return generate(args, compiler, &linked, args->kernel ? args->kernel : name,
                    !strcmp(args->emit->name, "obj"));
}

static int compile(const struct tf_compiler *compiler, struct input *input)
{
    struct tf_compile_out out;
    enum tf_compiler_status status;
    int failed;

    if (input->kind == INPUT_BITCODE) {
        input->bitcode =
            (struct tf_compiler_bytes){input->content.text, input->content.bytes};
        return FINE;
    }
    input->compile.device = &device;
    begin_stage("compilation", input->path);
    status = compiler->compile(&input->compile, &out);
    failed = report("compilation", status, out.log, input->path);
    compiler->release(out.files.data);
    compiler->release(out.log);
    input->bitcode = out.bitcode;
    return failed;
}

static int write_spirv(const struct tf_compiler *compiler, const struct input *input)
{
    struct tf_compile_out out;

    begin_stage("making SPIR-V", input->path);
    const enum tf_compiler_status status = compiler->to_spirv(&input->bitcode, &out);
    int failed = report("making SPIR-V", status, out.log, input->path);

    if (!failed)
        failed = write_bytes(&out.bitcode);
    compiler->release(out.bitcode.data);
    compiler->release(out.log);
    return failed;
}

static int write_binary(const struct arguments *args, const struct input *inputs)
{
    struct tf_str binary = {0};
    int failed = BAD_FILE;

    for (int i = 0; i < args->input_count; i++)
        if (inputs[i].kind != INPUT_SOURCE && inputs[i].kind != INPUT_SPIRV) {
            fprintf(messages(), "trefoilc: %s: a binary is made of source and SPIR-V\n",
                    inputs[i].path);
            return BAD_COMMAND_LINE;
        }
    switch (binary_make(inputs, args->input_count, args->isa, &binary)) {
    case BINARY_MADE:
        failed = write_bytes(&(struct tf_compiler_bytes){binary.text, binary.bytes});
        break;
    case BINARY_BAD_PROGRAM:
        failed = BAD_PROGRAM;
        break;
    case BINARY_NO_DRIVER:
        break;
    }
    tf_str_finish(&binary);
    return failed;
}

static int run(const struct arguments *args, struct input *inputs,
               const struct tf_compiler *compiler)
{
    int failed = FINE;

    if (inputs[0].kind == INPUT_IR_TEXT)
        return generate_text(args, compiler, &inputs[0].content);
    for (int i = 0; i < args->input_count; i++)
        if (compile(compiler, &inputs[i]))
            failed = BAD_PROGRAM;
    if (failed)
        return failed;
    if (args->emit->last_stage != AFTER_COMPILE)
        return link_and_generate(args, compiler, inputs);
    if (!strcmp(args->emit->name, "spirv"))
        return write_spirv(compiler, &inputs[0]);
    return args->emit->dump ? FINE : write_bytes(&inputs[0].bitcode);
}

// A source that would be its own result is a slip.
static bool would_overwrite(const struct arguments *args)
{
    struct stat output, input;

    if (!args->output || stat(args->output, &output) || !S_ISREG(output.st_mode))
        return false;
    for (int i = 0; i < args->input_count; i++)
        if (!stat(args->inputs[i], &input) && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino) {
            fprintf(messages(), "trefoilc: %s is to be read and written\n",
                    args->inputs[i]);
            return true;
        }
    return false;
}

static int run_files(const struct arguments *args, const char *options)
{
    static struct input inputs[MAX_INPUTS];
    const struct tf_compiler *compiler = NULL;
    int failed = FINE;

    for (int i = 0; i < args->input_count && !failed; i++)
        if (!input_read(&inputs[i], args->inputs[i]) ||
            !input_set_options(&inputs[i], options))
            failed = BAD_FILE;
    if (!failed && args->output && !freopen(args->output, "wb", stdout)) {
        fprintf(messages(), "trefoilc: %s: %s\n", args->output, strerror(errno));
        failed = BAD_FILE;
    }
    at_work.output = args->output;
    if (!failed && args->emit->dump) {
        // The stages write their text to standard error.
        setenv("TREFOIL_DUMP", args->emit->dump, 1);
        if (!messages_apart())
            failed = BAD_FILE;
        at_work.messages = fileno(messages());
    }
    if (!failed && args->emit->last_stage == AFTER_ALL)
        failed = write_binary(args, inputs);
    else if (!failed && !(compiler = load_compiler()))
        failed = BAD_FILE;
    else if (!failed && !knows_processor(args, compiler))
        failed = BAD_COMMAND_LINE;
    else if (!failed) {
        compiler->own_process(compiler_died);
        failed = run(args, inputs, compiler);
    }
    for (int i = 0; i < args->input_count; i++)
        input_finish(&inputs[i], compiler);
    if (!failed && (fflush(stdout) || ferror(stdout) || ferror(stderr)))
        failed = BAD_FILE;
    if (failed && args->output)
        remove_result(args->output);
    return failed;
}

int main(int argc, char **argv)
{
    struct arguments args = {0};
    int status = BAD_COMMAND_LINE;
    char *options = NULL;

    device.features = tf_features_ours();
    tf_features_put_images(&device.features, true);
    if (arguments_parse(&args, argc, argv)) {
        if (args.emit->last_stage != AFTER_ALL) // else the driver does
            tf_env_tell();
        options = tf_str_take(&args.options);
        if (args.help)
            status = fputs(help_text, stdout) < 0 ? BAD_FILE : FINE;
        else if (options && !would_overwrite(&args))
            status = run_files(&args, options);
    }
    tf_free(options);
    arguments_finish(&args);
    return status;
}
