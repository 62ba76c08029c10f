// SPDX-License-Identifier: MIT
// Images: calls of the functions of OpenCL C. An image is the address of its descriptor,
// a sampled image a pair of that and a sampler.
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { NAME_BYTES = 48, CHANNELS = 4, MOST_ARGUMENTS = 6 };
enum {
    OPERAND_LOD = 0x2,
    OPERAND_GRAD = 0x4,
    OPERAND_SIGN = 0x1000,
    OPERAND_ZERO = 0x2000,
    OPERAND_NONTEMPORAL = 0x4000
};
// What OpenCL's numbers of orders and types have above SPIR-V's.
enum { FIRST_TYPE = 0x10d0, FIRST_ORDER = 0x10b0 };

static const struct tf_spv_type sampler_type = {.kind = TF_SPV_SAMPLER};

static LLVMTypeRef i32(const struct tf_spv *r)
{
    return LLVMInt32TypeInContext(r->context);
}

// Of OpTypeImage behind its sampled type.
enum { WORD_DIM = 1, WORD_DEPTH, WORD_ARRAYED, WORD_SAMPLES };

struct image {
    uint32_t dim;
    bool is_array, is_depth;
    struct tf_spv_arg arg;
};

// The name that Clang gives the type: "20ocl_image2d_array_ro".
static const char *mangled(struct tf_spv *r, const struct image *image, uint32_t access)
{
    static const char *const accesses[] = {"ro", "wo", "rw"};
    char name[NAME_BYTES];
    const int bytes = snprintf(name, sizeof name, "ocl_image%s%s%s_%s",
                               image->dim == TF_SPV_DIM_1D       ? "1d"
                               : image->dim == TF_SPV_DIM_2D     ? "2d"
                               : image->dim == TF_SPV_DIM_3D     ? "3d"
                               : image->dim == TF_SPV_DIM_BUFFER ? "1d_buffer"
                                                                 : "",
                               image->is_array ? "_array" : "",
                               image->is_depth ? "_depth" : "", accesses[access]);

    return tf_spv_format(r, "%d%s", bytes, name);
}

static struct image describe(struct tf_spv *r, const struct tf_spv_type *type,
                             LLVMValueRef value)
{
    struct image image = {.arg = {.value = value, .type = type}};

    tf_spv_need(r, type->kind == TF_SPV_IMAGE, "operand is no image");
    image.dim = type->words[WORD_DIM];
    image.is_depth = type->words[WORD_DEPTH] == 1;
    image.is_array = type->words[WORD_ARRAYED] == 1;
    tf_spv_need(r, image.dim <= TF_SPV_DIM_3D || image.dim == TF_SPV_DIM_BUFFER,
                "images of dimension %u are not supported", image.dim);
    tf_spv_need(r, type->words[WORD_SAMPLES] == 0, "images of samples are not supported");
    image.arg.mangled = mangled(r, &image, type->access);
    return image;
}

static struct image image_at(struct tf_spv *r, uint32_t at)
{
    return describe(r, tf_spv_type_of_value_at(r, at), tf_spv_value_at(r, at));
}

// ---- Coordinates and operands ----

static uint32_t dimensions(const struct image *image)
{
    return (image->dim == TF_SPV_DIM_BUFFER ? 1 : image->dim + 1) + image->is_array;
}

// The coordinate at `at`; where there are three OpenCL C wants a vector of four.
static struct tf_spv_arg coordinate(struct tf_spv *r, const struct image *image,
                                    uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const uint32_t n = dimensions(image), given = tf_spv_components(type);
    struct tf_spv_type *const wide = TF_SPV_NEW(r, struct tf_spv_type, 1);
    LLVMValueRef mask[CHANNELS];

    tf_spv_need(r,
                (tf_spv_is_int(type) || tf_spv_is_float(type)) &&
                    tf_spv_scalar(type)->bits == 32 &&
                    (given == n || (n > 1 && given > n)),
                "the coordinate has another type");
    *wide = *type;
    wide->count = n == 3 ? CHANNELS : n;
    if (n == 1 || given == wide->count)
        return (struct tf_spv_arg){.value = tf_spv_value_at(r, at), .type = type};
    for (uint32_t i = 0; i < wide->count; i++)
        mask[i] = LLVMConstInt(i32(r), i < given ? i : 0, false);
    const LLVMValueRef value = tf_spv_value_at(r, at);
    return (struct tf_spv_arg){
        .value = LLVMBuildShuffleVector(r->builder, value, value,
                                        LLVMConstVector(mask, (unsigned)wide->count), ""),
        .type = wide};
}

