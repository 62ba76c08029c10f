// SPDX-License-Identifier: MIT
// Helper processes are nobody else's business: the application maps no compiler, its
// children and descriptors stay its own, helpers end when they are idle, when they are
// killed another one takes the job, and none outlives the application, however that ends.
#include "acceptance.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"
#include "support/forks.h"

#define MARK "quiet_helpers"
#define CHILD_SECONDS 120
#define OWN_FILES 12
#define MOST_DESCRIPTORS 64

static bool maps_hold(const char *name)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/self/maps", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        found = found || strstr(line, name) != NULL;
    fclose(file);
    return found;
}

static void build_one(const struct acceptance_cl *cl, int number)
{
    char source[200];

    snprintf(source, sizeof(source),
             "kernel void k%d(global int *p) { p[get_global_id(0)] = %d; }", number,
             number);
    OK(clReleaseProgram(acceptance_build(cl, source)));
}

// Started with an open file that has no close-on-exec, as many programs' have.
static void helpers_inherit_nothing(const struct acceptance_cl *cl)
{
    const int open_file = open("/proc/self/exe", O_RDONLY);
    pid_t helper[8];

    EXPECT(open_file >= 0);
    build_one(cl, 1);
    EXPECT(!maps_hold("trefoil-compiler"));
    EXPECT(helpers_of(MARK, helper, 8) >= 1);
    EXPECT(helpers_descriptors(helper[0]) <= 5); // 0, 1, 2, the socket, our end
    EXPECT(getsid(helper[0]) == helper[0]);
    EXPECT(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    close(open_file);
}

static void killed_helpers_are_replaced(const struct acceptance_cl *cl)
{
    pid_t helper[8];
    int count;

    for (int i = 0; i < 10; i++) {
        build_one(cl, 10 + i);
        count = helpers_of(MARK, helper, 8);
        for (int k = 0; k < count && k < 8; k++)
            kill(helper[k], i % 2 ? SIGKILL : SIGTERM);
    }
    build_one(cl, 20);
}

// An application may close the descriptors that it does not know and open files under
// their numbers: those are its own.
static void files_of_the_application_stay(const struct acceptance_cl *cl)
{
    struct stat before[OWN_FILES];
    int file[OWN_FILES];

    build_one(cl, 40);
    EXPECT(helpers_of(MARK, NULL, 0) >= 1);
    for (int fd = STDERR_FILENO + 1; fd < MOST_DESCRIPTORS; fd++)
        close(fd);
    for (int i = 0; i < OWN_FILES; i++) {
        file[i] = (int)syscall(SYS_memfd_create, "own", 0U);
        EXPECT(file[i] >= 0 && !fstat(file[i], &before[i]));
    }
    build_one(cl, 41);
    for (int i = 0; i < OWN_FILES; i++) {
        struct stat now;

        EXPECT(!fstat(file[i], &now));
        EXPECT(now.st_ino == before[i].st_ino && now.st_size == 0);
        close(file[i]);
    }
}

// A helper that was started with groups which the application has given up since is used
// no more. Where groups cannot be given up (not root) nothing is left to show.
static void rights_given_up_are_not_used(const struct acceptance_cl *cl)
{
    const gid_t others[] = {1234};
    gid_t own[64];
    const int count = getgroups(64, own);
    pid_t before[8];
    pid_t after[8];

    if (count < 0 || setgroups(1, others))
        return;
    build_one(cl, 50);
    EXPECT(helpers_of(MARK, before, 8) >= 1);
    EXPECT(!setgroups(0, NULL));
    build_one(cl, 51);
    EXPECT(helpers_wait_for(MARK, 1) == 1); // the one before may take a while to end
    EXPECT(helpers_of(MARK, after, 8) == 1);
    EXPECT(after[0] != before[0]);
    EXPECT(!setgroups((size_t)count, own));
}

static void idle_helpers_end(const struct acceptance_cl *cl)
{
    build_one(cl, 30);
    EXPECT(helpers_of(MARK, NULL, 0) >= 1);
    EXPECT(helpers_wait_for(MARK, 0) == 0);
    build_one(cl, 31);
}

static atomic_bool stop;

static void *build_on(void *cl)
{
    for (int n = 0; !atomic_load(&stop); n++)
        build_one(cl, 100 + n);
    return NULL;
}

// A child that is forked in the middle of a compilation compiles, and the parent goes on.
static void forked_children_compile(struct acceptance_cl *cl)
{
    pthread_t thread;

    atomic_store(&stop, false);
    EXPECT(pthread_create(&thread, NULL, build_on, cl) == 0);
    for (int i = 0; i < 10; i++) {
        int status = 0;
        pid_t child;

        acceptance_sleep_s(0.003 * i);
        child = tf_fork();
        EXPECT(child >= 0);
        if (child == 0) {
            struct acceptance_cl own;

            alarm(CHILD_SECONDS);
            own = acceptance_open();
            build_one(&own, i);
            acceptance_close(&own);
            _exit(EXIT_SUCCESS);
        }
        EXPECT(waitpid(child, &status, 0) == child);
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&stop, true);
    EXPECT(pthread_join(thread, NULL) == 0);
}

// A program of its own: compiles for ever, and ends in the way that is asked for.
static int child(const char *way)
{
    struct acceptance_cl cl = acceptance_open();
    pthread_t thread;

    EXPECT(pthread_create(&thread, NULL, build_on, &cl) == 0);
    acceptance_sleep_s(0.05);
    if (!strcmp(way, "exit"))
        return EXIT_SUCCESS;
    if (!strcmp(way, "_exit"))
        _exit(EXIT_SUCCESS);
    if (!strcmp(way, "exec"))
        execl("/bin/true", "true", (char *)NULL);
    raise(SIGKILL);
    return EXIT_FAILURE;
}

static void no_helper_outlives_its_application(void)
{
    static const char *const ways[] = {"exit", "_exit", "exec", "kill"};

    for (int i = 0; i < 4; i++) {
        const pid_t pid = fork();

        EXPECT(pid >= 0);
        if (pid == 0) {
            setenv("TREFOIL_DRIVER_VERSION", "quiet_helpers_child", 1);
            execl("/proc/self/exe", "quiet_helpers", ways[i], (char *)NULL);
            _exit(127);
        }
        EXPECT(waitpid(pid, NULL, 0) == pid);
        EXPECT(helpers_wait_for("quiet_helpers_child", 0) == 0);
    }
}

int main(int argc, char **argv)
{
    struct acceptance_cl cl;

    if (argc > 1)
        return child(argv[1]);
    helpers_mark(MARK);
    cl = acceptance_open();
    helpers_inherit_nothing(&cl);
    killed_helpers_are_replaced(&cl);
    forked_children_compile(&cl);
    files_of_the_application_stay(&cl);
    rights_given_up_are_not_used(&cl);
    idle_helpers_end(&cl);
    no_helper_outlives_its_application();
    EXPECT(!maps_hold("trefoil-compiler"));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
