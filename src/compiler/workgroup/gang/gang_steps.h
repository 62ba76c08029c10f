// SPDX-License-Identifier: MIT
// The steps in which code is made, from the function down to one instruction.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_STEPS_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_STEPS_H

#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/gang/value/gang_emit.h"

// The function for lanes of all gangs (wg->lanes->gang), or for those of fewer lanes;
// declared if it is not there yet (gang_function.c).
LLVMValueRef gang_function(struct gang *g, bool masked);
// Control (gang_flow.c): slots of masks first, then all blocks.
void gang_start_blocks(struct gang *g);
void gang_emit_blocks(struct gang *g);
void gang_instruction(struct gang *g, struct tf_value *v); // gang_instruction.c
// What is made next counts as of the instruction's line.
void gang_at_line(struct gang *g, const struct tf_value *v);
// Looks whether what is taken for granted is so, behind the instruction; if not, control
// does not come back (gang_assume.c).
void gang_check_assumed(struct gang *g, const struct tf_value *v);
// Of a pack: runs its rows apart, and leaves the function's work done (gang_apart.c).
void gang_run_apart(struct gang *g);
// (gang_assume.c)
void gang_inside(struct gang *g, struct tf_value *v);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_STEPS_H
