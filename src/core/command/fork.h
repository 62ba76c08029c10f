// SPDX-License-Identifier: MIT
// What a forked child does: it counts a new epoch and makes every global lock, list and
// device new. Objects of the parent's contexts are never touched again.
#ifndef TF_CORE_COMMAND_FORK_H
#define TF_CORE_COMMAND_FORK_H

// Registers the handler of forked children; called before the first context is made.
void tf_fork_watch(void);

#endif // TF_CORE_COMMAND_FORK_H
