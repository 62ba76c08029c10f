// SPDX-License-Identifier: MIT
// At the narrow end of a tree in local memory each step loads, some lanes further, what
// the one before has stored. A processor does not forward a part of a store that began
// elsewhere, or one under a mask: the load waits until the store has reached the cache,
// some 15 cycles a step. LLVM's passes forward whole stores only. Here a load all of
// whose active lanes were written by one store of its block becomes a shuffle of what was
// stored; the store stays.
#include "compiler/codegen/memory/forward.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"

enum { MAX_LANES = 64, MAX_STORES = 16 };

// Memory that a load reads or a store writes: some of `count` elements that lie side by
// side `offset_bytes` behind a pointer.
struct span {
    LLVMValueRef base;
    int64_t offset_bytes;
    LLVMTypeRef element;
    unsigned element_bytes, count;
    uint64_t active; // a bit for each element
};

struct store {
    struct span span;
    LLVMValueRef value;
};

struct search {
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    struct store stores[MAX_STORES]; // of the block, the last one last, all from one base
    unsigned count;
};

// ---- reading accesses

static bool read_type(const struct search *s, LLVMTypeRef type, struct span *span)
{
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    span->element = is_vector ? LLVMGetElementType(type) : type;
    span->count = is_vector ? LLVMGetVectorSize(type) : 1;
    if (!tf_ir_is_plain_element(span->element) || span->count > MAX_LANES)
        return false;
    span->element_bytes = (unsigned)LLVMABISizeOfType(s->layout, span->element);
    span->active = ~(uint64_t)0 >> (MAX_LANES - span->count);
    return true;
}

static void read_address(const struct search *s, LLVMValueRef pointer, struct span *span)
{
    span->base = pointer;
    span->offset_bytes = 0;
    while (LLVMIsAGetElementPtrInst(span->base) && LLVMGetNumOperands(span->base) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(span->base, 1))) {
        const uint64_t bytes =
            LLVMABISizeOfType(s->layout, LLVMGetGEPSourceElementType(span->base));

        span->offset_bytes += (int64_t)bytes * (int64_t)LLVMConstIntGetSExtValue(
                                                   LLVMGetOperand(span->base, 1));
        span->base = LLVMGetOperand(span->base, 0);
    }
}

static bool read_store(const struct search *s, LLVMValueRef i, struct store *store)
{
    if (LLVMIsAStoreInst(i)) {
        store->value = LLVMGetOperand(i, 0);
        read_address(s, LLVMGetOperand(i, 1), &store->span);
        return tf_ir_is_ordinary(i) &&
               read_type(s, LLVMTypeOf(store->value), &store->span);
    }
    if (!tf_ir_calls(i, "llvm.masked.store."))
        return false;
    store->value = LLVMGetOperand(i, 0);
    read_address(s, LLVMGetOperand(i, 1), &store->span);
    return read_type(s, LLVMTypeOf(store->value), &store->span) &&
           tf_ir_known_mask(tf_ir_argument_from_end(i, 1), &store->span.active);
}

// *rest: what lanes get that are not active, or NULL.
static bool read_load(const struct search *s, LLVMValueRef i, struct span *span,
                      LLVMValueRef *rest)
{
    *rest = NULL;
    if (LLVMIsALoadInst(i)) {
        read_address(s, LLVMGetOperand(i, 0), span);
        return tf_ir_is_ordinary(i) && read_type(s, LLVMTypeOf(i), span);
    }
    if (!tf_ir_calls(i, "llvm.masked.load."))
        return false;
    read_address(s, LLVMGetOperand(i, 0), span);
    *rest = tf_ir_argument_from_end(i, 1);
    return read_type(s, LLVMTypeOf(i), span) &&
           tf_ir_known_mask(tf_ir_argument_from_end(i, 2), &span->active);
}

// ---- whose elements they are

static int64_t address_of(const struct span *span, unsigned element)
{
    return span->offset_bytes + (int64_t)element * span->element_bytes;
}

static bool is_active(const struct span *span, unsigned element)
{
    return span->active >> element & 1;
}

