// SPDX-License-Identifier: MIT
// The attribute intel_vec_len_hint(lanes) of kernels (cl_intel_vec_len_hint), which Clang
// does not know.
#ifndef TF_COMPILER_CLANG_VEC_LEN_HINT_H
#define TF_COMPILER_CLANG_VEC_LEN_HINT_H

namespace clang
{
class FunctionDecl;
}

// The lanes that the attribute of a function asks for; 0: none, or as the compiler likes.
unsigned vec_len_hint_of(const clang::FunctionDecl &function);

#endif // TF_COMPILER_CLANG_VEC_LEN_HINT_H
