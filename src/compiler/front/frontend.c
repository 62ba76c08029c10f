// SPDX-License-Identifier: MIT
#include "compiler/front/frontend.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/clang/clang_frontend.h"
#include "compiler/clang/debug_info.h"
#include "compiler/front/base_header.h"
#include "compiler/front/compiler_args.h"
#include "compiler/front/frontend_macros.h"
#include "compiler/front/frontend_options.h"
#include "compiler/front/header_parts.h"
#include "compiler/front/more_functions.h"
#include "compiler/front/opaque_types.h"
#include "compiler/front/program_statics.h"
#include "compiler/ir/dump.h"
#include "compiler/ir/kernel_metadata.h"

// Folders that exist in memory only. The program lies beside the headers that the
// application gave by name, so that these win over files on disk.
#define OWN_FOLDER "/.trefoil/include"
#define USER_FOLDER "/.trefoil/program"
#define SOURCE_PATH USER_FOLDER "/kernel.cl"
// Messages name the file so, not by the path above.
#define SOURCE_LINE "#line 1 \"kernel.cl\"\n"
#define BYTE_ORDER_MARK "\xef\xbb\xbf" // of UTF-8

static const char base_header_path[] = OWN_FOLDER "/opencl-c-base.h";

enum { OWN_FILES = 3 }; // beside the application's headers

// Who hears of a compilation.
struct hearer {
    struct tf_str *log;
    struct tf_file_list *files; // or NULL
};

static void write_log(void *user, const char *text, size_t bytes)
{
    const struct hearer *hearer = user;

    tf_str_add_bytes(hearer->log, text, bytes);
}

static void note_found(void *user, const char *path, enum tf_clang_found found,
                       const char *text, uint64_t bytes, uint64_t file)
{
    const struct hearer *hearer = user;

    if (!hearer->files)
        return;
    switch (found) {
    case TF_CLANG_ABSENT:
        tf_file_list_add(hearer->files, TF_FILE_ABSENT, path, NULL, 0, 0);
        break;
    case TF_CLANG_FOLDER:
        tf_file_list_add(hearer->files, TF_FILE_FOLDER, path, NULL, 0, 0);
        break;
    case TF_CLANG_THERE:
        tf_file_list_add(hearer->files, TF_FILE_THERE, path, NULL, bytes, file);
        break;
    case TF_CLANG_READ:
        tf_file_list_add(hearer->files, TF_FILE_READ, path, text, bytes, file);
        break;
    case TF_CLANG_UNKNOWN:
        tf_file_list_lose(hearer->files);
        break;
    }
}

static void add_arguments(const struct tf_compile_in *in,
                          const struct tf_frontend_options *options, bool lines,
                          bool more_functions, struct tf_args *args)
{
    static const char *const fixed[] = {
        "-triple",
        "spir64-unknown-unknown",
        "-disable-llvm-passes",
        "-ferror-limit",
        "20",
        "-disable-llvm-verifier", // whoever reads the bitcode verifies it
        "-cl-kernel-arg-info",
        "-fdeclare-opencl-builtins",
        // By its whole path, not -finclude-default-header: that looks for the bare name,
        // and in the application's folders first.
        "-include",
        base_header_path,
        "-ffp-contract=on",
        "-fbracket-depth",
        "256",
        "-disable-pragma-debug-crash",
        "-main-file-name",
        "kernel.cl",
        "-fdebug-compilation-dir=.",
        "-resource-dir",
        "/.trefoil",
        "-internal-isystem",
        OWN_FOLDER,
        "-I",
        USER_FOLDER,
    };

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        tf_args_add(args, fixed[i]);
    // Errors by default in newer Clangs; programs exist that older compilers took.
    if (!options->warnings_are_errors) {
        tf_args_add(args, "-Wno-error=incompatible-pointer-types");
        tf_args_add(args, "-Wno-error=int-conversion");
    }
    tf_args_add(args, options->debug_form ? "-O0" : "-O2");
    if (!tf_dump_any_on()) // as tf_llvm_context() has it
        tf_args_add(args, "-discard-value-names");
    if (options->debug_info) {
        tf_args_add(args, "-debug-info-kind=constructor");
        tf_args_add(args, "-dwarf-version=4");
        tf_args_add(args, "-gstrict-dwarf"); // C: lldb does not know OpenCL C
    } else if (lines || options->lines || options->report || options->checks) {
        if (options->report)
            tf_args_add(args, "-Wdouble-promotion"); // front/hints.c says what to do
        tf_args_add(args, "-debug-info-kind=line-tables-only");
        tf_args_add(args, "-dwarf-version=4");
    }
    tf_args_add(args, "-x");
    tf_args_add(args, options->cxx ? "clcpp" : "cl");
    if (options->cxx) { // forms that program_statics.c knows
        tf_args_add(args, "-fno-use-cxa-atexit");
        tf_args_add(args, "-fno-threadsafe-statics");
        tf_args_add(args, "-fno-rtti");
    }
    tf_frontend_macros_add(in->device, options->opencl_c, options->cxx, args);
    if (more_functions)
        tf_args_add(args, "-D" TF_MORE_FUNCTIONS_MACRO);
    for (size_t i = 0; i < options->args.count; i++)
        tf_args_add(args, options->args.items[i]);
    tf_args_add(args, "-I");
    tf_args_add(args, ".");
    tf_args_add(args, SOURCE_PATH);
}

