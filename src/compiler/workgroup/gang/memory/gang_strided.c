// SPDX-License-Identifier: MIT
// The accesses of a bundle: vectors side by side in memory, and shuffles between these
// and the members. Memory is touched only between the first and the last byte that the
// lanes access; where lanes are not active, and in stores, only in the bytes themselves.
//
// Units of memory are numbered upwards: unit u of the stride of lane l is l * step + u. A
// stream is a row of registers that hold units in order; the last register may begin
// early, so that it ends with the last unit.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/plan/bundle.h"

#define NONE (~0u)

struct stream {
    LLVMValueRef *chunks;   // NULL: nobody wants it
    unsigned count;         // chunks
    unsigned step;          // units between lanes
    unsigned units;         // in all
    unsigned last_start;    // unit that the last chunk begins with
    struct stream *half[2]; // its even and odd units, when they are made
};

struct emitter {
    struct gang *g;
    const struct tf_bundle *bundle;
    LLVMTypeRef unit, chunk; // types
    LLVMValueRef base;       // address of unit 0
};

static LLVMValueRef shuffle(struct emitter *e, LLVMValueRef a, LLVMValueRef b,
                            const int *from)
{
    return gang_permute(e->g, a, b, from, e->bundle->chunk);
}

// Lane number in memory of lane `lane`.
static unsigned row_of(const struct emitter *e, unsigned lane)
{
    return e->bundle->reversed ? e->g->width - 1 - lane : lane;
}

// ---- out of streams

static void locate(const struct emitter *e, const struct stream *s, unsigned unit,
                   unsigned *chunk, int *at)
{
    *chunk = unit / e->bundle->chunk;
    *at = (int)(unit - *chunk * e->bundle->chunk);
    if (*chunk + 1 >= s->count) {
        *chunk = s->count - 1;
        *at = (int)(unit - s->last_start);
    }
}

// Whether lane `i` of the register that is being made is there already.
static bool is_made(const struct emitter *e, const struct stream *s, unsigned unit,
                    unsigned before)
{
    unsigned chunk;
    int at;

    if (unit >= s->units)
        return false;
    locate(e, s, unit, &chunk, &at);
    return chunk < before;
}

// Takes what chunk `c` has of the wanted units; the others come from `made`, the register
// of the chunks before, or if `one` is not NONE from that chunk itself.
static LLVMValueRef add_chunk(struct emitter *e, const struct stream *s,
                              const unsigned *wanted, LLVMValueRef made, unsigned one,
                              unsigned c)
{
    const unsigned n = e->bundle->chunk;
    int *from = TF_ARENA_NEW(&e->g->arena, int, n);

    for (unsigned i = 0; i < n; i++) {
        unsigned chunk = s->count;
        int at = 0;

        if (wanted[i] < s->units)
            locate(e, s, wanted[i], &chunk, &at);
        if (chunk == c)
            from[i] = at + (int)n;
        else if (one != NONE)
            from[i] = chunk == one ? at : -1;
        else
            from[i] = is_made(e, s, wanted[i], c) ? (int)i : -1;
    }
    return shuffle(e, made, s->chunks[c], from);
}

// From one chunk alone.
static LLVMValueRef reorder(struct emitter *e, const struct stream *s,
                            const unsigned *wanted, unsigned c)
{
    const unsigned n = e->bundle->chunk;
    int *from = TF_ARENA_NEW(&e->g->arena, int, n);
    bool same = true;

    for (unsigned i = 0; i < n; i++) {
        unsigned chunk;

        from[i] = -1;
        if (wanted[i] < s->units)
            locate(e, s, wanted[i], &chunk, &from[i]);
        same &= from[i] < 0 || from[i] == (int)i;
    }
    return same ? s->chunks[c] : shuffle(e, s->chunks[c], NULL, from);
}

static bool wants(const struct emitter *e, const struct stream *s, const unsigned *wanted,
                  unsigned c)
{
    for (unsigned i = 0; i < e->bundle->chunk; i++) {
        unsigned chunk = NONE;
        int at;

        if (wanted[i] < s->units)
            locate(e, s, wanted[i], &chunk, &at);
        if (chunk == c)
            return true;
    }
    return false;
}