// Adds the level of detail or the gradients, which stand behind the mask at `at`.
static unsigned add_level(struct tf_spv *r, const struct image *image, uint32_t at,
                          struct tf_spv_arg *args, bool is_write)
{
    const uint32_t mask = tf_spv_has_word(r, at) ? tf_spv_word(r, at) : 0;

    tf_spv_need(r,
                !(mask & ~(uint32_t)(OPERAND_LOD | OPERAND_GRAD | OPERAND_SIGN |
                                     OPERAND_ZERO | OPERAND_NONTEMPORAL)) &&
                    (mask & (OPERAND_LOD | OPERAND_GRAD)) != (OPERAND_LOD | OPERAND_GRAD),
                "image operands 0x%x are not supported", mask);
    if (mask & OPERAND_LOD) {
        const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at + 1);
        const LLVMValueRef value = tf_spv_value_at(r, at + 1);

        tf_spv_need(
            r, type->kind == (is_write ? TF_SPV_INT : TF_SPV_FLOAT) && type->bits == 32,
            "the level has another type");
        if (LLVMIsAConstant(value) && LLVMIsNull(value))
            return 0; // of images without levels, too
        args[0] = (struct tf_spv_arg){.value = value, .type = type};
        return 1;
    }
    if (mask & OPERAND_GRAD) {
        struct image flat = *image;

        flat.is_array = false;
        args[0] = coordinate(r, &flat, at + 1);
        args[1] = coordinate(r, &flat, at + 2);
        return 2;
    }
    return 0;
}

static uint32_t operand_mask(struct tf_spv *r, uint32_t at)
{
    return tf_spv_has_word(r, at) ? tf_spv_word(r, at) : 0;
}

// "f", "h", "i" or "ui". A depth may be a number or the first of four channels.
static const char *channel_suffix(struct tf_spv *r, const struct image *image,
                                  const struct tf_spv_type *type, uint32_t mask)
{
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);

    tf_spv_need(r,
                tf_spv_components(type) == CHANNELS ||
                    (image->is_depth && tf_spv_components(type) == 1),
                "colors have four channels, depths one or four");
    if (scalar->kind == TF_SPV_FLOAT && (scalar->bits == 32 || scalar->bits == 16))
        return scalar->bits == 32 ? "f" : "h";
    tf_spv_need(r, scalar->kind == TF_SPV_INT && scalar->bits == 32,
                "channels have 32 bits, or are halves");
    // The formats know their signs: where nothing is said both functions read the same.
    return mask & OPERAND_ZERO ? "ui" : "i";
}

// ---- Reads and writes ----

static bool is_first_of_four(const struct image *image, const struct tf_spv_type *type)
{
    return image->is_depth && type->kind == TF_SPV_VECTOR;
}

// Calls the function of OpenCL C, which gives a depth as a number; as a color it is red.
static void set_texel(struct tf_spv *r, const struct image *image, const char *suffix,
                      const struct tf_spv_arg *args, unsigned count)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const bool wide = is_first_of_four(image, type);
    const LLVMTypeRef part = wide ? tf_spv_scalar(type)->llvm : type->llvm;
    const LLVMValueRef value =
        tf_spv_call(r, tf_spv_format(r, "read_image%s", suffix), part, args, count);

    if (!wide) {
        tf_spv_set_result(r, value);
        return;
    }
    tf_spv_need(r, type->element->kind == TF_SPV_FLOAT, "a depth is no integer");
    const LLVMValueRef zero = LLVMConstReal(part, 0);
    LLVMValueRef others[CHANNELS] = {zero, zero, zero, LLVMConstReal(part, 1)};
    tf_spv_set_result(r, LLVMBuildInsertElement(r->builder,
                                                LLVMConstVector(others, CHANNELS), value,
                                                LLVMConstInt(i32(r), 0, false), ""));
}

void tf_spv_op_image_read(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct image image = image_at(r, 3);
    struct tf_spv_arg args[MOST_ARGUMENTS] = {image.arg, coordinate(r, &image, 4)};
    const char *const suffix = channel_suffix(r, &image, type, operand_mask(r, 5));
    const unsigned count = 2 + add_level(r, &image, 5, args + 2, false);

    set_texel(r, &image, suffix, args, count);
}