struct files {
    struct tf_clang_file *list;
    char **paths; // of the application's headers, owned
    size_t header_count;
    char *source; // owned
    char *parts;  // of the base header; owned, or NULL: the whole
};

static void files_finish(struct files *files)
{
    for (size_t i = 0; files->paths && i < files->header_count; i++)
        tf_free(files->paths[i]);
    tf_free(files->paths);
    tf_free(files->source);
    tf_free(files->parts);
    tf_free(files->list);
}

static bool files_init(struct files *files, const struct tf_compile_in *in)
{
    const size_t prefix = strlen(SOURCE_LINE);
    const char *source = in->source;
    size_t bytes = in->source_bytes;
    bool ok = true;

    // Some editors begin files with it. Clang leaves it out at the start of a file only,
    // which SOURCE_LINE is.
    if (bytes >= strlen(BYTE_ORDER_MARK) &&
        !memcmp(source, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK))) {
        source += strlen(BYTE_ORDER_MARK);
        bytes -= strlen(BYTE_ORDER_MARK);
    }

    // Some applications count the terminating 0 as source.
    while (bytes && !source[bytes - 1])
        bytes--;
    files->header_count = in->header_count;
    files->list = tf_zalloc((in->header_count + OWN_FILES) * sizeof *files->list);
    files->paths = tf_zalloc(in->header_count * sizeof *files->paths);
    files->source = tf_zalloc(prefix + bytes + 1);
    if (!files->list || !files->paths || !files->source)
        return false;
    memcpy(files->source, SOURCE_LINE, prefix);
    if (bytes)
        memcpy(files->source + prefix, source, bytes);
    files->list[0] = (struct tf_clang_file){SOURCE_PATH, files->source, prefix + bytes};
    files->list[1] = (struct tf_clang_file){
        base_header_path, tf_base_header, (size_t)(tf_base_header_end - tf_base_header)};
    files->list[2] =
        (struct tf_clang_file){OWN_FOLDER "/opencl-c-more.h", tf_more_header,
                               (size_t)(tf_more_header_end - tf_more_header)};
    for (size_t i = 0; i < in->header_count; i++) {
        struct tf_str path = {0};

        if (in->headers[i].name[0] != '/')
            tf_str_add(&path, USER_FOLDER "/");
        tf_str_add(&path, in->headers[i].name);
        files->paths[i] = tf_str_take(&path);
        ok &= files->paths[i] != NULL;
        files->list[i + OWN_FILES] = (struct tf_clang_file){
            files->paths[i], in->headers[i].text, in->headers[i].text_bytes};
    }
    return ok;
}

// One pass of the front end over the program.
static LLVMModuleRef run(LLVMContextRef context, const struct tf_compile_in *in,
                         const struct tf_frontend_options *options, bool lines,
                         bool more_functions, const struct files *files,
                         struct hearer *hearer, enum tf_compiler_status *status)
{
    struct tf_args args = {0};
    LLVMModuleRef module = NULL;