// One register of the wanted units; those past the end are any value.
static LLVMValueRef pick(struct emitter *e, const struct stream *s,
                         const unsigned *wanted)
{
    LLVMValueRef made = NULL;
    unsigned one = NONE;

    for (unsigned c = 0; c < s->count; c++) {
        if (!wants(e, s, wanted, c))
            continue;
        if (!made && one == NONE) {
            one = c;
            continue;
        }
        made = add_chunk(e, s, wanted, made ? made : s->chunks[one], one, c);
        one = NONE;
    }
    if (!made && one != NONE)
        return reorder(e, s, wanted, one);
    return made ? made : LLVMGetPoison(e->chunk);
}

static struct stream *half_of(struct emitter *e, struct stream *s, unsigned odd)
{
    const unsigned n = e->bundle->chunk;
    unsigned *wanted = TF_ARENA_NEW(&e->g->arena, unsigned, n);
    struct stream *half = s->half[odd];

    if (half)
        return half;
    half = s->half[odd] = TF_ARENA_NEW(&e->g->arena, struct stream, 1);
    half->step = s->step / 2;
    half->units = (s->units - odd + 1) / 2;
    half->count = (half->units + n - 1) / n;
    half->last_start = (half->count - 1) * n;
    half->chunks = TF_ARENA_NEW(&e->g->arena, LLVMValueRef, half->count);
    for (unsigned c = 0; c < half->count; c++) {
        for (unsigned i = 0; i < n; i++)
            wanted[i] = 2 * (c * n + i) + odd;
        half->chunks[c] = pick(e, s, wanted);
    }
    return half;
}

// Puts registers side by side.
static LLVMValueRef concatenate(struct emitter *e, LLVMValueRef *parts, unsigned count)
{
    const unsigned n = e->bundle->chunk, all = n * count;
    int *from = TF_ARENA_NEW(&e->g->arena, int, all);
    LLVMValueRef made = NULL, part;

    if (count == 1)
        return parts[0];
    for (unsigned p = 0; p < count; p++) {
        for (unsigned i = 0; i < all; i++)
            from[i] = i < n ? (int)i : -1;
        part = gang_permute(e->g, parts[p], NULL, from, all);
        for (unsigned i = 0; i < all; i++)
            from[i] = i / n == p ? (int)(all + i % n) : i / n < p ? (int)i : -1;
        made = made ? gang_permute(e->g, made, part, from, all) : part;
    }
    return made;
}

// `count` units of each lane, from unit `at` on, lane after lane.
static LLVMValueRef take(struct emitter *e, struct stream *s, unsigned at, unsigned count)
{
    const unsigned n = e->bundle->chunk, parts = e->g->width * count / n;
    LLVMValueRef *made = TF_ARENA_NEW(&e->g->arena, LLVMValueRef, parts);
    unsigned *wanted = TF_ARENA_NEW(&e->g->arena, unsigned, n);

    while (count == 1 && s->step % 2 == 0) {
        s = half_of(e, s, at % 2);
        at /= 2;
    }
    for (unsigned p = 0; p < parts; p++) {
        for (unsigned i = 0; i < n; i++) {
            const unsigned lane = (p * n + i) / count;

            wanted[i] = row_of(e, lane) * s->step + at + (p * n + i) % count;
        }
        made[p] = pick(e, s, wanted);
    }
    return concatenate(e, made, parts);
}

// ---- into streams

// What stands beside `other` where nobody looks: not any value, of which LLVM 22 makes an
// extension by zeros that it cannot select for AVX-512.
static LLVMValueRef beside(LLVMValueRef value, LLVMValueRef other)
{
    return LLVMIsPoison(value) ? other : value;
}

