// SPDX-License-Identifier: MIT
#include "core/program/il.h"

#include <string.h>

#include "abi/spirv_features.h"
#include "core/object/error.h"

enum { MAGIC = 0x07230203, HEADER_WORDS = 5, WORD_BYTES = 4, VALUE_BYTES_MAX = 8 };

// Of the SPIR-V specification.
enum {
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_SPEC_CONSTANT_TRUE = 48,
    // 49: OpSpecConstantFalse
    OP_SPEC_CONSTANT = 50,
    OP_DECORATE = 71,
    OP_GROUP_DECORATE = 74,
    DECORATION_SPEC_ID = 1,
};

struct words {
    const char *data;
    size_t count;
    bool swapped;
};

static uint32_t word(const struct words *w, size_t i)
{
    uint32_t value;

    memcpy(&value, w->data + i * WORD_BYTES, sizeof(value));
    return w->swapped ? __builtin_bswap32(value) : value;
}

static struct words words_of(const void *data, size_t bytes)
{
    struct words w = {.data = data, .count = bytes / WORD_BYTES};

    w.swapped = w.count > 0 && word(&w, 0) == __builtin_bswap32(MAGIC);
    return w;
}

// An instruction: words [at, at + length) of the module; its first has the opcode.
struct instruction {
    size_t at, length;
    uint32_t opcode;
};

static const struct instruction before_first = {.length = HEADER_WORDS};

// Goes to the next instruction. False at the end and where the module is not whole; then
// in->at + in->length is the place.
static bool next(const struct words *w, struct instruction *in)
{
    const size_t at = in->at + in->length;
    uint32_t first;

    if (at >= w->count)
        return false;
    first = word(w, at);
    if (first >> 16 == 0 || first >> 16 > w->count - at)
        return false;
    *in = (struct instruction){.at = at, .length = first >> 16, .opcode = first & 0xffff};
    return true;
}

static uint32_t operand(const struct words *w, const struct instruction *in, size_t i)
{
    return word(w, in->at + 1 + i);
}

cl_int tf_il_check(struct tf_err *err, const void *data, size_t bytes)
{
    const struct words w = words_of(data, bytes);
    struct instruction in = before_first;
    uint32_t version;

    TF_REQUIRE(err, w.count >= HEADER_WORDS && bytes % WORD_BYTES == 0, CL_INVALID_VALUE,
               "%zu bytes are no SPIR-V module", bytes);
    TF_REQUIRE(err, word(&w, 0) == MAGIC, CL_INVALID_VALUE,
               "not a SPIR-V module: its first word is 0x%08x", word(&w, 0));
    version = word(&w, 1);
    TF_REQUIRE(err,
               (version & 0xffff00ff) == 0x00010000 &&
                   (version >> 8 & 0xff) <= TF_SPIRV_MINOR_MAX,
               CL_INVALID_VALUE, "SPIR-V version word 0x%08x: 1.0 to 1.%d are known",
               version, TF_SPIRV_MINOR_MAX);
    TF_REQUIRE(err, word(&w, 3) > 0, CL_INVALID_VALUE, "SPIR-V module without ids");
    TF_REQUIRE(err, word(&w, 4) == 0, CL_INVALID_VALUE, "SPIR-V schema 0x%x",
               word(&w, 4));
    while (next(&w, &in))
        ;
    TF_REQUIRE(err, in.at + in.length == w.count, CL_INVALID_VALUE,
               "SPIR-V module: the instruction at word %zu of %zu is not whole",
               in.at + in.length, w.count);
    return CL_SUCCESS;
}

bool tf_il_is_bitcode(const void *data, size_t bytes)
{
    // The second: with a header that says where in the bytes the module lies.
    static const unsigned char magics[2][4] = {{'B', 'C', 0xc0, 0xde},
                                               {0xde, 0xc0, 0x17, 0x0b}};

    return bytes >= sizeof(magics[0]) && (!memcmp(data, magics[0], sizeof(magics[0])) ||
                                          !memcmp(data, magics[1], sizeof(magics[1])));
}

// The first of the ids that a decoration of `target` is for: itself, or the first that a
// group decoration applies the group `target` to.
static uint32_t first_decorated(const struct words *w, uint32_t target)
{
    struct instruction in = before_first;

    while (next(w, &in))
        if (in.opcode == OP_GROUP_DECORATE && in.length >= 3 &&
            operand(w, &in, 0) == target)
            return operand(w, &in, 1);
    return target;
}

// Describes the type with that id.
static bool describe_type(const struct words *w, uint32_t id, struct tf_il_constant *out)
{
    struct instruction in = before_first;

    while (next(w, &in)) {
        if ((in.opcode != OP_TYPE_INT && in.opcode != OP_TYPE_FLOAT) || in.length < 3 ||
            operand(w, &in, 0) != id)
            continue;
        out->bytes = operand(w, &in, 1) / 8;
        return out->bytes > 0 && out->bytes <= VALUE_BYTES_MAX;
    }
    return false;
}

// Describes the specialization constant with that result id.
static bool describe_constant(const struct words *w, uint32_t id,
                              struct tf_il_constant *out)
{
    struct instruction in = before_first;

    while (next(w, &in)) {
        if (in.opcode < OP_SPEC_CONSTANT_TRUE || in.opcode > OP_SPEC_CONSTANT ||
            in.length < 3 || operand(w, &in, 1) != id)
            continue;
        out->is_bool = in.opcode != OP_SPEC_CONSTANT;
        out->bytes = 1;
        return out->is_bool || describe_type(w, operand(w, &in, 0), out);
    }
    return false;
}

bool tf_il_find_constant(const void *data, size_t bytes, uint32_t spec_id,
                         struct tf_il_constant *out)
{
    const struct words w = words_of(data, bytes);
    struct instruction in = before_first;

    while (next(&w, &in))
        if (in.opcode == OP_DECORATE && in.length >= 4 &&
            operand(&w, &in, 1) == DECORATION_SPEC_ID && operand(&w, &in, 2) == spec_id &&
            describe_constant(&w, first_decorated(&w, operand(&w, &in, 0)), out))
            return true;
    return false;
}
