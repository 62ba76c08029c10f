// SPDX-License-Identifier: MIT
#include "compiler/clang/attribute_texts.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Lex/Preprocessor.h>

void attribute_texts::on_token(const clang::Token &token)
{
    using namespace clang::tok;

    if (state_ == INSIDE)
        collect(token);
    else if (token.is(kw___attribute))
        state_ = AFTER_WORD;
    else if (token.isNot(l_paren))
        state_ = OUTSIDE;
    else if (state_ == AFTER_WORD)
        state_ = AFTER_PAREN;
    else if (state_ == AFTER_PAREN)
        state_ = INSIDE;
}

void attribute_texts::collect(const clang::Token &token)
{
    using namespace clang::tok;

    if (token.is(eof) || (depth_ == 0 && token.isOneOf(comma, r_paren))) {
        finish();
        if (token.isNot(comma))
            state_ = OUTSIDE;
        return;
    }
    if (token.isAnnotation())
        return;
    if (words_.empty())
        name_ = token.getLocation();
    else if (token.hasLeadingSpace() || token.isAtStartOfLine())
        words_ += ' ';
    words_ += ci_.getPreprocessor().getSpelling(token);
    if (token.is(l_paren))
        depth_++;
    else if (token.is(r_paren))
        depth_--;
}

void attribute_texts::finish()
{
    if (!words_.empty())
        texts_[name_] = {static_cast<unsigned>(texts_.size()), words_};
    words_.clear();
    depth_ = 0;
}

std::string attribute_texts::of(const clang::FunctionDecl &function) const
{
    std::map<unsigned, std::string> in_order; // an inherited one has the same place
    std::string all;

    for (const clang::Attr *attr : function.attrs()) {
        const auto found = texts_.find(attr->getLocation());

        if (found != texts_.end())
            in_order[found->second.order] = found->second.words;
    }
    for (const auto &[order, words] : in_order)
        all += (all.empty() ? "" : " ") + words;
    return all;
}
