// SPDX-License-Identifier: MIT
#include "base/lib.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/command/fork.h"
#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

START_TEST(missing_library_says_why)
{
    char text[200] = "";

    ck_assert_ptr_null(tf_lib_symbol("/nonexistent/libx.so", "x", text, sizeof(text)));
    ck_assert_ptr_nonnull(strstr(text, "/nonexistent/libx.so"));
}
END_TEST

START_TEST(symbol_is_found_or_named)
{
    char text[200] = "";

    ck_assert_ptr_nonnull(tf_lib_symbol("libm.so.6", "cos", text, sizeof(text)));
    ck_assert_ptr_null(tf_lib_symbol("libm.so.6", "no_such_symbol", text, sizeof(text)));
    ck_assert_ptr_nonnull(strstr(text, "no_such_symbol"));
}
END_TEST

START_TEST(neighbour_of_a_library)
{
    char text[200], path[4096];
    void *cosine = tf_lib_symbol("libm.so.6", "cos", text, sizeof(text));

    ck_assert_int_eq(tf_lib_beside(cosine, "libm.so.6", path, sizeof(path)), 0);
    ck_assert_int_eq(access(path, R_OK), 0);
    ck_assert_int_ne(tf_lib_beside(cosine, "libm.so.6", path, 4), 0); // no room
    ck_assert_int_ne(tf_lib_beside(NULL, "libm.so.6", path, sizeof(path)), 0);
}
END_TEST

