// SPDX-License-Identifier: MIT
// Of which values lane 0's share is also kept in 64 bits. That no signed index overflows
// holds for the lanes that are active. Lane 0, from which all lanes count, may not be one
// of them, and may overflow in the program's 32 bits: what an extension would make of it
// is 2^32 away from where the others lie. In 64 bits the sums are the program's numbers.
// And what an access asks of the run before lanes are taken to be side by side.
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/index.h"
#include "compiler/workgroup/plan/planning.h"

static void mark(struct tf_planning *m, LLVMValueRef value)
{
    const struct tf_shapes *shapes = m->p->shapes;
    const struct tf_value *v = tf_shape_value(shapes, value);
    struct tf_plan_value *made;

    if (!v || !tf_rests_on_promise(shapes, value))
        return;
    made = &m->values[v - shapes->values];
    if (made->exact)
        return;
    made->exact = true;
    if (v->opcode == LLVMPHI) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            mark(m, LLVMGetIncomingValue(value, i));
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        mark(m, LLVMGetOperand(value, i));
}

void tf_plan_exact(struct tf_planning *m)
{
    const struct tf_shapes *shapes = m->p->shapes;

    for (unsigned i = 0; i < shapes->value_count; i++) {
        const struct tf_value *v = &shapes->values[i];

        if (v->shape.kind == TF_SHAPE_AFFINE && v->shape.stride &&
            (v->opcode == LLVMSExt || v->opcode == LLVMZExt || v->opcode == LLVMAShr))
            mark(m, LLVMGetOperand(v->instruction, 0));
    }
}

LLVMValueRef tf_plan_spacing_of(const struct tf_plan *p, const struct tf_value *v)
{
    struct tf_access a;

    if (tf_plan_form(p, v) != TF_FORM_EITHER_WAY)
        return NULL;
    a = tf_access_of(p->shapes->layout, v->instruction);
    return tf_spacing_asked_for(p->shapes, tf_shape_of(p->shapes, a.pointer).unless);
}
