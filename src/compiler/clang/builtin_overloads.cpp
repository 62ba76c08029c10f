// SPDX-License-Identifier: MIT
#include "compiler/clang/builtin_overloads.h"

#include <algorithm>

#include <clang/AST/Decl.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>

void builtin_overloads::on_token(const clang::Token &token)
{
    using namespace clang::tok;

    // One token behind: the parser declares a function when it consumes the "{" or ";"
    // after it, and asks for the next token then.
    if (declared_) {
        show(declared_, token.getLocation());
        declared_ = nullptr;
    }
    if (token.isOneOf(r_brace, r_paren, r_square))
        depth_ -= depth_ > 0;
    follow_declaration(token);
    if (token.isOneOf(l_brace, l_paren, l_square))
        depth_++;
}

void builtin_overloads::follow_declaration(const clang::Token &token)
{
    using namespace clang::tok;
    const bool outside = depth_ == 0;

    if (outside && token.isOneOf(semi, l_brace, r_brace)) {
        if (overloadable_ && token.isNot(r_brace))
            declared_ = name_;
        overloadable_ = ci_.getLangOpts().CPlusPlus; // every function is, there
        initializer_ = false;
        name_ = nullptr;
    } else if (outside && token.is(equal)) {
        initializer_ = true;
    } else if (initializer_) {
        // no declarator
    } else if (outside && token.is(l_paren) && before_paren_) {
        name_ = before_paren_;
        if (overloadable_)
            hide(name_);
    } else if (!outside && token.is(identifier) && !overloadable_ &&
               token.getIdentifierInfo()->isStr("overloadable")) {
        overloadable_ = true;
        if (name_)
            hide(name_);
    }
    before_paren_ = outside && token.is(identifier) ? token.getIdentifierInfo() : nullptr;
}

// While the parser takes in a declaration, only the program's own ones may be in its way.
void builtin_overloads::hide(clang::IdentifierInfo *name)
{
    clang::Sema &sema = ci_.getSema();

    for (clang::FunctionDecl *decl : known_[name].visible) {
        sema.TUScope->RemoveDecl(decl);
        sema.IdResolver.RemoveDecl(decl);
    }
    known_[name].visible.clear();
}

void builtin_overloads::show(clang::IdentifierInfo *name, clang::SourceLocation at)
{
    clang::Sema &sema = ci_.getSema();
    builtins &of_name = known_[name];
    std::vector<clang::FunctionDecl *> own;

    for (auto i = sema.IdResolver.begin(name); i != sema.IdResolver.end(); ++i)
        if (auto *decl = (*i)->getAsFunction()) // templates, too
            own.push_back(decl);
    if (own.empty())
        return; // not a function after all, or a faulty one
    if (of_name.all.empty()) {
        clang::LookupResult found(sema, name, at, clang::Sema::LookupOrdinaryName);

        sema.LookupBuiltin(found);
        found.suppressDiagnostics();
        for (clang::NamedDecl *decl : found)
            if (decl->hasAttr<clang::OverloadableAttr>() ||
                (ci_.getLangOpts().CPlusPlus && clang::isa<clang::FunctionDecl>(decl)))
                of_name.all.push_back(clang::cast<clang::FunctionDecl>(decl));
    }
    hide(name);
    for (clang::FunctionDecl *builtin : of_name.all) {
        const bool replaced = std::any_of(own.begin(), own.end(), [&](auto *decl) {
            return decl != builtin && !sema.IsOverload(builtin, decl, false);
        });
        if (replaced)
            continue;
        sema.PushOnScopeChains(builtin, sema.TUScope, false);
        of_name.visible.push_back(builtin);
    }
}
