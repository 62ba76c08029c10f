// SPDX-License-Identifier: MIT
#include "compiler/codegen/arithmetic/estimates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/vector/vector_parts.h"

enum {
    BITS_OF_ALL = 14,    // of estimates that there are of doubles, too
    SMALLEST_BITS = 128, // of a vector register
    LARGEST_BITS = 512,
    FLOAT_BITS = 32,
    DOUBLE_BITS = 64,
    MOST_PARTS = TF_VECTOR_MOST * DOUBLE_BITS / SMALLEST_BITS, // of one value
};

static bool is_estimate(LLVMValueRef instruction)
{
    return tf_ir_calls(instruction, "llvm.amdgcn.rsq.");
}

static bool is_double(LLVMTypeRef type)
{
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    return LLVMGetTypeKind(is_vector ? LLVMGetElementType(type) : type) ==
           LLVMDoubleTypeKind;
}

// ---- which the machine has not

static void drop(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    const unsigned bits = *(const unsigned *)data;

    (void)b;
    if (is_estimate(i) && bits != BITS_OF_ALL && (!bits || is_double(LLVMTypeOf(i))))
        tf_ir_replace(i, LLVMGetOperand(i, 0));
}

void tf_estimates_drop(LLVMModuleRef module, unsigned bits)
{
    tf_ir_settle_each(module, drop, &bits);
}

// ---- for LLVM's vectorizers

static void offer(LLVMValueRef call)
{
    static const char key[] = "vector-function-abi-variant";
    const LLVMModuleRef module = LLVMGetGlobalParent(tf_ir_function_of(call));
    const LLVMTypeRef type = LLVMTypeOf(call);
    const unsigned id = LLVMGetIntrinsicID(tf_ir_callee(call));
    char text[512];
    int length = 0;

    for (unsigned n = 2; n <= LARGEST_BITS / FLOAT_BITS; n *= 2) {
        LLVMTypeRef vector = LLVMVectorType(type, n);
        const LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &vector, 1);

        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "%s_ZGV_LLVM_N%uv_%s(%s)", n > 2 ? "," : "", n,
                           tf_ir_called_name(call), tf_ir_name(function));
    }
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(LLVMGetModuleContext(module), key,
                                                       (unsigned)strlen(key), text,
                                                       (unsigned)length));
}

void tf_estimates_offer(LLVMValueRef function)
{
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (is_estimate(i) && tf_ir_is_scalar(LLVMTypeOf(i)))
            offer(i);
    }
}

// ---- instructions

struct estimate {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    unsigned bits; // of estimates
    bool is_double;
    unsigned most_bits; // of the registers of the function
};

static unsigned bits_of(LLVMValueRef function)
{
    static const char key[] = "min-legal-vector-width";
    const LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, key, strlen(key));
    unsigned length;
    const unsigned long bits =
        attribute ? strtoul(LLVMGetStringAttributeValue(attribute, &length), NULL, 10)
                  : LARGEST_BITS;

    return bits < SMALLEST_BITS  ? SMALLEST_BITS
           : bits > LARGEST_BITS ? LARGEST_BITS
                                 : (unsigned)bits;
}

static LLVMValueRef call(const struct estimate *e, const char *name, LLVMValueRef *args,
                         unsigned count)
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));

    return LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->context, id, NULL, 0),
                          LLVMGetIntrinsicDeclaration(e->module, id, NULL, 0), args,
                          count, "");
}

// The mask of all elements.
static LLVMValueRef all(const struct estimate *e, unsigned count)
{
    const LLVMTypeRef type = count > 8 ? LLVMInt16TypeInContext(e->context)
                                       : LLVMInt8TypeInContext(e->context);

    return LLVMConstAllOnes(type);
}

// Of one register of `count` elements.
static LLVMValueRef of_register(const struct estimate *e, LLVMValueRef x, unsigned count)
{
    const unsigned bits = count * (e->is_double ? DOUBLE_BITS : FLOAT_BITS);
    LLVMValueRef args[] = {x, LLVMConstNull(LLVMTypeOf(x)), all(e, count)};
    char name[64];

    if (e->bits != BITS_OF_ALL)
        return call(e,
                    bits > SMALLEST_BITS ? "llvm.x86.avx.rsqrt.ps.256"
                                         : "llvm.x86.sse.rsqrt.ps",
                    args, 1);
    snprintf(name, sizeof(name), "llvm.x86.avx512.rsqrt14.p%c.%u",
             e->is_double ? 'd' : 's', bits);
    return call(e, name, args, sizeof(args) / sizeof(*args));
}

// The elements behind the first are those of the first operand.
static LLVMValueRef of_first(const struct estimate *e, LLVMValueRef x)
{
    LLVMValueRef args[] = {x, x, LLVMConstNull(LLVMTypeOf(x)), all(e, 1)};

    if (e->bits != BITS_OF_ALL)
        return call(e, "llvm.x86.sse.rsqrt.ss", args, 1);
    return call(
        e, e->is_double ? "llvm.x86.avx512.rsqrt14.sd" : "llvm.x86.avx512.rsqrt14.ss",
        args, sizeof(args) / sizeof(*args));
}

static LLVMValueRef of_number(const struct estimate *e, LLVMValueRef x)
{
    const unsigned count = SMALLEST_BITS / (e->is_double ? DOUBLE_BITS : FLOAT_BITS);
    const LLVMValueRef none = LLVMConstNull(LLVMInt32TypeInContext(e->context));
    const LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(x), count);
    const LLVMValueRef vector =
        LLVMBuildInsertElement(e->b, LLVMGetPoison(type), x, none, "");

    return LLVMBuildExtractElement(e->b, of_first(e, vector), none, "");
}

// As many registers as that takes, or the next power of two.
static LLVMValueRef of_vector(const struct estimate *e, LLVMValueRef x)
{
    const unsigned bits = e->is_double ? DOUBLE_BITS : FLOAT_BITS;
    const unsigned count = tf_vector_count(x);
    LLVMValueRef parts[MOST_PARTS];
    unsigned at_once = SMALLEST_BITS / bits, n = 1;

    while (at_once < count && at_once * bits < e->most_bits)
        at_once *= 2;
    while (n * at_once < count)
        n *= 2;
    for (unsigned i = 0; i < n; i++)
        parts[i] =
            of_register(e, tf_vector_take(e->b, x, NULL, i * at_once, at_once), at_once);
    for (; n > 1; n /= 2, at_once *= 2) {
        for (unsigned i = 0; i < n / 2; i++)
            parts[i] =
                tf_vector_take(e->b, parts[2 * i], parts[2 * i + 1], 0, 2 * at_once);
    }
    return tf_vector_take(e->b, parts[0], NULL, 0, count);
}

static void settle(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    struct estimate *e = data;
    LLVMValueRef x;

    if (!is_estimate(i))
        return;
    LLVMPositionBuilderBefore(b, i);
    e->b = b;
    e->is_double = is_double(LLVMTypeOf(i));
    e->most_bits = bits_of(tf_ir_function_of(i));
    x = LLVMGetOperand(i, 0);
    tf_ir_replace(i, tf_ir_is_scalar(LLVMTypeOf(i)) ? of_number(e, x) : of_vector(e, x));
}

void tf_estimates_settle(LLVMModuleRef module, unsigned bits)
{
    struct estimate e = {
        .module = module, .context = LLVMGetModuleContext(module), .bits = bits};

    tf_ir_settle_each(module, settle, &e);
}
