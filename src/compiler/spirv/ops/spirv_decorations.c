// SPDX-License-Identifier: MIT
// Names, strings and decorations. They come before what they describe, so they are kept
// with the id.
#include <string.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { MOST_COPIES = 1000000 };

void tf_spv_op_name(struct tf_spv *r)
{
    const char *const name = tf_spv_text(r, 2, NULL);

    if (*name)
        tf_spv_id_at(r, 1)->name = name;
}

void tf_spv_op_string(struct tf_spv *r)
{
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

    tf_spv_need(r, id->kind == TF_SPV_ID_NONE, "id %u is defined already", r->op.result);
    id->kind = TF_SPV_ID_STRING;
    id->is.text = tf_spv_text(r, 2, NULL);
    if (!strncmp(id->is.text, "kernel_arg_", strlen("kernel_arg_"))) {
        struct tf_spv_string *const string = TF_SPV_NEW(r, struct tf_spv_string, 1);

        string->text = id->is.text;
        string->next = r->strings;
        r->strings = string;
    }
}

static void check_decoration(struct tf_spv *r, const struct tf_spv_decoration *decoration)
{
    switch (decoration->kind) {
    case TF_SPV_DECORATION_BUILT_IN:
    case TF_SPV_DECORATION_ALIGNMENT:
    case TF_SPV_DECORATION_MAX_BYTE_OFFSET:
    case TF_SPV_DECORATION_FUNC_PARAM_ATTR:
    case TF_SPV_DECORATION_FP_ROUNDING_MODE:
    case TF_SPV_DECORATION_FP_FAST_MATH_MODE:
    case TF_SPV_DECORATION_SPEC_ID:
        tf_spv_need(r, decoration->count >= 1, "the decoration has no value");
        break;
    case TF_SPV_DECORATION_LINKAGE_ATTRIBUTES:
        tf_spv_need(r, decoration->count >= 2, "the decoration has no name and type");
        break;
    default: // no operands that we ask for
        break;
    }
    if (decoration->kind == TF_SPV_DECORATION_ALIGNMENT)
        tf_spv_need(r,
                    decoration->words[0] &&
                        !(decoration->words[0] & (decoration->words[0] - 1)) &&
                        decoration->words[0] <= 1u << 28,
                    "%u is no alignment", decoration->words[0]);
}

static void add_decoration(struct tf_spv *r, struct tf_spv_id *id,
                           const struct tf_spv_decoration *given, uint32_t member)
{
    struct tf_spv_decoration *const decoration =
        TF_SPV_NEW(r, struct tf_spv_decoration, 1);

    *decoration = *given;
    decoration->member = member;
    decoration->next = id->decorations;
    id->decorations = decoration;
}

void tf_spv_op_decorate(struct tf_spv *r)
{
    static const uint32_t align_128 = 128;
    struct tf_spv_decoration given = {
        .kind = tf_spv_word(r, 2), .words = r->op.words + 3, .count = r->op.count - 3};

    // LLVM's back end writes 128 as a byte with a sign.
    if (given.kind == TF_SPV_DECORATION_ALIGNMENT && given.count == 1 &&
        given.words[0] == (uint32_t)-128)
        given.words = &align_128;
    check_decoration(r, &given);
    if (given.kind == TF_SPV_DECORATION_LINKAGE_ATTRIBUTES)
        (void)tf_spv_text(r, 3, NULL);
    add_decoration(r, tf_spv_id_at(r, 1), &given, TF_SPV_NO_MEMBER);
}

void tf_spv_op_member_decorate(struct tf_spv *r)
{
    const struct tf_spv_decoration given = {
        .kind = tf_spv_word(r, 3), .words = r->op.words + 4, .count = r->op.count - 4};

    check_decoration(r, &given);
    add_decoration(r, tf_spv_id_at(r, 1), &given, tf_spv_word(r, 2));
}

void tf_spv_op_decoration_group(struct tf_spv *r)
{
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

    tf_spv_need(r, id->kind == TF_SPV_ID_NONE, "id %u is defined already", r->op.result);
    id->kind = TF_SPV_ID_GROUP;
}

static const struct tf_spv_decoration *group_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, at);

    tf_spv_need(r, id->kind == TF_SPV_ID_GROUP, "id %u is no group of decorations",
                r->op.words[at]);
    return id->decorations;
}

// A group may have many decorations and many targets: their product is bounded.
static void give(struct tf_spv *r, const struct tf_spv_decoration *group,
                 struct tf_spv_id *id, uint32_t member)
{
    tf_spv_need(r, id->kind != TF_SPV_ID_GROUP, "a group cannot be decorated by a group");
    for (; group; group = group->next) {
        tf_spv_need(r, r->copied_decorations++ < MOST_COPIES, "too many decorations");
        add_decoration(r, id, group, member);
    }
}

void tf_spv_op_group_decorate(struct tf_spv *r)
{
    const struct tf_spv_decoration *const group = group_at(r, 1);

    for (uint32_t i = 2; i < r->op.count; i++)
        give(r, group, tf_spv_id_at(r, i), TF_SPV_NO_MEMBER);
}

void tf_spv_op_group_member_decorate(struct tf_spv *r)
{
    const struct tf_spv_decoration *const group = group_at(r, 1);

    for (uint32_t i = 2; i < r->op.count; i += 2)
        give(r, group, tf_spv_id_at(r, i), tf_spv_word(r, i + 1));
}
