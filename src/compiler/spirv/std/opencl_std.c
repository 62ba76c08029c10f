// SPDX-License-Identifier: MIT
// What the functions take and return is written down in opencl_std.def: the types of the
// instruction must fit, because code is linked by the functions' names.
#include "compiler/spirv/std/opencl_std.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/read/spirv_calls.h"

enum { MOST_OPERANDS = 4 };

struct row {
    const char *name, *function, *types;
    void (*own)(struct tf_spv *r, const char *name);
};

static const struct row *find(uint32_t number)
{
    switch (number) {
#define STD(number, name, function, types)                             \
    case number: {                                                     \
        static const struct row row = {#name, #function, types, NULL}; \
        return &row;                                                   \
    }
#define STD_OWN(number, name, handler)                                         \
    case number: {                                                             \
        static const struct row row = {#name, NULL, "", tf_spv_std_##handler}; \
        return &row;                                                           \
    }
#include "compiler/spirv/std/opencl_std.def"
    default:
        return NULL;
    }
}

static bool is_of(const struct tf_spv_type *type, enum tf_spv_type_kind kind,
                  uint32_t bits, uint32_t components)
{
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);

    return (type->kind == TF_SPV_VECTOR || type == scalar) && scalar->kind == kind &&
           scalar->bits == bits && tf_spv_components(type) == components;
}

// Whether `type` is what `letter` says, where T is `t` and the last operand `last`.
static bool fits(char letter, const struct tf_spv_type *type, const struct tf_spv_type *t,
                 const struct tf_spv_type *last)
{
    const uint32_t bits = tf_spv_scalar(t)->bits, n = tf_spv_components(t);

    switch (letter) {
    case 'F':
        return tf_spv_is_float(type) && is_of(type, TF_SPV_FLOAT, bits, n);
    case 'S':
    case 'U':
        return tf_spv_is_int(type) && is_of(type, TF_SPV_INT, bits, n);
    case 'A':
        return (tf_spv_is_int(type) || tf_spv_is_float(type)) && type->llvm == t->llvm;
    case 'E':
        return is_of(type, TF_SPV_FLOAT, bits, 1);
    case 'I':
        return is_of(type, TF_SPV_INT, 32, n);
    case 'K':
        return is_of(type, TF_SPV_INT, 32, n) || is_of(type, TF_SPV_INT, 32, 1);
    case 'N':
    case 'C':
        return is_of(type, TF_SPV_INT, bits, n);
    case 'M':
        return is_of(type, TF_SPV_INT, bits, tf_spv_components(type));
    case 'R':
        return is_of(type, tf_spv_scalar(t)->kind, bits, tf_spv_components(last));
    case 'H':
    case 'V':
        return is_of(type, TF_SPV_INT, bits / 2, n);
    default:
        return false;
    }
}

static bool is_unsigned(char letter)
{
    return strchr("UNMV", letter) != NULL;
}

// What an untyped pointer points to where the row says `letter`: what T is, or integers.
static const struct tf_spv_type *pointee_of(struct tf_spv *r, char letter,
                                            const struct tf_spv_type *t)
{
    struct tf_spv_type *const scalar = TF_SPV_NEW(r, struct tf_spv_type, 1);
    struct tf_spv_type *vector;

    if (letter != 'I')
        return t;
    scalar->kind = TF_SPV_INT;
    scalar->bits = 32;
    scalar->llvm = LLVMInt32TypeInContext(r->context);
    if (t->kind != TF_SPV_VECTOR)
        return scalar;
    vector = TF_SPV_NEW(r, struct tf_spv_type, 1);
    vector->kind = TF_SPV_VECTOR;
    vector->element = scalar;
    vector->count = t->count;
    vector->llvm = LLVMVectorType(scalar->llvm, (unsigned)t->count);
    return vector;
}

// Operands of the row's types; returns their number.
static unsigned read_operands(struct tf_spv *r, const struct row *row,
                              const struct tf_spv_type *t, struct tf_spv_arg *args)
{
    const char *letter = row->types + 1;
    const uint32_t last = r->op.count - 1;
    unsigned count = 0;

    for (uint32_t at = TF_SPV_STD_OPERANDS; *letter; letter++, at++, count++) {
        struct tf_spv_arg *const arg = &args[count];

        tf_spv_need(r, at <= last, "OpenCL.std %s has more operands", row->name);
        *arg = (struct tf_spv_arg){.value = tf_spv_value_at(r, at),
                                   .type = tf_spv_type_of_value_at(r, at)};
        const struct tf_spv_type *type = arg->type;
        if (*letter == 'p') {
            letter++;
            type = arg->type = tf_spv_pointer_to(r, type, pointee_of(r, *letter, t));
            tf_spv_need(r, type->kind == TF_SPV_POINTER && type->element,
                        "OpenCL.std %s: operand %u is no pointer", row->name, count + 1);
            type = type->element;
        }
        tf_spv_need(r, fits(*letter, type, t, tf_spv_type_of_value_at(r, last)),
                    "OpenCL.std %s: operand %u has another type", row->name, count + 1);
        arg->is_unsigned = is_unsigned(*letter);
    }
    tf_spv_need(r, TF_SPV_STD_OPERANDS + count == r->op.count,
                "OpenCL.std %s has %u operands", row->name, count);
    return count;
}

static void call(struct tf_spv *r, const struct row *row)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const bool from_result = strchr("NHV", row->types[1]) != NULL;
    struct tf_spv_arg args[MOST_OPERANDS] = {0};

    tf_spv_need(r, r->op.count > TF_SPV_STD_OPERANDS, "OpenCL.std %s has more operands",
                row->name);
    const struct tf_spv_type *const t =
        from_result ? result : tf_spv_type_of_value_at(r, TF_SPV_STD_OPERANDS);
    const unsigned count = read_operands(r, row, t, args);
    tf_spv_need(r, fits(row->types[0], result, t, args[count - 1].type),
                "OpenCL.std %s: the result has another type", row->name);
    tf_spv_set_result(r, tf_spv_call(r, row->function, result->llvm, args, count));
}

LLVMValueRef tf_spv_std_size_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);

    tf_spv_need(r, type->kind == TF_SPV_INT, "a number is no integer");
    return LLVMBuildIntCast2(r->builder, tf_spv_value_at(r, at),
                             LLVMInt64TypeInContext(r->context), false, "");
}

void tf_spv_opencl_std(struct tf_spv *r)
{
    const uint32_t number = tf_spv_word(r, TF_SPV_STD_NUMBER);
    const struct row *const row = find(number);

    tf_spv_need(r, row, "OpenCL.std has no instruction %u", number);
    if (row->own)
        row->own(r, row->name);
    else
        call(r, row);
}
