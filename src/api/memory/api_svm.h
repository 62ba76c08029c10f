// SPDX-License-Identifier: MIT
// Checks shared by the entry points of shared virtual memory and of
// cl_intel_unified_shared_memory, whose commands have the same rules.
#ifndef TF_API_MEMORY_API_SVM_H
#define TF_API_MEMORY_API_SVM_H

#include <CL/cl.h>

#include "core/command/command_svm.h"
#include "core/object/error.h"

// dst and src set and apart: CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP.
cl_int check_svm_copy(struct tf_err *err, const struct tf_svm_copy *what);

// Pattern and destination: CL_INVALID_VALUE.
cl_int check_svm_fill(struct tf_err *err, const struct tf_svm_fill *what);

#endif // TF_API_MEMORY_API_SVM_H
