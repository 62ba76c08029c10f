// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/permute.h"

#include <math.h>

#include "compiler/workgroup/analysis/index.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    LANE_BITS = 32,       // smaller elements are extended
    LONG_LANES = 8,       // elements of 64 bits, of registers of 512
    MOST_OF_32_BITS = 32, // elements of a table that are extended
    SMALL = 8,
    WORD_BYTES = 4,
    MAX_DEPTH = 8,  // between an index and the coordinate
    MAX_STEPS = 10, // between an address and an index
};

static unsigned lanes_of_register(const struct tf_plan *p)
{
    return p->target.vector_bits / LANE_BITS;
}

static bool is_long(const struct tf_table *table)
{
    return table->element_bytes > WORD_BYTES;
}

unsigned tf_permute_lanes(const struct tf_plan *p, const struct tf_table *table)
{
    const unsigned most = lanes_of_register(p);

    if (is_long(table))
        return LONG_LANES;
    return most > SMALL && table->count <= SMALL && p->width <= SMALL ? SMALL : most;
}

unsigned tf_permute_parts(const struct tf_plan *p, const struct tf_table *table)
{
    const unsigned lanes = tf_permute_lanes(p, table);

    return ((unsigned)table->count + lanes - 1) / lanes;
}

bool tf_word_table_of(const struct tf_table *table, struct tf_word_table *out)
{
    const unsigned count = (unsigned)table->count;
    const bool is_paired =
        table->element_bytes == sizeof(uint8_t) && count > TF_WORDS_OF_TWO;
    const unsigned words = is_paired ? (count + 1) / 2 : count;

    out->is_paired = is_paired;
    out->words = words <= TF_WORDS_OF_TWO ? TF_WORDS_OF_TWO : 2 * TF_WORDS_OF_TWO;
    return count > MOST_OF_32_BITS && table->element_bytes <= sizeof(uint16_t);
}

// A permutation of two registers counts twice. Of two of them a bit chooses, and of the
// two bytes of a word; bytes are extended and narrowed again.
static unsigned operations_of_words(const struct tf_plan *p, const struct tf_table *table,
                                    const struct tf_word_table *words)
{
    const unsigned permutations = words->words / TF_WORDS_OF_TWO;
    const unsigned choices = permutations - 1 + words->is_paired;
    const unsigned casts = table->element_bytes == sizeof(uint8_t) ? 2 : 0;

    if (!p->target.permutes_short)
        return 0;
    return (2 * permutations + 2 * choices + casts) *
           ((p->width + TF_WORD_LANES - 1) / TF_WORD_LANES);
}

unsigned tf_plan_table_operations(const struct tf_plan *p, const struct tf_value *load)
{
    const unsigned most = lanes_of_register(p);
    struct tf_word_table words;
    struct tf_table table;

    if (!p->target.permutes || !tf_table_of(p->shapes, load, &table))
        return 0;
    if (tf_word_table_of(&table, &words))
        return operations_of_words(p, &table, &words);
    // Of two registers at once, and a move.
    if (is_long(&table))
        return p->target.permutes_long ? (tf_permute_parts(p, &table) + 1) *
                                             ((p->width + LONG_LANES - 1) / LONG_LANES)
                                       : 0;
    return (2 * tf_permute_parts(p, &table) + 1) * ((p->width + most - 1) / most);
}

// ---- windows

// What rounds a coordinate to the index, behind limits and repetition; or NULL.
static LLVMValueRef rounded(const struct tf_plan *p, LLVMValueRef index, unsigned depth)
{
    LLVMValueRef found;
    int first = 0, end;

    if (!LLVMIsAInstruction(index) || depth == 0 || tf_is_uniform(p->shapes, index))
        return NULL;
    switch ((int)LLVMGetInstructionOpcode(index)) {
    case LLVMFPToSI:
    case LLVMFPToUI:
        return index;
    case LLVMCall:
        if (!tf_shape_is_limit(index))
            return NULL;
        end = 2;
        break;
    case LLVMSelect:
        first = 1;
        end = 3;
        break;
    case LLVMAdd:
    case LLVMSub:
        end = 2;
        break;
    case LLVMFreeze:
        end = 1;
        break;
    default:
        return NULL;
    }
    for (; first < end; first++) {
        found = rounded(p, LLVMGetOperand(index, (unsigned)first), depth - 1);
        if (found)
            return found;
    }
    return NULL;
}

static LLVMValueRef without_extension(LLVMValueRef index)
{
    if (LLVMIsASExtInst(index) || (LLVMIsAZExtInst(index) && LLVMGetNNeg(index)))
        return LLVMGetOperand(index, 0);
    return index;
}

static bool is_i32(LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == 32;
}

