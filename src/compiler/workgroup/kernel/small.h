// SPDX-License-Identifier: MIT
// Small launches: those in which every global id fits in 32 bits with its sign. Lanes are
// made for them alone, because there `int i = get_global_id(0)` counts up with the lanes;
// the entry function looks at the launch once and takes the other form for the rest.
#ifndef TF_COMPILER_WORKGROUP_KERNEL_SMALL_H
#define TF_COMPILER_WORKGROUP_KERNEL_SMALL_H

#include "abi/launch_fit.h"

// Lanes past the end of a row have ids, too: as many more as gangs have lanes at most.
#define TF_SMALL_PAST 64
#define TF_SMALL_END (TF_SMALL_LIMIT + TF_SMALL_PAST)

#endif // TF_COMPILER_WORKGROUP_KERNEL_SMALL_H
