// SPDX-License-Identifier: MIT
// Accesses whose elements rise from lane to lane within two lines of the cache
// (plan/permute.h): sixteen lanes at a time, two loads and a permutation in place of a
// gather, and in place of a scatter an expansion of the lanes' values and two stores
// under masks. Neither crosses a line, which costs a store on Zen 4 four times as much.
//
// The loads touch the lines of the first and of the last lane's element and nothing else:
// no page that these are not on. They want all lanes active. Stores touch the elements of
// active lanes alone; each element has one lane, so their order does not matter. The
// other lanes only say how elements are counted: the n-th element that belongs to a lane
// is lane n's.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/plan/permute.h"

enum { WORD_SHIFT = 2, LANES = TF_RISING_LANES, LINE_BYTES = 64 };

// Sixteen lanes' elements.
struct rise {
    LLVMValueRef first, last; // pointers to that lane's
    LLVMValueRef steps;       // words from the first lane's: i32
    LLVMValueRef skipped;     // words of its line that lie before that: i32
    LLVMValueRef fits;        // i1
};

static LLVMTypeRef words_type(struct gang *g)
{
    return LLVMVectorType(g->i32, LANES);
}

static LLVMTypeRef half_mask_type(struct gang *g)
{
    return LLVMVectorType(g->i1, LANES);
}

static LLVMTypeRef bits_type(struct gang *g)
{
    return LLVMIntTypeInContext(g->wg->context, LANES);
}

static LLVMValueRef spread(struct gang *g, LLVMValueRef scalar)
{
    const LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), LANES);

    return LLVMBuildShuffleVector(
        g->b,
        LLVMBuildInsertElement(g->b, LLVMGetPoison(type), scalar, gang_int(g, 0), ""),
        LLVMGetPoison(type), LLVMConstNull(words_type(g)), "");
}

static LLVMValueRef ramp(struct gang *g)
{
    LLVMValueRef numbers[LANES];

    for (unsigned i = 0; i < LANES; i++)
        numbers[i] = gang_int(g, i);
    return LLVMConstVector(numbers, LANES);
}

static LLVMValueRef cut(struct gang *g, LLVMValueRef vector, unsigned start)
{
    int from[LANES];

    if (g->width == LANES)
        return vector;
    for (unsigned i = 0; i < LANES; i++)
        from[i] = (int)(start + i);
    return gang_permute(g, vector, NULL, from, LANES);
}

// Whether the address that it counts from can be asked for here.
static bool keeps_base(const struct gang *g, LLVMValueRef gep)
{
    const struct tf_value *base = tf_shape_value(g->shapes, LLVMGetOperand(gep, 0));

    return gang_is_at_hand(g, gep) || (base && base->crosses);
}

// Without what all lanes add: accesses at such distances then share what is asked of
// them.
static LLVMValueRef own_part(struct gang *g, LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) && keeps_base(g, pointer)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++) {
            if (!tf_is_uniform(g->shapes, LLVMGetOperand(pointer, i)))
                return pointer;
        }
        if (tf_is_uniform(g->shapes, LLVMGetOperand(pointer, 0)))
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

static struct rise rise_of(struct gang *g, const struct tf_access *a, unsigned start)
{
    const LLVMTypeRef longs = LLVMVectorType(g->i64, LANES);
    LLVMValueRef at = LLVMBuildPtrToInt(
        g->b, cut(g, gang_vector(g, own_part(g, a->pointer)), start), longs, "");
    LLVMValueRef pointers, before, rising, near, line;
    int from[LANES];
    struct rise r;

