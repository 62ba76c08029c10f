// SPDX-License-Identifier: MIT
// How many members a type may have, those of its members included. What copies a
// structure is described member by member (!tbaa.struct): 30 types of which each holds
// two of the one before took 43 s and 6.9 GB.
#ifndef TF_COMPILER_CLANG_MEMBER_LIMIT_H
#define TF_COMPILER_CLANG_MEMBER_LIMIT_H

#include <cstdint>
#include <map>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>

class member_limit final : public clang::ASTConsumer
{
  public:
    void HandleTagDeclDefinition(clang::TagDecl *decl) override
    {
        const auto *record = clang::dyn_cast<clang::RecordDecl>(decl);

        if (!record || record->isInvalidDecl() || count(record) <= max_members)
            return;
        clang::DiagnosticsEngine &diagnostics = decl->getASTContext().getDiagnostics();
        diagnostics.Report(decl->getLocation(),
                           diagnostics.getCustomDiagID(
                               clang::DiagnosticsEngine::Fatal,
                               "a type has more than %0 members, those of its members "
                               "included"))
            << static_cast<unsigned>(max_members);
    }

  private:
    // Types are complete before others hold them, so this is asked of each member once.
    // An array counts as one: it is described as one.
    uint64_t count(const clang::RecordDecl *record)
    {
        const auto at = counts_.find(record);
        uint64_t all = 0;

        if (at != counts_.end())
            return at->second;
        for (const clang::FieldDecl *field : record->fields()) {
            const auto *inner = field->getType()->getAs<clang::RecordType>();

            all += inner ? count(inner->getDecl()->getDefinition()) : 1;
            if (all > max_members)
                break;
        }
        return counts_[record] = all;
    }

    static constexpr uint64_t max_members = 65536;

    std::map<const clang::RecordDecl *, uint64_t> counts_;
};

#endif // TF_COMPILER_CLANG_MEMBER_LIMIT_H
