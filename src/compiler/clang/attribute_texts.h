// SPDX-License-Identifier: MIT
// The text of attributes as the program has it, for CL_KERNEL_ATTRIBUTES: what stands
// inside of __attribute__((...)), with macros expanded.
#ifndef TF_COMPILER_CLANG_ATTRIBUTE_TEXTS_H
#define TF_COMPILER_CLANG_ATTRIBUTE_TEXTS_H

#include <map>
#include <string>

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

class attribute_texts
{
  public:
    explicit attribute_texts(clang::CompilerInstance &ci) : ci_(ci)
    {
    }

    // Called for each token on its way to the parser.
    void on_token(const clang::Token &token);

    // Those of a function that Clang took, in the order of the source, one space between.
    std::string of(const clang::FunctionDecl &function) const;

  private:
    struct text {
        unsigned order;
        std::string words;
    };
    enum { OUTSIDE, AFTER_WORD, AFTER_PAREN, INSIDE } state_ = OUTSIDE;

    void collect(const clang::Token &token);
    void finish();

    clang::CompilerInstance &ci_;
    std::map<clang::SourceLocation, text> texts_; // by the place of the attribute's name
    unsigned depth_ = 0;                          // of parentheses in an attribute
    clang::SourceLocation name_;
    std::string words_;
};

#endif // TF_COMPILER_CLANG_ATTRIBUTE_TEXTS_H
