// SPDX-License-Identifier: MIT
// What a forked child does: it makes every global lock, list and device new. Objects of
// the parent are never touched again. It knows every room of core; none knows it.
#ifndef TF_CORE_COMMAND_FORK_H
#define TF_CORE_COMMAND_FORK_H

// Registers the handlers of fork(); called before the first object is made.
void tf_fork_watch(void);

#endif // TF_CORE_COMMAND_FORK_H
