// SPDX-License-Identifier: MIT
// Strips: each lane loads a vector of its own, and the lanes' vectors are transposed; or
// the other way round, and stored.
// With n members (16 bytes), group g of n lanes lies in element g * n and behind of each
// of n registers; shuffles then stay within 16 bytes, which all processors do fast.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/plan/bundle.h"

_Static_assert((int)GANG_ZEROS_BYTES >= (int)TF_STRIP_BYTES,
               "what lanes that are not active load");

enum { MOST_STEPS = 8 }; // from an address to the parts of its index

struct emitter {
    struct gang *g;
    const struct tf_strip *strip;
    LLVMTypeRef piece; // what a lane loads
    unsigned align_bytes;
    // Where lanes' strips begin: addresses, and bytes that all of them have in common.
    // Addresses that are the same in all rounds of a loop are fetched before it.
    LLVMValueRef lanes, common;
};

// ---- addresses

static LLVMValueRef sum(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    return a && b ? LLVMBuildAdd(g->b, a, b, "") : a ? a : b;
}

// In 64 bits, as `extension` says; 0: it has them.
static LLVMValueRef extended(struct gang *g, LLVMValueRef value, LLVMOpcode extension)
{
    LLVMTypeRef type = LLVMTypeOf(value), to = g->i64;

    if (!extension)
        return value;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        to = LLVMVectorType(to, LLVMGetVectorSize(type));
    return LLVMBuildCast(g->b, extension, value, to, "");
}

// Whether ext(a + b) is ext(a) + ext(b), where the lanes are active; a | b counts as a
// sum where no bit is set in both.
static bool splits(LLVMValueRef value, LLVMOpcode extension)
{
    if (!LLVMIsABinaryOperator(value))
        return false;
    if (LLVMGetInstructionOpcode(value) == LLVMOr)
        return LLVMGetIsDisjoint(value);
    if (LLVMGetInstructionOpcode(value) != LLVMAdd)
        return false;
    return extension == LLVMSExt   ? LLVMGetNSW(value)
           : extension == LLVMZExt ? LLVMGetNUW(value)
                                   : true;
}

// Adds an index to what lanes have of their own and what they share. Instructions of
// other blocks are taken as they stand: nobody keeps their operands.
static void add_index(struct emitter *e, LLVMValueRef value, LLVMOpcode extension,
                      LLVMValueRef *own, LLVMValueRef *shared, unsigned depth)
{
    struct gang *g = e->g;
    const bool is_open = gang_is_at_hand(g, value) && depth < MOST_STEPS;
    const bool is_extension =
        is_open && !extension && (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value));

    if (tf_is_uniform(g->shapes, value)) {
        *shared = sum(g, *shared, extended(g, gang_scalar(g, value), extension));
    } else if (is_extension) {
        const bool is_signed = LLVMIsASExtInst(value) || LLVMGetNNeg(value);

        add_index(e, LLVMGetOperand(value, 0), is_signed ? LLVMSExt : LLVMZExt, own,
                  shared, depth + 1);
    } else if (is_open && splits(value, extension)) {
        add_index(e, LLVMGetOperand(value, 0), extension, own, shared, depth + 1);
        add_index(e, LLVMGetOperand(value, 1), extension, own, shared, depth + 1);
    } else {
        *own = sum(g, *own, extended(g, gang_vector(g, value), extension));
    }
}

// Whether the address is a base with one index.
static bool has_index(const struct gang *g, LLVMValueRef pointer)
{
    LLVMTypeRef type;

    if (!LLVMIsAGetElementPtrInst(pointer) || !gang_is_at_hand(g, pointer) ||
        LLVMGetNumOperands(pointer) != 2)
        return false;
    type = LLVMTypeOf(LLVMGetOperand(pointer, 1));
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) <= 64;
}

static LLVMValueRef in_bytes(struct gang *g, LLVMValueRef index, LLVMTypeRef type)
{
    const uint64_t bytes = LLVMABISizeOfType(g->shapes->layout, type);

    return LLVMBuildMul(g->b, index, LLVMConstInt(g->i64, bytes, false), "");
}

