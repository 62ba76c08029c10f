// SPDX-License-Identifier: MIT
// Kernels that stream: no loop, all memory side by side, and no more arithmetic than
// accesses. Memory is what they wait for, and wide registers make nothing of that faster:
// where a store of a whole cache line goes out in two halves, as on Zen 4, streams from
// memory are slower with 512 bits by a fifth, and equally fast in all caches. Such
// kernels do with half of the register.
#include <stdio.h>
#include <string.h>

#include "compiler/workgroup/gang/gang_access.h"

enum { STREAM_BITS = 256 };

// Whether all lanes' bytes lie side by side, alone or with those of a group.
static bool is_side_by_side(const struct gang *g, const struct tf_value *v)
{
    const struct gang_access a = gang_access_of(g, v->instruction);
    const struct tf_shape shape = tf_shape_of(&g->shapes, a.pointer);

    return shape.kind == TF_SHAPE_AFFINE && !gang_is_ordered(v->instruction) &&
           (shape.stride == (int64_t)(a.count * a.element_bytes) ||
            g->values[v - g->shapes.values].group);
}

static bool has_address_of_all(const struct gang *g, const struct tf_value *v)
{
    return tf_is_uniform(&g->shapes, gang_access_of(g, v->instruction).pointer);
}

bool gang_streams(const struct gang *g)
{
    unsigned accesses = 0, operations = 0, stores = 0;

    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const struct tf_value *v = &g->shapes.values[i];

        switch ((int)v->opcode) {
        case LLVMLoad:
        case LLVMStore:
            stores += v->opcode == LLVMStore;
            if (has_address_of_all(g, v))
                break;
            if (!is_side_by_side(g, v))
                return false;
            accesses++;
            break;
        case LLVMFDiv:
        case LLVMFRem:
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
            return false;
        default:
            operations += v->shape.kind == TF_SHAPE_VARYING;
            break;
        }
    }
    return g->cfg.loop_count == 0 && stores > 0 && operations <= accesses;
}

void gang_narrow(struct gang *g)
{
    if (g->wg->vector_bits <= STREAM_BITS || !gang_streams(g))
        return;
    g->wg->vector_bits = STREAM_BITS;
    g->wg->narrow = true;
    g->width = g->wg->width = STREAM_BITS / 32;
}

static void set_attr(struct tf_wg *wg, LLVMValueRef fn, const char *name)
{
    char bits[16];

    snprintf(bits, sizeof(bits), "%u", wg->vector_bits);
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(wg->context, name,
                                                      (unsigned)strlen(name), bits,
                                                      (unsigned)strlen(bits)));
}

void tf_wg_narrow_functions(struct tf_wg *wg)
{
    LLVMValueRef f = LLVMGetFirstFunction(wg->module);

    for (; wg->narrow && f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        set_attr(wg, f, "prefer-vector-width");
        set_attr(wg, f, "min-legal-vector-width");
    }
}
