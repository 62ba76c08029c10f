// SPDX-License-Identifier: MIT
// What the parts of this room share: a kernel on its way with the functions that stay
// functions, and its table of places.
#ifndef TF_COMPILER_CHECK_CHECKS_H
#define TF_COMPILER_CHECK_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include "abi/check_record.h"
#include "base/str.h"
#include "compiler/ir/roots.h"
#include "compiler/module/arg_layout.h"

// What an address was computed from.
struct tf_check_origin {
    enum tf_check_base base;
    bool is_ours;          // memory that only the library and the run-time touch
    unsigned arg;          // of TF_CHECK_ARG
    LLVMValueRef variable; // of TF_CHECK_VARIABLE; of TF_CHECK_CAPTURED the pointer
    uint64_t object_bytes; // its size
    bool is_known;         // where in it: `offset_bytes`
    int64_t offset_bytes;
};

// Bytes that grow.
struct tf_check_bytes {
    unsigned char *data;
    size_t bytes, room;
    bool failed;
};

// The kernel, or a function that it keeps (lower/kept/kept_functions.h).
struct tf_check_function {
    LLVMValueRef function;
    LLVMValueRef old;        // without the parameters of checks; NULL once it is gone
    LLVMValueRef item;       // struct tf_check_item of the work-item
    LLVMValueRef begin;      // the call of TF_CHECK_BEGIN; of kept functions NULL
    unsigned followed_count; // variables whose bytes are
};

struct tf_checks {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef b;
    LLVMValueRef kernel;
    struct tf_check_function *functions; // the kernel first
    size_t function_count;
    struct tf_check_function *at; // the one that is worked on
    LLVMTypeRef i64, ptr;
    struct tf_arg_slot *args; // where the kernel's lie
    unsigned arg_count;
    unsigned modes;
    struct tf_check_bytes sites, texts;
    uint32_t site_count;
};

// ---- Functions ----

// The kernel, and what it keeps. False: out of memory.
bool tf_check_functions_find(struct tf_checks *c);
// Gives those that are kept their parameters. The kernel has its record by then.
void tf_check_functions_widen(struct tf_checks *c);
// Of a kept function: the parameter that is the mask of its own number `index`, and that.
LLVMValueRef tf_check_param_mask(const struct tf_checks *c, LLVMValueRef function,
                                 unsigned index);
LLVMValueRef tf_check_own_param(const struct tf_checks *c, LLVMValueRef function,
                                unsigned index);
unsigned tf_check_own_param_count(const struct tf_checks *c, LLVMValueRef function);
// The first instruction behind the variables of the first block.
LLVMValueRef tf_check_behind_variables(LLVMValueRef function);

// ---- Places ----

// Adds `site` as the place of `instruction`, whose line it takes from there. Its number.
uint32_t tf_check_add_site(struct tf_checks *c, LLVMValueRef instruction,
                           const struct tf_check_site *site);
// Offset of a copy of `text` among the texts, of the table's from then on; 0 for "".
uint32_t tf_check_add_text(struct tf_checks *c, const char *text, size_t bytes);
// All of it as a constant of the module. NULL: out of memory.
LLVMValueRef tf_check_table(struct tf_checks *c);

// ---- Addresses ----

struct tf_check_origin tf_check_origin(const struct tf_checks *c, LLVMValueRef pointer);

// ---- Calls ----

// Calls the run-time, at the builder's place. The answer.
LLVMValueRef tf_check_call(struct tf_checks *c, uint32_t site, LLVMValueRef address,
                           LLVMValueRef bytes, LLVMValueRef base);
LLVMValueRef tf_check_call_with(struct tf_checks *c, uint32_t site, LLVMValueRef address,
                                LLVMValueRef bytes, LLVMValueRef base,
                                LLVMValueRef value);
LLVMValueRef tf_check_number(const struct tf_checks *c, uint64_t n);
// A root, of a type that it has if it is not there yet.
LLVMValueRef tf_check_declare(const struct tf_checks *c, enum tf_root root,
                              LLVMTypeRef type);

// TF_CHECK_ATOMIC, TF_CHECK_ACQUIRE, .. of an ordering.
unsigned tf_check_order(LLVMAtomicOrdering order);

// Puts calls before what the instruction does to memory.
void tf_check_access(struct tf_checks *c, LLVMValueRef instruction);

#endif // TF_COMPILER_CHECK_CHECKS_H
