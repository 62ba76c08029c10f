// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/shape.h"
#include "compiler/ir/roots.h"

#include <string.h>

#include "compiler/ir/elementwise.h"

static int id_of(enum tf_root root)
{
    return root >= TF_ROOT_LID && root < TF_ROOT_APART ? (int)(root - TF_ROOT_LID) : -1;
}

int tf_shape_root(LLVMValueRef call)
{
    return id_of(tf_root_of(call));
}

int tf_value_id(const struct tf_value *v)
{
    return id_of(v->root);
}

int tf_lane_id(const struct tf_shapes *s, const struct tf_value *v)
{
    const int id = tf_value_id(v);

    if (id < 0 || !s->turned || id % 3 == 2)
        return id;
    return id % 3 == 0 ? id + 1 : id - 1;
}

bool tf_is_barrier(const struct tf_value *v)
{
    return v->root == TF_ROOT_BARRIER || v->root == TF_ROOT_YIELD;
}

bool tf_touches_no_memory(const struct tf_value *call)
{
    return call->is_marker || tf_value_id(call) >= 0 || call->elementwise ||
           call->root == TF_ROOT_INSIDE;
}

bool tf_shape_is_limit(LLVMValueRef call)
{
    const struct tf_elementwise *e = tf_elementwise_of(call);

    return e && (!strcmp(e->name, "smin") || !strcmp(e->name, "smax") ||
                 !strcmp(e->name, "umin") || !strcmp(e->name, "umax"));
}

struct tf_value *tf_shape_value(const struct tf_shapes *s, LLVMValueRef value)
{
    const unsigned at =
        LLVMIsAInstruction(value) ? tf_map_get(&s->number, value) : TF_MAP_NONE;

    return at == TF_MAP_NONE ? NULL : &s->values[at];
}

bool tf_is_of_block(const struct tf_shapes *s, LLVMValueRef value, unsigned block)
{
    const struct tf_value *v = tf_shape_value(s, value);

    return v && v->block == block;
}

struct tf_value *tf_block_first(const struct tf_shapes *s, unsigned block)
{
    return &s->values[s->first[block]];
}

struct tf_value *tf_block_end(const struct tf_shapes *s, unsigned block)
{
    return &s->values[s->first[block + 1]];
}

struct tf_shape tf_shape_of(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(s, value);

    return v ? v->shape : (struct tf_shape){.kind = TF_SHAPE_AFFINE};
}

bool tf_is_uniform(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_shape shape = tf_shape_of(s, value);

    return shape.kind == TF_SHAPE_AFFINE && shape.stride == 0;
}

bool tf_pack_is_apart(LLVMValueRef call)
{
    return tf_root_of(call) == TF_ROOT_APART;
}

bool tf_pack_asks(const struct tf_cfg *cfg, unsigned block)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];

    for (unsigned k = 0; b->succ_count == 2 && k < 2; k++) {
        if (tf_pack_is_apart(LLVMGetFirstInstruction(cfg->blocks[b->succs[k]].block)))
            return true;
    }
    return false;
}
