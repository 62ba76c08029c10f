// SPDX-License-Identifier: MIT
// Clang in this process: source and headers come from memory, the module stays in memory.
// Files on disk are opened only when the program includes them by an -I path.
#include "compiler/clang/clang_frontend.h"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/clang/attribute_texts.h"
#include "compiler/clang/builtin_overloads.h"
#include "compiler/clang/file_recorder.h"
#include "compiler/clang/inline_definitions.h"
#include "compiler/clang/log_stream.h"
#include "compiler/clang/member_limit.h"
#include "compiler/clang/source_limits.h"
#include "compiler/clang/vec_len_hint.h"
#include "compiler/job/compile_job.h"

namespace
{

class expansion_watch final : public clang::PPCallbacks
{
  public:
    expansion_watch(std::shared_ptr<source_limits> limits, const struct tf_clang_in *in)
        : limits_(std::move(limits)), in_(in)
    {
    }
    void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
                      clang::SourceRange, const clang::MacroArgs *) override
    {
        const auto *word = name.getIdentifierInfo();

        limits_->on_expansion(name);
        if (in_->found && word &&
            (word->isStr("__DATE__") || word->isStr("__TIME__") ||
             word->isStr("__TIMESTAMP__")))
            in_->found(in_->user, "", TF_CLANG_UNKNOWN, nullptr, 0, 0);
    }

  private:
    std::shared_ptr<source_limits> limits_;
    const struct tf_clang_in *in_;
};

class emit_module final : public clang::EmitLLVMOnlyAction
{
  public:
    emit_module(llvm::LLVMContext *context, const struct tf_clang_in *in)
        : EmitLLVMOnlyAction(context), in_(in)
    {
    }

    // Puts the text of its attributes beside each kernel, and the lanes it asks for.
    void attach_notes(llvm::Module &module) const
    {
        llvm::LLVMContext &context = module.getContext();

        for (llvm::Function &function : module) {
            const auto found = notes_.find(function.getName().str());

            if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL ||
                found == notes_.end())
                continue;
            function.setMetadata(
                TF_CLANG_ATTRIBUTES_METADATA,
                llvm::MDNode::get(context,
                                  llvm::MDString::get(context, found->second.text)));
            if (found->second.lanes)
                function.setMetadata(TF_CLANG_LANES_METADATA,
                                     numbers(context, {found->second.lanes}));
            if (!found->second.packets.empty())
                function.setMetadata(TF_CLANG_PACKETS_METADATA,
                                     numbers(context, found->second.packets));
        }
    }

  protected:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &ci,
                                                          llvm::StringRef file) override
    {
        std::vector<std::unique_ptr<clang::ASTConsumer>> all;

        // The limit first: after its error nothing is generated.
        all.push_back(std::make_unique<member_limit>());
        all.push_back(std::make_unique<inline_definitions>(
            ci.getCodeGenOpts().OptimizationLevel == 0));
        all.push_back(EmitLLVMOnlyAction::CreateASTConsumer(ci, file));
        return std::make_unique<clang::MultiplexConsumer>(std::move(all));
    }

    bool BeginSourceFileAction(clang::CompilerInstance &ci) override
    {
        auto limits = std::make_shared<source_limits>(ci);
        auto overloads = std::make_shared<builtin_overloads>(ci);
        auto attributes = std::make_shared<attribute_texts>(ci);

        attributes_ = attributes;
        ci.getPreprocessor().setTokenWatcher(
            [limits, overloads, attributes](const clang::Token &token) {
                limits->on_token(token);
                overloads->on_token(token);
                attributes->on_token(token);
            });
        ci.getPreprocessor().addPPCallbacks(
            std::make_unique<expansion_watch>(limits, in_));
        return EmitLLVMOnlyAction::BeginSourceFileAction(ci);
    }
    void EndSourceFileAction() override
    {
        EmitLLVMOnlyAction::EndSourceFileAction();
        take_notes(getCompilerInstance().getASTContext().getTranslationUnitDecl());
    }

  private:
    struct notes {
        std::string text;
        unsigned lanes;
        std::vector<unsigned> packets; // bytes, by argument; empty: it has no pipes
    };

    static llvm::MDNode *numbers(llvm::LLVMContext &context,
                                 const std::vector<unsigned> &values)
    {
        std::vector<llvm::Metadata *> nodes;

        for (const unsigned value : values)
            nodes.push_back(llvm::ConstantAsMetadata::get(
                llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value)));
        return llvm::MDNode::get(context, nodes);
    }

    static std::vector<unsigned> packets_of(const clang::FunctionDecl &function)
    {
        const clang::ASTContext &context = function.getASTContext();
        std::vector<unsigned> bytes;
        bool has_pipes = false;

        for (const clang::ParmVarDecl *param : function.parameters()) {
            const auto *pipe = param->getType()->getAs<clang::PipeType>();

            has_pipes |= pipe != nullptr;
            bytes.push_back(pipe ? static_cast<unsigned>(
                                       context.getTypeSizeInChars(pipe->getElementType())
                                           .getQuantity())
                                 : 0);
        }
        if (!has_pipes)
            bytes.clear();
        return bytes;
    }

    void take_notes(const clang::DeclContext *scope)
    {
        for (const clang::Decl *decl : scope->decls()) {
            const auto *function = clang::dyn_cast<clang::FunctionDecl>(decl);

            if (function && function->getIdentifier() && function->hasAttrs() &&
                function->isThisDeclarationADefinition())
                notes_[function->getName().str()] = {attributes_->of(*function),
                                                     vec_len_hint_of(*function),
                                                     packets_of(*function)};
            if (clang::isa<clang::NamespaceDecl>(decl) ||
                clang::isa<clang::LinkageSpecDecl>(decl))
                take_notes(clang::cast<clang::DeclContext>(decl));
        }
    }

    const struct tf_clang_in *in_;
    std::shared_ptr<attribute_texts> attributes_;
    std::map<std::string, notes> notes_; // by the name of the function
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_files(const struct tf_clang_in *in)
{
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        make_file_recorder(llvm::vfs::getRealFileSystem(), in));

    for (size_t i = 0; i < in->file_count; i++) {
        const struct tf_clang_file &file = in->files[i];
        // A copy: Clang wants a byte 0 behind the text, headers of an application have
        // none.
        memory->addFile(file.path, 0,
                        llvm::MemoryBuffer::getMemBufferCopy(
                            llvm::StringRef(file.text, file.text_bytes), file.path));
    }
    all->pushOverlay(memory);
    return all;
}

