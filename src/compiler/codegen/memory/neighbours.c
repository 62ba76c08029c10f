// SPDX-License-Identifier: MIT
// A load of 64 bytes that does not begin with a line of the cache takes two lines, each
// time: where lanes load their neighbours in memory, as stencils do, most loads are so.
// Of loads in one block that overlap, at constant distances, whole registers are loaded
// once, and at either end the few elements beyond; all other registers are shuffles of
// two. Nothing is touched that the loads would not touch. Measured on Zen 5 for a stencil
// of 3x3, floats: 0.12 ns an element in the first cache, 0.16 in the second, 0.42 to 0.48
// in memory (with registers of 256 bits 0.16, 0.23, 0.31 to 0.40); so 0.084, 0.069 and
// 0.27 to 0.30. Shuffles of two registers of 256 bits are two, and of their loads half
// take one line: they stay.
#include "compiler/codegen/memory/neighbours.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"
#include "compiler/workgroup/analysis/place.h"

enum {
    REGISTER_BYTES = 64,
    UNIT_BYTES = 4, // what is shuffled
    UNITS = REGISTER_BYTES / UNIT_BYTES,
    MOST_REGISTERS = 4, // of one load
    MOST_LOADS = 64,
    MOST_PIECES = 16,
    SMALL_UNITS = 8, // that are loaded from one line, mostly
};

struct load {
    LLVMValueRef instruction;
    struct tf_place place;
    unsigned registers;
    unsigned order; // in the block
};

// Bytes that loads which overlap touch, from `low` to `high`: whole registers from
// `first` on, and less than one on either side.
struct cover {
    int64_t low, high, first;
    unsigned pieces, low_units, high_units;
    LLVMValueRef piece[MOST_PIECES], low_edge, high_edge; // registers
};

struct search {
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef unit, i8, i32, i64;
    struct load loads[MOST_LOADS]; // of the block, between two writes
    unsigned count;
};

// ---- which loads

// Whether its elements become wider: then it is loaded by parts, each of which is
// extended on its way and hardly ever takes two lines.
static bool is_widened(const struct search *s, LLVMValueRef i)
{
    const uint64_t bits = LLVMSizeOfTypeInBits(s->layout, LLVMTypeOf(i));

    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsACastInst(user) &&
            LLVMSizeOfTypeInBits(s->layout, LLVMTypeOf(user)) > bits)
            return true;
    }
    return false;
}

static bool read_load(const struct search *s, LLVMValueRef i, struct load *load)
{
    uint64_t bytes;

    if (!LLVMIsALoadInst(i) || !tf_ir_is_ordinary(i) ||
        LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind)
        return false;
    bytes = LLVMStoreSizeOfType(s->layout, LLVMTypeOf(i));
    if (bytes != REGISTER_BYTES && bytes != 2 * REGISTER_BYTES &&
        bytes != MOST_REGISTERS * REGISTER_BYTES)
        return false;
    if (LLVMSizeOfTypeInBits(s->layout, LLVMTypeOf(i)) != 8 * bytes ||
        LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(i))) == LLVMPointerTypeKind ||
        is_widened(s, i))
        return false;
    load->instruction = i;
    load->place = tf_place_of(s->layout, LLVMGetOperand(i, 0));
    load->registers = (unsigned)(bytes / REGISTER_BYTES);
    return true;
}

static int64_t begin_of(const struct load *load)
{
    return load->place.offset_bytes;
}

static int64_t end_of(const struct load *load)
{
    return begin_of(load) + (int64_t)load->registers * REGISTER_BYTES;
}

static bool are_related(const struct load *a, const struct load *b)
{
    return (begin_of(a) - begin_of(b)) % UNIT_BYTES == 0 &&
           tf_place_same_base(&a->place, &b->place);
}