static void find_addresses(struct emitter *e, LLVMValueRef pointer)
{
    struct gang *g = e->g;
    LLVMValueRef own = NULL, shared = NULL, base, index;

    e->common = LLVMConstInt(g->i64, (uint64_t)-e->strip->made_bytes, true);
    if (!has_index(g, pointer)) {
        e->lanes = gang_vector(g, pointer);
        return;
    }
    base = LLVMGetOperand(pointer, 0);
    index = LLVMGetOperand(pointer, 1);
    add_index(e, index,
              LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64 ? LLVMSExt : (LLVMOpcode)0,
              &own, &shared, 0);
    e->lanes = own && tf_is_uniform(g->shapes, base) ? gang_scalar(g, base)
                                                     : gang_vector(g, base);
    if (own)
        e->lanes = LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(pointer), e->lanes,
                                 &own, 1, "");
    if (shared)
        e->common =
            LLVMBuildAdd(g->b, e->common,
                         in_bytes(g, shared, LLVMGetGEPSourceElementType(pointer)), "");
}

// Lanes that are not active go to `else_at` (M5).
static void choose_addresses(struct emitter *e, LLVMValueRef else_at)
{
    struct gang *g = e->g;
    LLVMValueRef all;

    if (!g->mask)
        return;
    all = LLVMBuildGEP2(g->b, g->wg->i8, e->lanes, &e->common, 1, "");
    e->lanes =
        LLVMBuildSelect(g->b, g->mask, all, gang_spread_pointer(g, else_at, all), "");
    e->common = NULL;
}

// ---- loads and shuffles

static LLVMValueRef address_of(struct emitter *e, unsigned lane)
{
    struct gang *g = e->g;
    const LLVMValueRef address =
        LLVMBuildExtractElement(g->b, e->lanes, gang_int(g, lane), "");

    return e->common ? LLVMBuildGEP2(g->b, g->wg->i8, address, &e->common, 1, "")
                     : address;
}

static LLVMValueRef load_lane(struct emitter *e, unsigned lane)
{
    const LLVMValueRef made = LLVMBuildLoad2(e->g->b, e->piece, address_of(e, lane), "");

    LLVMSetAlignment(made, e->align_bytes);
    return made;
}

// The vectors of lanes `first`, `first` + n, .., side by side.
static LLVMValueRef load_register(struct emitter *e, unsigned first)
{
    struct gang *g = e->g;
    const unsigned n = e->strip->count, pieces = g->width / n;
    LLVMValueRef *parts = TF_ARENA_NEW(&g->arena, LLVMValueRef, pieces);
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned i = 0; i < g->width; i++)
        from[i] = (int)i;
    for (unsigned i = 0; i < pieces; i++)
        parts[i] = load_lane(e, i * n + first);
    for (unsigned left = pieces; left > 1; left /= 2)
        for (unsigned i = 0; i < left / 2; i++)
            parts[i] = gang_permute(g, parts[2 * i], parts[2 * i + 1], from,
                                    g->width / (left / 2));
    return parts[0];
}

// Of each 16 bytes of both, their first halves (or second ones) element by element.
static LLVMValueRef interleave(struct emitter *e, LLVMValueRef a, LLVMValueRef b,
                               unsigned half)
{
    struct gang *g = e->g;
    const unsigned n = e->strip->count;
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned i = 0; i < g->width; i++) {
        const unsigned at = i / n * n + half * n / 2 + i % n / 2;

        from[i] = (int)(i % 2 ? g->width + at : at);
    }
    return gang_permute(g, a, b, from, g->width);
}

// registers[m] has all of lanes m, n + m, ..; then it has member m of all lanes. Each of
// log2(n) steps makes pairs of a register of the first half and one of the second.
static void transpose(struct emitter *e, LLVMValueRef *registers)
{
    const unsigned n = e->strip->count;
    LLVMValueRef *made = TF_ARENA_NEW(&e->g->arena, LLVMValueRef, n);

    for (unsigned step = 1; step < n; step *= 2) {
        for (unsigned i = 0; i < n; i++)
            made[i] = interleave(e, registers[i / 2], registers[n / 2 + i / 2], i % 2);
        for (unsigned i = 0; i < n; i++)
            registers[i] = made[i];
    }
}

