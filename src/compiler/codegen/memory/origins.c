// SPDX-License-Identifier: MIT
#include "compiler/codegen/memory/origins.h"

#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

enum {
    MOST_SOURCES = 4,
    MOST_STEPS = 16,
};

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static struct tf_origin scalar_origin(LLVMValueRef value)
{
    const LLVMValueRef index =
        LLVMIsAExtractElementInst(value) ? LLVMGetOperand(value, 1) : NULL;

    if (LLVMIsPoison(value))
        return (struct tf_origin){NULL, TF_ORIGIN_SCALAR};
    if (index && LLVMIsAConstantInt(index))
        return (struct tf_origin){LLVMGetOperand(value, 0),
                                  (int)LLVMConstIntGetZExtValue(index)};
    return (struct tf_origin){value, TF_ORIGIN_SCALAR};
}

static struct tf_origin through_shuffle(LLVMValueRef shuffle, int lane)
{
    const LLVMValueRef first = LLVMGetOperand(shuffle, 0);
    const int size = (int)LLVMGetVectorSize(LLVMTypeOf(first));
    const int from = LLVMGetMaskValue(shuffle, (unsigned)lane);

    if (from == LLVMGetUndefMaskElem())
        return (struct tf_origin){NULL, TF_ORIGIN_SCALAR};
    return from < size ? (struct tf_origin){first, from}
                       : (struct tf_origin){LLVMGetOperand(shuffle, 1), from - size};
}

struct tf_origin tf_origin_settle(struct tf_origin o)
{
    for (unsigned i = 0; i < MOST_STEPS && o.value; i++) {
        LLVMValueRef index;

        if (o.lane == TF_ORIGIN_SCALAR) {
            const struct tf_origin next = scalar_origin(o.value);

            if (next.lane == TF_ORIGIN_SCALAR)
                return next;
            o = next;
        } else if (LLVMIsAShuffleVectorInst(o.value)) {
            o = through_shuffle(o.value, o.lane);
        } else if (LLVMIsConstant(o.value)) {
            const LLVMValueRef element =
                LLVMGetAggregateElement(o.value, (unsigned)o.lane);

            return element ? scalar_origin(element) : o;
        } else if (LLVMIsAInsertElementInst(o.value)) {
            index = LLVMGetOperand(o.value, 2);
            if (!LLVMIsAConstantInt(index))
                return o;
            if (LLVMConstIntGetZExtValue(index) == (uint64_t)o.lane)
                o = (struct tf_origin){LLVMGetOperand(o.value, 1), TF_ORIGIN_SCALAR};
            else
                o.value = LLVMGetOperand(o.value, 0);
        } else {
            return o;
        }
    }
    return o;
}

struct tf_origin tf_origin_of(LLVMValueRef value, unsigned lane)
{
    return (struct tf_origin){value, is_vector(value) ? (int)lane : TF_ORIGIN_SCALAR};
}

// ---- vectors of origins

struct mix {
    LLVMBuilderRef builder;
    const struct tf_origin *from;
    unsigned count;
    LLVMTypeRef type;                   // of the vector
    LLVMValueRef sources[MOST_SOURCES]; // vectors
    unsigned source_count;
    LLVMValueRef constants; // one of them: that of lanes which are scalars; or NULL
};

static LLVMTypeRef int32_of(LLVMTypeRef like)
{
    return LLVMInt32TypeInContext(LLVMGetTypeContext(like));
}

static bool add_source(struct mix *m, LLVMValueRef vector, unsigned most)
{
    for (unsigned i = 0; i < m->source_count; i++) {
        if (m->sources[i] == vector)
            return true;
    }
    if (m->source_count == most)
        return false;
    m->sources[m->source_count++] = vector;
    return true;
}

// All vectors, and one of constants for lanes that are some. False of too many.
static bool find_sources(struct mix *m, unsigned most)
{
    LLVMValueRef constants[TF_ORIGIN_LANES];
    bool any = false;

    for (unsigned i = 0; i < m->count; i++) {
        const struct tf_origin *o = &m->from[i];

        constants[i] = LLVMGetPoison(LLVMGetElementType(m->type));
        if (!o->value)
            continue;
        if (o->lane != TF_ORIGIN_SCALAR) {
            if (!add_source(m, o->value, most))
                return false;
        } else if (LLVMIsConstant(o->value)) {
            constants[i] = o->value;
            any = true;
        } else {
            return false;
        }
    }
    m->constants = any ? LLVMConstVector(constants, m->count) : NULL;
    return !any || add_source(m, m->constants, most);
}

// Which lane of the source the lane of the mix is, or TF_ORIGIN_SCALAR.
static int lane_in(const struct mix *m, unsigned source, unsigned lane)
{
    const struct tf_origin *o = &m->from[lane];
    const LLVMValueRef vector = m->sources[source];

    if (!o->value)
        return TF_ORIGIN_SCALAR;
    if (o->lane != TF_ORIGIN_SCALAR)
        return o->value == vector ? o->lane : TF_ORIGIN_SCALAR;
    return vector == m->constants ? (int)lane : TF_ORIGIN_SCALAR;
}

