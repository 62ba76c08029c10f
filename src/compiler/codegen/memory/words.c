// SPDX-License-Identifier: MIT
// The steps of a tree in local memory, as one block: each gathers what the one before has
// scattered, at distances that double or halve. A processor waits for such words until
// they have reached the cache. Here it is known of each word which lane of which vector
// was stored there last; a load whose words are all known becomes shuffles of at most
// four vectors. LLVM's passes do that for whole vectors alone. Shuffles of shuffles
// become one. What is then overwritten, and nobody loads, need not be stored.
#include "compiler/codegen/memory/words.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/codegen/memory/origins.h"
#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"
#include "compiler/job/arena.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_LANES = TF_ORIGIN_LANES,
    MOST_WORDS = 8192,
};

// What an access touches: of `count` elements those that are active.
struct access {
    LLVMValueRef base;
    int64_t at[MOST_LANES]; // bytes behind the base
    unsigned count;
    uint64_t active, lost; // lost: those that lie nowhere
    LLVMTypeRef element;
    unsigned bytes;     // of an element
    LLVMValueRef value; // that is stored
    LLVMValueRef rest;  // what lanes get that are not active, or NULL
};

struct word {
    struct tf_origin origin;
    LLVMTypeRef element; // NULL: nothing is known
};

struct search {
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    unsigned invariant_kind;
    LLVMValueRef base; // of all words
    unsigned bytes;    // of a word
    struct word *words;
    unsigned top;          // behind the last word that anything may be known of
    unsigned change;       // how often what is known has changed
    struct tf_map changes; // per block that was seen: how often at its end
    bool *overwritten;     // of the words, by what comes later
};

// ---- reading accesses

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool read_type(const struct search *s, LLVMTypeRef type, struct access *a)
{
    const bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    a->element = vector ? LLVMGetElementType(type) : type;
    a->count = vector ? LLVMGetVectorSize(type) : 1;
    if (!tf_ir_is_plain_element(a->element) || a->count > MOST_LANES)
        return false;
    a->bytes = (unsigned)LLVMABISizeOfType(s->layout, a->element);
    a->active = ~(uint64_t)0 >> (MOST_LANES - a->count);
    return true;
}

// Adds what the index of a step says, of all lanes or of each; `lane`: of that one, if it
// is not TF_ORIGIN_SCALAR.
static bool add_index(struct access *a, LLVMValueRef index, int64_t bytes, int lane)
{
    if (LLVMIsAConstantInt(index)) {
        for (unsigned i = 0; i < a->count; i++)
            a->at[i] += bytes * LLVMConstIntGetSExtValue(index);
        return true;
    }
    if (!LLVMIsConstant(index) || !is_vector(index))
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        const LLVMValueRef number =
            LLVMGetAggregateElement(index, lane == TF_ORIGIN_SCALAR ? i : (unsigned)lane);

        if (number && LLVMIsAConstantInt(number))
            a->at[i] += bytes * LLVMConstIntGetSExtValue(number);
        else if (number && LLVMIsPoison(number))
            a->lost |= (uint64_t)1 << i;
        else
            return false;
    }
    return true;
}

// The pointer, or pointers, as a base and numbers.
static bool read_address(const struct search *s, LLVMValueRef pointer, struct access *a)
{
    const bool each = is_vector(pointer);
    int lane = TF_ORIGIN_SCALAR;

    for (unsigned i = 0; i < a->count; i++)
        a->at[i] = each ? 0 : (int64_t)i * a->bytes;
    for (;;) {
        const LLVMValueRef splat = is_vector(pointer) ? tf_ir_splat_of(pointer) : NULL;

        if (splat) {
            pointer = splat;
            continue;
        }
        if (LLVMIsAExtractElementInst(pointer) &&
            LLVMIsAConstantInt(LLVMGetOperand(pointer, 1))) {
            lane = (int)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 1));
            pointer = LLVMGetOperand(pointer, 0);
            continue;
        }
        if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2 ||
            !add_index(a, LLVMGetOperand(pointer, 1),
                       (int64_t)LLVMABISizeOfType(s->layout,
                                                  LLVMGetGEPSourceElementType(pointer)),
                       lane))
            break;
        pointer = LLVMGetOperand(pointer, 0);
    }
    a->base = pointer;
    return !is_vector(pointer);
}