static unsigned align_of(const struct tf_strip *strip)
{
    unsigned align = strip->element_bytes;

    for (unsigned i = 0; i < strip->count; i++) {
        const unsigned its =
            strip->members[i] ? LLVMGetAlignment(strip->members[i]->instruction) : align;

        align = its < align ? its : align;
    }
    return align;
}

static LLVMTypeRef unit_of(const struct gang *g, const struct tf_strip *strip)
{
    return LLVMIntTypeInContext(g->wg->context, 8 * strip->element_bytes);
}

static struct emitter emitter_of(struct gang *g, const struct tf_strip *strip)
{
    return (struct emitter){.g = g,
                            .strip = strip,
                            .piece = LLVMVectorType(unit_of(g, strip), strip->count),
                            .align_bytes = align_of(strip)};
}

static void load_all(struct gang *g, const struct tf_strip *strip,
                     struct gang_bundle *state)
{
    struct emitter e = emitter_of(g, strip);

    find_addresses(&e, LLVMGetOperand(strip->made_at->instruction, 0));
    choose_addresses(&e, g->mask ? gang_zeros(g) : NULL);
    state->results = TF_ARENA_NEW(&g->arena, LLVMValueRef, strip->count);
    for (unsigned i = 0; i < strip->count; i++)
        state->results[i] = load_register(&e, i);
    transpose(&e, state->results);
}

static unsigned number_of(const struct tf_strip *strip, const struct tf_value *v)
{
    unsigned i = 0;

    while (strip->members[i] != v)
        i++;
    return i;
}

void gang_strip_load(struct gang *g, struct tf_value *v)
{
    const struct tf_strip *strip = g->plan->values[v - g->shapes->values].strip;
    struct gang_bundle *state = &g->bundles[strip->number];

    if (state->made++ == 0)
        load_all(g, strip, state);
    gang_define(g, v, NULL,
                LLVMBuildBitCast(g->b, state->results[number_of(strip, v)],
                                 gang_type(g, LLVMTypeOf(v->instruction)), ""));
}

// ---- stores

static void store_lane(struct emitter *e, LLVMValueRef from, unsigned lane)
{
    struct gang *g = e->g;
    const unsigned n = e->strip->count;
    int *taken = TF_ARENA_NEW(&g->arena, int, n);
    LLVMValueRef made;

    for (unsigned i = 0; i < n; i++)
        taken[i] = (int)(lane / n * n + i);
    made =
        LLVMBuildStore(g->b, gang_permute(g, from, NULL, taken, n), address_of(e, lane));
    LLVMSetAlignment(made, e->align_bytes);
}

// Where lanes that are not active store: nobody reads it.
static LLVMValueRef spare_for(struct emitter *e)
{
    const LLVMValueRef spare = gang_slot(e->g, e->piece, "spare");

    LLVMSetAlignment(spare, TF_STRIP_BYTES);
    return spare;
}

static void store_all(struct gang *g, const struct tf_strip *strip)
{
    const LLVMTypeRef all = LLVMVectorType(unit_of(g, strip), g->width);
    LLVMValueRef *registers = TF_ARENA_NEW(&g->arena, LLVMValueRef, strip->count);
    struct emitter e = emitter_of(g, strip);

    for (unsigned i = 0; i < strip->count; i++)
        registers[i] = LLVMBuildBitCast(
            g->b, gang_vector(g, LLVMGetOperand(strip->members[i]->instruction, 0)), all,
            "");
    transpose(&e, registers);
    find_addresses(&e, LLVMGetOperand(strip->made_at->instruction, 1));
    choose_addresses(&e, g->mask ? spare_for(&e) : NULL);
    for (unsigned lane = 0; lane < g->width; lane++)
        store_lane(&e, registers[lane % strip->count], lane);
}

void gang_strip_store(struct gang *g, struct tf_value *v)
{
    const struct tf_strip *strip = g->plan->values[v - g->shapes->values].strip;

    if (++g->bundles[strip->number].made == strip->count)
        store_all(g, strip);
}