START_TEST(library_that_is_cut_is_not_opened)
{
    char folder[] = "/tmp/tflibXXXXXX", real[4096], text[200], command[5000], path[100];
    void *cosine = tf_lib_symbol("libm.so.6", "cos", text, sizeof(text));

    ck_assert_int_eq(tf_lib_beside(cosine, "libm.so.6", real, sizeof(real)), 0);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/libcut.so", folder);
    ck_assert(tf_lib_is_sound(real, text, sizeof(text)));
    for (int bytes = 30; bytes < 500000; bytes *= 16) {
        snprintf(command, sizeof(command), "head -c %d '%s' > %s", bytes, real, path);
        ck_assert_int_eq(system(command), 0);
        ck_assert_ptr_null(tf_lib_symbol(path, "cos", text, sizeof(text)));
        ck_assert_ptr_nonnull(strstr(text, "not a whole file"));
    }
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

// A library that is opened by a relative path, in a folder whose name has an odd letter.
static const struct {
    const char *command, *wanted; // makes x; the end of what is said of it
} no_libraries[] = {
    {"mkdir x", "x: a folder, not a library"},
    {"mkfifo x", "x: not a library"},
    {"echo 'INPUT(libc.so.6)' > x", "x: not a library"},
    {": > x", "x: not a library"},
    {"ln -s /dev/zero x", "x: not a library"},
    {"printf '\\177ELF\\002\\001\\001%0100d' 0 > x", "x: not a library"},
    {":", "x: No such file or directory"},
};

START_TEST(what_is_no_library_is_called_so)
{
    char folder[] = "/tmp/tflibXXXXXX", text[200], command[200], path[100];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/x", folder);
    snprintf(command, sizeof(command), "cd %s && %s", folder, no_libraries[_i].command);
    ck_assert_int_eq(system(command), 0);
    ck_assert(!tf_lib_is_sound(path, text, sizeof(text)));
    ck_assert_msg(strstr(text, no_libraries[_i].wanted), "%s", text);
    ck_assert_ptr_null(tf_lib_symbol(path, "cos", text, sizeof(text)));
    ck_assert_ptr_null(strstr(text, "whole"));
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(neighbour_after_the_folder_was_left)
{
    char folder[] = "/tmp/tf lib\nXXXXXX", real[4096], text[200], path[5000];
    void *cosine = tf_lib_symbol("libm.so.6", "cos", text, sizeof(text)), *lib;
    char wanted[200];

    ck_assert_int_eq(tf_lib_beside(cosine, "libm.so.6", real, sizeof(real)), 0);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    snprintf(path, sizeof(path), "cp '%s' libother.so", real);
    ck_assert_int_eq(system(path), 0);
    lib = tf_lib_symbol("./libother.so", "cos", text, sizeof(text));
    ck_assert_ptr_nonnull(lib);
    ck_assert_ptr_ne(lib, cosine);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(tf_lib_beside(lib, "libbeside.so", path, sizeof(path)), 0);
    snprintf(wanted, sizeof(wanted), "%s/libbeside.so", folder);
    ck_assert_str_eq(path, wanted);
    ck_assert_int_ne(tf_lib_beside(lib, "libbeside.so", path, 4), 0);
    snprintf(path, sizeof(path), "%s/libother.so", folder);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    // The file is gone: its folder is still known.
    ck_assert_int_eq(tf_lib_beside(lib, "libbeside.so", path, sizeof(path)), 0);
    ck_assert_str_eq(path, wanted);
}
END_TEST

// ---- Forks ----

// A copy of a small library of glibc that needs a pipe where the original needs libc: the
// loader waits, in the midst of its work, for somebody who writes to that.
static const char needed[] = "libc.so.6", pipe_path[sizeof(needed)] = "./libq.so";

static void make_library_that_waits(const char *original)
{
    static char bytes[1 << 20];
    FILE *file = fopen(original, "rb");
    size_t size;
    char *name;

    ck_assert_ptr_nonnull(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    ck_assert(size > 0 && size < sizeof(bytes) && fclose(file) == 0);
    for (char *at = bytes; (name = memmem(at, bytes + size - at, needed, sizeof(needed)));
         at = name + 1)
        memcpy(name, pipe_path, sizeof(pipe_path));
    file = fopen("waits.so", "wb");
    ck_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
}

static void *load_what_waits(void *unused)
{
    char text[200];

    ck_assert_ptr_null(tf_lib_symbol("./waits.so", "x", text, sizeof(text)));
    ck_assert_ptr_nonnull(strstr(text, pipe_path));
    return unused;
}

static void *let_it_go_on(void *start)
{
    int fd;

    sem_wait(start);
    usleep(300000);
    fd = open(pipe_path, O_WRONLY);
    ck_assert(fd >= 0 && close(fd) == 0);
    return NULL;
}

// A child is ended where the loader's state is not whole.
static void expect_a_child_that_loads(void)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        alarm(TEST_LIMIT_S / 4);
        _exit(dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    ck_assert(waitpid(pid, &status, 0) == pid && status == 0);
}

static void enter_folder_that_waits(char *folder)
{
    char text[200], path[4096];
    void *cosine = tf_lib_symbol("libm.so.6", "cos", text, sizeof(text));

    tf_fork_watch();
    ck_assert_int_eq(tf_lib_beside(cosine, "libutil.so.1", path, sizeof(path)), 0);
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    make_library_that_waits(path);
}

static void leave_folder(const char *folder)
{
    ck_assert(unlink(pipe_path) == 0 && unlink("waits.so") == 0 && rmdir(folder) == 0);
}

START_TEST(child_can_load_whatever_was_being_loaded)
{
    char folder[] = "/tmp/tflibXXXXXX";
    pthread_t loader, writer;
    sem_t start;

    enter_folder_that_waits(folder);
    ck_assert_int_eq(sem_init(&start, 0, 0), 0);
    // First: no thread starts while another loads.
    ck_assert_int_eq(pthread_create(&writer, NULL, let_it_go_on, &start), 0);
    ck_assert_int_eq(pthread_create(&loader, NULL, load_what_waits, NULL), 0);
    ck_assert(tf_threads_rest(TEST_LIMIT_S * 1000));
    sem_post(&start);
    expect_a_child_that_loads();
    pthread_join(loader, NULL);
    pthread_join(writer, NULL);
    leave_folder(folder);
}
END_TEST

// As a constructor that forks would have it wait: only after the fork does it go on.
START_TEST(loading_may_wait_for_a_fork)
{
    char folder[] = "/tmp/tflibXXXXXX";
    pthread_t loader;
    pid_t pid;
    int fd;

    enter_folder_that_waits(folder);
    ck_assert_int_eq(pthread_create(&loader, NULL, load_what_waits, NULL), 0);
    ck_assert(tf_threads_rest(TEST_LIMIT_S * 1000));
    pid = fork();
    if (pid == 0)
        _exit(EXIT_SUCCESS);
    ck_assert(waitpid(pid, NULL, 0) == pid);
    fd = open(pipe_path, O_WRONLY);
    ck_assert(fd >= 0 && close(fd) == 0);
    pthread_join(loader, NULL);
    leave_folder(folder);
    expect_a_child_that_loads();
}
END_TEST

// Handlers of fork() that an application has registered earlier run later.
static struct {
    pthread_mutex_t lock;
    sem_t locked, asked;
} theirs = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void their_handler(void)
{
    sem_post(&theirs.asked);
    pthread_mutex_lock(&theirs.lock);
}

static void their_end(void)
{
    pthread_mutex_unlock(&theirs.lock);
}

static void *load_with_their_lock(void *unused)
{
    char text[200];

    pthread_mutex_lock(&theirs.lock);
    sem_post(&theirs.locked);
    sem_wait(&theirs.asked);
    ck_assert_ptr_nonnull(tf_lib_symbol("libm.so.6", "cos", text, sizeof(text)));
    pthread_mutex_unlock(&theirs.lock);
    return unused;
}

START_TEST(another_handler_may_wait_for_who_loads)
{
    pthread_t loader;

    ck_assert(sem_init(&theirs.locked, 0, 0) == 0 && sem_init(&theirs.asked, 0, 0) == 0);
    ck_assert_int_eq(pthread_atfork(their_handler, their_end, their_end), 0);
    tf_fork_watch();
    ck_assert_int_eq(pthread_create(&loader, NULL, load_with_their_lock, NULL), 0);
    sem_wait(&theirs.locked);
    expect_a_child_that_loads();
    pthread_join(loader, NULL);
}
END_TEST

static bool has_forked;

static void fork_in_a_handler(void)
{
    if (has_forked)
        return;
    has_forked = true;
    expect_a_child_that_loads();
}

START_TEST(another_handler_may_fork)
{
    ck_assert_int_eq(pthread_atfork(fork_in_a_handler, NULL, NULL), 0);
    tf_fork_watch();
    expect_a_child_that_loads();
    ck_assert(has_forked);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lib");
    TCase *tcase = tcase_create("lib");

    tcase_set_timeout(tcase, TEST_LIMIT_S);
    tcase_add_test(tcase, missing_library_says_why);
    tcase_add_test(tcase, symbol_is_found_or_named);
    tcase_add_test(tcase, neighbour_of_a_library);
    tcase_add_test(tcase, library_that_is_cut_is_not_opened);
    tcase_add_loop_test(tcase, what_is_no_library_is_called_so, 0,
                        sizeof(no_libraries) / sizeof(no_libraries[0]));
    tcase_add_test(tcase, neighbour_after_the_folder_was_left);
    tcase_add_test(tcase, child_can_load_whatever_was_being_loaded);
    tcase_add_test(tcase, loading_may_wait_for_a_fork);
    tcase_add_test(tcase, another_handler_may_wait_for_who_loads);
    tcase_add_test(tcase, another_handler_may_fork);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
