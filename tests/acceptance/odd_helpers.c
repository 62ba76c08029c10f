// SPDX-License-Identifier: MIT
// Where no helper can be had, from the start or later, and where what is called so is
// none or talks nonsense, kernels are compiled in the application, and nothing hangs.
// Usage: odd_helpers folder-of-the-build
#include "acceptance.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"

#define MARK "odd_helpers"
#define CHILD_SECONDS 100

static char folder[] = "/tmp/trefoil-odd-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[3][512];
    static int next;

    next = (next + 1) % 3;
    snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
    return path[next];
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *const file = fopen(in_folder(name), "w");

    EXPECT(file && fputs(text, file) >= 0 && fclose(file) == 0);
    EXPECT(chmod(in_folder(name), mode) == 0);
}

static void write_icd(void)
{
    char text[600];

    snprintf(text, sizeof(text), "%s\n", in_folder("libtrefoil.so"));
    write_file("trefoil.icd", text, 0644);
}

// An installation of its own: the libraries are found beside the name that was opened.
static void make_installation(const char *build)
{
    static const char *const names[] = {"libtrefoil.so", "libtrefoil-compiler.so"};
    char text[600];

    EXPECT(mkdtemp(folder) != NULL);
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof(text), "%s/%s", build, names[i]);
        EXPECT(symlink(text, in_folder(names[i])) == 0);
    }
    write_icd();
    EXPECT(setenv("OCL_ICD_VENDORS", folder, 1) == 0);
}

static void use_helper(const char *build)
{
    char path[600];

    snprintf(path, sizeof(path), "%s/trefoil-helper", build);
    unlink(in_folder("trefoil-helper"));
    EXPECT(symlink(path, in_folder("trefoil-helper")) == 0);
}

static bool compiles_here(void)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/self/maps", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        found = found || strstr(line, "libtrefoil-compiler") != NULL;
    fclose(file);
    return found;
}

static void build_one(const struct acceptance_cl *cl, int number)
{
    char source[200];

    snprintf(source, sizeof(source), "kernel void k(global int *p) { p[0] = %d; }",
             number);
    OK(clReleaseProgram(acceptance_build(cl, source)));
}

// The bodies of child processes.

static void fall_back_at_once(void)
{
    struct acceptance_cl cl = acceptance_open();

    build_one(&cl, 1);
    EXPECT(compiles_here());
    build_one(&cl, 2);
    acceptance_close(&cl);
}

static void fall_back_later(void)
{
    struct acceptance_cl cl;
    pid_t found[8];
    int count;

    helpers_mark(MARK);
    cl = acceptance_open();
    build_one(&cl, 1);
    EXPECT(!compiles_here());
    unlink(in_folder("trefoil-helper"));
    count = helpers_of(MARK, found, 8);
    EXPECT(count >= 1);
    for (int i = 0; i < count && i < 8; i++)
        kill(found[i], SIGKILL);
    EXPECT(helpers_wait_for(MARK, 0) == 0);
    build_one(&cl, 2);
    EXPECT(compiles_here());
    acceptance_close(&cl);
}

static bool can_build(const struct acceptance_cl *cl, const char *source)
{
    cl_int code;
    const cl_program program =
        clCreateProgramWithSource(cl->context, 1, &source, NULL, &code);

    OK(code);
    code = clBuildProgram(program, 1, &cl->device, "", NULL, NULL);
    OK(clReleaseProgram(program));
    return code == CL_SUCCESS;
}

// A process that lacks descriptors once has them later.
static void lack_descriptors_once(void)
{
    struct acceptance_cl cl;
    struct rlimit limit, low;
    int last = -1, fd;

    helpers_mark(MARK);
    cl = acceptance_open();
    EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    low = limit;
    low.rlim_cur = 64;
    EXPECT(setrlimit(RLIMIT_NOFILE, &low) == 0);
    while ((fd = open("/dev/null", O_RDONLY)) >= 0)
        last = fd;
    EXPECT(!can_build(&cl, "kernel void a(global int *p) { p[0] = 1; }"));
    // Enough for the library, not for a pair of sockets.
    EXPECT(close(last) == 0);
    EXPECT(can_build(&cl, "kernel void b(global int *p) { p[0] = 2; }"));
    EXPECT(compiles_here());
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    EXPECT(helpers_of(MARK, NULL, 0) == 0);
    acceptance_sleep_s(3.5);
    EXPECT(can_build(&cl, "kernel void c(global int *p) { p[0] = 3; }"));
    EXPECT(helpers_wait_for(MARK, 1) == 1);
    acceptance_close(&cl);
}

// The library was found by a path from a folder that is left.
static void change_folder(void)
{
    const char *const name = strrchr(folder, '/') + 1;
    struct acceptance_cl cl;
    char text[64];

    EXPECT(chdir("/tmp") == 0);
    snprintf(text, sizeof(text), "./%s/libtrefoil.so\n", name);
    write_file("trefoil.icd", text, 0644);
    cl = acceptance_open();
    EXPECT(chdir("/") == 0);
    EXPECT(can_build(&cl, "kernel void a(global int *p) { p[0] = 1; }"));
    EXPECT(!compiles_here());
    acceptance_close(&cl);
}

