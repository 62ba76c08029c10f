// SPDX-License-Identifier: MIT
#include "compiler/spirv/ops/spirv_table.h"

#include "compiler/spirv/ops/spirv_handlers.h"

const struct tf_spv_info *tf_spv_info(uint32_t opcode)
{
    switch (opcode) {
#define OP(number, name, form, place, least, handler)                        \
    case number: {                                                           \
        static const struct tf_spv_info info = {#name, TF_SPV_FORM_##form,   \
                                                TF_SPV_PLACE_##place, least, \
                                                tf_spv_op_##handler};        \
        return &info;                                                        \
    }
#include "compiler/spirv/ops/spirv_ops.def"
#undef OP
    default:
        return NULL;
    }
}

const struct tf_spv_info *tf_spv_step(struct tf_spv *r, uint32_t offset)
{
    const uint32_t *const words = r->words + offset;
    const struct tf_spv_info *const info = tf_spv_info(words[0] & 0xffff);
    const bool typed = info && info->form == TF_SPV_FORM_TYPED;

    r->op = (struct tf_spv_op){.offset = offset,
                               .opcode = words[0] & 0xffff,
                               .count = words[0] >> 16,
                               .words = words,
                               .name = info ? info->name : NULL};
    tf_spv_need(r, info, "instruction %u is not known", r->op.opcode);
    tf_spv_need(r,
                r->op.count >= info->least_words && r->op.count <= r->word_count - offset,
                "%u words are too few or end behind the module", r->op.count);
    if (info->form != TF_SPV_FORM_PLAIN)
        r->op.result = words[typed ? 2 : 1];
    r->op.type = typed ? words[1] : 0;
    r->op.operands = typed ? 3 : info->form == TF_SPV_FORM_PLAIN ? 1 : 2;
    return info;
}

void tf_spv_run(struct tf_spv *r, const struct tf_spv_info *info)
{
    if (info->form == TF_SPV_FORM_TYPED)
        (void)tf_spv_result_type(r);
    info->handler(r);
}