// The registers of memory from the fields of all lanes: fields[k * by], k < step, each in
// registers of `width` units. Missing fields are any value.
static LLVMValueRef *weave(struct emitter *e, LLVMValueRef **fields, unsigned by,
                           unsigned step)
{
    const unsigned n = e->bundle->chunk, count = e->g->width * step / n;
    LLVMValueRef *made, *even, *odd;
    int *from = TF_ARENA_NEW(&e->g->arena, int, n);

    if (step == 1)
        return fields[0];
    made = TF_ARENA_NEW(&e->g->arena, LLVMValueRef, count);
    if (step % 2 == 0) {
        even = weave(e, fields, 2 * by, step / 2);
        odd = weave(e, fields + by, 2 * by, step / 2);
        for (unsigned c = 0; c < count; c++) {
            for (unsigned i = 0; i < n; i++)
                from[i] = (int)((c * n + i) / 2 % n + (i % 2 ? n : 0));
            made[c] = shuffle(e, beside(even[c / 2], odd[c / 2]),
                              beside(odd[c / 2], even[c / 2]), from);
        }
        return made;
    }
    for (unsigned c = 0; c < count; c++) {
        made[c] = LLVMGetPoison(e->chunk);
        for (unsigned k = 0; k < step; k++) {
            // Field k may come from two registers.
            for (unsigned part = c * n / step / n; part <= (c * n + n - 1) / step / n;
                 part++) {
                bool any = false;

                for (unsigned i = 0; i < n; i++) {
                    const unsigned unit = c * n + i, lane = unit / step;
                    const bool is_it = unit % step == k && lane / n == part;

                    any |= is_it;
                    from[i] = is_it ? (int)(n + lane % n) : (int)i;
                }
                if (any)
                    made[c] = shuffle(e, made[c], fields[k * by][part], from);
            }
        }
    }
    return made;
}

// ---- memory

static void prepare(struct emitter *e, struct gang *g, const struct tf_bundle *bundle,
                    unsigned member)
{
    const struct tf_access a =
        tf_access_of(g->shapes->layout, bundle->members[member]->instruction);
    int64_t offset = bundle->low_bytes - bundle->offsets[member];
    LLVMValueRef by;

    e->g = g;
    e->bundle = bundle;
    e->unit = LLVMIntTypeInContext(g->wg->context, (unsigned)bundle->unit_bytes * 8);
    e->chunk = LLVMVectorType(e->unit, bundle->chunk);
    if (bundle->reversed)
        offset += bundle->stride * (int64_t)(g->width - 1);
    by = LLVMConstInt(g->i64, (uint64_t)offset, true);
    e->base = gang_scalar(g, a.pointer);
    if (offset)
        e->base = LLVMBuildGEP2(g->b, g->wg->i8, e->base, &by, 1, "");
}

static LLVMValueRef address(struct emitter *e, unsigned unit)
{
    LLVMValueRef by =
        LLVMConstInt(e->g->i64, (uint64_t)unit * e->bundle->unit_bytes, false);

    if (unit == 0)
        return e->base;
    return LLVMBuildGEP2(e->g->b, e->g->wg->i8, e->base, &by, 1, "");
}

static unsigned align_of(const struct emitter *e)
{
    unsigned align = (unsigned)e->bundle->unit_bytes;

    for (unsigned i = 0; i < e->bundle->count; i++) {
        const unsigned its = LLVMGetAlignment(e->bundle->members[i]->instruction);

        align = its < align ? its : align;
    }
    return align;
}

// One lane's bit at place `at`, and nothing else. As a shuffle LLVM 22 makes a shift of
// that of lane 7 of 16, to place 0, which lets the lanes above it in.
static LLVMValueRef mask_of_lane(struct emitter *e, unsigned lane, unsigned at)
{
    struct gang *g = e->g;
    const LLVMTypeRef all = LLVMIntTypeInContext(g->wg->context, g->width);
    const LLVMTypeRef few = LLVMIntTypeInContext(g->wg->context, e->bundle->chunk);
    LLVMValueRef bit = LLVMBuildBitCast(g->b, gang_mask(g), all, "");

    bit = LLVMBuildLShr(g->b, bit, LLVMConstInt(all, lane, false), "");
    bit = LLVMBuildAnd(g->b, bit, LLVMConstInt(all, 1, false), "");
    bit = LLVMBuildIntCast2(g->b, bit, few, false, "");
    bit = LLVMBuildShl(g->b, bit, LLVMConstInt(few, at, false), "");
    return LLVMBuildFreeze(
        g->b, LLVMBuildBitCast(g->b, bit, LLVMVectorType(g->i1, e->bundle->chunk), ""),
        "");
}

