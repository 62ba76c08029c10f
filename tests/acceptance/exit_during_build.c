// SPDX-License-Identifier: MIT
// A process may return from main at any moment of a program build on another thread: its
// exit status is 0 and it does not hang. The program runs itself as a child many times.
#include "acceptance.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 200
#define CHILD_SECONDS 120

static struct acceptance_cl cl;

static void *build_forever(void *unused)
{
    char source[256];

    for (int n = 0;; n++) {
        snprintf(
            source, sizeof(source),
            "kernel void k%d(global float *p) { p[get_global_id(0)] *= sqrt(%d.0f); }", n,
            n);
        clReleaseProgram(acceptance_build(&cl, source));
    }
    return unused;
}

static int child(long delay_us)
{
    pthread_t thread;

    cl = acceptance_open();
    EXPECT(pthread_create(&thread, NULL, build_forever, NULL) == 0);
    usleep((useconds_t)delay_us);
    return EXIT_SUCCESS; // while the other thread builds
}

static void run_child(const char *self, long delay_us)
{
    char text[32];
    int status = 0;
    const pid_t pid = fork();

    EXPECT(pid >= 0);
    if (pid == 0) {
        alarm(CHILD_SECONDS); // a hang ends by a signal, which is not exit status 0
        snprintf(text, sizeof(text), "%ld", delay_us);
        execl(self, self, text, (char *)NULL);
        _exit(127);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    fprintf(stderr, "exit after %ld us: status %x\n", delay_us, (unsigned)status);
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return child(strtol(argv[1], NULL, 10));
    const int children = acceptance_sanitized() ? CHILDREN / 10 : CHILDREN;
    unsigned seed = 12345;
    for (int n = 0; n < children; n++) {
        seed = seed * 1103515245 + 12345;
        // From before the compiler library is loaded to the middle of the third build.
        run_child("/proc/self/exe", (long)(seed >> 8) % 60000);
    }
    printf("%d exits, all with status 0\n", children);
    return EXIT_SUCCESS;
}
