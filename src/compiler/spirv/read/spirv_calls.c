// SPDX-License-Identifier: MIT
#include "compiler/spirv/read/spirv_calls.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "builtins/builtins_table.h"
#include "compiler/ir/ir_util.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { MOST_ARGUMENTS = 16, MOST_PARTS = 36 };

void tf_spv_mangle_scalar(struct tf_str *out, const struct tf_spv_type *type,
                          bool is_unsigned)
{
    static const char letters[2][4] = {{'c', 's', 'i', 'l'}, {'h', 't', 'j', 'm'}};
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);

    if (type->kind == TF_SPV_VECTOR)
        tf_str_printf(out, "Dv%u_", tf_spv_components(type));
    if (scalar->kind == TF_SPV_INT)
        tf_str_printf(out, "%c",
                      letters[is_unsigned][scalar->bits == 8    ? 0
                                           : scalar->bits == 16 ? 1
                                           : scalar->bits == 32 ? 2
                                                                : 3]);
    else if (scalar->kind == TF_SPV_FLOAT)
        tf_str_add(out, scalar->bits == 16 ? "Dh" : scalar->bits == 32 ? "f" : "d");
    else if (scalar->kind == TF_SPV_BOOL)
        tf_str_add(out, "b");
    else if (scalar->kind == TF_SPV_EVENT)
        tf_str_add(out, "9ocl_event");
    else if (scalar->kind == TF_SPV_SAMPLER)
        tf_str_add(out, "11ocl_sampler");
    else if (scalar->kind == TF_SPV_RESERVE_ID)
        tf_str_add(out, "13ocl_reserveid");
    else
        tf_str_add(out, "v");
}

// Parts of a name that a later one may stand for: S_, S0_, S1_, ... All texts lie in the
// arena.
struct parts {
    const char *text[MOST_PARTS];
    unsigned count;
};

// Adds the part's number if it is known.
static bool add_known(struct tf_str *out, const struct parts *parts, const char *whole)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (unsigned i = 0; i < parts->count; i++)
        if (!strcmp(parts->text[i], whole)) {
            if (i == 0)
                tf_str_add(out, "S_");
            else
                tf_str_printf(out, "S%c_", digits[(i - 1) % (sizeof digits - 1)]);
            return true;
        }
    return false;
}

static void remember(struct parts *parts, const char *whole)
{
    if (parts->count < MOST_PARTS)
        parts->text[parts->count++] = whole;
}

static unsigned space_of(uint32_t storage)
{
    switch (storage) {
    case TF_SPV_STORAGE_CROSS_WORKGROUP:
        return 1;
    case TF_SPV_STORAGE_UNIFORM_CONSTANT:
        return 2;
    case TF_SPV_STORAGE_WORKGROUP:
        return 3;
    case TF_SPV_STORAGE_GENERIC:
        return 4;
    default:
        return 0;
    }
}

static const char *plain_code(struct tf_spv *r, const struct tf_spv_type *type,
                              bool is_unsigned)
{
    struct tf_str text = {0};

    tf_spv_mangle_scalar(&text, type, is_unsigned);
    const char *const code = tf_spv_format(r, "%s", text.text ? text.text : "");
    tf_str_finish(&text);
    return code;
}

// What is not a pointer; vectors and names of types can be referred to.
static void mangle_plain(struct tf_str *out, struct parts *parts, const char *code)
{
    const bool is_part = strlen(code) > 2;

    if (is_part && add_known(out, parts, code))
        return;
    tf_str_add(out, code);
    if (is_part)
        remember(parts, code);
}

