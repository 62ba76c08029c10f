// SPDX-License-Identifier: MIT
// LLVM's code generator cannot be stopped, and some of its steps take time that grows
// with the square of what they look at. All bounds were measured on x86-64, a core of Zen
// 5; each is what takes two to four seconds.
#include "compiler/codegen/huge.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"

// ---- Values that wait for their use ----

struct place {
    LLVMValueRef instruction;
    unsigned at;
};

static int by_instruction(const void *a, const void *b)
{
    const struct place *const x = a, *const y = b;

    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

// Where the value of places[..at] is used last: `count` where other blocks use it, or an
// earlier instruction does, the next time round.
static unsigned last_use(const struct place *places, unsigned count,
                         LLVMValueRef instruction, unsigned at)
{
    unsigned last = at;

    for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
        const struct place key = {LLVMGetUser(use), 0};
        const struct place *const user =
            bsearch(&key, places, count, sizeof(*places), by_instruction);

        if (!user || user->at < at)
            return count;
        if (user->at > last)
            last = user->at;
    }
    return last;
}

// The most values of the block's own that are there at one point of it.
static unsigned count_waiting(LLVMBasicBlockRef block, unsigned count)
{
    struct place *const places = tf_zalloc(count * sizeof(*places));
    int *const change = tf_zalloc((count + 1) * sizeof(*change));
    int now = 0, most = 0;
    unsigned n = 0;

    if (!places || !change) {
        tf_free(places);
        tf_free(change);
        return 0;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i), n++)
        places[n] = (struct place){i, n};
    qsort(places, count, sizeof(*places), by_instruction);
    for (n = 0; n < count; n++) {
        change[places[n].at]++;
        change[last_use(places, count, places[n].instruction, places[n].at)]--;
    }
    for (n = 0; n < count; n++) {
        now += change[n];
        if (now > most)
            most = now;
    }
    tf_free(places);
    tf_free(change);
    return (unsigned)most;
}

// ---- Counts ----

// Jumps to it: blocks, or cases of a switch.
static unsigned count_ways(LLVMBasicBlockRef block)
{
    unsigned count = 0;

    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
         use = LLVMGetNextUse(use))
        count++;
    return count;
}

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

// 60,000 instructions in one block take 4 s, a block that is reached in 5,000 ways 7 to
// 13 s, 20,000 stores in a row (a printf of 10,000 arguments) 24 s, 5,000 of them 2.5 s;
// 10,000 values that are all there before the first is used 45 s.
static bool is_huge_block(LLVMBasicBlockRef block)
{
    enum { WAYS = 1500, STORES = 8000, WAITING = 2000 };
    unsigned count = 0, stores = 0;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
        count++;
        stores += LLVMGetInstructionOpcode(i) == LLVMStore;
    }
    return count_ways(block) > WAYS || stores > STORES ||
           (count > WAITING && count_waiting(block, count) > WAITING);
}

// Lanes that are read or written one by one, each in a block of its own.
static unsigned count_scattered(LLVMValueRef instruction)
{
    const char *name = tf_ir_called_name(instruction);

    if (!name)
        return 0;
    if (starts_with(name, "llvm.masked.gather."))
        return LLVMGetVectorSize(LLVMTypeOf(instruction));
    if (starts_with(name, "llvm.masked.scatter."))
        return LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    return 0;
}

bool tf_codegen_is_huge(LLVMModuleRef module, unsigned vector_bits)
{
    // 25,000 scattered lanes take 20 to 37 s.
    enum { INSTRUCTIONS = 150000, SCATTERED = 8000, HAS_SCATTER_BITS = 512 };
    unsigned instructions = 0, scattered = 0;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        TF_FOR_EACH_BLOCK(block, f)
        {
            if (is_huge_block(block))
                return true;
        }
        TF_FOR_EACH_INSTRUCTION(i, f)
        {
            instructions++;
            scattered += count_scattered(i);
        }
    }
    return instructions > INSTRUCTIONS ||
           (vector_bits < HAS_SCATTER_BITS && scattered > SCATTERED);
}