static int by_address(const void *a, const void *b)
{
    const struct load *x = a, *y = b;

    if (begin_of(x) != begin_of(y))
        return begin_of(x) < begin_of(y) ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// ---- whether it pays

static int64_t modulo(int64_t n)
{
    return (n % REGISTER_BYTES + REGISTER_BYTES) % REGISTER_BYTES;
}

static bool lay_out(struct cover *c, int64_t first)
{
    const int64_t pieces = (c->high - first) / REGISTER_BYTES;
    const int64_t low_units = (first - c->low) / UNIT_BYTES;
    const int64_t high_units = (c->high - first - pieces * REGISTER_BYTES) / UNIT_BYTES;

    if (pieces < 1 || pieces > MOST_PIECES || low_units >= UNITS || high_units >= UNITS)
        return false;
    c->first = first;
    c->pieces = (unsigned)pieces;
    c->low_units = (unsigned)low_units;
    c->high_units = (unsigned)high_units;
    return true;
}

// Of what is loaded at an index of the first lane, without a constant, lines begin where
// registers do: rows and their first lanes are mostly multiples of lines apart. Only
// whole units lie before that; bytes and shorts may begin anywhere.
static bool find_layout(struct cover *c)
{
    return (c->low % UNIT_BYTES == 0 && lay_out(c, c->low + modulo(-c->low))) ||
           lay_out(c, c->low);
}

static unsigned cost_of_edge(unsigned units)
{
    return units == 0 ? 0 : units <= SMALL_UNITS ? 1 : 2;
}

// A small load at an end is there for one that took two lines, a large one for two.
static bool pays(const struct cover *c, const struct load *loads, unsigned count)
{
    const unsigned edges = cost_of_edge(c->low_units) + cost_of_edge(c->high_units);
    unsigned all = 0, shuffled = 0;

    for (unsigned i = 0; i < count; i++) {
        all += loads[i].registers;
        if (modulo(begin_of(&loads[i]) - c->first) != 0)
            shuffled += loads[i].registers;
    }
    return shuffled > 0 && shuffled >= edges && c->pieces + edges <= all;
}

// ---- registers

static LLVMValueRef load_units(const struct search *s, const struct load *by, int64_t at,
                               unsigned units, unsigned align)
{
    const LLVMTypeRef type = units == 1 ? s->unit : LLVMVectorType(s->unit, units);
    LLVMValueRef offset = LLVMConstInt(s->i64, (uint64_t)(at - begin_of(by)), true);
    LLVMValueRef address = LLVMBuildGEP2(
        s->builder, s->i8, LLVMGetOperand(by->instruction, 0), &offset, 1, "");
    LLVMValueRef made = LLVMBuildLoad2(s->builder, type, address, "");

    LLVMSetAlignment(made, align);
    return units == 1 ? LLVMBuildInsertElement(s->builder,
                                               LLVMGetPoison(LLVMVectorType(s->unit, 1)),
                                               made, LLVMConstInt(s->i32, 0, false), "")
                      : made;
}

static LLVMValueRef shuffle(const struct search *s, LLVMValueRef a, LLVMValueRef b,
                            const int *from, unsigned count)
{
    LLVMValueRef indices[MOST_REGISTERS * UNITS];

    for (unsigned i = 0; i < count; i++)
        indices[i] = from[i] < 0 ? LLVMGetPoison(s->i32)
                                 : LLVMConstInt(s->i32, (unsigned)from[i], false);
    return LLVMBuildShuffleVector(s->builder, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                  LLVMConstVector(indices, count), "");
}

static unsigned power_above(unsigned n)
{
    unsigned power = 1;

    while (power < n)
        power *= 2;
    return power;
}

// The units below the first register, as the last ones of a register, or those behind the
// last, as the first ones. Where they are a power of two the register is full of them:
// one load does that.
static LLVMValueRef load_edge(const struct search *s, const struct load *by,
                              const struct cover *c, bool is_low, unsigned align)
{
    const unsigned units = is_low ? c->low_units : c->high_units;
    const unsigned loaded = power_above(units), over = loaded - units;
    const int64_t at = is_low ? c->low : c->high - (int64_t)loaded * UNIT_BYTES;
    const LLVMValueRef few = load_units(s, by, at, loaded, align);
    int from[UNITS];

    for (unsigned i = 0; i < UNITS; i++) {
        if (is_low)
            from[i] = over == 0            ? (int)(i % loaded)
                      : i >= UNITS - units ? (int)(i - (UNITS - units))
                                           : -1;
        else
            from[i] = i < units ? (int)(i + over) : -1;
    }
    return shuffle(s, few, NULL, from, UNITS);
}

static void load_cover(const struct search *s, const struct load *by, struct cover *c,
                       unsigned align)
{
    LLVMPositionBuilderBefore(s->builder, by->instruction);
    for (unsigned k = 0; k < c->pieces; k++)
        c->piece[k] =
            load_units(s, by, c->first + (int64_t)k * REGISTER_BYTES, UNITS, align);
    if (c->low_units)
        c->low_edge = load_edge(s, by, c, true, align);
    if (c->high_units)
        c->high_edge = load_edge(s, by, c, false, align);
}

// The register that begins at `at`.
static LLVMValueRef register_at(const struct search *s, const struct cover *c, int64_t at)
{
    const unsigned further = (unsigned)modulo(at - c->first) / UNIT_BYTES;
    const int64_t below =
        (at - (int64_t)further * UNIT_BYTES - c->first) / REGISTER_BYTES;
    const int64_t above = below + 1;
    int from[UNITS];

    if (further == 0)
        return c->piece[below];
    for (unsigned i = 0; i < UNITS; i++)
        from[i] = (int)(i + further);
    return shuffle(s, below < 0 ? c->low_edge : c->piece[below],
                   above == (int64_t)c->pieces ? c->high_edge : c->piece[above], from,
                   UNITS);
}

static LLVMValueRef value_of(const struct search *s, const struct cover *c,
                             const struct load *load)
{
    LLVMValueRef parts[MOST_REGISTERS];
    int from[MOST_REGISTERS * UNITS];

    for (unsigned i = 0; i < load->registers; i++)
        parts[i] = register_at(s, c, begin_of(load) + (int64_t)i * REGISTER_BYTES);
    for (unsigned i = 0; i < MOST_REGISTERS * UNITS; i++)
        from[i] = (int)i;
    for (unsigned count = load->registers; count > 1; count /= 2) {
        const unsigned units = load->registers / count * 2 * UNITS;

        for (unsigned i = 0; i < count / 2; i++)
            parts[i] = shuffle(s, parts[2 * i], parts[2 * i + 1], from, units);
    }
    return LLVMBuildBitCast(s->builder, parts[0], LLVMTypeOf(load->instruction), "");
}

// ---- all loads of a block

static void settle_cluster(struct search *s, const struct load *loads, unsigned count,
                           int64_t high)
{
    struct cover c = {.low = begin_of(&loads[0]), .high = high};
    const struct load *first = &loads[0];
    unsigned align = UNIT_BYTES;

    if (count < 2 || !find_layout(&c) || !pays(&c, loads, count))
        return;
    for (unsigned i = 0; i < count; i++) {
        const unsigned its = LLVMGetAlignment(loads[i].instruction);

        first = loads[i].order < first->order ? &loads[i] : first;
        align = its < align ? its : align;
    }
    load_cover(s, first, &c, align);
    for (unsigned i = 0; i < count; i++) {
        LLVMPositionBuilderBefore(s->builder, loads[i].instruction);
        LLVMReplaceAllUsesWith(loads[i].instruction, value_of(s, &c, &loads[i]));
    }
    for (unsigned i = 0; i < count; i++)
        LLVMInstructionEraseFromParent(loads[i].instruction);
}

// Those of one base that overlap, or touch.
static void settle_related(struct search *s, struct load *loads, unsigned count)
{
    unsigned from = 0;

    qsort(loads, count, sizeof(*loads), by_address);
    while (from < count) {
        int64_t high = end_of(&loads[from]);
        unsigned to = from + 1;

        for (; to < count && begin_of(&loads[to]) <= high; to++)
            high = end_of(&loads[to]) > high ? end_of(&loads[to]) : high;
        settle_cluster(s, &loads[from], to - from, high);
        from = to;
    }
}

static void settle_loads(struct search *s)
{
    struct load related[MOST_LOADS];

    while (s->count > 0) {
        unsigned left = 0, count = 0;
        const struct load one = s->loads[0];

        for (unsigned i = 0; i < s->count; i++) {
            if (are_related(&s->loads[i], &one))
                related[count++] = s->loads[i];
            else
                s->loads[left++] = s->loads[i];
        }
        settle_related(s, related, count);
        s->count = left;
    }
}

static void settle_block(struct search *s, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    s->count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        struct load load;

        next = LLVMGetNextInstruction(i);
        if (!tf_writes_nothing(i) || s->count == MOST_LOADS)
            settle_loads(s);
        if (read_load(s, i, &load)) {
            load.order = s->count;
            s->loads[s->count++] = load;
        }
    }
    settle_loads(s);
}

// Where narrower registers do, they are what is loaded.
static bool has_wide_registers(LLVMValueRef function)
{
    static const char key[] = "prefer-vector-width";
    const LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, key, sizeof(key) - 1);
    unsigned length = 0;
    const char *bits = a ? LLVMGetStringAttributeValue(a, &length) : "";

    return length == 3 && !strncmp(bits, "512", 3);
}

void tf_neighbours_settle(LLVMValueRef function)
{
    const LLVMModuleRef module = LLVMGetGlobalParent(function);
    const LLVMContextRef context = LLVMGetModuleContext(module);
    struct search s = {
        .layout = LLVMGetModuleDataLayout(module),
        .unit = LLVMInt32TypeInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
    };

    if (!has_wide_registers(function))
        return;
    s.builder = LLVMCreateBuilderInContext(context);
    TF_FOR_EACH_BLOCK(block, function)
    {
        settle_block(&s, block);
    }
    LLVMDisposeBuilder(s.builder);
}