static void mangle_pointer(struct tf_spv *r, struct tf_str *out, struct parts *parts,
                           const struct tf_spv_arg *arg)
{
    const unsigned space = space_of(arg->type->storage);
    const char *const pointee =
        arg->type->element ? plain_code(r, arg->type->element, arg->is_unsigned) : "v";
    const char *const qualifiers =
        tf_spv_format(r, "%s%.0u%s%s", space ? "U3AS" : "", space,
                      arg->is_volatile ? "V" : "", arg->is_const ? "K" : "");
    const char *const qualified = tf_spv_format(r, "%s%s", qualifiers, pointee);
    const char *const whole = tf_spv_format(r, "P%s", qualified);

    if (add_known(out, parts, whole))
        return;
    tf_str_add(out, "P");
    if (!*qualifiers) {
        mangle_plain(out, parts, pointee);
    } else if (!add_known(out, parts, qualified)) {
        tf_str_add(out, qualifiers);
        mangle_plain(out, parts, pointee);
        remember(parts, qualified);
    }
    remember(parts, whole);
}

static void mangle(struct tf_spv *r, struct tf_str *out, const char *name,
                   const struct tf_spv_arg *args, unsigned count)
{
    struct parts parts = {.count = 0};

    tf_str_printf(out, "_Z%zu%s", strlen(name), name);
    for (unsigned i = 0; i < count; i++) {
        const struct tf_spv_arg *const arg = &args[i];

        if (arg->mangled)
            mangle_plain(out, &parts, arg->mangled);
        else if (arg->type->kind == TF_SPV_POINTER)
            mangle_pointer(r, out, &parts, arg);
        else
            mangle_plain(out, &parts, plain_code(r, arg->type, arg->is_unsigned));
    }
    if (count == 0)
        tf_str_add(out, "v");
}

LLVMValueRef tf_spv_call_symbol(struct tf_spv *r, const char *symbol, LLVMTypeRef result,
                                const LLVMValueRef *args, unsigned count)
{
    LLVMTypeRef types[MOST_ARGUMENTS];
    LLVMValueRef given[MOST_ARGUMENTS];

    tf_spv_need(r, count <= MOST_ARGUMENTS, "%u arguments are too many", count);
    for (unsigned i = 0; i < count; i++) {
        given[i] = args[i];
        types[i] = LLVMTypeOf(args[i]);
    }
    const LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef function = LLVMGetNamedFunction(r->module, symbol);
    if (!function) {
        function = LLVMAddFunction(r->module, symbol, type);
        if (strncmp(symbol, "llvm.", 5) != 0) {
            LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
            tf_ir_add_attribute(function, "convergent");
            tf_ir_add_attribute(function, "nounwind");
        }
    }
    tf_spv_need(r, LLVMGlobalGetValueType(function) == type,
                "'%s' is used with other types elsewhere", symbol);
    const LLVMValueRef call =
        LLVMBuildCall2(r->builder, type, function, given, count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    return call;
}

// Before anything is allocated for the name.
static void check_argument(struct tf_spv *r, const struct tf_spv_arg *arg)
{
    const struct tf_spv_type *type = arg->type;

    if (type && type->kind == TF_SPV_POINTER)
        type = type->element;
    tf_spv_need(r, arg->mangled || !type || tf_spv_is_plain(type),
                "OpenCL C has no integers of %u bits", tf_spv_scalar(type)->bits);
}

LLVMValueRef tf_spv_call(struct tf_spv *r, const char *name, LLVMTypeRef result,
                         const struct tf_spv_arg *args, unsigned count)
{
    LLVMValueRef values[MOST_ARGUMENTS];
    struct tf_str symbol = {0};

    tf_spv_need(r, count <= MOST_ARGUMENTS, "%u arguments are too many", count);
    for (unsigned i = 0; i < count; i++) {
        check_argument(r, &args[i]);
        values[i] = args[i].value;
    }
    mangle(r, &symbol, name, args, count);
    // Linking gives it its own name back (compiler/module/builtin_names.h).
    const bool known = symbol.text && tf_builtin_find(symbol.text) >= 0;
    const char *const text =
        tf_spv_format(r, TF_BUILTIN_HIDDEN "%s", symbol.text ? symbol.text : "");
    tf_str_finish(&symbol);
    tf_spv_need(r, known, "OpenCL C has no '%s' for these types (%s)", name,
                text + strlen(TF_BUILTIN_HIDDEN));
    return tf_spv_call_symbol(r, text, result, values, count);
}
