// SPDX-License-Identifier: MIT
// Fetching ahead where the processor does not see that it should.
#include <string.h>

#include "compiler/workgroup/gang/memory/gang_access.h"

// Where LLVM's encoding of memory effects has what no pointer reaches, read and written.
enum { NO_MEMORY_OF_THE_PROGRAM = 3 << 2 };

// No load and no store of the program depends on it.
static void promise_no_effect(struct gang *g, LLVMValueRef call)
{
    const unsigned memory = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));

    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(g->wg->context, memory, NO_MEMORY_OF_THE_PROGRAM));
}

void gang_fetch_next(struct gang *g, const struct tf_access *a)
{
    enum { TO_READ = 0, ALL_CACHES = 3, DATA = 1 };
    const LLVMValueRef bytes = LLVMConstInt(g->i64, tf_access_bytes(a) * g->width, false);
    LLVMTypeRef type = LLVMTypeOf(a->pointer);
    LLVMValueRef args[4];

    args[0] = gang_scalar(g, a->pointer);
    args[0] = LLVMBuildGEP2(g->b, g->wg->i8, args[0], (LLVMValueRef *)&bytes, 1, "");
    args[1] = gang_int(g, TO_READ);
    args[2] = gang_int(g, ALL_CACHES);
    args[3] = gang_int(g, DATA);
    promise_no_effect(g, gang_intrinsic(g, "llvm.prefetch", &type, 1, args, 4));
}
