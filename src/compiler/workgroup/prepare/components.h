// SPDX-License-Identifier: MIT
// Vectors of the program in lanes. The gang pass makes of <N x T> one <W*N x T>, lane
// after lane: right for what treats all components alike, as memory has them in that
// order. What takes components out, puts them in or mixes them (dot products, swizzles)
// would shuffle registers each time; taken apart before, components are scalars, each a
// vector of W lanes, and the shuffles are those of loads and stores alone.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_COMPONENTS_H
#define TF_COMPILER_WORKGROUP_PREPARE_COMPONENTS_H

#include "compiler/workgroup/gang/gang_emit.h"

// Whether the function has vectors that shuffle less when they are taken apart.
bool gang_mixes_components(struct gang *g);

// Takes the vectors of wg->wide apart if that pays; wg->item_cost is then that of the
// function before. False after tf_wg_fail.
bool tf_wg_components(struct tf_wg *wg);

#endif // TF_COMPILER_WORKGROUP_PREPARE_COMPONENTS_H
