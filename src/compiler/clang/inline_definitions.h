// SPDX-License-Identifier: MIT
// Functions that are `inline` without `static` or `extern`. By C99 6.7.4 another
// translation unit has what is called where the function is not inlined, and Clang then
// makes none; OpenCL programs have no such unit. Here each that has to be called is made,
// weak: several parts of a program may bring the same from a header.
#ifndef TF_COMPILER_CLANG_INLINE_DEFINITIONS_H
#define TF_COMPILER_CLANG_INLINE_DEFINITIONS_H

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>

class inline_definitions final : public clang::ASTConsumer
{
  public:
    // `all`: no function is inlined.
    explicit inline_definitions(bool all) : all_(all)
    {
    }
    bool HandleTopLevelDecl(clang::DeclGroupRef group) override
    {
        for (clang::Decl *decl : group)
            if (auto *function = clang::dyn_cast<clang::FunctionDecl>(decl))
                make(*function);
        return true;
    }

  private:
    void make(clang::FunctionDecl &function) const
    {
        clang::ASTContext &context = function.getASTContext();

        if (context.getLangOpts().CPlusPlus || !function.isInlined() ||
            !function.isExternallyVisible() || !function.isThisDeclarationADefinition() ||
            !(all_ || function.hasAttr<clang::NoInlineAttr>()) ||
            function.isInlineDefinitionExternallyVisible())
            return;
        function.addAttr(clang::GNUInlineAttr::CreateImplicit(context));
        function.addAttr(clang::WeakAttr::CreateImplicit(context));
    }

    const bool all_;
};

#endif // TF_COMPILER_CLANG_INLINE_DEFINITIONS_H
