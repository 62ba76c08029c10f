// SPDX-License-Identifier: MIT
#include "devices/cpu/wg/elementwise.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "devices/cpu/wg/wg.h"

#define RESULT TF_ELEMENTWISE_RESULT
#define BY_RESULT \
    1,            \
    {             \
        RESULT, 0 \
    }

static const struct tf_elementwise table[] = {
    {"abs", BY_RESULT, 1u << 1},
    {"bitreverse", BY_RESULT, 0},
    {"bswap", BY_RESULT, 0},
    {"canonicalize", BY_RESULT, 0},
    {"ceil", BY_RESULT, 0},
    {"copysign", BY_RESULT, 0},
    {"ctlz", BY_RESULT, 1u << 1},
    {"ctpop", BY_RESULT, 0},
    {"cttz", BY_RESULT, 1u << 1},
    {"fabs", BY_RESULT, 0},
    {"floor", BY_RESULT, 0},
    {"fma", BY_RESULT, 0},
    {"fmuladd", BY_RESULT, 0},
    {"fptosi.sat", 2, {RESULT, 0}, 0},
    {"fptoui.sat", 2, {RESULT, 0}, 0},
    {"fshl", BY_RESULT, 0},
    {"fshr", BY_RESULT, 0},
    {"is.fpclass", 1, {0, 0}, 1u << 1},
    {"ldexp", 2, {RESULT, 1}, 0},
    {"maximum", BY_RESULT, 0},
    {"maxnum", BY_RESULT, 0},
    {"minimum", BY_RESULT, 0},
    {"minnum", BY_RESULT, 0},
    {"nearbyint", BY_RESULT, 0},
    {"rint", BY_RESULT, 0},
    {"round", BY_RESULT, 0},
    {"roundeven", BY_RESULT, 0},
    {"sadd.sat", BY_RESULT, 0},
    {"sadd.with.overflow", 1, {0, 0}, 0},
    {"scmp", 2, {RESULT, 0}, 0},
    {"smax", BY_RESULT, 0},
    {"smin", BY_RESULT, 0},
    {"smul.with.overflow", 1, {0, 0}, 0},
    {"sqrt", BY_RESULT, 0},
    {"ssub.sat", BY_RESULT, 0},
    {"ssub.with.overflow", 1, {0, 0}, 0},
    {"trunc", BY_RESULT, 0},
    {"uadd.sat", BY_RESULT, 0},
    {"uadd.with.overflow", 1, {0, 0}, 0},
    {"ucmp", 2, {RESULT, 0}, 0},
    {"umax", BY_RESULT, 0},
    {"umin", BY_RESULT, 0},
    {"umul.with.overflow", 1, {0, 0}, 0},
    {"usub.sat", BY_RESULT, 0},
    {"usub.with.overflow", 1, {0, 0}, 0},
};

static const char *const markers[] = {
    "assume",       "donothing",      "experimental.noalias.scope.decl",
    "fake.use",     "invariant.end",  "invariant.start",
    "lifetime.end", "lifetime.start", "prefetch",
    "sideeffect",
};

// "abs" of "llvm.abs.v4i32", by the intrinsic's number; NULL if it is none.
static const char *intrinsic_name(LLVMValueRef call)
{
    LLVMValueRef callee;
    unsigned id;
    size_t bytes;

    if (!LLVMIsACallInst(call))
        return NULL;
    callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    id = callee ? LLVMGetIntrinsicID(callee) : 0;
    return id ? LLVMIntrinsicGetName(id, &bytes) + strlen("llvm.") : NULL;
}

const struct tf_elementwise *tf_elementwise_of(LLVMValueRef call)
{
    const char *name = intrinsic_name(call);

    for (size_t i = 0; name && i < sizeof(table) / sizeof(table[0]); i++) {
        if (!strcmp(name, table[i].name))
            return &table[i];
    }
    return NULL;
}

bool tf_is_elementwise(LLVMValueRef call)
{
    return tf_elementwise_of(call) != NULL;
}

bool tf_is_marker(LLVMValueRef call)
{
    const char *name = intrinsic_name(call);

    for (size_t i = 0; name && i < sizeof(markers) / sizeof(markers[0]); i++) {
        if (!strcmp(name, markers[i]))
            return true;
    }
    return false;
}
