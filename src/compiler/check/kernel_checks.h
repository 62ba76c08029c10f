// SPDX-License-Identifier: MIT
// Checked kernels (doc/checking.md): calls of the run-time before each access to memory,
// round barriers, and at both ends of a work-item. They are put into one kernel and the
// functions that it keeps, when all else is inlined and before it gets its work-group
// form; so no pass behind knows of them, and kernels of other programs have nothing of
// them in their code.
#ifndef TF_COMPILER_CHECK_KERNEL_CHECKS_H
#define TF_COMPILER_CHECK_KERNEL_CHECKS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

// Puts them into `kernel`. False with the reason in the log.
bool tf_kernel_checks_add(LLVMModuleRef module, LLVMValueRef kernel, struct tf_str *log);

#endif // TF_COMPILER_CHECK_KERNEL_CHECKS_H
