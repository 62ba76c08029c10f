// SPDX-License-Identifier: MIT
#include "compiler/ir/elementwise.h"

#include <pthread.h>
#include <string.h>

#include <llvm-c/Core.h>

#define RESULT TF_ELEMENTWISE_RESULT
#define BY_RESULT \
    1,            \
    {             \
        RESULT, 0 \
    }

static const struct tf_elementwise table[] = {
    {"abs", BY_RESULT, 1u << 1},
    {"amdgcn.rsq", BY_RESULT, 0}, // our estimate (codegen/arithmetic/estimates.h)
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
    {"fptrunc.round", 2, {RESULT, 0}, 1u << 1},
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

static const char scope_marker[] = "experimental.noalias.scope.decl";

static const char fetch[] = "prefetch";

static const char *const markers[] = {
    "assume",          "donothing",    scope_marker,     "fake.use", "invariant.end",
    "invariant.start", "lifetime.end", "lifetime.start", fetch,      "sideeffect",
};

enum {
    TABLE_COUNT = sizeof(table) / sizeof(table[0]),
    MARKER_COUNT = sizeof(markers) / sizeof(markers[0]),
};

// LLVM's numbers of the intrinsics above: the passes ask for each call many times. They
// are the same as long as the process runs.
struct known {
    unsigned id;                              // 0: the place is empty
    const struct tf_elementwise *elementwise; // NULL: a marker
};

// Behind the place that the number gives, or in it.
enum { PLACES = 256 };
static struct known known[PLACES];
static unsigned scope_id, fetch_id;
static pthread_once_t known_once = PTHREAD_ONCE_INIT;

static struct known known_of(const char *name, const struct tf_elementwise *elementwise)
{
    char full[64] = "llvm.";

    strncat(full, name, sizeof(full) - sizeof("llvm."));
    return (struct known){LLVMLookupIntrinsicID(full, strlen(full)), elementwise};
}

// That of the number, or the empty one where it would be.
static struct known *place_of(unsigned id)
{
    unsigned at = id % PLACES;

    while (known[at].id && known[at].id != id)
        at = (at + 1) % PLACES;
    return &known[at];
}

static void put(struct known one)
{
    *place_of(one.id) = one;
}

static void look_up(void)
{
    scope_id = known_of(scope_marker, NULL).id;
    fetch_id = known_of(fetch, NULL).id;
    for (size_t i = 0; i < TABLE_COUNT; i++)
        put(known_of(table[i].name, &table[i]));
    for (size_t i = 0; i < MARKER_COUNT; i++)
        put(known_of(markers[i], NULL));
}

// NULL if `call` calls none of them.
static const struct known *find(LLVMValueRef call)
{
    const struct known *place;
    LLVMValueRef callee;
    unsigned id;

    if (!LLVMIsACallInst(call))
        return NULL;
    callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    id = callee ? LLVMGetIntrinsicID(callee) : 0;
    if (!id)
        return NULL;
    pthread_once(&known_once, look_up);
    place = place_of(id);
    return place->id ? place : NULL;
}

const struct tf_elementwise *tf_elementwise_of(LLVMValueRef call)
{
    const struct known *k = find(call);

    return k ? k->elementwise : NULL;
}

bool tf_is_elementwise(LLVMValueRef call)
{
    return tf_elementwise_of(call) != NULL;
}

bool tf_is_marker(LLVMValueRef call)
{
    const struct known *k = find(call);

    return k && !k->elementwise;
}

bool tf_is_scope_marker(LLVMValueRef call)
{
    const struct known *k = find(call);

    return k && k->id == scope_id;
}

bool tf_is_fetch(LLVMValueRef call)
{
    const struct known *k = find(call);

    return k && k->id == fetch_id;
}
