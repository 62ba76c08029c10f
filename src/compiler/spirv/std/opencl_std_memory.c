// SPDX-License-Identifier: MIT
// Loads and stores of vectors, also from and to half, and prefetch.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"
#include "compiler/spirv/std/opencl_std.h"

enum { NAME_BYTES = 32, HALF_BITS = 16, FLOAT_BITS = 32 };

static const struct tf_spv_type size_type = {.kind = TF_SPV_INT, .bits = 64};

static bool is_half_name(const char *name)
{
    return strstr(name, "half") != NULL;
}

// The number of elements that the name leaves open: a literal, or that of the data.
static void check_width(struct tf_spv *r, const char *name, uint32_t n)
{
    tf_spv_need(r, n == 2 || n == 3 || n == 4 || n == 8 || n == 16,
                "OpenCL.std %s: %u elements", name, n);
}

// "vload_halfn" and 4: "vload_half4".
static void function_name(char *out, const char *name, uint32_t n, const char *suffix)
{
    const size_t stem = strlen(name) - (n > 1 ? 1 : 0);

    snprintf(out, NAME_BYTES, "%.*s", (int)stem, name);
    if (n > 1)
        snprintf(out + stem, NAME_BYTES - stem, "%u%s", n, suffix);
    else
        snprintf(out + stem, NAME_BYTES - stem, "%s", suffix);
}

// The pointer at `at`, to numbers of the kind of `element`.
static struct tf_spv_arg pointer_at(struct tf_spv *r, uint32_t at, const char *name,
                                    const struct tf_spv_type *element)
{
    static const struct tf_spv_type half_type = {.kind = TF_SPV_FLOAT, .bits = HALF_BITS};
    const struct tf_spv_type *const type = tf_spv_pointer_to(
        r, tf_spv_type_of_value_at(r, at), is_half_name(name) ? &half_type : element);

    tf_spv_need(r, type->kind == TF_SPV_POINTER && type->element,
                "OpenCL.std %s: no pointer", name);
    tf_spv_need(r,
                is_half_name(name) ? type->element->kind == TF_SPV_FLOAT &&
                                         type->element->bits == HALF_BITS
                                   : type->element->llvm == element->llvm,
                "OpenCL.std %s: pointer to another type", name);
    return (struct tf_spv_arg){.value = tf_spv_value_at(r, at), .type = type};
}

void tf_spv_std_vload(struct tf_spv *r, const char *name)
{
    const bool has_count = name[strlen(name) - 1] == 'n';
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const struct tf_spv_type *const element = tf_spv_scalar(result);
    const uint32_t n = has_count ? tf_spv_word(r, TF_SPV_STD_OPERANDS + 2) : 1;
    char function[NAME_BYTES];

    if (has_count)
        check_width(r, name, n);
    tf_spv_need(r,
                r->op.count >= TF_SPV_STD_OPERANDS + 2 &&
                    tf_spv_components(result) == n &&
                    (element->kind == TF_SPV_INT || element->kind == TF_SPV_FLOAT) &&
                    (!is_half_name(name) ||
                     (element->kind == TF_SPV_FLOAT && element->bits == FLOAT_BITS)),
                "OpenCL.std %s: the result has another type", name);
    struct tf_spv_arg args[] = {
        {.value = tf_spv_std_size_at(r, TF_SPV_STD_OPERANDS),
         .type = &size_type,
         .is_unsigned = true},
        pointer_at(r, TF_SPV_STD_OPERANDS + 1, name, element),
    };
    args[1].is_const = true;
    function_name(function, name, n, "");
    tf_spv_set_result(r, tf_spv_call(r, function, result->llvm, args, 2));
}

// How "..._r" rounds.
static const char *rounding_suffix(struct tf_spv *r, const char *name)
{
    const uint32_t mode = tf_spv_word(r, TF_SPV_STD_OPERANDS + 3);

    switch (mode) {
    case TF_SPV_ROUND_RTE:
        return "_rte";
    case TF_SPV_ROUND_RTZ:
        return "_rtz";
    case TF_SPV_ROUND_RTP:
        return "_rtp";
    case TF_SPV_ROUND_RTN:
        return "_rtn";
    default:
        tf_spv_fail(r, "OpenCL.std %s: rounding mode %u", name, mode);
    }
}

void tf_spv_std_vstore(struct tf_spv *r, const char *name)
{
    const size_t length = strlen(name);
    const bool rounds = !strcmp(name + length - 2, "_r");
    char stem[NAME_BYTES], function[NAME_BYTES];
    const char *const suffix = rounds ? rounding_suffix(r, name) : "";

    snprintf(stem, sizeof stem, "%.*s", (int)(length - (rounds ? 2 : 0)), name);
    const bool is_vector = stem[strlen(stem) - 1] == 'n';
    const struct tf_spv_type *const type =
        tf_spv_type_of_value_at(r, TF_SPV_STD_OPERANDS);
    const struct tf_spv_type *const element = tf_spv_scalar(type);
    const uint32_t n = is_vector ? tf_spv_components(type) : 1;
    if (is_vector)
        check_width(r, name, n);
    tf_spv_need(r,
                tf_spv_components(type) == n &&
                    (is_half_name(name)
                         ? element->kind == TF_SPV_FLOAT && element->bits >= FLOAT_BITS
                         : tf_spv_is_int(type) || tf_spv_is_float(type)),
                "OpenCL.std %s: data of another type", name);
    const struct tf_spv_arg args[] = {
        {.value = tf_spv_value_at(r, TF_SPV_STD_OPERANDS), .type = type},
        {.value = tf_spv_std_size_at(r, TF_SPV_STD_OPERANDS + 1),
         .type = &size_type,
         .is_unsigned = true},
        pointer_at(r, TF_SPV_STD_OPERANDS + 2, name, element),
    };
    tf_spv_need(r, tf_spv_result_type(r)->kind == TF_SPV_VOID,
                "OpenCL.std %s has no result", name);
    function_name(function, stem, n, suffix);
    tf_spv_set_result(
        r, tf_spv_call(r, function, LLVMVoidTypeInContext(r->context), args, 3));
}

// A hint, which this device has no use for.
void tf_spv_std_prefetch(struct tf_spv *r, const char *name)
{
    tf_spv_need(r,
                tf_spv_is_pointer(tf_spv_type_of_value_at(r, TF_SPV_STD_OPERANDS)) &&
                    tf_spv_is_int(tf_spv_type_of_value_at(r, TF_SPV_STD_OPERANDS + 1)),
                "OpenCL.std %s: operands of other types", name);
}
