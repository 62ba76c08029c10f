// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_MEMORY_WORDS_H
#define TF_COMPILER_CODEGEN_MEMORY_WORDS_H

#include <llvm-c/Types.h>

// Where all addresses of a block are numbers behind one pointer: what it loads is made of
// what it has stored, by shuffles, and stores that others of the block overwrite, before
// anybody may have seen them, are gone.
void tf_words_settle(LLVMValueRef function);

#endif // TF_COMPILER_CODEGEN_MEMORY_WORDS_H
