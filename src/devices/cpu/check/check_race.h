// SPDX-License-Identifier: MIT
// Races: two work-items access the same byte, at least one writes, not both by atomic
// operations, and nothing says which comes first.
//
// Each byte has a cell with its last write and last reads, as work-item and time: what
// FastTrack (Flanagan and Freund, "FastTrack: efficient and precise dynamic race
// detection", PLDI 2009) calls epochs. Kernels have few ways to order things, so a
// work-item needs no vector of clocks:
// - a barrier has a time; what the group did before it, in memory of the kinds that it
//   names, comes before all that the group does later;
// - who acquires what another one has released takes all that happened before that
//   release, by whomever, for done. This is more than the specification grants, so that
//   some races are not seen; but no order that a program has made is missed.
#ifndef TF_DEVICES_CPU_CHECK_CHECK_RACE_H
#define TF_DEVICES_CPU_CHECK_CHECK_RACE_H

#include "devices/cpu/check/check_state.h"

void tf_check_race(struct tf_check_question *q);
void tf_check_fence(struct tf_check_question *q);

// In a forked child.
void tf_check_race_forked(void);

#endif // TF_DEVICES_CPU_CHECK_CHECK_RACE_H
