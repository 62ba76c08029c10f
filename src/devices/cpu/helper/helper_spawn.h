// SPDX-License-Identifier: MIT
// Starts a program that the application's own handling of children never meets: it raises
// no SIGCHLD, waitpid(-1) does not find it, and it leaves no zombie.
#ifndef TF_DEVICES_CPU_HELPER_HELPER_SPAWN_H
#define TF_DEVICES_CPU_HELPER_HELPER_SPAWN_H

#include <stdbool.h>

#define TF_HELPER_FD 3 // where the program finds its end of the socket

// Whether children are of this thread's own process namespace. After
// unshare(CLONE_NEWPID) the first of them is the init of another one, which is the
// application's to start: with its end that namespace ends, and no fork() succeeds any
// more.
bool tf_helper_may_spawn(void);

// 0, or an errno. The program starts with all signals blocked and with every descriptor
// that is not closed by exec: it tidies up itself.
int tf_helper_spawn(const char *path, char *const argv[], char *const envp[], int fd);

#endif // TF_DEVICES_CPU_HELPER_HELPER_SPAWN_H
