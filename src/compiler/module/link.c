// SPDX-License-Identifier: MIT
#include "compiler/module/link.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include "base/alloc.h"
#include "builtins/builtins_table.h"
#include "compiler/front/build_log.h"
#include "compiler/front/frontend.h"
#include "compiler/front/frontend_options.h"
#include "compiler/front/llvm_init.h"
#include "compiler/ir/bitcode.h"
#include "compiler/ir/dump.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/arithmetic/contracted.h"
#include "compiler/lower/arithmetic/sine_pairs.h"
#include "compiler/lower/blocks.h"
#include "compiler/lower/constructors.h"
#include "compiler/lower/function_pointers.h"
#include "compiler/lower/globals.h"
#include "compiler/lower/group_scratch.h"
#include "compiler/lower/kept/barrier_flags.h"
#include "compiler/lower/kept/image_accesses.h"
#include "compiler/lower/named_barriers.h"
#include "compiler/lower/pipes.h"
#include "compiler/lower/print.h"
#include "compiler/lower/recursion/recursion.h"
#include "compiler/lower/spaces.h"
#include "compiler/lower/undefined/alignments.h"
#include "compiler/lower/undefined/unspecified.h"
#include "compiler/module/builtin_names.h"
#include "compiler/module/cleanup.h"
#include "compiler/module/keep_kernels.h"
#include "compiler/module/kernel_bodies.h"
#include "compiler/module/kernel_table.h"
#include "compiler/module/sub_group_size.h"
#include "compiler/module/validate.h"

// Reads and links the application's modules. NULL with the reason in the log.
static LLVMModuleRef link_modules(LLVMContextRef context, const struct tf_link_in *in,
                                  bool library, struct tf_str *log)
{
    LLVMModuleRef whole = NULL;

    for (size_t i = 0; i < in->module_count; i++) {
        const LLVMModuleRef part =
            tf_bitcode_read(context, in->modules[i].data, in->modules[i].bytes,
                            in->source ? TF_BITCODE_JUST_MADE : TF_BITCODE_ANYBODY);

        if (!part) {
            tf_build_log_error(log, NULL, "object %zu of the program is damaged", i);
            break;
        }
        if (in->module_count > 1 || library)
            tf_builtin_names_hide(part);
        if (!whole) {
            whole = part;
        } else if (LLVMLinkModules2(whole, part)) { // disposes of `part` in any case
            tf_build_log_error(log, NULL,
                               "the objects of the program do not fit together");
            break;
        }
        if (i + 1 == in->module_count) {
            if (!library)
                tf_builtin_names_show(whole);
            return whole;
        }
    }
    if (whole)
        LLVMDisposeModule(whole);
    return NULL;
}

// Links the library modules that define functions still missing, in rounds: a built-in
// calls others. Each module is read lazily, at most once a round.
static enum tf_compiler_status link_builtins(LLVMContextRef context, LLVMModuleRef module)
{
    const int count = tf_builtin_module_count();
    int *const wanted = tf_zalloc((size_t)count * sizeof *wanted);
    char *const seen = tf_zalloc((size_t)count);
    enum tf_compiler_status status = TF_COMPILER_OK;
    int found;

    if (!wanted || !seen)
        status = TF_COMPILER_NO_MEMORY;
    do {
        found = 0;
        if (status == TF_COMPILER_OK) {
            memset(seen, 0, (size_t)count);
            TF_FOR_EACH_FUNCTION(f, module)
            {
                const int i = LLVMIsDeclaration(f) && !tf_ir_is_intrinsic(f)
                                  ? tf_builtin_find(tf_ir_name(f))
                                  : -1;

                if (i >= 0 && !seen[i]) {
                    seen[i] = 1;
                    wanted[found++] = i;
                }
            }
        }
        for (int i = 0; i < found && status == TF_COMPILER_OK; i++) {
            const struct tf_builtin_module *const part = tf_builtin_module(wanted[i]);
            const LLVMModuleRef lazy =
                tf_bitcode_read(context, part->bitcode, part->bytes, TF_BITCODE_LIBRARY);

            if (!lazy || LLVMLinkModules2(module, lazy))
                status = TF_COMPILER_INTERNAL; // the context's handler has logged it
        }
    } while (found && status == TF_COMPILER_OK);
    tf_free(wanted);
    tf_free(seen);
    return status;
}