// Whether the store may have written a byte of the load's element; *lane: which of its
// elements is the same one, or MAX_LANES.
static bool meets(const struct span *store, const struct span *load, unsigned element,
                  unsigned *lane)
{
    const int64_t bytes = store->element_bytes, from = address_of(load, element),
                  behind = from - store->offset_bytes;

    *lane = MAX_LANES;
    if (behind + load->element_bytes <= 0 || behind >= bytes * store->count)
        return false;
    if (load->element_bytes != store->element_bytes || behind % bytes != 0)
        return true;
    if (!is_active(store, (unsigned)(behind / bytes)))
        return false;
    if (store->element == load->element)
        *lane = (unsigned)(behind / bytes);
    return true;
}

// The last store that has written this element, if it wrote it as a whole.
static const struct store *writer_of(const struct search *s, const struct span *load,
                                     unsigned element, unsigned *lane)
{
    for (unsigned k = s->count; k-- > 0;) {
        if (meets(&s->stores[k].span, load, element, lane))
            return *lane < MAX_LANES ? &s->stores[k] : NULL;
    }
    return NULL;
}

// The one store that has written all active elements, or NULL.
static const struct store *source_of(const struct search *s, const struct span *load,
                                     unsigned lanes[MAX_LANES])
{
    const struct store *source = NULL;

    if (s->count == 0 || s->stores[0].span.base != load->base)
        return NULL;
    for (unsigned i = 0; i < load->count; i++) {
        const struct store *writer;

        lanes[i] = MAX_LANES;
        if (!is_active(load, i))
            continue;
        writer = writer_of(s, load, i, &lanes[i]);
        if (!writer || (source && writer != source))
            return NULL;
        source = writer;
    }
    return source;
}

// ---- shuffles

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static LLVMValueRef shuffle(const struct search *s, const struct store *from,
                            const struct span *load, const unsigned lanes[MAX_LANES],
                            LLVMValueRef rest)
{
    const LLVMTypeRef i32 =
        LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(from->value)));
    const bool fits = rest && LLVMTypeOf(rest) == LLVMTypeOf(from->value);
    LLVMValueRef indices[MAX_LANES];

    for (unsigned i = 0; i < load->count; i++) {
        if (lanes[i] < MAX_LANES)
            indices[i] = LLVMConstInt(i32, lanes[i], false);
        else if (fits)
            indices[i] = LLVMConstInt(i32, load->count + i, false);
        else if (!rest || LLVMIsUndef(rest))
            indices[i] = LLVMGetPoison(i32);
        else
            return NULL;
    }
    return LLVMBuildShuffleVector(s->builder, from->value,
                                  fits ? rest : LLVMGetPoison(LLVMTypeOf(from->value)),
                                  LLVMConstVector(indices, load->count), "");
}

// What the load would load, or NULL.
static LLVMValueRef forwarded(const struct search *s, LLVMValueRef i)
{
    unsigned lanes[MAX_LANES];
    const struct store *from;
    struct span load;
    LLVMValueRef rest;

    if (!read_load(s, i, &load, &rest))
        return NULL;
    from = source_of(s, &load, lanes);
    if (!from)
        return NULL;
    LLVMPositionBuilderBefore(s->builder, i);
    if (!is_vector(from->value))
        return is_vector(i) ? NULL : from->value;
    if (is_vector(i))
        return shuffle(s, from, &load, lanes, rest);
    return LLVMBuildExtractElement(
        s->builder, from->value,
        LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(load.element)), lanes[0],
                     false),
        "");
}

// ---- what is known, instruction by instruction

static void note(struct search *s, LLVMValueRef i)
{
    struct store store;

    if (tf_writes_nothing(i))
        return;
    if (!read_store(s, i, &store)) {
        s->count = 0;
        return;
    }
    if (s->count && s->stores[0].span.base != store.span.base)
        s->count = 0;
    if (s->count == MAX_STORES) {
        memmove(&s->stores[0], &s->stores[1], (MAX_STORES - 1) * sizeof(s->stores[0]));
        s->count--;
    }
    s->stores[s->count++] = store;
}

static void settle_block(struct search *s, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    s->count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        const LLVMValueRef value = forwarded(s, i);

        next = LLVMGetNextInstruction(i);
        if (!value) {
            note(s, i);
            continue;
        }
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
    }
}

void tf_forward_settle(LLVMModuleRef module)
{
    struct search s = {
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
    };

    TF_FOR_EACH_FUNCTION(f, module)
    {
        TF_FOR_EACH_BLOCK(block, f)
        {
            settle_block(&s, block);
        }
    }
    LLVMDisposeBuilder(s.builder);
}
