// SPDX-License-Identifier: MIT
// Which code a launch gets: the first launch of a kernel quick code, which is there in a
// tenth of the time; when threads have run that for a while, optimized code is made in
// the background, and launches take it up between two chunks of groups. The rules are few
// and stand in doc/runtime.md, "Code"; TREFOIL_TIER pins them.
#ifndef TF_DEVICES_CPU_TIER_CPU_TIER_H
#define TF_DEVICES_CPU_TIER_CPU_TIER_H

#include "devices/cpu/program/cpu_program.h"

// Settles what every launch of the program's kernels would have to ask for. To be called
// once for a program that is built or loaded, before anybody else knows it.
void tf_cpu_tier_settle(struct tf_devprog *prog);

// Code for a launch at its start, of which the sizes and offsets count. May wait for it,
// and says so in the log (build). NULL: there is none to be had, or `index` is no kernel.
const struct tf_cpu_kernel *tf_cpu_tier_first(struct tf_devprog *prog, size_t index,
                                              const struct tf_launch *launch);
// Whether it would not wait. Asks for nothing: any lock may be held.
bool tf_cpu_tier_is_ready(const struct tf_devprog *prog, size_t index,
                          const struct tf_launch *launch);

// Has code of all blocks of the program made, and waits for it: a kernel that enqueues
// one shall not. False: there is none to be had.
bool tf_cpu_tier_prepare_blocks(struct tf_devprog *prog);
// Whether it would not wait. Asks for nothing: any lock may be held.
bool tf_cpu_tier_blocks_ready(const struct tf_devprog *prog);

// Code for a launch that will come again and again, for good: optimized code, for which
// it may wait; but quick code where that is pinned or nothing else can be made.
const struct tf_cpu_kernel *tf_cpu_tier_lasting(struct tf_devprog *prog, size_t index,
                                                const struct tf_launch *launch);
// Whether that would not wait. Asks for nothing: any lock may be held.
bool tf_cpu_tier_is_lasting_ready(const struct tf_devprog *prog, size_t index,
                                  const struct tf_launch *launch);
// Whether that would no longer be `code`, which it was for other arguments. Asks for
// nothing: any lock may be held.
bool tf_cpu_tier_is_outdated(const struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch,
                             const struct tf_cpu_kernel *code);
// Whether values among the arguments decide it for launches of these sizes, as far as is
// known. Any lock may be held.
bool tf_cpu_tier_depends_on_values(const struct tf_devprog *prog, size_t index,
                                   const struct tf_launch *launch);
// Has that code made in the background, if it is not there. No lock may be held.
void tf_cpu_tier_expect_lasting(struct tf_devprog *prog, size_t index,
                                const struct tf_launch *launch);

// Whether better code than `code` may come up while the launch runs.
bool tf_cpu_tier_watches(const struct tf_devprog *prog, size_t index,
                         const struct tf_launch *launch,
                         const struct tf_cpu_kernel *code);
// Whether every launch of these sizes gets `code`, which one has got, from now on.
bool tf_cpu_tier_is_final(const struct tf_devprog *prog, size_t index,
                          const struct tf_launch *launch,
                          const struct tf_cpu_kernel *code);
// A thread has run such `code` for `ns`, and all that is left would take all threads
// `left_ns`: the code for its next chunk, `code` itself or better one. One thread makes
// that itself where the others would take longer. In tests that mix tiers, the other one
// each time.
const struct tf_cpu_kernel *tf_cpu_tier_next(struct tf_devprog *prog, size_t index,
                                             const struct tf_launch *launch,
                                             const struct tf_cpu_kernel *code,
                                             uint64_t ns, uint64_t left_ns);

// A kernel object was made: a launch will want code soon.
void tf_cpu_tier_expect(struct tf_devprog *prog, size_t index);

// Launches of this process that waited for code of a kernel that a launch before them had
// code of, but for the first with ids past 2^31 (doc/decisions/021). It stays 0: else
// code does not depend on sizes, offsets or arguments.
unsigned tf_cpu_tier_blocked_launches(void);

#endif // TF_DEVICES_CPU_TIER_CPU_TIER_H