static void fall_back_in_a_folder_that_is_gone(void)
{
    char gone[] = "/tmp/trefoil-gone-XXXXXX";

    EXPECT(mkdtemp(gone) != NULL && chdir(gone) == 0 && rmdir(gone) == 0);
    fall_back_at_once();
}

// What an installation that was interrupted leaves.
static void cut_library_fails_builds(void)
{
    struct acceptance_cl cl = acceptance_open();

    EXPECT(!can_build(&cl, "kernel void a(global int *p) { p[0] = 1; }"));
    acceptance_close(&cl);
}

// What a disk, or a copy of a file that was written meanwhile, can leave: all of it is
// there, and some of it is not what it was.
static void damaged_library_fails_builds(void)
{
    struct acceptance_cl cl = acceptance_open();
    const char *source = "kernel void a(global int *p) { p[0] = 1; }";
    char log[2000] = "";
    cl_int code;
    const cl_program program =
        clCreateProgramWithSource(cl.context, 1, &source, NULL, &code);

    OK(code);
    EXPECT(clBuildProgram(program, 1, &cl.device, "", NULL, NULL) ==
           CL_COMPILER_NOT_AVAILABLE);
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                             NULL));
    printf("%s", log);
    EXPECT(strstr(log, "library is damaged"));
    EXPECT(!compiles_here());
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
}

static void build_in_a_process(void)
{
    struct acceptance_cl cl = acceptance_open();

    build_one(&cl, 1);
    EXPECT(!compiles_here());
    acceptance_close(&cl);
}

static void write_over_the_middle(const char *path)
{
    static const char zeros[1 << 16];
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    struct stat facts;

    EXPECT(fd >= 0 && fstat(fd, &facts) == 0);
    for (off_t at = facts.st_size / 4; at < facts.st_size / 10 * 9; at += sizeof(zeros))
        EXPECT(pwrite(fd, zeros, sizeof(zeros), at) == sizeof(zeros));
    EXPECT(close(fd) == 0);
}

static void damage_library(const char *build)
{
    char text[700];

    unlink(in_folder("libtrefoil-compiler.so"));
    snprintf(text, sizeof(text), "cp %s/libtrefoil-compiler.so %s", build,
             in_folder("libtrefoil-compiler.so"));
    EXPECT(system(text) == 0);
    write_over_the_middle(in_folder("libtrefoil-compiler.so"));
}

static void cut_library(const char *build)
{
    char text[700];

    unlink(in_folder("libtrefoil-compiler.so"));
    snprintf(text, sizeof(text), "head -c 3000000 %s/libtrefoil-compiler.so > %s", build,
             in_folder("libtrefoil-compiler.so"));
    EXPECT(system(text) == 0);
}

static void run_child(const char *what, void (*body)(void))
{
    int status = 0;
    const pid_t pid = fork();

    EXPECT(pid >= 0);
    if (pid == 0) {
        alarm(CHILD_SECONDS);
        body();
        _exit(EXIT_SUCCESS);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    printf("%s: status %x\n", what, (unsigned)status);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *what, *text;
        mode_t mode;
    } odd[] = {
        {"no program", "nothing", 0755},
        {"not executable", "#!/bin/sh\nexit 0\n", 0644},
        {"ends at once", "#!/bin/sh\nexit 0\n", 0755},
        {"talks nonsense",
         "#!/bin/sh\nprintf 'much more than a header of nonsense' >&3\n", 0755},
    };

    EXPECT(argc == 2);
    make_installation(argv[1]);
    run_child("no such file", fall_back_at_once);
    run_child("no such file, nor folder", fall_back_in_a_folder_that_is_gone);
    for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
        write_file("trefoil-helper", odd[i].text, odd[i].mode);
        run_child(odd[i].what, fall_back_at_once);
    }
    use_helper(argv[1]);
    run_child("gone later", fall_back_later);
    use_helper(argv[1]);
    run_child("no descriptors once", lack_descriptors_once);
    run_child("left folder", change_folder);
    write_icd();
    write_file("trefoil-helper-whole", "#!/bin/sh\nexit 0\n", 0755);
    run_child("the quicker program ends at once", build_in_a_process);
    unlink(in_folder("trefoil-helper-whole"));
    damage_library(argv[1]);
    run_child("damaged library", damaged_library_fails_builds);
    unlink(in_folder("trefoil-helper"));
    cut_library(argv[1]);
    run_child("cut library", cut_library_fails_builds);
    unlink(in_folder("trefoil-helper"));
    unlink(in_folder("libtrefoil.so"));
    unlink(in_folder("libtrefoil-compiler.so"));
    unlink(in_folder("trefoil.icd"));
    EXPECT(rmdir(folder) == 0);
    return EXIT_SUCCESS;
}
