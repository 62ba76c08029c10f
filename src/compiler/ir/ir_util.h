// SPDX-License-Identifier: MIT
// Small questions to the IR that several stages ask.
#ifndef TF_COMPILER_IR_IR_UTIL_H
#define TF_COMPILER_IR_IR_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

// What Clang's modules for spir64 say of their target. All readers of programs make such.
#define TF_SPIR64_TRIPLE "spir64-unknown-unknown"
#define TF_SPIR64_LAYOUT                                              \
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-" \
    "v512:512-v1024:1024-G1"

#define TF_FOR_EACH_FUNCTION(f, module) \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define TF_FOR_EACH_GLOBAL(g, module) \
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
#define TF_FOR_EACH_BLOCK(b, function)                              \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; \
         b = LLVMGetNextBasicBlock(b))
#define TF_FOR_EACH_INSTRUCTION(i, function) \
    for (LLVMValueRef i = tf_ir_first(function); i; i = tf_ir_next(i))
#define TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)           \
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; \
         i = LLVMGetNextInstruction(i))

// Of an integer, a floating-point number or a pointer.
bool tf_ir_is_scalar(LLVMTypeRef type);
// Of a number that takes 1, 2, 4 or more bytes, a power of two, and all their bits.
bool tf_ir_is_plain_element(LLVMTypeRef type);

// The instructions of a function, block after block. NULL: there is none, or none left.
LLVMValueRef tf_ir_first(LLVMValueRef function);
LLVMValueRef tf_ir_next(LLVMValueRef instruction);

// Calls `settle` for each instruction of the module, with a builder of its context that
// stands nowhere. It may erase the instruction and add others: those are not visited.
typedef void (*tf_ir_settle)(LLVMBuilderRef b, LLVMValueRef instruction, void *data);
void tf_ir_settle_each(LLVMModuleRef module, tf_ir_settle settle, void *data);
// What most of them end with: `value` takes the instruction's place.
void tf_ir_replace(LLVMValueRef instruction, LLVMValueRef value);
LLVMValueRef tf_ir_first_behind_phis(LLVMBasicBlockRef block);

// Symbol of a global or function; "" if it has none. Borrowed until it is renamed.
const char *tf_ir_name(LLVMValueRef value);
// True for the functions that the program's host can enqueue.
bool tf_ir_is_kernel(LLVMValueRef function);
// Expanded by LLVM itself.
bool tf_ir_is_intrinsic(LLVMValueRef function);
// The function that a call instruction calls directly, or NULL.
LLVMValueRef tf_ir_callee(LLVMValueRef instruction);
bool tf_ir_is_call(LLVMValueRef instruction);
// The symbol of that function, or NULL.
const char *tf_ir_called_name(LLVMValueRef instruction);
// Whether it calls a function whose symbol begins so.
bool tf_ir_calls(LLVMValueRef instruction, const char *prefix);
// The function that an instruction stands in.
LLVMValueRef tf_ir_function_of(LLVMValueRef instruction);

// Writes the name that the source uses for `symbol`: "_Z5clampfff" is "clamp", and
// "__clang_ocl_kern_imp_k" is "k". Cut to `bytes`. Returns `name`.
const char *tf_ir_source_name(const char *symbol, char *name, size_t bytes);

// The blocks of `from`, which has none afterwards, take the place of those of `to`.
void tf_ir_move_body(LLVMValueRef from, LLVMValueRef to);

// Gives the function `to` the attributes of `from`, whose first parameter is `shift` of
// those of `to`.
void tf_ir_copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned shift);
// The same of calls.
void tf_ir_copy_call_attributes(LLVMValueRef from, LLVMValueRef to, unsigned shift);
void tf_ir_add_attribute(LLVMValueRef function, const char *name);
// At LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex, or the number of a parameter
// + 1.
void tf_ir_add_attribute_at(LLVMValueRef function, unsigned at, const char *name,
                            uint64_t value);
void tf_ir_remove_attribute(LLVMValueRef function, const char *name);
// Marks what runs once a row at most, or in launches of unusual sizes.
void tf_ir_mark_seldom(LLVMValueRef function);
bool tf_ir_is_seldom(LLVMValueRef function);
// Says how often a branch goes either way.
void tf_ir_weigh(LLVMValueRef branch, unsigned first, unsigned second);

// What LLVM shall do with a loop, and what not. RUNTIME: several rounds as one where
// their number is known at run time only.
#define TF_IR_FULL_UNROLLING "llvm.loop.unroll.full"
#define TF_IR_NO_UNROLLING "llvm.loop.unroll.disable"
#define TF_IR_NO_RUNTIME_UNROLLING "llvm.loop.unroll.runtime.disable"
// The kind of metadata that a loop's branches back to its head bear.
unsigned tf_ir_loop_kind(LLVMContextRef context);
// What such a branch bears; NULL: nothing.
LLVMValueRef tf_ir_loop_said(LLVMValueRef branch);
void tf_ir_loop_say(LLVMValueRef branch, LLVMValueRef mark);
// Says so at the branch back to the loop's head.
void tf_ir_mark_loop(LLVMValueRef branch, const char *hint);
// The mark for several branches; `progress`: the loop is known to end.
LLVMValueRef tf_ir_loop_mark(LLVMContextRef context, const char *hint, bool progress);
// Of such a mark: nothing but that the loop makes progress. The program asks for nothing.
bool tf_ir_loop_says_nothing(LLVMValueRef mark);

// Whether a load or a store is neither volatile nor atomic.
bool tf_ir_is_ordinary(LLVMValueRef access);

// The `at`-th last argument: some versions of LLVM have one more before it.
LLVMValueRef tf_ir_argument_from_end(LLVMValueRef call, unsigned at);
// What is shuffled to be in all elements of a vector; NULL for other values.
LLVMValueRef tf_ir_splat_of(LLVMValueRef value);

// Of a mask of up to 64 lanes that is a constant: those that are set, a bit each; what is
// undefined is not. False of other masks.
bool tf_ir_known_mask(LLVMValueRef mask, uint64_t *lanes);
// Of integers, with or without a sign, or a remainder.
bool tf_ir_is_division(LLVMOpcode opcode);
// Of integers, and defined whatever they are: no division.
bool tf_ir_is_integer_operation(LLVMValueRef value);

// What is true where the comparison is false.
LLVMIntPredicate tf_ir_inverse(LLVMIntPredicate p);
// The same comparison with its operands swapped.
LLVMIntPredicate tf_ir_swapped(LLVMIntPredicate p);

#endif // TF_COMPILER_IR_IR_UTIL_H