static LLVMValueRef shuffle_of(const struct mix *m, LLVMValueRef a, LLVMValueRef b,
                               const int from[TF_ORIGIN_LANES])
{
    LLVMValueRef mask[TF_ORIGIN_LANES];
    bool is_first = LLVMTypeOf(a) == m->type;

    for (unsigned i = 0; i < m->count; i++) {
        mask[i] = from[i] == TF_ORIGIN_SCALAR
                      ? LLVMGetPoison(int32_of(m->type))
                      : LLVMConstInt(int32_of(m->type), (unsigned)from[i], false);
        is_first &= from[i] == TF_ORIGIN_SCALAR || from[i] == (int)i;
    }
    if (is_first)
        return a;
    return LLVMBuildShuffleVector(m->builder, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                  LLVMConstVector(mask, m->count), "");
}

// The lanes that come from one source, or from it and the next one, which has its type.
// *used: how many.
static LLVMValueRef part_of(const struct mix *m, unsigned source, unsigned *used,
                            int *mine)
{
    const LLVMTypeRef type = LLVMTypeOf(m->sources[source]);
    const int size = (int)LLVMGetVectorSize(type);
    const bool both =
        source + 1 < m->source_count && LLVMTypeOf(m->sources[source + 1]) == type;
    int from[TF_ORIGIN_LANES];

    for (unsigned i = 0; i < m->count; i++) {
        const int second = both ? lane_in(m, source + 1, i) : TF_ORIGIN_SCALAR;

        from[i] = lane_in(m, source, i);
        if (from[i] == TF_ORIGIN_SCALAR && second != TF_ORIGIN_SCALAR)
            from[i] = size + second;
        mine[i] = from[i] == TF_ORIGIN_SCALAR ? TF_ORIGIN_SCALAR : (int)i;
    }
    *used = both ? 2 : 1;
    return shuffle_of(m, m->sources[source], both ? m->sources[source + 1] : NULL, from);
}

static LLVMValueRef mix_sources(const struct mix *m)
{
    int from[TF_ORIGIN_LANES], mine[TF_ORIGIN_LANES];
    LLVMValueRef all = NULL;

    for (unsigned source = 0, used = 0; source < m->source_count; source += used) {
        const LLVMValueRef part = part_of(m, source, &used, mine);

        for (unsigned i = 0; i < m->count; i++) {
            if (!all)
                from[i] = mine[i];
            else if (mine[i] != TF_ORIGIN_SCALAR)
                from[i] = (int)(m->count + i);
            else if (from[i] != TF_ORIGIN_SCALAR)
                from[i] = (int)i;
        }
        all = all ? shuffle_of(m, all, part, from) : part;
    }
    return all ? all : LLVMGetPoison(m->type);
}

// Of the lanes, or of where these come from, whichever are fewer vectors.
LLVMValueRef tf_origin_vector(LLVMBuilderRef builder, const struct tf_origin *from,
                              LLVMTypeRef type)
{
    struct tf_origin first[TF_ORIGIN_LANES];
    struct mix near = {
        .builder = builder, .from = from, .count = LLVMGetVectorSize(type), .type = type};
    struct mix far = near;
    bool is_near, is_far;

    far.from = first;
    for (unsigned i = 0; i < far.count; i++)
        first[i] = tf_origin_settle(from[i]);
    is_near = find_sources(&near, MOST_SOURCES);
    is_far = find_sources(&far, MOST_SOURCES);
    if (is_far &&
        (far.source_count <= 2 || !is_near || far.source_count <= near.source_count))
        return mix_sources(&far);
    return is_near ? mix_sources(&near) : NULL;
}

LLVMValueRef tf_origin_scalar(LLVMBuilderRef builder, struct tf_origin origin,
                              LLVMTypeRef type)
{
    const struct tf_origin o = tf_origin_settle(origin);

    if (!o.value)
        return LLVMGetPoison(type);
    return o.lane == TF_ORIGIN_SCALAR
               ? o.value
               : LLVMBuildExtractElement(
                     builder, o.value,
                     LLVMConstInt(int32_of(type), (unsigned)o.lane, false), "");
}

LLVMValueRef tf_origin_shorter(LLVMBuilderRef builder, LLVMValueRef shuffle)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(shuffle));
    struct tf_origin from[TF_ORIGIN_LANES];
    struct mix m = {
        .builder = builder, .from = from, .count = count, .type = LLVMTypeOf(shuffle)};
    bool any = false;

    if (count > TF_ORIGIN_LANES)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct tf_origin now = through_shuffle(shuffle, (int)i);

        from[i] = tf_origin_settle(now);
        any |= from[i].value != now.value;
    }
    if (!any || !find_sources(&m, 2))
        return NULL;
    LLVMPositionBuilderBefore(builder, shuffle);
    return mix_sources(&m);
}