static bool read_store(const struct search *s, LLVMValueRef i, struct access *a)
{
    const bool masked =
        tf_ir_calls(i, "llvm.masked.store.") || tf_ir_calls(i, "llvm.masked.scatter.");

    *a = (struct access){0};
    if (!masked && !(LLVMIsAStoreInst(i) && tf_ir_is_ordinary(i)))
        return false;
    a->value = LLVMGetOperand(i, 0);
    return read_type(s, LLVMTypeOf(a->value), a) &&
           read_address(s, LLVMGetOperand(i, 1), a) &&
           (!masked || tf_ir_known_mask(tf_ir_argument_from_end(i, 1), &a->active)) &&
           !(a->active & a->lost);
}

static bool read_load(const struct search *s, LLVMValueRef i, struct access *a)
{
    const bool masked =
        tf_ir_calls(i, "llvm.masked.load.") || tf_ir_calls(i, "llvm.masked.gather.");

    *a = (struct access){0};
    if (!masked && !(LLVMIsALoadInst(i) && tf_ir_is_ordinary(i)))
        return false;
    if (masked)
        a->rest = tf_ir_argument_from_end(i, 1);
    return read_type(s, LLVMTypeOf(i), a) && read_address(s, LLVMGetOperand(i, 0), a) &&
           (!masked || tf_ir_known_mask(tf_ir_argument_from_end(i, 2), &a->active)) &&
           !(a->active & a->lost);
}

static bool is_active(const struct access *a, unsigned element)
{
    return a->active >> element & 1;
}

// ---- words

// The number of the element's word, or MOST_WORDS: it is none.
static unsigned word_of(const struct search *s, const struct access *a, unsigned element)
{
    const int64_t at = a->at[element];

    if (!s->bytes || a->base != s->base || a->bytes != s->bytes || at < 0 ||
        at % s->bytes != 0 || at / s->bytes >= MOST_WORDS)
        return MOST_WORDS;
    return (unsigned)(at / s->bytes);
}

static void reach(struct search *s, unsigned word)
{
    if (word >= s->top)
        s->top = word + 1;
}

static bool are_words(const struct search *s, const struct access *a)
{
    for (unsigned i = 0; i < a->count; i++) {
        if (is_active(a, i) && word_of(s, a, i) == MOST_WORDS)
            return false;
    }
    return s->base != NULL;
}

static void forget(struct search *s)
{
    s->change++;
    s->base = NULL;
    memset(s->words, 0, s->top * sizeof(*s->words));
    s->top = 0;
}

// The memory that the pointer, or pointers, point into.
static unsigned space_of(LLVMValueRef pointer)
{
    LLVMTypeRef type = LLVMTypeOf(pointer);

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetPointerAddressSpace(type);
}

// What a load or a store, perhaps under a mask, accesses; or NULL.
static LLVMValueRef pointer_of(LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i) || tf_ir_calls(i, "llvm.masked.store.") ||
        tf_ir_calls(i, "llvm.masked.scatter."))
        return LLVMGetOperand(i, 1);
    if (LLVMIsALoadInst(i) || tf_ir_calls(i, "llvm.masked.load.") ||
        tf_ir_calls(i, "llvm.masked.gather."))
        return LLVMGetOperand(i, 0);
    return NULL;
}

// Whether it accesses no local memory, but global memory, or a variable.
static bool stays_out(LLVMValueRef i)
{
    LLVMValueRef pointer = pointer_of(i);

    if (!pointer)
        return false;
    if (space_of(pointer) == TF_AS_GLOBAL || space_of(pointer) == TF_AS_CONSTANT)
        return true;
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) != NULL;
}

// All words lie behind one pointer. False of an access behind another one.
static bool begin(struct search *s, const struct access *a)
{
    if (!s->base && space_of(a->base) == TF_AS_LOCAL) {
        s->base = a->base;
        s->bytes = a->bytes;
    }
    return a->base == s->base;
}

static void note_store(struct search *s, const struct access *a)
{
    if (!begin(s, a) || !are_words(s, a)) {
        forget(s);
        if (!begin(s, a) || !are_words(s, a))
            return;
    }
    s->change++;
    for (unsigned i = 0; i < a->count; i++) {
        const unsigned word = word_of(s, a, i);

        if (!is_active(a, i))
            continue;
        s->words[word] = (struct word){tf_origin_of(a->value, i), a->element};
        reach(s, word);
    }
}

// What the load would load, or NULL.
static LLVMValueRef forwarded(const struct search *s, LLVMValueRef i,
                              const struct access *a)
{
    struct tf_origin from[MOST_LANES] = {{NULL, TF_ORIGIN_SCALAR}};

    for (unsigned k = 0; k < a->count; k++) {
        const struct word *word;

        from[k] = (struct tf_origin){NULL, TF_ORIGIN_SCALAR};
        if (!is_active(a, k)) {
            if (a->rest)
                from[k] = tf_origin_of(a->rest, k);
            continue;
        }
        word = &s->words[word_of(s, a, k)];
        if (word->element != a->element)
            return NULL;
        from[k] = word->origin;
    }
    LLVMPositionBuilderBefore(s->builder, i);
    if (is_vector(i))
        return tf_origin_vector(s->builder, from, LLVMTypeOf(i));
    return tf_origin_scalar(s->builder, from[0], a->element);
}