unsigned tf_window_lanes(const struct tf_plan *p)
{
    return lanes_of_register(p);
}

// Lanes of whole gangs, which registers of 8 or 16 words serve.
static bool is_fit(const struct tf_plan *p, unsigned block)
{
    return p->target.permutes && !p->of.masked && !p->of.rows &&
           tf_window_lanes(p) <= TF_WINDOW_LANES_MAX &&
           p->width % tf_window_lanes(p) == 0 &&
           p->shapes->region_of[block] == TF_CFG_NONE;
}

// A member of what the index counts: its address is a constant behind that.
static LLVMValueRef without_offset(LLVMValueRef pointer, unsigned *bytes)
{
    LLVMValueRef offset;

    *bytes = 0;
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2)
        return pointer;
    offset = LLVMGetOperand(pointer, 1);
    if (!LLVMIsAConstantInt(offset) || LLVMConstIntGetZExtValue(offset) != WORD_BYTES ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(pointer)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(pointer)) != 8)
        return pointer;
    *bytes = WORD_BYTES;
    return LLVMGetOperand(pointer, 0);
}

static bool finds_address(const struct tf_plan *p, const struct tf_access *a,
                          unsigned block, struct tf_window *out)
{
    const LLVMValueRef at = without_offset(a->pointer, &out->offset_bytes);
    uint64_t step;

    // "inbounds": all between the shared address and the element is one object.
    if (!LLVMIsAGetElementPtrInst(at) || !LLVMIsInBounds(at) ||
        !tf_is_of_block(p->shapes, at, block) || LLVMGetNumOperands(at) != 2 ||
        !tf_is_uniform(p->shapes, LLVMGetOperand(at, 0)))
        return false;
    step = LLVMABISizeOfType(p->shapes->layout, LLVMGetGEPSourceElementType(at));
    out->address = at;
    out->index = LLVMGetOperand(at, 1);
    if (tf_is_of_block(p->shapes, out->index, block))
        out->index = without_extension(out->index);
    out->permutes = a->count == 1 && a->element_bytes <= WORD_BYTES;
    out->words = step == 2 * WORD_BYTES && a->element_bytes == WORD_BYTES ? 2 : 1;
    return is_i32(out->index) &&
           (out->permutes ? step == out->words * a->element_bytes
                          : step == tf_access_bytes(a)) &&
           out->offset_bytes < step;
}

bool tf_window_of(const struct tf_plan *p, const struct tf_value *load,
                  struct tf_window *out)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, load->instruction);
    LLVMValueRef coordinate;
    double step;

    if (!is_fit(p, load->block) || !finds_address(p, &a, load->block, out))
        return false;
    coordinate = rounded(p, out->index, MAX_DEPTH);
    if (!coordinate)
        return false;
    step = tf_index_step(p->shapes, LLVMGetOperand(coordinate, 0));
    return isnan(step) || (out->permutes && step > 0 && step <= 1);
}

unsigned tf_window_operations(const struct tf_plan *p, const struct tf_value *load)
{
    (void)load;
    return 5 *
           (p->width / tf_window_lanes(p)); // difference, comparison, load, permutation
}

// ---- elements that rise

// Whether an index is on the way of which others take for granted that it counts as
// lanes do.
static bool wraps_around(const struct tf_shapes *usual, LLVMValueRef value,
                         unsigned depth)
{
    const struct tf_value *v = tf_shape_value(usual, value);

    if (!v || depth == 0 || LLVMIsAPHINode(value) || LLVMIsALoadInst(value))
        return false;
    if (v->assumed &&
        (v->opcode == LLVMAnd || v->opcode == LLVMURem || v->opcode == LLVMSRem))
        return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (wraps_around(usual, LLVMGetOperand(value, i), depth - 1))
            return true;
    }
    return false;
}

bool tf_plan_rises(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);
    const struct tf_shapes *usual = &p->of.facts->usual;
    const struct tf_shape shape = tf_shape_of(usual, a.pointer);

    // Loads take in what lies between the lanes' elements: all lanes must be there.
    if (v->opcode == LLVMLoad && p->shapes->region_of[v->block] != TF_CFG_NONE)
        return false;
    return p->target.scatters && p->target.masks_free && p->of.masked && !p->of.linear &&
           p->width % TF_RISING_LANES == 0 && a.count == 1 &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(a.pointer)) != TF_AS_PRIVATE &&
           a.element_bytes == WORD_BYTES && a.align_bytes >= WORD_BYTES &&
           shape.kind == TF_SHAPE_AFFINE && !shape.unless && shape.stride == WORD_BYTES &&
           wraps_around(usual, a.pointer, MAX_STEPS);
}