// Which units of the register that begins with unit `start` belong to active lanes.
static LLVMValueRef mask_of(struct emitter *e, unsigned start)
{
    const struct tf_bundle *bundle = e->bundle;
    const unsigned width = e->g->width;
    int *from = TF_ARENA_NEW(&e->g->arena, int, bundle->chunk);
    unsigned count = 0, at = 0;

    for (unsigned i = 0; i < bundle->chunk; i++) {
        const unsigned unit = start + i, lane = unit / bundle->step;
        const bool used = lane < width && (bundle->used >> unit % bundle->step & 1);

        from[i] = (int)(used ? row_of(e, lane) : width);
        at = used ? i : at;
        count += used;
    }
    if (count == 1)
        return mask_of_lane(e, (unsigned)from[at], at);
    return gang_permute(e->g, gang_mask(e->g), LLVMConstNull(e->g->mask_type), from,
                        bundle->chunk);
}

// What is said of one member holds for vectors that are nothing but this member. Of all
// others nothing is said: LLVM takes it for the type of every byte between the members.
static void keep_promises(struct emitter *e, LLVMValueRef made)
{
    if (e->bundle->count == 1 && e->bundle->units == e->bundle->step)
        gang_keep_promises(e->g, e->bundle->members[0]->instruction, made);
}

static LLVMValueRef load_chunk(struct emitter *e, unsigned start)
{
    LLVMValueRef args[3], made;

    if (e->g->mask && !e->bundle->is_row) {
        args[0] = address(e, start);
        args[1] = mask_of(e, start);
        args[2] = LLVMGetPoison(e->chunk);
        made = gang_call_masked(e->g, "llvm.masked.load", e->chunk, args, 0, align_of(e));
    } else {
        made = LLVMBuildLoad2(e->g->b, e->chunk, address(e, start), "");
        LLVMSetAlignment(made, align_of(e));
    }
    keep_promises(e, made);
    return made;
}

static void load_all(struct gang *g, const struct tf_bundle *bundle,
                     struct gang_bundle *state)
{
    struct stream s = {.step = bundle->step};
    struct emitter e;

    prepare(&e, g, bundle, 0);
    state->results = TF_ARENA_NEW(&g->arena, LLVMValueRef, bundle->count);
    s.units = (g->width - 1) * bundle->step + bundle->units;
    s.count = (s.units + bundle->chunk - 1) / bundle->chunk;
    // With a mask nothing past the end is touched; without one the last chunk ends there.
    s.last_start = g->mask && !bundle->is_row ? (s.count - 1) * bundle->chunk
                                              : s.units - bundle->chunk;
    s.chunks = TF_ARENA_NEW(&g->arena, LLVMValueRef, s.count);
    for (unsigned c = 0; c + 1 < s.count; c++)
        s.chunks[c] = load_chunk(&e, c * bundle->chunk);
    s.chunks[s.count - 1] = load_chunk(&e, s.last_start);
    for (unsigned i = 0; i < bundle->count; i++) {
        const struct tf_access a =
            tf_access_of(g->shapes->layout, bundle->members[i]->instruction);
        const unsigned count = (unsigned)(a.count * a.element_bytes / bundle->unit_bytes);

        state->results[i] = LLVMBuildBitCast(g->b, take(&e, &s, bundle->at[i], count),
                                             gang_type(g, a.type), "");
    }
}

// The only unit of the register that members have, or NONE: there are none or more.
static unsigned only_unit(const struct emitter *e, unsigned start)
{
    unsigned only = NONE, count = 0;

    for (unsigned i = 0; i < e->bundle->chunk; i++) {
        if (e->bundle->used >> (start + i) % e->bundle->step & 1) {
            only = i;
            count++;
        }
    }
    return count == 1 ? only : NONE;
}

// LLVM makes a store of four bytes of a masked one that is known to store one element of
// two bytes.
static void store_unit(struct emitter *e, unsigned start, LLVMValueRef value, unsigned at)
{
    const LLVMValueRef one =
        LLVMBuildExtractElement(e->g->b, value, gang_int(e->g, at), "");

    LLVMSetAlignment(LLVMBuildStore(e->g->b, one, address(e, start + at)), align_of(e));
}