    pointers = cut(g, gang_vector(g, a->pointer), start);
    r.first = LLVMBuildExtractElement(g->b, pointers, gang_int(g, 0), "");
    r.last = LLVMBuildExtractElement(g->b, pointers, gang_int(g, LANES - 1), "");
    line = LLVMBuildAnd(g->b, LLVMBuildPtrToInt(g->b, r.first, g->i64, ""),
                        LLVMConstInt(g->i64, LINE_BYTES - 1, false), "");
    r.skipped = LLVMBuildTrunc(
        g->b, LLVMBuildLShr(g->b, line, LLVMConstInt(g->i64, WORD_SHIFT, false), ""),
        g->i32, "");
    at = LLVMBuildSub(
        g->b, at, spread(g, LLVMBuildExtractElement(g->b, at, gang_int(g, 0), "")), "");
    near = LLVMBuildICmp(g->b, LLVMIntULT, at,
                         spread(g, LLVMConstInt(g->i64, 2 * LINE_BYTES, false)), "");
    line = LLVMBuildAdd(
        g->b, line, LLVMBuildExtractElement(g->b, at, gang_int(g, LANES - 1), ""), "");
    r.steps = LLVMBuildTrunc(
        g->b,
        LLVMBuildLShr(g->b, at, spread(g, LLVMConstInt(g->i64, WORD_SHIFT, false)), ""),
        words_type(g), "");
    for (unsigned i = 0; i < LANES; i++)
        from[i] = i == 0 ? LANES : (int)i - 1;
    before = gang_permute(g, r.steps, LLVMConstAllOnes(words_type(g)), from, LANES);
    rising = LLVMBuildICmp(g->b, LLVMIntSLT, before, r.steps, "");
    rising =
        LLVMBuildBitCast(g->b, LLVMBuildAnd(g->b, near, rising, ""), bits_type(g), "");
    r.fits = LLVMBuildICmp(g->b, LLVMIntEQ, rising, LLVMConstAllOnes(bits_type(g)), "");
    r.fits = LLVMBuildAnd(g->b, r.fits,
                          LLVMBuildICmp(g->b, LLVMIntULT, line,
                                        LLVMConstInt(g->i64, 2 * LINE_BYTES, false), ""),
                          "");
    return r;
}

LLVMValueRef gang_rising_fits(struct gang *g, const struct tf_access *a, bool whole)
{
    LLVMValueRef all = whole && g->mask ? gang_is_whole(g) : NULL;

    for (unsigned start = 0; start < g->width; start += LANES) {
        const struct rise r = rise_of(g, a, start);

        all = all ? LLVMBuildAnd(g->b, all, r.fits, "") : r.fits;
    }
    return LLVMBuildFreeze(g->b, all, "");
}

static LLVMValueRef line_of(struct gang *g, LLVMValueRef pointer)
{
    LLVMTypeRef types[2] = {LLVMTypeOf(pointer), g->i64};
    LLVMValueRef args[2] = {pointer,
                            LLVMConstInt(g->i64, ~(uint64_t)(LINE_BYTES - 1), false)};

    return gang_intrinsic(g, "llvm.ptrmask", types, 2, args, 2);
}

// What is promised of the lanes' elements is not promised of those between.
static LLVMValueRef load_line(struct gang *g, LLVMValueRef pointer)
{
    const LLVMValueRef made =
        LLVMBuildLoad2(g->b, words_type(g), line_of(g, pointer), "");

    LLVMSetAlignment(made, LINE_BYTES);
    tf_wg_mark_one(g->wg, made);
    return made;
}

