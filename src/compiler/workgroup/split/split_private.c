// SPDX-License-Identifier: MIT
// Variables of the work-item (what is left of them as memory). One whose content lives
// across an entry becomes one copy an item in context memory; the others are one variable
// that each turn uses anew.
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/long16.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/split/split_parts.h"

struct private_search {
    struct tf_split *s;
    unsigned pointer, use, start; // marks of values
    bool escapes;
    unsigned *stack;
    bool *used, *behind, *wanted; // per block
};

static bool is_memory_intrinsic(LLVMValueRef call)
{
    const char *name = tf_ir_called_name(call);

    return name && (strncmp(name, "llvm.memcpy.", strlen("llvm.memcpy.")) == 0 ||
                    strncmp(name, "llvm.memset.", strlen("llvm.memset.")) == 0 ||
                    strncmp(name, "llvm.memmove.", strlen("llvm.memmove.")) == 0);
}

// Loads, stores, gathers and scatters of lanes. A pointer that is stored is their first
// operand.
static bool is_masked_access(LLVMValueRef call)
{
    const char *name = tf_ir_called_name(call);

    return name && strncmp(name, "llvm.masked.", strlen("llvm.masked.")) == 0;
}

static bool stores_pointer(LLVMValueRef call, LLVMValueRef pointer)
{
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind &&
           LLVMGetOperand(call, 0) == pointer;
}

static bool is_lifetime(LLVMValueRef call, const char *which)
{
    const char *name = tf_ir_called_name(call);

    return name && strncmp(name, "llvm.lifetime.", strlen("llvm.lifetime.")) == 0 &&
           strncmp(name + strlen("llvm.lifetime."), which, strlen(which)) == 0;
}

// What `user` does with the pointer. True if it is a pointer to the variable itself.
static bool follow(struct private_search *f, LLVMValueRef pointer, LLVMValueRef user,
                   struct tf_split_value *v)
{
    switch ((int)LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMExtractElement: // pointers of lanes
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return true;
    case LLVMICmp:
        return false;
    case LLVMLoad:
        break;
    case LLVMStore:
        f->escapes |= LLVMGetOperand(user, 0) == pointer;
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        f->escapes |= LLVMGetOperand(user, 0) != pointer;
        break;
    case LLVMCall:
        if (is_lifetime(user, "end"))
            return false;
        if (is_lifetime(user, "start")) {
            v->mark = f->start;
            return false;
        }
        if (is_masked_access(user))
            f->escapes |= stores_pointer(user, pointer);
        else
            f->escapes |= !is_memory_intrinsic(user);
        break;
    default:
        f->escapes = true;
        break;
    }
    v->mark = f->use;
    f->used[v->block] = true;
    return false;
}

static void find_uses(struct private_search *f, unsigned variable)
{
    struct tf_split *s = f->s;
    unsigned depth = 1;

    f->stack[0] = variable;
    while (depth > 0 && !f->escapes) {
        const LLVMValueRef pointer = s->values[f->stack[--depth]].value;

        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef user = LLVMGetUser(use);
            const unsigned number = tf_split_value_number(s, user);

            if (number == TF_SPLIT_NONE || s->values[number].mark == f->pointer)
                continue;
            if (follow(f, pointer, user, &s->values[number])) {
                s->values[number].mark = f->pointer;
                f->stack[depth++] = number;
            }
        }
    }
}

// What is reached behind a use.
static void find_blocks_behind(struct private_search *f)
{
    struct tf_split *s = f->s;

    for (unsigned i = 0; i < s->block_count; i++) {
        unsigned depth = 0;

        if (f->used[i] && !f->behind[i])
            f->stack[depth++] = i;
        while (depth > 0) {
            const struct tf_split_block *b = &s->blocks[f->stack[--depth]];

            for (unsigned k = 0; k < b->succ_count; k++) {
                if (!f->behind[b->succs[k]]) {
                    f->behind[b->succs[k]] = true;
                    f->stack[depth++] = b->succs[k];
                }
            }
        }
    }
}

enum first { FIRST_NOTHING, FIRST_USE, FIRST_START };

static enum first first_in_block(const struct private_search *f, unsigned block)
{
    const struct tf_split *s = f->s;

    for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
        if (s->values[i].mark == f->use)
            return FIRST_USE;
        if (s->values[i].mark == f->start)
            return FIRST_START;
    }
    return FIRST_NOTHING;
}

// From where a use is reached before the variable begins its life anew.
static void find_blocks_wanting(struct private_search *f)
{
    struct tf_split *s = f->s;

    for (unsigned i = 0; i < s->block_count; i++) {
        unsigned depth = 0;

        if (!f->used[i] || f->wanted[i] || first_in_block(f, i) != FIRST_USE)
            continue;
        f->wanted[i] = true;
        f->stack[depth++] = i;
        while (depth > 0) {
            const struct tf_split_block *b = &s->blocks[f->stack[--depth]];

            for (unsigned k = 0; k < b->pred_count; k++) {
                const unsigned pred = b->preds[k];

                if (f->wanted[pred] || first_in_block(f, pred) == FIRST_START)
                    continue;
                f->wanted[pred] = true;
                f->stack[depth++] = pred;
            }
        }
    }
}

static void start_search(struct private_search *f, struct tf_split *s)
{
    f->s = s;
    f->stack = TF_ARENA_NEW(s->arena, unsigned, s->value_count + s->block_count + 1);
    f->used = TF_ARENA_NEW(s->arena, bool, s->block_count);
    f->behind = TF_ARENA_NEW(s->arena, bool, s->block_count);
    f->wanted = TF_ARENA_NEW(s->arena, bool, s->block_count);
}

static bool crosses(struct private_search *f, unsigned variable)
{
    struct tf_split *s = f->s;

    f->pointer = ++s->mark;
    f->use = ++s->mark;
    f->start = ++s->mark;
    f->escapes = false;
    memset(f->used, 0, s->block_count * sizeof(*f->used));
    memset(f->behind, 0, s->block_count * sizeof(*f->behind));
    memset(f->wanted, 0, s->block_count * sizeof(*f->wanted));
    find_uses(f, variable);
    if (f->escapes)
        return true;
    find_blocks_behind(f);
    find_blocks_wanting(f);
    for (unsigned i = 1; i < s->entry_count; i++) {
        if (f->behind[s->entries[i]] && f->wanted[s->entries[i]])
            return true;
    }
    return false;
}

static bool has_known_size(const struct tf_split *s, LLVMValueRef variable)
{
    return LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) &&
           LLVMTypeIsSized(LLVMGetAllocatedType(variable)) &&
           LLVMGetAlignment(variable) <= TF_LONG16_BYTES &&
           LLVMGetInstructionParent(variable) == s->blocks[0].block;
}

void tf_split_privates(struct tf_split *s)
{
    struct private_search f;
    unsigned count = 0;

    for (unsigned i = 0; i < s->value_count; i++)
        count += LLVMIsAAllocaInst(s->values[i].value) != NULL;
    s->privates = TF_ARENA_NEW(s->arena, struct tf_split_private, count);
    start_search(&f, s);
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_split_value *v = &s->values[i];
        struct tf_split_private *p = &s->privates[s->private_count];

        if (!LLVMIsAAllocaInst(v->value))
            continue;
        s->refused |= !has_known_size(s, v->value);
        p->value = i;
        p->crosses = crosses(&f, i);
        v->slot = s->private_count++;
    }
}