static void store_chunk(struct emitter *e, unsigned start, LLVMValueRef value, bool full)
{
    LLVMValueRef args[3], made;

    if (!e->g->mask && only_unit(e, start) != NONE) {
        store_unit(e, start, value, only_unit(e, start));
        return;
    }
    if (e->g->mask || !full) {
        args[0] = value;
        args[1] = address(e, start);
        args[2] = mask_of(e, start);
        made =
            gang_call_masked(e->g, "llvm.masked.store", e->chunk, args, 1, align_of(e));
    } else {
        made = LLVMBuildStore(e->g->b, value, address(e, start));
        LLVMSetAlignment(made, align_of(e));
    }
    keep_promises(e, made);
}

// The fields that one member gives, in registers, lanes in the order of memory.
static void split(struct emitter *e, unsigned member, LLVMValueRef **fields)
{
    struct gang *g = e->g;
    const struct tf_access a =
        tf_access_of(g->shapes->layout, e->bundle->members[member]->instruction);
    const unsigned count = (unsigned)(a.count * a.element_bytes / e->bundle->unit_bytes);
    const unsigned n = e->bundle->chunk, parts = g->width / n;
    const LLVMValueRef value =
        LLVMBuildBitCast(g->b, gang_vector(g, LLVMGetOperand(a.instruction, 0)),
                         LLVMVectorType(e->unit, g->width * count), "");
    int *from = TF_ARENA_NEW(&g->arena, int, n);

    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef *field = TF_ARENA_NEW(&g->arena, LLVMValueRef, parts);

        for (unsigned p = 0; p < parts; p++) {
            for (unsigned i = 0; i < n; i++)
                from[i] = (int)(row_of(e, p * n + i) * count + k);
            field[p] = shuffle(e, value, NULL, from);
        }
        fields[e->bundle->at[member] + k] = field;
    }
}

// Whole registers past the caches.
static void store_past_caches(struct emitter *e, LLVMValueRef *chunks, unsigned count)
{
    for (unsigned c = 0; c < count; c++)
        gang_make_non_temporal(
            e->g, LLVMBuildStore(e->g->b, chunks[c], address(e, c * e->bundle->chunk)));
}

static void store_all(struct gang *g, const struct tf_bundle *bundle)
{
    const unsigned parts = g->width / bundle->chunk;
    LLVMValueRef **fields = TF_ARENA_NEW(&g->arena, LLVMValueRef *, bundle->step), *made;
    const bool full = bundle->used + 1 == (uint64_t)1 << bundle->step;
    const bool past = gang_may_go_past_caches(g, bundle->members[0]);
    struct gang_fork f;
    struct emitter e;

    prepare(&e, g, bundle, bundle->count - 1);
    for (unsigned i = 0; i < bundle->count; i++)
        split(&e, i, fields);
    for (unsigned k = 0; k < bundle->step; k++) {
        if (fields[k])
            continue;
        fields[k] = TF_ARENA_NEW(&g->arena, LLVMValueRef, parts);
        for (unsigned p = 0; p < parts; p++)
            fields[k][p] = LLVMGetPoison(e.chunk);
    }
    made = weave(&e, fields, 1, bundle->step);
    if (past) {
        f = gang_open_fork(g, gang_goes_past_caches(g, e.base));
        store_past_caches(&e, made, parts * bundle->step);
        gang_other_side(g, &f);
    }
    for (unsigned c = 0; c < parts * bundle->step; c++)
        store_chunk(&e, c * bundle->chunk, made[c], full);
    if (past)
        gang_close_fork(g, &f);
}

// ---- members

static unsigned number_of(const struct tf_bundle *bundle, const struct tf_value *v)
{
    unsigned i = 0;

    while (bundle->members[i] != v)
        i++;
    return i;
}

void gang_bundle_load(struct gang *g, struct tf_value *v)
{
    const struct tf_bundle *bundle = g->plan->values[v - g->shapes->values].bundle;
    struct gang_bundle *state = &g->bundles[bundle->number];

    if (state->made++ == 0)
        load_all(g, bundle, state);
    gang_define(g, v, NULL, state->results[number_of(bundle, v)]);
}

void gang_bundle_store(struct gang *g, struct tf_value *v)
{
    const struct tf_bundle *bundle = g->plan->values[v - g->shapes->values].bundle;

    if (++g->bundles[bundle->number].made == bundle->count)
        store_all(g, bundle);
}

void gang_forget_bundles(struct gang *g)
{
    for (unsigned i = 0; i < g->plan->bundle_count; i++)
        g->bundles[i].made = 0;
}