bool make_invocation(clang::CompilerInvocation &invocation, const struct tf_clang_in *in,
                     llvm::vfs::FileSystem &files, llvm::raw_ostream &log)
{
#if LLVM_VERSION_MAJOR >= 20
    clang::DiagnosticOptions options;
    auto *printer = new clang::TextDiagnosticPrinter(log, options);
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(files, options, printer, true);
#else
    auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
    auto *printer = new clang::TextDiagnosticPrinter(log, options.get());
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(options.get(), printer, true);
    (void)files;
#endif
    std::vector<const char *> args;
    std::vector<std::pair<std::string, bool>> macros; // and whether it is undefined

    // Two thirds of the words are macros, and Clang looks each up among all its options.
    for (size_t i = 0; i < in->arg_count; i++) {
        const llvm::StringRef arg(in->args[i]);
        const bool undefined = arg.starts_with("-U");
        const bool is_value = i > 0 && !std::strcmp(in->args[i - 1], "-I");

        if (!is_value && arg.size() > 2 && (undefined || arg.starts_with("-D")))
            macros.emplace_back(arg.drop_front(2).str(), undefined);
        else
            args.push_back(in->args[i]);
    }
    if (!clang::CompilerInvocation::CreateFromArgs(invocation, args, *diagnostics))
        return false;
    for (auto &macro : macros)
        invocation.getPreprocessorOpts().Macros.push_back(std::move(macro));
    invocation.getFrontendOpts().DisableFree = false;
    return true;
}

// Built-in functions have up to 90 versions, and Clang would say of each why it does not
// fit. It shows four where it has shown more than that before.
void show_few_overloads(clang::DiagnosticsEngine &diagnostics)
{
    diagnostics.setShowOverloads(clang::Ovl_Best);
    diagnostics.overloadCandidatesShown(5);
}

LLVMModuleRef compile(LLVMContextRef context, const struct tf_clang_in *in)
{
    log_stream log(in->write, in->user);
    auto files = make_files(in);
    auto invocation = std::make_shared<clang::CompilerInvocation>();

    if (!make_invocation(*invocation, in, *files, log))
        return nullptr;
#if LLVM_VERSION_MAJOR >= 20
    clang::CompilerInstance ci(invocation);
    ci.setVirtualFileSystem(files);
    ci.createDiagnostics(new bounded_printer(log, ci.getDiagnosticOpts()), true);
    ci.createFileManager();
    ci.createSourceManager();
#else
    clang::CompilerInstance ci;
    ci.setInvocation(invocation);
    ci.createDiagnostics(new bounded_printer(log, &ci.getDiagnosticOpts()), true);
    ci.createFileManager(files);
    ci.createSourceManager(ci.getFileManager());
#endif
    ci.setVerboseOutputStream(log);
    show_few_overloads(ci.getDiagnostics());
    emit_module action(llvm::unwrap(context), in);
    if (!ci.ExecuteAction(action))
        return nullptr;
    auto module = action.takeModule();
    if (module)
        action.attach_notes(*module);
    return llvm::wrap(module.release());
}

void (*no_memory)(void);

void on_bad_alloc(void *, const char *, bool)
{
    no_memory();
}

} // namespace

extern "C" LLVMModuleRef tf_clang_compile(LLVMContextRef context,
                                          const struct tf_clang_in *in)
{
    return compile(context, in);
}

extern "C" void tf_clang_on_no_memory(void (*fail)(void))
{
    no_memory = fail;

    llvm::install_bad_alloc_error_handler(on_bad_alloc, nullptr);
}

extern "C" void tf_clang_sync_scope(LLVMValueRef atomic, char *name, size_t bytes)
{
    const auto *inst = llvm::cast<llvm::Instruction>(llvm::unwrap(atomic));
    const auto scope = llvm::getAtomicSyncScopeID(inst);
    llvm::SmallVector<llvm::StringRef, 8> names;

    inst->getContext().getSyncScopeNames(names);
    const llvm::StringRef text =
        scope && *scope < names.size() ? names[*scope] : llvm::StringRef();
    const size_t n = text.size() < bytes ? text.size() : bytes - 1;
    std::memcpy(name, text.data(), n);
    name[n] = 0;
}

extern "C" void tf_clang_forbid_contraction(LLVMValueRef instruction)
{
    llvm::cast<llvm::Instruction>(llvm::unwrap(instruction))->setHasAllowContract(false);
}

extern "C" const char *tf_clang_version(void)
{
    return LLVM_VERSION_STRING;
}
