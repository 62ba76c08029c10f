// SPDX-License-Identifier: MIT
// Two steps, as posix_spawn does one: this thread's memory is lent to a first child,
// which lends it to a second one, which becomes the program. The first child ends with
// signal number 0, which only we wait for (__WALL); with it gone the program belongs to
// init. A child that called exec itself would raise SIGCHLD at its end, whatever it was
// started with (execve(2)).
#include "devices/cpu/helper/helper_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

// Sanitizers' own versions of these functions do not expect a child in their memory.
#define TF_NO_SANITIZER __attribute__((no_sanitize("address", "thread", "undefined")))

// Nor does the thread sanitizer's clone(), which begins its work anew in the child.
#ifdef __SANITIZE_THREAD__
int __clone(int (*fn)(void *), void *stack, int flags, void *arg, ...);
#define TF_CLONE __clone
#else
#define TF_CLONE clone
#endif

enum { STACK_BYTES = 32 << 10 };

struct spawn {
    const char *path;
    char *const *argv, *const *envp;
    int fd;
    char *program_stack; // its upper end
    volatile int error;
};

TF_NO_SANITIZER static int become_program(void *arg)
{
    struct spawn *const s = arg;

    // dup3() refuses to copy a descriptor onto itself.
    if ((s->fd == TF_HELPER_FD ? syscall(SYS_fcntl, s->fd, F_SETFD, 0)
                               : syscall(SYS_dup3, s->fd, TF_HELPER_FD, 0)) >= 0)
        syscall(SYS_execve, s->path, s->argv, s->envp);
    s->error = errno;
    return 1;
}

TF_NO_SANITIZER static int start_program(void *arg)
{
    struct spawn *const s = arg;
    const int pid =
        TF_CLONE(become_program, s->program_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, arg);

    if (pid < 0)
        s->error = errno;
    else if (s->error)
        syscall(SYS_wait4, pid, NULL, __WALL, NULL);
    return 0;
}

bool tf_helper_may_spawn(void)
{
    static const char own_path[] = "/proc/thread-self/ns/pid",
                      children_path[] = "/proc/thread-self/ns/pid_for_children";
    struct stat own, children;

    // No such link: the system does not tell. One that leads nowhere: to a namespace that
    // has no init yet.
    if (stat(own_path, &own) || lstat(children_path, &children))
        return true;
    return !stat(children_path, &children) && own.st_dev == children.st_dev &&
           own.st_ino == children.st_ino;
}

int tf_helper_spawn(const char *path, char *const argv[], char *const envp[], int fd)
{
    const int saved_errno = errno;
    struct spawn s = {.path = path, .argv = argv, .envp = envp, .fd = fd};
    char *const stacks = tf_alloc_aligned(16, 2 * (size_t)STACK_BYTES);
    sigset_t all, old;
    int pid;

    if (!stacks)
        return ENOMEM;
    s.program_stack = stacks + STACK_BYTES;
    // A handler of the application must not run in a child that has its memory.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid = TF_CLONE(start_program, stacks + 2 * (size_t)STACK_BYTES,
                   CLONE_VM | CLONE_VFORK, &s);
    if (pid < 0)
        s.error = errno;
    else
        while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
            continue;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    tf_free(stacks);
    errno = saved_errno;
    return s.error;
}
