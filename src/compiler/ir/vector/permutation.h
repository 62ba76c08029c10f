// SPDX-License-Identifier: MIT
// Vectors whose elements are taken out of another vector at indices that only the run
// knows: what shuffle() is made of. Processors for x86 do so within 16 bytes by one
// instruction, in as many pieces of a register as it has.
#ifndef TF_COMPILER_IR_VECTOR_PERMUTATION_H
#define TF_COMPILER_IR_VECTOR_PERMUTATION_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum {
    TF_PERMUTED_MOST = 16,       // elements of either vector
    TF_PERMUTED_PIECE_BYTES = 16 // within which any element can go anywhere
};

struct tf_permutation {
    LLVMValueRef from;
    LLVMValueRef indices[TF_PERMUTED_MOST]; // integers of any types
    LLVMValueRef index; // a vector with these as its elements; NULL: there is none
    unsigned from_count, count;
    unsigned element_bytes;
};

// Whether `value` is such a vector: the last of a row of insertelements in one block with
// the extractelements that they put in, of 2 to 16 elements, a power of two. At least one
// index is no constant. An index past the end may take anything.
bool tf_permutation_of(LLVMValueRef value, struct tf_permutation *out);
// Whether `value` is only a step on the way to such vectors, with spans of so many bytes
// at most: an element, or an element of the vector of indices.
bool tf_is_within_permutations(LLVMValueRef value, unsigned most_bytes);
// Elements of the longer one of the two vectors, and their bytes.
unsigned tf_permutation_span(const struct tf_permutation *p);
unsigned tf_permutation_bytes(const struct tf_permutation *p);

struct tf_permuting {
    LLVMModuleRef module;
    LLVMBuilderRef b;
    unsigned register_bits; // 256 or 512: AVX2 or AVX-512
};

// Permutes each `segment` elements of `from` among themselves: a power of two that is 16
// bytes at most. `index` has as many elements, integers, of which the lowest bits count.
// The result has the type of `from`.
LLVMValueRef tf_permute_segments(const struct tf_permuting *p, LLVMValueRef from,
                                 LLVMValueRef index, unsigned segment);

#endif // TF_COMPILER_IR_VECTOR_PERMUTATION_H