// Where all elements lie in the first line, that is loaded twice.
static LLVMValueRef take(struct gang *g, const struct tf_access *a, unsigned start)
{
    const struct rise r = rise_of(g, a, start);
    LLVMValueRef args[3] = {load_line(g, r.first), NULL, load_line(g, r.last)};

    args[1] = LLVMBuildAdd(g->b, r.steps, spread(g, r.skipped), "");
    return gang_intrinsic(g, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
}

static LLVMValueRef join(struct gang *g, LLVMValueRef low, LLVMValueRef high)
{
    const unsigned have = LLVMGetVectorSize(LLVMTypeOf(low)), all = have + LANES;
    int *from = TF_ARENA_NEW(&g->arena, int, all);
    int *wide = TF_ARENA_NEW(&g->arena, int, have);

    for (unsigned i = 0; i < have; i++)
        wide[i] = i < LANES ? (int)i : -1;
    if (have > LANES) // both of one length
        high = gang_permute(g, high, NULL, wide, have);
    for (unsigned i = 0; i < all; i++)
        from[i] = (int)i;
    return gang_permute(g, low, high, from, all);
}

LLVMValueRef gang_rising_load(struct gang *g, const struct tf_access *a)
{
    LLVMValueRef all = NULL;

    for (unsigned start = 0; start < g->width; start += LANES) {
        const LLVMValueRef one = take(g, a, start);

        all = all ? join(g, all, one) : one;
    }
    return LLVMBuildBitCast(g->b, all, gang_type(g, a->type), "");
}

// ---- stores

static LLVMValueRef half_mask(struct gang *g, LLVMValueRef bits)
{
    bits = LLVMBuildTrunc(g->b, bits, bits_type(g), "");
    return LLVMBuildFreeze(g->b, LLVMBuildBitCast(g->b, bits, half_mask_type(g), ""), "");
}

static LLVMValueRef upper(struct gang *g, LLVMValueRef bits)
{
    return LLVMBuildLShr(g->b, bits, gang_int(g, LANES), "");
}

// The lanes' values from the one on that `first` says, in the places whose bits are set.
static LLVMValueRef expand(struct gang *g, LLVMValueRef value, LLVMValueRef first,
                           LLVMValueRef places)
{
    LLVMTypeRef type = words_type(g);
    LLVMValueRef args[3] = {value, LLVMConstNull(type), half_mask(g, places)};

    if (first) {
        LLVMValueRef turn[2] = {value, LLVMBuildAdd(g->b, ramp(g), spread(g, first), "")};

        args[0] = gang_intrinsic(g, "llvm.x86.avx512.permvar.si.512", NULL, 0, turn, 2);
    }
    return gang_intrinsic(g, "llvm.x86.avx512.mask.expand", &type, 1, args, 3);
}

// Of the set bits those whose lanes are active.
static LLVMValueRef of_active(struct gang *g, LLVMValueRef places, unsigned start)
{
    LLVMValueRef args[2], mask;

    if (!g->mask)
        return places;
    mask = LLVMBuildBitCast(g->b, cut(g, g->mask, start), bits_type(g), "");
    args[0] = LLVMBuildZExt(g->b, mask, g->i32, "");
    args[1] = places;
    return gang_intrinsic(g, "llvm.x86.bmi.pdep.32", NULL, 0, args, 2);
}

static void store_words(struct gang *g, const struct tf_access *a, LLVMValueRef value,
                        LLVMValueRef line, LLVMValueRef places)
{
    LLVMValueRef args[3] = {value, line, half_mask(g, places)};

    gang_keep_promises(
        g, a->instruction,
        gang_call_masked(g, "llvm.masked.store", words_type(g), args, 1, LINE_BYTES));
}

static void put(struct gang *g, const struct tf_access *a, LLVMValueRef value,
                unsigned start)
{
    const struct rise r = rise_of(g, a, start);
    LLVMTypeRef type = words_type(g), half = bits_type(g);
    LLVMValueRef bits = LLVMBuildShl(g->b, spread(g, gang_int(g, 1)), r.steps, "");
    LLVMValueRef next = LLVMConstInt(g->i64, LINE_BYTES, false);
    LLVMValueRef places, active, low, count, line = line_of(g, r.first);

    places =
        LLVMBuildShl(g->b, gang_intrinsic(g, "llvm.vector.reduce.or", &type, 1, &bits, 1),
                     r.skipped, "");
    active = of_active(g, places, start);
    low = LLVMBuildTrunc(g->b, places, half, "");
    count = gang_intrinsic(g, "llvm.ctpop", &half, 1, &low, 1);
    count = LLVMBuildZExt(g->b, count, g->i32, "");
    store_words(g, a, expand(g, value, NULL, places), line, active);
    line = LLVMBuildGEP2(g->b, g->wg->i8, line, &next, 1, "");
    store_words(g, a, expand(g, value, count, upper(g, places)), line, upper(g, active));
}

void gang_rising_store(struct gang *g, const struct tf_access *a, LLVMValueRef value)
{
    value = LLVMBuildBitCast(g->b, value, LLVMVectorType(g->i32, g->width), "");
    for (unsigned start = 0; start < g->width; start += LANES)
        put(g, a, cut(g, value, start), start);
}
