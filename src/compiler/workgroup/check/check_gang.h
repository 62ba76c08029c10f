// SPDX-License-Identifier: MIT
// Looks whether a function of lanes keeps the rules of masks, as the gang pass has made
// it and before LLVM's passes see it. What is written is judged, not what was meant: the
// pass's own state is not asked.
//
// Terms: mask slots are variables of the entry block whose names begin with "mask". A
// part is what was made of one block of the old function: a block whose name begins with
// "block" or "twin", and what is reached from it before the next such block. A part is
// masked if it begins with a load from a mask slot, or if all of the function is (it has
// a parameter for the number of lanes). In the latter lane 0 is always active outside of
// masked parts.
//
//   M1 nothing that may be poison goes into a mask: a value that is no mask itself only
//      as the middle operand of a select on one.
//   M2 all mask slots are zero at first, and a part that takes its lanes from one leaves
//      zero there.
//   M3 in masked parts, memory of the program and functions are reached one by one only
//      where some lane is known to be active: behind a test of the mask.
//   M4 scalars of masked parts carry no flags that make poison.
//   M5 vectors reach memory of the program, and divide, only under masks.
//   S  a scope that some accesses are said to be in, and others apart from, is opened in
//      the function.
//   V  a variable that keeps a value for other blocks ("slot") is stored somewhere if it
//      is loaded.
#ifndef TF_COMPILER_WORKGROUP_CHECK_CHECK_GANG_H
#define TF_COMPILER_WORKGROUP_CHECK_CHECK_GANG_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

// Whether it does. If not, `faults` gets a line for each of the first ones.
bool tf_check_gang(LLVMValueRef function, unsigned width, struct tf_str *faults);
// Whether the scalar function that lanes are to be made of has the form that the analyses
// take for granted (check_loops.c).
bool tf_check_loops(LLVMValueRef function, struct tf_str *faults);
// Whether this build, or TREFOIL_CHECK_LANES, wants that.
bool tf_check_is_on(void);

#endif // TF_COMPILER_WORKGROUP_CHECK_CHECK_GANG_H
