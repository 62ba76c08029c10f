// SPDX-License-Identifier: MIT
// Starts a program that the application's own handling of children never meets: it raises
// no SIGCHLD, waitpid(-1) does not find it, and it leaves no zombie.
#ifndef TF_DEVICES_CPU_HELPER_HELPER_SPAWN_H
#define TF_DEVICES_CPU_HELPER_HELPER_SPAWN_H

#define TF_HELPER_FD 3 // where the program finds its end of the socket

// 0, or an errno. The program starts with all signals blocked and with every descriptor
// that is not closed by exec: it tidies up itself.
int tf_helper_spawn(const char *path, char *const argv[], char *const envp[], int fd);

#endif // TF_DEVICES_CPU_HELPER_HELPER_SPAWN_H
