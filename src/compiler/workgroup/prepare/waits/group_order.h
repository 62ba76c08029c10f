// SPDX-License-Identifier: MIT
// Kernels whose work-groups may wait for others: no program may count on these coming
// along, but those that wait for groups before them work where groups begin in order.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_WAITS_GROUP_ORDER_H
#define TF_COMPILER_WORKGROUP_PREPARE_WAITS_GROUP_ORDER_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Whether a loop of the function could tell what other groups do, by atomic operations,
// volatile accesses, fences or barriers, and anything that it reads from memory, or of
// other work-items, has a say in how long it goes on. Asks for more than what may wait
// for others of the group (wait.h): barriers do not end waiting, and values may go
// through memory.
bool tf_group_order_matters(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_WAITS_GROUP_ORDER_H
