// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/rounds/component_sums.h"

#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum { MOST_TERMS = 16, MOST_COMPONENTS = 4, MOST_DEPTH = 12 };

struct sum {
    LLVMBasicBlockRef loop, before, after; // a loop that is one block; blocks beside it
    LLVMValueRef phi, next;                // the sum, and what it is in the next round
    LLVMValueRef terms[MOST_TERMS];
    unsigned term_count;
    unsigned begins;     // how often the sum is a term
    LLVMValueRef vector; // of which all components are terms
};

static bool has_one_use(LLVMValueRef value)
{
    const LLVMUseRef use = LLVMGetFirstUse(value);

    return use && !LLVMGetNextUse(use);
}

static bool is_sum_of(const struct sum *s, LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           LLVMGetInstructionParent(value) == s->loop &&
           (value == s->next || has_one_use(value));
}

static bool collect(struct sum *s, LLVMValueRef value, unsigned depth)
{
    if (value == s->phi) {
        s->begins++;
        return true;
    }
    if (is_sum_of(s, value) && depth < MOST_DEPTH)
        return collect(s, LLVMGetOperand(value, 0), depth + 1) &&
               collect(s, LLVMGetOperand(value, 1), depth + 1);
    if (s->term_count == MOST_TERMS)
        return false;
    s->terms[s->term_count++] = value;
    return true;
}

// Which component of the vector the term is; -1: none.
static int component_of(LLVMValueRef vector, LLVMValueRef term)
{
    return LLVMIsAExtractElementInst(term) && LLVMGetOperand(term, 0) == vector &&
                   LLVMIsAConstantInt(LLVMGetOperand(term, 1))
               ? (int)LLVMConstIntGetZExtValue(LLVMGetOperand(term, 1))
               : -1;
}

// Whether each component is a term just once, and nothing else.
static bool has_all_of(const struct sum *s, LLVMValueRef vector)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
    unsigned found = 0;

    if (count > MOST_COMPONENTS || !LLVMIsAInstruction(vector) ||
        LLVMGetInstructionParent(vector) != s->loop)
        return false;
    for (unsigned i = 0; i < s->term_count; i++) {
        const int at = component_of(vector, s->terms[i]);

        if (at < 0)
            continue;
        if (found & 1u << at || !has_one_use(s->terms[i]))
            return false;
        found |= 1u << at;
    }
    return count > 1 && found == (1u << count) - 1;
}

// Besides as the sum's next value it is known behind the loop alone, by phis.
static bool leaves_by_phis(const struct sum *s)
{
    for (LLVMUseRef u = LLVMGetFirstUse(s->next); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (user != s->phi &&
            (!LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != s->after ||
             LLVMCountIncoming(user) != 1))
            return false;
    }
    return true;
}

static bool find_blocks(struct sum *s)
{
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(s->loop);

    if (!LLVMIsABranchInst(branch) || LLVMGetNumSuccessors(branch) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (LLVMGetSuccessor(branch, i) != s->loop)
            s->after = LLVMGetSuccessor(branch, i);
    }
    return s->after && LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1) &&
           (LLVMGetSuccessor(branch, 0) == s->loop ||
            LLVMGetSuccessor(branch, 1) == s->loop);
}

static bool find_sum(struct sum *s, LLVMValueRef phi)
{
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
        LLVMCountIncoming(phi) != 2 || !has_one_use(phi))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (LLVMGetIncomingBlock(phi, i) == s->loop)
            s->next = LLVMGetIncomingValue(phi, i);
        else
            s->before = LLVMGetIncomingBlock(phi, i);
    }
    s->phi = phi;
    if (!s->next || !s->before || !is_sum_of(s, s->next) || !leaves_by_phis(s) ||
        !collect(s, s->next, 0) || s->begins != 1)
        return false;
    for (unsigned i = 0; i < s->term_count && !s->vector; i++) {
        const LLVMValueRef term = s->terms[i];

        if (LLVMIsAExtractElementInst(term) && has_all_of(s, LLVMGetOperand(term, 0)))
            s->vector = LLVMGetOperand(term, 0);
    }
    return s->vector != NULL;
}

// The vector's sum over the rounds, at the end of one.
static LLVMValueRef sum_of_vectors(const struct sum *s, LLVMBuilderRef b)
{
    const LLVMTypeRef type = LLVMTypeOf(s->vector);
    LLVMValueRef phi, next, values[2];
    LLVMBasicBlockRef blocks[] = {s->before, s->loop};

    LLVMPositionBuilderBefore(b, s->phi);
    phi = LLVMBuildPhi(b, type, "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(s->loop));
    next = LLVMBuildAdd(b, phi, s->vector, "");
    values[0] = LLVMConstNull(type);
    values[1] = next;
    LLVMAddIncoming(phi, values, blocks, 2);
    return next;
}

// All other terms, added to what the sum was.
static LLVMValueRef sum_of_others(const struct sum *s, LLVMBuilderRef b)
{
    LLVMValueRef sum = s->phi;

    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(s->loop));
    for (unsigned i = 0; i < s->term_count; i++) {
        if (component_of(s->vector, s->terms[i]) < 0)
            sum = LLVMBuildAdd(b, sum, s->terms[i], "");
    }
    return sum;
}

static LLVMValueRef known_after(const struct sum *s, LLVMBuilderRef b, LLVMValueRef value)
{
    LLVMBasicBlockRef block = s->loop;
    LLVMValueRef phi;

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(s->after));
    phi = LLVMBuildPhi(b, LLVMTypeOf(value), "");
    LLVMAddIncoming(phi, &value, &block, 1);
    return phi;
}

// The sum as it was, behind the loop.
static LLVMValueRef whole(const struct sum *s, LLVMBuilderRef b, LLVMValueRef vectors,
                          LLVMValueRef others)
{
    const LLVMTypeRef i32 =
        LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(others)));
    const LLVMValueRef parts = known_after(s, b, vectors);
    LLVMValueRef sum = known_after(s, b, others),
                 first = LLVMGetFirstInstruction(s->after);

    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vectors)); i++)
        sum = LLVMBuildAdd(
            b, sum, LLVMBuildExtractElement(b, parts, LLVMConstInt(i32, i, false), ""),
            "");
    return sum;
}

static void split(const struct sum *s, LLVMBuilderRef b)
{
    const LLVMValueRef vectors = sum_of_vectors(s, b);
    const LLVMValueRef others = sum_of_others(s, b);
    LLVMValueRef sum = NULL;

    for (LLVMUseRef u = LLVMGetFirstUse(s->next), then; u; u = then) {
        const LLVMValueRef user = LLVMGetUser(u);

        then = LLVMGetNextUse(u);
        if (user == s->phi)
            continue;
        if (!sum)
            sum = whole(s, b, vectors, others);
        LLVMReplaceAllUsesWith(user, sum);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (LLVMGetIncomingBlock(s->phi, i) == s->loop)
            LLVMSetOperand(s->phi, i, others);
    }
}

bool tf_prepare_component_sums(LLVMValueRef fn)
{
    LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(fn)));
    bool changed = false;

    TF_FOR_EACH_BLOCK(block, fn)
    {
        LLVMValueRef i = LLVMGetFirstInstruction(block), then;

        for (; i && LLVMIsAPHINode(i); i = then) {
            struct sum s = {.loop = block};

            then = LLVMGetNextInstruction(i);
            if (!find_blocks(&s))
                break;
            if (find_sum(&s, i)) {
                split(&s, b);
                changed = true;
            }
        }
    }
    LLVMDisposeBuilder(b);
    return changed;
}
