// SPDX-License-Identifier: MIT
#include "compiler/lower/kept/image_accesses.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/check_record.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/roots.h"

struct access {
    LLVMBuilderRef b;
    LLVMValueRef root;
    LLVMTypeRef i32, i64;
};

// What the mangled name says: _Z11read_imagef20ocl_image2d_array_ro11ocl_samplerDv4_f.
// 0: it is no access.
static unsigned what_of(const char *name)
{
    static const char kind_prefix[] = "ocl_image";
    const char *const read = strstr(name, "read_image");
    const char *const write = strstr(name, "write_image");
    const char *kind = strstr(name, kind_prefix);
    unsigned what;

    if (strncmp(name, "_Z", 2) != 0 || !(read || write) || !kind)
        return 0;
    kind += strlen(kind_prefix);
    if (*kind < '1' || *kind > '3')
        return 0;
    what = (unsigned)(*kind - '0');
    if (!strncmp(kind + 1, "d_array", strlen("d_array")))
        what |= TF_CHECK_IMAGE_ARRAY;
    if (write)
        what |= TF_CHECK_IMAGE_WRITE;
    if (strstr(kind, "ocl_sampler"))
        what |= TF_CHECK_IMAGE_SAMPLER;
    return what;
}

// Component `n` as 32 bits in a word; 0 where there is none.
static LLVMValueRef component(const struct access *a, LLVMValueRef coordinate, unsigned n)
{
    const LLVMTypeRef type = LLVMTypeOf(coordinate);
    LLVMValueRef value = coordinate;

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        if (n >= LLVMGetVectorSize(type))
            return LLVMConstNull(a->i64);
        value =
            LLVMBuildExtractElement(a->b, coordinate, LLVMConstInt(a->i32, n, false), "");
    } else if (n > 0) {
        return LLVMConstNull(a->i64);
    }
    return LLVMBuildZExt(a->b, LLVMBuildBitCast(a->b, value, a->i32, ""), a->i64, "");
}

static LLVMValueRef pair(const struct access *a, LLVMValueRef low, LLVMValueRef high)
{
    return LLVMBuildOr(a->b, low,
                       LLVMBuildShl(a->b, high, LLVMConstInt(a->i64, 32, false), ""), "");
}

static bool is_real(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

// Sizes of all that a call of other types might have: those are refused later.
static bool fits(const struct access *a, LLVMValueRef call, unsigned at)
{
    const bool has_sampler = at == 2;
    LLVMTypeRef type;

    if (LLVMGetNumArgOperands(call) <= at)
        return false;
    type = LLVMTypeOf(LLVMGetOperand(call, at));
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(call, 0))) == 2 &&
           (!has_sampler || LLVMTypeOf(LLVMGetOperand(call, 1)) == a->i64) &&
           (type == a->i32 || LLVMGetTypeKind(type) == LLVMFloatTypeKind);
}

static void keep(const struct access *a, LLVMValueRef call, unsigned what)
{
    enum { ARGS = 5 };
    const unsigned at = what & TF_CHECK_IMAGE_SAMPLER ? 2 : 1;
    LLVMValueRef coordinate, level = LLVMConstNull(a->i64), args[ARGS];

    if (!fits(a, call, at))
        return;
    LLVMPositionBuilderBefore(a->b, call);
    coordinate = LLVMGetOperand(call, at);
    if (is_real(LLVMTypeOf(coordinate)))
        what |= TF_CHECK_IMAGE_FLOAT;
    if (what & TF_CHECK_IMAGE_WRITE && LLVMGetNumArgOperands(call) == 4) {
        what |= TF_CHECK_IMAGE_LEVEL;
        level = component(a, LLVMGetOperand(call, 2), 0);
    }
    args[0] = LLVMGetOperand(call, 0);
    args[1] = at == 2 ? LLVMGetOperand(call, 1) : LLVMConstNull(a->i64);
    args[2] = pair(a, component(a, coordinate, 0), component(a, coordinate, 1));
    args[3] = pair(a, component(a, coordinate, 2), level);
    args[4] = LLVMConstInt(a->i32, what, false);
    LLVMBuildCall2(a->b, LLVMGlobalGetValueType(a->root), a->root, args, ARGS, "");
}

static LLVMValueRef declare(LLVMModuleRef module, const struct access *a)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef params[] = {LLVMPointerTypeInContext(context, 2), a->i64, a->i64, a->i64,
                            a->i32};

    return LLVMAddFunction(
        module, tf_root_name(TF_ROOT_CHECK_IMAGE),
        LLVMFunctionType(LLVMVoidTypeInContext(context), params, 5, false));
}

void tf_image_accesses_keep(LLVMModuleRef module)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    struct access a = {.i32 = LLVMInt32TypeInContext(context),
                       .i64 = LLVMInt64TypeInContext(context)};

    if (!(tf_check_modes_of(module) & TF_CHECK_MEMORY))
        return;
    a.b = LLVMCreateBuilderInContext(context);
    TF_FOR_EACH_FUNCTION(f, module)
    {
        const unsigned what = LLVMIsDeclaration(f) ? what_of(tf_ir_name(f)) : 0;

        for (LLVMUseRef use = what ? LLVMGetFirstUse(f) : NULL; use;
             use = LLVMGetNextUse(use)) {
            const LLVMValueRef call = LLVMGetUser(use);

            if (!LLVMIsACallInst(call) || tf_ir_callee(call) != f)
                continue;
            if (!a.root)
                a.root = declare(module, &a);
            keep(&a, call, what);
        }
    }
    LLVMDisposeBuilder(a.b);
}