static enum tf_compiler_status finish_program(LLVMContextRef context,
                                              LLVMModuleRef module,
                                              const struct tf_link_in *in,
                                              struct tf_link_out *out, struct tf_str *log)
{
    enum tf_compiler_status status;

    tf_hide_all_but_kernels(module);
    tf_barrier_flags_keep(module);
    tf_image_accesses_keep(module);
    tf_print_lower(module);
    tf_spaces_lower(module);
    tf_pipes_lower(module);
    status = tf_blocks_lower(module, log);
    if (status == TF_COMPILER_OK)
        status = tf_function_pointers_lower(module, log);
    if (status == TF_COMPILER_OK) {
        tf_kernel_bodies_split(module);
        status = tf_recursion_lower(module, log);
    }
    if (status == TF_COMPILER_OK &&
        LLVMGetNamedMetadataNumOperands(module, TF_DEBUG_FORM_METADATA) == 0)
        tf_sine_pairs_lower(module);
    if (status == TF_COMPILER_OK)
        status = link_builtins(context, module);
    if (status != TF_COMPILER_OK)
        return status;
    tf_unspecified_lower(module);
    tf_alignments_lower(module);
    tf_group_scratch_lower(module, in->device->max_group_size, TF_SUB_GROUP_SIZE_LEAST);
    tf_dump(TF_DUMP_LINK, module);
    status = tf_cleanup(module, in->source, log);
    tf_contracted_lower(module);
    tf_named_barriers_lower(module);
    if (status == TF_COMPILER_OK)
        status = tf_globals_layout(module, in->device, &out->data, log);
    if (status != TF_COMPILER_OK)
        return status;
    tf_dump(TF_DUMP_CLEANUP, module);
    status = tf_kernel_table(module, in->device, in->source, &out->kernels, log);
    if (status == TF_COMPILER_OK)
        tf_sub_group_size_fix(module, in->device->sub_group_size);
    return status;
}

static enum tf_compiler_status link_program(const struct tf_link_in *in,
                                            enum tf_options_use use,
                                            struct tf_link_out *out, struct tf_str *log)
{
    struct tf_llvm_diagnostics diagnostics = {.log = log};
    struct tf_frontend_options options;
    enum tf_compiler_status status =
        tf_frontend_options_parse(in->options, use, in->device, &options, log);
    const bool library = in->create_library || options.create_library;

    tf_frontend_options_finish(&options);
    if (status != TF_COMPILER_OK)
        return status;
    const LLVMContextRef context = tf_llvm_context(&diagnostics);
    const LLVMModuleRef module = link_modules(context, in, library, log);
    status = module ? TF_COMPILER_OK : TF_COMPILER_BAD_SOURCE;
    if (module && !library)
        tf_constructors_lower(module);
    if (module) {
        const struct tf_validate_in validate = {
            .module = module, .complete = !library, .source = in->source};

        status = tf_validate_module(&validate, log);
    }
    if (status == TF_COMPILER_OK && !library)
        status = finish_program(context, module, in, out, log);
    if (status == TF_COMPILER_OK && diagnostics.failed)
        status = TF_COMPILER_INTERNAL;
    if (status == TF_COMPILER_OK)
        status = tf_bitcode_write(module, &out->bitcode);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return status;
}

enum tf_compiler_status tf_link_program(const struct tf_link_in *in,
                                        struct tf_link_out *out, struct tf_str *log)
{
    struct tf_link_in without_lines = *in;

    // A SPIR-V module has no lines of source to find.
    if (in->source && in->source->is_il)
        without_lines.source = NULL;
    return link_program(&without_lines,
                        !in->source         ? TF_OPTIONS_LINK
                        : in->source->is_il ? TF_OPTIONS_COMPILE_IL
                                            : TF_OPTIONS_COMPILE,
                        out, log);
}