    add_arguments(in, options, lines, more_functions, &args);
    if (args.failed) {
        *status = TF_COMPILER_NO_MEMORY;
    } else {
        const struct tf_clang_in clang = {.args = (const char *const *)args.items,
                                          .arg_count = args.count,
                                          .files = files->list,
                                          .file_count = in->header_count + OWN_FILES,
                                          .write = write_log,
                                          .found = note_found,
                                          .user = hearer};

        module = tf_clang_compile(context, &clang);
        if (module && options->cxx && !tf_program_statics_tidy(module)) {
            tf_str_add(hearer->log, "error: the program's objects are not supported\n");
            LLVMDisposeModule(module);
            module = NULL;
        }
        if (module)
            module = tf_opaque_types_plain(context, module);
        *status = module ? TF_COMPILER_OK : TF_COMPILER_BAD_SOURCE;
    }
    tf_args_finish(&args);
    return module;
}

static void choose_header(struct files *files, const struct tf_compile_in *in, bool parts)
{
    struct tf_clang_file *const base = &files->list[1];

    base->text = tf_base_header;
    base->text_bytes = (size_t)(tf_base_header_end - tf_base_header);
    tf_free(files->parts);
    files->parts =
        parts ? tf_header_parts(in, tf_base_header, base->text_bytes, &base->text_bytes)
              : NULL;
    if (files->parts)
        base->text = files->parts;
    else
        base->text_bytes = (size_t)(tf_base_header_end - tf_base_header);
}

// A program whose headers, unseen before, name functions that are declared on demand only
// is compiled once more; so is one that fails without the parts of the base header that
// it does not seem to name: it may name them, or a message mean one of them.
static LLVMModuleRef run_until_it_knows(LLVMContextRef context,
                                        const struct tf_compile_in *in,
                                        const struct tf_frontend_options *options,
                                        bool lines, struct files *files,
                                        struct hearer *hearer,
                                        enum tf_compiler_status *status)
{
    bool more = tf_more_functions_named(in), again = true;
    LLVMModuleRef module = NULL;
    char *text = NULL;

    choose_header(files, in, !more);
    while (again) {
        struct tf_str log = {0};
        struct hearer quiet = {&log, hearer->files};
        bool missed;

        tf_free(text);
        module = run(context, in, options, lines, more, files, &quiet, status);
        text = tf_str_take(&log);
        missed = !more && text && tf_more_functions_missed(text);
        again = !module && *status == TF_COMPILER_BAD_SOURCE && (missed || files->parts);
        more |= missed;
        if (again)
            choose_header(files, in, false);
    }
    if (text)
        tf_str_add(hearer->log, text);
    else
        *status = TF_COMPILER_NO_MEMORY;
    tf_free(text);
    return module;
}

LLVMModuleRef tf_frontend_module(LLVMContextRef context, const struct tf_compile_in *in,
                                 bool lines, struct tf_file_list *list,
                                 enum tf_compiler_status *status, struct tf_str *log)
{
    struct hearer hearer = {log, list};
    struct tf_frontend_options options;
    struct files files = {0};
    LLVMModuleRef module = NULL;

    *status = tf_frontend_options_parse(in->options, TF_OPTIONS_COMPILE, in->device,
                                        &options, log);
    if (*status == TF_COMPILER_OK && !files_init(&files, in))
        *status = TF_COMPILER_NO_MEMORY;
    if (*status == TF_COMPILER_OK)
        module =
            run_until_it_knows(context, in, &options, lines, &files, &hearer, status);
    if (module && options.checks)
        tf_check_modes_want(module, options.checks);
    if (module && options.debug_form)
        LLVMAddNamedMetadataOperand(module, TF_DEBUG_FORM_METADATA,
                                    LLVMMDNodeInContext(context, NULL, 0));
    if (module)
        tf_debug_info_forget_loops(module);
    if (module && options.lines)
        LLVMAddNamedMetadataOperand(module, TF_LINES_METADATA,
                                    LLVMMDNodeInContext(context, NULL, 0));
    files_finish(&files);
    tf_frontend_options_finish(&options);
    return module;
}