void tf_spv_op_image_write(struct tf_spv *r)
{
    const struct image image = image_at(r, 1);
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);
    const uint32_t mask = operand_mask(r, 4);
    const char *const suffix = channel_suffix(r, &image, type, mask);
    struct tf_spv_arg args[MOST_ARGUMENTS] = {image.arg, coordinate(r, &image, 2)};
    const unsigned count = 2 + add_level(r, &image, 4, args + 2, true);

    args[count] = (struct tf_spv_arg){.value = tf_spv_value_at(r, 3),
                                      .type = type,
                                      .is_unsigned = (mask & OPERAND_ZERO) != 0};
    if (is_first_of_four(&image, type)) {
        args[count].type = type->element;
        args[count].value = LLVMBuildExtractElement(r->builder, args[count].value,
                                                    LLVMConstInt(i32(r), 0, false), "");
    }
    tf_spv_call(r, tf_spv_format(r, "write_image%s", suffix),
                LLVMVoidTypeInContext(r->context), args, count + 1);
}

// ---- Blocks of SPV_INTEL_subgroups ----

// "read_us4", by the type of the elements.
static const char *block_name(struct tf_spv *r, const char *what,
                              const struct tf_spv_type *type)
{
    const uint32_t count = tf_spv_components(type);
    const char *bits;

    tf_spv_need(r, tf_spv_is_int(type), "blocks are of integers");
    tf_spv_need(r, count <= 16 && (count & (count - 1)) == 0,
                "there are no blocks of %u elements", count);
    switch (tf_spv_scalar(type)->bits) {
    case 8:
        bits = "uc";
        break;
    case 16:
        bits = "us";
        break;
    case 32:
        bits = "ui";
        break;
    default:
        bits = "ul";
        break;
    }
    if (count == 1)
        return tf_spv_format(r, "intel_sub_group_block_%s_%s", what, bits);
    return tf_spv_format(r, "intel_sub_group_block_%s_%s%u", what, bits, count);
}

static struct image block_image(struct tf_spv *r, uint32_t at)
{
    const struct image image = image_at(r, at);

    tf_spv_need(r, image.dim == TF_SPV_DIM_2D && !image.is_array && !image.is_depth,
                "blocks lie in images of two dimensions");
    return image;
}

void tf_spv_op_intel_image_block_read(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct image image = block_image(r, 3);
    const struct tf_spv_arg args[] = {image.arg, coordinate(r, &image, 4)};

    tf_spv_set_result(r,
                      tf_spv_call(r, block_name(r, "read", type), type->llvm, args, 2));
}

void tf_spv_op_intel_image_block_write(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);
    const struct image image = block_image(r, 1);
    const struct tf_spv_arg args[] = {
        image.arg,
        coordinate(r, &image, 2),
        {.value = tf_spv_value_at(r, 3), .type = type, .is_unsigned = true}};

    tf_spv_call(r, block_name(r, "write", type), LLVMVoidTypeInContext(r->context), args,
                3);
}

// ---- Samplers ----

void tf_spv_op_sampled_image(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct image image = image_at(r, 3);
    LLVMValueRef pair;

    tf_spv_need(r,
                type->kind == TF_SPV_SAMPLED_IMAGE &&
                    tf_spv_type_of_value_at(r, 4)->kind == TF_SPV_SAMPLER,
                "a sampled image is made of an image and a sampler");
    pair = LLVMBuildInsertValue(r->builder, LLVMGetPoison(type->llvm), image.arg.value, 0,
                                "");
    tf_spv_set_result(
        r, LLVMBuildInsertValue(r->builder, pair, tf_spv_value_at(r, 4), 1, ""));
}

void tf_spv_op_image_of_sampled(struct tf_spv *r)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, 3)->kind == TF_SPV_SAMPLED_IMAGE,
                "operand is no sampled image");
    tf_spv_set_result(r, LLVMBuildExtractValue(r->builder, tf_spv_value_at(r, 3), 0, ""));
}

