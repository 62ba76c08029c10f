// SPDX-License-Identifier: MIT
// Lets a program add overloads to built-in functions. Clang declares the built-ins of a
// name only when a look-up finds nothing else: a program's own overloadable "clamp" would
// hide all the others. So wherever an overloadable function is declared at file scope,
// the built-ins of its name are declared beside it, but for the one that it replaces.
#ifndef TF_COMPILER_CLANG_BUILTIN_OVERLOADS_H
#define TF_COMPILER_CLANG_BUILTIN_OVERLOADS_H

#include <map>
#include <vector>

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

class builtin_overloads
{
  public:
    explicit builtin_overloads(clang::CompilerInstance &ci)
        : ci_(ci), overloadable_(ci.getLangOpts().CPlusPlus)
    {
    }

    // Called for each token on its way to the parser.
    void on_token(const clang::Token &token);

  private:
    struct builtins {
        std::vector<clang::FunctionDecl *> all;
        std::vector<clang::FunctionDecl *> visible;
    };

    void follow_declaration(const clang::Token &token);
    void hide(clang::IdentifierInfo *name);
    void show(clang::IdentifierInfo *name, clang::SourceLocation at);

    clang::CompilerInstance &ci_;
    std::map<clang::IdentifierInfo *, builtins> known_;
    unsigned depth_ = 0;       // of brackets
    bool overloadable_;        // the declaration so far; in C++ every one
    bool initializer_ = false; // behind the "=" of a declaration
    clang::IdentifierInfo *before_paren_ =
        nullptr;                                // the last token, if a name at file scope
    clang::IdentifierInfo *name_ = nullptr;     // of the function being declared
    clang::IdentifierInfo *declared_ = nullptr; // the parser is about to have declared it
};

#endif // TF_COMPILER_CLANG_BUILTIN_OVERLOADS_H
