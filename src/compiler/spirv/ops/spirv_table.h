// SPDX-License-Identifier: MIT
// What is known of each instruction (spirv_ops.def).
#ifndef TF_COMPILER_SPIRV_OPS_SPIRV_TABLE_H
#define TF_COMPILER_SPIRV_OPS_SPIRV_TABLE_H

#include "compiler/spirv/read/spirv_reader.h"

enum tf_spv_form { TF_SPV_FORM_PLAIN, TF_SPV_FORM_RESULT, TF_SPV_FORM_TYPED };
enum tf_spv_place {
    TF_SPV_PLACE_MODULE,
    TF_SPV_PLACE_BODY,
    TF_SPV_PLACE_BOTH,
    TF_SPV_PLACE_FRAME,
};

struct tf_spv_info {
    const char *name; // without "Op"
    enum tf_spv_form form;
    enum tf_spv_place place;
    uint32_t least_words;
    void (*handler)(struct tf_spv *r);
};

// NULL: not known.
const struct tf_spv_info *tf_spv_info(uint32_t opcode);

// Makes the instruction at word `offset` the current one, with all of its words inside of
// the module. Never NULL.
const struct tf_spv_info *tf_spv_step(struct tf_spv *r, uint32_t offset);

// Runs the handler of the current instruction.
void tf_spv_run(struct tf_spv *r, const struct tf_spv_info *info);

#endif // TF_COMPILER_SPIRV_OPS_SPIRV_TABLE_H