void tf_spv_op_image_sample(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_type *const pair_type = tf_spv_type_of_value_at(r, 3);
    const LLVMValueRef pair = tf_spv_value_at(r, 3);

    tf_spv_need(r, pair_type->kind == TF_SPV_SAMPLED_IMAGE,
                "operand is no sampled image");
    const struct image image =
        describe(r, pair_type->element, LLVMBuildExtractValue(r->builder, pair, 0, ""));
    struct tf_spv_arg args[MOST_ARGUMENTS] = {
        image.arg,
        {.value = LLVMBuildExtractValue(r->builder, pair, 1, ""), .type = &sampler_type},
        coordinate(r, &image, 4),
    };
    const char *const suffix = channel_suffix(r, &image, type, operand_mask(r, 5));
    const unsigned count = 3 + add_level(r, &image, 5, args + 3, false);
    set_texel(r, &image, suffix, args, count);
}

// ---- Queries ----

static LLVMValueRef ask(struct tf_spv *r, const char *name, const struct image *image)
{
    return tf_spv_call(r, name, i32(r), &image->arg, 1);
}

static void set_number(struct tf_spv *r, LLVMValueRef value)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, type->kind == TF_SPV_INT, "the result is an integer");
    tf_spv_set_result(r, LLVMBuildIntCast2(r->builder, value, type->llvm, false, ""));
}

void tf_spv_op_image_query_format(struct tf_spv *r)
{
    const struct image image = image_at(r, 3);
    const bool order = r->op.opcode == TF_SPV_OP_ImageQueryOrder;
    const LLVMValueRef number =
        ask(r, order ? "get_image_channel_order" : "get_image_channel_data_type", &image);

    set_number(r, LLVMBuildSub(
                      r->builder, number,
                      LLVMConstInt(i32(r), order ? FIRST_ORDER : FIRST_TYPE, false), ""));
}

void tf_spv_op_image_query_levels(struct tf_spv *r)
{
    const struct image image = image_at(r, 3);

    set_number(r, ask(r, "get_image_num_mip_levels", &image));
}

// Width, height, depth and layers, as far as the image has them.
static unsigned extents(struct tf_spv *r, const struct image *image, LLVMValueRef *out)
{
    unsigned n = 0;

    out[n++] = ask(r, "get_image_width", image);
    if (image->dim == TF_SPV_DIM_2D || image->dim == TF_SPV_DIM_3D)
        out[n++] = ask(r, "get_image_height", image);
    if (image->dim == TF_SPV_DIM_3D)
        out[n++] = ask(r, "get_image_depth", image);
    if (image->is_array)
        out[n++] = tf_spv_call(r, "get_image_array_size",
                               LLVMInt64TypeInContext(r->context), &image->arg, 1);
    return n;
}

// The size of a level: that of level 0 halved `level` times, and 1 at least.
static LLVMValueRef of_level(struct tf_spv *r, LLVMValueRef extent, LLVMValueRef level)
{
    const LLVMValueRef one = LLVMConstInt(LLVMTypeOf(extent), 1, false);
    const LLVMValueRef halved = LLVMBuildLShr(
        r->builder, extent,
        LLVMBuildIntCast2(r->builder, level, LLVMTypeOf(extent), false, ""), "");
    const LLVMValueRef is_zero = LLVMBuildICmp(r->builder, LLVMIntULT, halved, one, "");

    return LLVMBuildSelect(r->builder, is_zero, one, halved, "");
}

void tf_spv_op_image_query_size(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const bool has_level = r->op.opcode == TF_SPV_OP_ImageQuerySizeLod;
    const struct image image = image_at(r, 3);
    LLVMValueRef values[CHANNELS], result = LLVMGetPoison(type->llvm);
    const unsigned n = extents(r, &image, values);

    tf_spv_need(r, tf_spv_is_int(type) && tf_spv_components(type) == n,
                "the result has %u integers", n);
    tf_spv_need(r, !has_level || tf_spv_type_of_value_at(r, 4)->kind == TF_SPV_INT,
                "the level is no integer");
    for (unsigned i = 0; i < n; i++) {
        const bool is_layers = image.is_array && i == n - 1;
        LLVMValueRef value = values[i];

        if (has_level && !is_layers)
            value = of_level(r, value, tf_spv_value_at(r, 4));
        value =
            LLVMBuildIntCast2(r->builder, value, tf_spv_scalar(type)->llvm, false, "");
        result = type->kind == TF_SPV_VECTOR
                     ? LLVMBuildInsertElement(r->builder, result, value,
                                              LLVMConstInt(i32(r), i, false), "")
                     : value;
    }
    tf_spv_set_result(r, result);
}
