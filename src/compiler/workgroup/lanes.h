// SPDX-License-Identifier: MIT
// The steps of the pass "gang", from the scalar function to code.
#ifndef TF_COMPILER_WORKGROUP_LANES_H
#define TF_COMPILER_WORKGROUP_LANES_H

#include "compiler/workgroup/plan/choose.h"

struct tf_wg;

// The facts of wg->wide, or of a function that was made of it; finished by the caller.
// `together`: lanes leave no loop of it at different times.
void tf_wg_find_facts(struct tf_wg *wg, struct tf_facts *facts, LLVMValueRef fn,
                      bool together);
// Makes wg->gang_pack, if that pays: see wg.h. wg->gang and wg->gang_masked are there, as
// the choice has them. False after tf_wg_fail.
bool tf_wg_pack(struct tf_wg *wg, const struct tf_choice *choice);

#endif // TF_COMPILER_WORKGROUP_LANES_H
