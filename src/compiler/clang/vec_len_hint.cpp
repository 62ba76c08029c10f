// SPDX-License-Identifier: MIT
#include "compiler/clang/vec_len_hint.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

namespace
{

// In front of the number in the attribute that carries it: one of Clang's own that takes
// any text and makes no code.
constexpr llvm::StringRef mark = "tf.vec_len_hint=";

bool is_length(uint64_t lanes)
{
    return lanes == 0 || lanes == 1 || lanes == 4 || lanes == 8 || lanes == 16;
}

class vec_len_hint final : public clang::ParsedAttrInfo
{
  public:
    vec_len_hint()
    {
        static constexpr Spelling spellings[] = {
            {clang::ParsedAttr::AS_GNU, "intel_vec_len_hint"}};

        NumArgs = 1;
        Spellings = spellings;
    }
    bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attr,
                              const clang::Decl *decl) const override
    {
        if (clang::isa<clang::FunctionDecl>(decl))
            return true;
        fail(sema, attr, "attribute 'intel_vec_len_hint' is one of kernels");
        return false;
    }
    AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                     const clang::ParsedAttr &attr) const override
    {
        const uint64_t number = constant_of(sema, attr);

        if (!is_length(number)) {
            fail(sema, attr, "attribute 'intel_vec_len_hint' takes 0, 1, 4, 8 or 16");
            return AttributeNotApplied;
        }
        decl->addAttr(clang::SwiftAttrAttr::Create(
            sema.Context, (mark + llvm::Twine(number)).str(), attr));
        return AttributeApplied;
    }

  private:
    static uint64_t constant_of(clang::Sema &sema, const clang::ParsedAttr &attr)
    {
        if (!attr.isArgExpr(0)) // a name that nothing has
            return UINT64_MAX;
        const auto constant = attr.getArgAsExpr(0)->getIntegerConstantExpr(sema.Context);

        return constant ? constant->getLimitedValue() : UINT64_MAX;
    }
    template <unsigned N>
    static void fail(clang::Sema &sema, const clang::ParsedAttr &attr,
                     const char (&text)[N])
    {
        clang::DiagnosticsEngine &log = sema.getDiagnostics();

        sema.Diag(attr.getLoc(),
                  log.getCustomDiagID(clang::DiagnosticsEngine::Error, text));
    }
};

const clang::ParsedAttrInfoRegistry::Add<vec_len_hint> registered(
    "intel_vec_len_hint", "lanes that a kernel runs best with");

} // namespace

unsigned vec_len_hint_of(const clang::FunctionDecl &function)
{
    unsigned lanes = 0;

    for (const auto *attr : function.specific_attrs<clang::SwiftAttrAttr>()) {
        llvm::StringRef text = attr->getAttribute();

        if (text.consume_front(mark))
            text.getAsInteger(10, lanes);
    }
    return lanes;
}