static LLVMValueRef better(struct search *s, LLVMValueRef i, struct access *a)
{
    if (LLVMIsAShuffleVectorInst(i))
        return tf_origin_shorter(s->builder, i);
    if (!read_load(s, i, a) || !are_words(s, a))
        return NULL;
    return forwarded(s, i, a);
}

// Whether all ways to the block come from ends of blocks at which the same was known as
// now: behind questions that have to do with other memory.
static bool goes_on(const struct search *s, LLVMBasicBlockRef block)
{
    bool any = false;

    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u;
         u = LLVMGetNextUse(u)) {
        const LLVMValueRef end = LLVMGetUser(u);

        if (!LLVMIsATerminatorInst(end) ||
            tf_map_get(&s->changes, LLVMGetInstructionParent(end)) != s->change)
            return false;
        any = true;
    }
    return any;
}

static void replace_loads(struct search *s, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    if (!goes_on(s, block))
        forget(s);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        struct access a;
        const LLVMValueRef value = better(s, i, &a);

        next = LLVMGetNextInstruction(i);
        if (value && value != i) {
            LLVMReplaceAllUsesWith(i, value);
            LLVMInstructionEraseFromParent(i);
        } else if (!tf_writes_nothing(i) && !stays_out(i)) {
            if (read_store(s, i, &a))
                note_store(s, &a);
            else
                forget(s);
        }
    }
    tf_map_put(&s->changes, block, s->change);
}

// ---- stores that nobody sees

static void see(struct search *s, const struct access *a)
{
    for (unsigned i = 0; i < a->count; i++) {
        if (is_active(a, i))
            s->overwritten[word_of(s, a, i)] = false;
    }
}

// Whether all that is stored is overwritten; notes that it is stored.
static bool is_hidden(struct search *s, const struct access *a)
{
    bool hidden = true;

    for (unsigned i = 0; i < a->count; i++)
        hidden &= !is_active(a, i) || s->overwritten[word_of(s, a, i)];
    for (unsigned i = 0; i < a->count; i++) {
        const unsigned word = word_of(s, a, i);

        if (!is_active(a, i))
            continue;
        s->overwritten[word] = true;
        reach(s, word);
    }
    return hidden;
}

static void see_all(struct search *s)
{
    memset(s->overwritten, 0, s->top * sizeof(*s->overwritten));
    s->top = 0;
}

static bool may_see(const struct search *s, LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return !LLVMGetMetadata(i, s->invariant_kind);
    if (!tf_ir_is_call(i))
        return !tf_writes_nothing(i);
    return !tf_is_elementwise(i) && !tf_is_marker(i) &&
           !tf_ir_calls(i, "llvm.vector.reduce.");
}

static void drop_stores(struct search *s, LLVMBasicBlockRef block)
{
    LLVMValueRef before;

    s->base = NULL;
    see_all(s);
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = before) {
        struct access a;

        before = LLVMGetPreviousInstruction(i);
        if (stays_out(i))
            continue;
        if (read_store(s, i, &a)) {
            if (begin(s, &a) && are_words(s, &a) && is_hidden(s, &a))
                LLVMInstructionEraseFromParent(i);
        } else if (read_load(s, i, &a) && are_words(s, &a)) {
            see(s, &a);
        } else if (may_see(s, i)) {
            see_all(s);
        }
    }
}

void tf_words_settle(LLVMValueRef function)
{
    const LLVMModuleRef module = LLVMGetGlobalParent(function);
    const LLVMContextRef context = LLVMGetModuleContext(module);
    struct tf_arena arena = {0};
    struct search s = {
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(context),
        .invariant_kind = LLVMGetMDKindIDInContext(context, "invariant.load", 14),
        .changes.arena = &arena,
        .words = TF_ARENA_NEW(&arena, struct word, MOST_WORDS),
        .overwritten = TF_ARENA_NEW(&arena, bool, MOST_WORDS),
    };

    TF_FOR_EACH_BLOCK(block, function)
    {
        replace_loads(&s, block);
    }
    TF_FOR_EACH_BLOCK(block, function)
    {
        drop_stores(&s, block);
    }
    LLVMDisposeBuilder(s.builder);
    tf_arena_finish(&arena);
}
