// SPDX-License-Identifier: MIT
#include "compiler/spirv/ops/spirv_lines.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_table.h"

// What a file is in the function that is being filled.
struct tf_spv_file {
    struct tf_spv_file *next;
    uint32_t id; // of its OpString
    LLVMMetadataRef file;
    LLVMMetadataRef function; // that `scope` lies in
    LLVMMetadataRef scope;
};

static struct tf_spv_file *file_of(struct tf_spv *r, uint32_t id)
{
    struct tf_spv_file *file = r->lines.files;

    while (file && file->id != id)
        file = file->next;
    if (!file) {
        const struct tf_spv_id *const string = tf_spv_id(r, id);

        tf_spv_need(r, string->kind == TF_SPV_ID_STRING, "id %u is no string", id);
        file = TF_SPV_NEW(r, struct tf_spv_file, 1);
        file->id = id;
        file->file = LLVMDIBuilderCreateFile(r->lines.builder, string->is.text,
                                             strlen(string->is.text), "", 0);
        file->next = r->lines.files;
        r->lines.files = file;
    }
    return file;
}

void tf_spv_lines_begin(struct tf_spv *r, bool wanted)
{
    static const char key[] = "Debug Info Version", producer[] = "Trefoil";

    if (!wanted)
        return;
    r->lines.builder = LLVMCreateDIBuilder(r->module);
    (void)LLVMDIBuilderCreateCompileUnit(
        r->lines.builder, LLVMDWARFSourceLanguageC99,
        LLVMDIBuilderCreateFile(r->lines.builder, "kernel.spv", 10, "", 0), producer,
        sizeof producer - 1, true, "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0,
        false, false, "", 0, "", 0);
    LLVMAddModuleFlag(
        r->module, LLVMModuleFlagBehaviorWarning, key, sizeof key - 1,
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(r->context),
                                         LLVMDebugMetadataVersion(), false)));
}

void tf_spv_lines_end(struct tf_spv *r)
{
    if (r->lines.builder)
        LLVMDIBuilderFinalize(r->lines.builder);
}

void tf_spv_lines_drop(struct tf_spv *r)
{
    if (r->lines.builder)
        LLVMDisposeDIBuilder(r->lines.builder);
    r->lines.builder = NULL;
}

// The first line of a function that has some: where it is.
static bool find_line(struct tf_spv *r)
{
    while (r->op.opcode != TF_SPV_OP_Line && r->op.opcode != TF_SPV_OP_FunctionEnd)
        (void)tf_spv_step(r, r->op.offset + r->op.count);
    return r->op.opcode == TF_SPV_OP_Line;
}

void tf_spv_lines_of_function(struct tf_spv *r, const struct tf_spv_function *function)
{
    size_t bytes;
    const char *const name = LLVMGetValueName2(function->value, &bytes);
    LLVMMetadataRef type;

    r->lines.function = NULL;
    if (!r->lines.builder || !find_line(r))
        return;
    struct tf_spv_file *const file = file_of(r, tf_spv_word(r, 1));
    type = LLVMDIBuilderCreateSubroutineType(r->lines.builder, file->file, NULL, 0,
                                             LLVMDIFlagZero);
    r->lines.function = LLVMDIBuilderCreateFunction(
        r->lines.builder, file->file, name, bytes, "", 0, file->file, tf_spv_word(r, 2),
        type, true, true, tf_spv_word(r, 2), LLVMDIFlagZero, true);
    file->function = file->scope = r->lines.function;
    LLVMSetSubprogram(function->value, r->lines.function);
}

static void set_location(struct tf_spv *r, LLVMMetadataRef scope, uint32_t line,
                         uint32_t column)
{
    LLVMSetCurrentDebugLocation2(
        r->builder,
        scope ? LLVMDIBuilderCreateDebugLocation(r->context, line, column, scope, NULL)
              : NULL);
}

// Calls in a function that has lines must have one: 0 says that it is not known.
void tf_spv_lines_of_block(struct tf_spv *r)
{
    set_location(r, r->lines.function, 0, 0);
}

void tf_spv_op_line(struct tf_spv *r)
{
    (void)tf_spv_id_at(r, 1);
    if (!r->function || !r->lines.function)
        return;
    struct tf_spv_file *const file = file_of(r, tf_spv_word(r, 1));
    if (file->function != r->lines.function) {
        file->function = r->lines.function;
        file->scope = LLVMDIBuilderCreateLexicalBlockFile(
            r->lines.builder, r->lines.function, file->file, 0);
    }
    set_location(r, file->scope, tf_spv_word(r, 2), tf_spv_word(r, 3));
}

void tf_spv_op_no_line(struct tf_spv *r)
{
    if (r->function)
        tf_spv_lines_of_block(r);
}
