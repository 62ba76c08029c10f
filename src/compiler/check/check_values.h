// SPDX-License-Identifier: MIT
// Values that nobody has made: a variable, or memory, that was not written before it is
// read. As MemorySanitizer does (Stepanov and Serebryany, "MemorySanitizer: fast detector
// of uninitialized memory use in C++", CGO 2015), a number goes beside each value that
// says whether it has one, through the expressions of the program, and is looked at only
// where the value decides: a branch, an address, what a store leaves in memory that
// others see. Here it is a bit for each element of a vector, one for any other value
// (check_mask.h). Variables of one value have it beside them; of what lies in arrays,
// structs and variables whose address is taken, and in local and global memory, the
// run-time keeps a bit a byte.
#ifndef TF_COMPILER_CHECK_CHECK_VALUES_H
#define TF_COMPILER_CHECK_CHECK_VALUES_H

#include "compiler/check/checks.h"

// While variables are still variables. False: out of memory.
bool tf_check_values(struct tf_checks *c);
// Behind mem2reg: takes out what it has shown to be nothing.
void tf_check_values_settle(struct tf_checks *c);

#endif // TF_COMPILER_CHECK_CHECK_VALUES_H
