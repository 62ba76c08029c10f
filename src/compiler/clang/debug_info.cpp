// SPDX-License-Identifier: MIT
#include "compiler/clang/debug_info.h"

#include <cstdint>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace
{

// Clang's name of the function that holds a kernel's body.
constexpr StringRef BODY_PREFIX = "__clang_ocl_kern_imp_";
// Named metadata: the subprogram of the kernel whose code the module is to be.
constexpr StringRef KERNEL = "tf.lines_of";

// Without "constu SPACE, swap, xderef", what Clang says of each address on SPIR.
const DIExpression *without_spaces(const DIExpression *expression)
{
    constexpr size_t WORDS = 4;
    const ArrayRef<uint64_t> old = expression->getElements();
    SmallVector<uint64_t, 8> kept;

    for (size_t at = 0; at < old.size();) {
        if (old.size() - at >= WORDS && old[at] == dwarf::DW_OP_constu &&
            old[at + 2] == dwarf::DW_OP_swap && old[at + 3] == dwarf::DW_OP_xderef) {
            at += WORDS;
        } else {
            kept.push_back(old[at++]);
        }
    }
    return kept.size() == old.size() ? expression
                                     : DIExpression::get(expression->getContext(), kept);
}

void settle_variables(Function &function)
{
    for (BasicBlock &block : function)
        for (Instruction &instruction : block)
            for (DbgVariableRecord &record :
                 filterDbgVars(instruction.getDbgRecordRange()))
                record.setExpression(
                    const_cast<DIExpression *>(without_spaces(record.getExpression())));
}

// Debuggers take the name for the linker where there is one.
void settle_name(Function &function)
{
    constexpr unsigned LINKAGE_NAME = 3; // of its operands
    DISubprogram *const known = function.getSubprogram();

    if (known && known->isDistinct() && known->getLinkageName().starts_with(BODY_PREFIX))
        known->replaceOperandWith(LINKAGE_NAME, nullptr);
}

// The variable of `item` takes its place in what debuggers show.
void forget(const DIGlobalVariableExpression *global, Module &module)
{
    for (DICompileUnit *unit : module.debug_compile_units()) {
        SmallVector<Metadata *, 8> kept;

        for (DIGlobalVariableExpression *other : unit->getGlobalVariables())
            if (other != global)
                kept.push_back(other);
        unit->replaceGlobalVariables(MDTuple::get(module.getContext(), kept));
    }
}

void forget_places(Instruction &instruction)
{
    const auto known = [](Metadata *part) {
        return isa<DILocation>(part) ? nullptr : part;
    };

    if (!instruction.getMetadata(LLVMContext::MD_loop))
        return;
    updateLoopMetadataDebugLocations(instruction, known);
    // Itself is left.
    if (instruction.getMetadata(LLVMContext::MD_loop)->getNumOperands() == 1)
        instruction.setMetadata(LLVMContext::MD_loop, nullptr);
}

DISubprogram *new_subprogram(Module &module, const DISubprogram *like)
{
    DIBuilder builder(module, true, like->getUnit());

    return builder.createFunction(
        like->getFile(), like->getName(), "", like->getFile(), like->getLine(),
        builder.createSubroutineType(builder.getOrCreateTypeArray({})),
        like->getScopeLine(), DINode::FlagArtificial,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
}

void own_lines(Function &function, const DISubprogram *like)
{
    DenseMap<const MDNode *, MDNode *> cache;
    LLVMContext &context = function.getContext();
    DISubprogram *const own = new_subprogram(*function.getParent(), like);
    DILocation *const where = DILocation::get(context, own->getLine(), 0, own);

    function.setSubprogram(own);
    for (Instruction &instruction : instructions(function)) {
        const DebugLoc at = instruction.getDebugLoc();

        instruction.setDebugLoc(
            at ? DILocation::get(context, at.getLine(), at.getCol(), at.getScope(),
                                 DebugLoc::appendInlinedAt(at, where, context, cache))
               : where);
    }
}

} // namespace

extern "C" void tf_debug_info_settle(LLVMModuleRef module)
{
    for (Function &function : *unwrap(module)) {
        settle_name(function);
        settle_variables(function);
    }
}

extern "C" void tf_debug_info_forget_loops(LLVMModuleRef module)
{
    if (unwrap(module)->debug_compile_units().empty())
        return;
    for (Function &function : *unwrap(module))
        for (Instruction &instruction : instructions(function))
            forget_places(instruction);
}

extern "C" void tf_debug_info_keep_lines(LLVMModuleRef module, LLVMValueRef kernel)
{
    stripNonLineTableDebugInfo(*unwrap(module));
    if (DISubprogram *const known = unwrap<Function>(kernel)->getSubprogram())
        unwrap(module)->getOrInsertNamedMetadata(KERNEL)->addOperand(known);
}

extern "C" void tf_debug_info_own_lines(LLVMModuleRef module)
{
    const NamedMDNode *const kernel = unwrap(module)->getNamedMetadata(KERNEL);

    if (!kernel)
        return;
    for (Function &function : *unwrap(module))
        if (!function.isDeclaration())
            own_lines(function, cast<DISubprogram>(kernel->getOperand(0)));
}

extern "C" void tf_debug_info_place(LLVMValueRef variable, LLVMValueRef item,
                                    LLVMValueRef holder, LLVMValueRef before)
{
    DISubprogram *const scope = unwrap<Function>(item)->getSubprogram();
    SmallVector<DIGlobalVariableExpression *, 1> known;

    unwrap<GlobalVariable>(variable)->getDebugInfo(known);
    if (!scope || known.empty())
        return;
    const DIGlobalVariable *const global = known[0]->getVariable();
    Module &module = *unwrap<Function>(item)->getParent();
    DIBuilder builder(module);
    DILocalVariable *const local =
        builder.createAutoVariable(scope, global->getName(), scope->getFile(),
                                   global->getLine(), global->getType(), true);

    Instruction *const at = unwrap<Instruction>(before);

    at->getParent()->insertDbgRecordBefore(
        DbgVariableRecord::createDVRDeclare(
            unwrap(holder), local,
            DIExpression::get(scope->getContext(), {dwarf::DW_OP_deref}),
            DILocation::get(scope->getContext(), scope->getLine(), 0, scope)),
        at->getIterator());
    forget(known[0], module);
    unwrap<GlobalVariable>(variable)->eraseMetadata(LLVMContext::MD_dbg);
}

extern "C" void tf_debug_info_take_arguments(LLVMValueRef from, LLVMValueRef to)
{
    Function &source = *unwrap<Function>(from), &target = *unwrap<Function>(to);

    for (Instruction &instruction : instructions(target)) {
        for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
            const SmallVector<Value *, 2> places(record.location_ops());

            for (Value *place : places) {
                const Argument *const argument = dyn_cast<Argument>(place);

                if (argument && argument->getParent() == &source)
                    record.replaceVariableLocationOp(place,
                                                     target.getArg(argument->getArgNo()));
            }
        }
    }
}
