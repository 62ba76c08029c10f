// SPDX-License-Identifier: MIT
#include "cache/cache_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "support/cache_rig.h"
#include "support/suite.h"

enum { NOBODY = 65534 };

static const char text[] = "some content of a cache";

// ---- A disk with faults: these stand before the C library's ----

static int fail_write_at = -1; // the n-th write fails, 0 the next
static int fail_errno;
static size_t most_bytes = SIZE_MAX; // that one read or write moves
static int interrupted;              // so many calls more

ssize_t write(int fd, const void *data, size_t bytes)
{
    if (interrupted > 0 && interrupted--) {
        errno = EINTR;
        return -1;
    }
    if (fail_write_at >= 0 && fail_write_at-- == 0) {
        errno = fail_errno;
        return -1;
    }
    return syscall(SYS_write, fd, data, bytes < most_bytes ? bytes : most_bytes);
}

ssize_t read(int fd, void *data, size_t bytes)
{
    if (interrupted > 0 && interrupted--) {
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_read, fd, data, bytes < most_bytes ? bytes : most_bytes);
}

static size_t files_in_rooms(void)
{
    size_t count = 0;

    for (const char *room = "0123456789abcdef"; *room; room++) {
        char path[PATH_MAX];
        DIR *dir;

        snprintf(path, sizeof(path), "%.200s/%c", rig_cache.folder, *room);
        dir = opendir(path);
        while (dir && readdir(dir))
            count++;
        if (dir) {
            closedir(dir);
            count -= 2; // . and ..
        }
    }
    return count;
}

START_TEST(what_was_written_is_found)
{
    rig_write(1, text, sizeof(text));
    rig_write(2, "", 0);
    ck_assert(rig_holds(1, text, sizeof(text)));
    ck_assert(rig_holds(2, "", 0));
    ck_assert(!rig_holds(3, text, sizeof(text)));
}
END_TEST

START_TEST(parts_follow_each_other)
{
    const struct tf_digest key = rig_key(1);
    const struct tf_cache_part parts[] = {{text, 5}, {NULL, 0}, {text + 5, 7}};

    tf_cache_write(&rig_cache, TF_CACHE_OBJECT, &key, parts, 3);
    ck_assert(rig_holds(1, text, 12));
}
END_TEST

START_TEST(last_writer_wins)
{
    rig_write(1, "old", 3);
    rig_write(1, text, sizeof(text));
    ck_assert(rig_holds(1, text, sizeof(text)));
    ck_assert_uint_eq(files_in_rooms(), 1);
}
END_TEST

START_TEST(kinds_are_told_apart)
{
    const struct tf_digest key = rig_key(1);
    struct tf_cache_content content;

    rig_write(1, text, sizeof(text));
    ck_assert(!tf_cache_read(&rig_cache, TF_CACHE_PROGRAM, &key, &content));
}
END_TEST

START_TEST(file_under_another_key_is_a_miss)
{
    char from[PATH_MAX], to[PATH_MAX], room[PATH_MAX];

    rig_write(1, text, sizeof(text));
    rig_path(1, from, sizeof(from));
    rig_path(2, to, sizeof(to));
    snprintf(room, sizeof(room), "%s", to);
    *strrchr(room, '/') = '\0';
    mkdir(room, 0700);
    ck_assert_int_eq(rename(from, to), 0);
    ck_assert(!rig_holds(2, text, sizeof(text)));
}
END_TEST

START_TEST(every_flipped_byte_is_a_miss)
{
    char path[PATH_MAX], c;
    struct stat facts;
    int fd;

    rig_write(1, text, sizeof(text));
    rig_path(1, path, sizeof(path));
    fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fstat(fd, &facts), 0);
    for (off_t at = 0; at < facts.st_size; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            ck_assert_int_eq(pread(fd, &c, 1, at), 1);
            c = (char)(c ^ 1 << bit);
            ck_assert_int_eq(pwrite(fd, &c, 1, at), 1);
            ck_assert(!rig_holds(1, text, sizeof(text)));
            c = (char)(c ^ 1 << bit);
            ck_assert_int_eq(pwrite(fd, &c, 1, at), 1);
        }
    }
    ck_assert(rig_holds(1, text, sizeof(text)));
    close(fd);
}
END_TEST

START_TEST(cut_or_grown_file_is_a_miss)
{
    char path[PATH_MAX];
    struct stat facts;

    rig_write(1, text, sizeof(text));
    rig_path(1, path, sizeof(path));
    ck_assert_int_eq(stat(path, &facts), 0);
    ck_assert_int_eq(truncate(path, facts.st_size + 1), 0);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    for (off_t bytes = facts.st_size; bytes-- > 0;) {
        ck_assert_int_eq(truncate(path, bytes), 0);
        ck_assert(!rig_holds(1, text, sizeof(text)));
    }
    rig_write(1, text, sizeof(text));
    ck_assert(rig_holds(1, text, sizeof(text)));
}
END_TEST

START_TEST(things_that_are_no_files_are_a_miss)
{
    char path[PATH_MAX], other[PATH_MAX];

    rig_write(1, text, sizeof(text));
    rig_write(2, text, sizeof(text));
    rig_path(1, path, sizeof(path));
    rig_path(2, other, sizeof(other));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    rig_write(1, text, sizeof(text));
    ck_assert_uint_eq(files_in_rooms(), 2); // nothing half written is left
}
END_TEST

START_TEST(full_disk_is_a_miss)
{
    static const int errors[] = {ENOSPC, EDQUOT, EIO, EROFS};

    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
        most_bytes = 10;
        fail_errno = errors[i];
        fail_write_at = (int)i;
        rig_write(1, text, sizeof(text));
        ck_assert(!rig_holds(1, text, sizeof(text)));
        ck_assert_uint_eq(files_in_rooms(), 0);
    }
    rig_write(1, text, sizeof(text));
    ck_assert(rig_holds(1, text, sizeof(text)));
}
END_TEST

START_TEST(short_and_interrupted_calls_are_continued)
{
    most_bytes = 1;
    interrupted = 3;
    rig_write(1, text, sizeof(text));
    interrupted = 3;
    ck_assert(rig_holds(1, text, sizeof(text)));
}
END_TEST

START_TEST(limit_on_file_size_ends_no_process)
{
    const struct rlimit limit = {64, 64};
    const pid_t pid = fork(); // the test's own messages would be too long
    int status;

    if (pid == 0) {
        if (setrlimit(RLIMIT_FSIZE, &limit))
            _exit(1);
        rig_write(1, text, sizeof(text));
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    ck_assert_uint_eq(files_in_rooms(), 0);
}
END_TEST

START_TEST(no_descriptor_is_a_miss)
{
    struct rlimit limit;

    rig_write(1, text, sizeof(text));
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 0;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    rig_write(2, text, sizeof(text));
    limit.rlim_cur = limit.rlim_max; // sanitizers read /proc at the end
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}
END_TEST

START_TEST(read_only_folder_is_read)
{
    const uid_t user = geteuid();

    if (user == 0) { // who may write everywhere
        ck_assert_int_eq(chown(rig_top, NOBODY, NOBODY), 0);
        ck_assert_int_eq(seteuid(NOBODY), 0);
    }
    rig_write(1, text, sizeof(text));
    ck_assert_int_eq(chmod(rig_cache.folder, 0500), 0);
    ck_assert(rig_holds(1, text, sizeof(text)));
    for (unsigned i = 2; i < 40; i++)
        rig_write(i, text, sizeof(text));
    ck_assert(rig_holds(1, text, sizeof(text)));
    ck_assert_int_eq(seteuid(user), 0);
}
END_TEST

START_TEST(folder_that_vanishes_is_made_again)
{
    rig_write(1, text, sizeof(text));
    nftw(rig_cache.folder, rig_remove, 16, FTW_DEPTH | FTW_PHYS);
    ck_assert(!rig_holds(1, text, sizeof(text)));
    rig_write(1, text, sizeof(text));
    ck_assert(rig_holds(1, text, sizeof(text)));
}
END_TEST

START_TEST(failed_allocations_are_misses)
{
    rig_write(1, text, sizeof(text));
    tf_alloc_fail_at(0);
    (void)rig_holds(1, text, sizeof(text));
    tf_alloc_fail_at(0);
    rig_write(2, text, sizeof(text));
    tf_alloc_fail_at(-1);
    ck_assert(rig_holds(1, text, sizeof(text)));
}
END_TEST

START_TEST(use_is_noted_once_an_hour)
{
    const time_t now = time(NULL);
    char path[PATH_MAX];
    struct stat facts;
    struct timespec times[2] = {{.tv_sec = now - 7200}, {.tv_sec = now - 7200}};

    rig_write(1, text, sizeof(text));
    rig_path(1, path, sizeof(path));
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    ck_assert(rig_holds(1, text, sizeof(text)));
    ck_assert_int_eq(stat(path, &facts), 0);
    ck_assert_int_ge(facts.st_mtime, now - 2);

    times[0].tv_sec = times[1].tv_sec = now - 600;
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    ck_assert(rig_holds(1, text, sizeof(text)));
    ck_assert_int_eq(stat(path, &facts), 0);
    ck_assert_int_eq(facts.st_mtime, now - 600);
}
END_TEST

// ---- Many processes ----

enum { PROCESSES = 64, CONTENTS = 40, LARGE = 20000 };

static void fill(unsigned char *data, unsigned number)
{
    for (size_t i = 0; i < LARGE; i++)
        data[i] = (unsigned char)(number * 31 + i * 7);
}

static void work(unsigned seed, unsigned rounds)
{
    static unsigned char data[LARGE];

    for (unsigned i = 0; i < rounds; i++) {
        const unsigned number = (seed + i * 17) % CONTENTS;

        fill(data, number);
        if (!rig_holds(number, data, LARGE))
            rig_write(number, data, LARGE);
    }
}

START_TEST(many_processes_see_whole_contents_only)
{
    for (unsigned i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            work(i, 200);
            _exit(0);
        }
    for (unsigned i = 0; i < PROCESSES; i++) {
        int status;

        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(files_in_rooms(), CONTENTS);
}
END_TEST

START_TEST(killed_writers_do_no_harm)
{
    for (unsigned round = 0; round < 100; round++) {
        const struct timespec wait_for = {0, (long)(round * 37 % 100) * 20000};
        const pid_t pid = fork();
        int status;

        if (pid == 0)
            for (;;) {
                work(round, 50);
                nftw(rig_cache.folder, rig_remove, 16, FTW_DEPTH | FTW_PHYS);
            }
        nanosleep(&wait_for, NULL);
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        work(round, CONTENTS); // rig_holds() checks what it finds
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache_store");
    TCase *tests = tcase_create("store"), *processes = tcase_create("processes");

    tcase_add_checked_fixture(tests, rig_up, rig_down);
    tcase_add_test(tests, what_was_written_is_found);
    tcase_add_test(tests, parts_follow_each_other);
    tcase_add_test(tests, last_writer_wins);
    tcase_add_test(tests, kinds_are_told_apart);
    tcase_add_test(tests, file_under_another_key_is_a_miss);
    tcase_add_test(tests, every_flipped_byte_is_a_miss);
    tcase_add_test(tests, cut_or_grown_file_is_a_miss);
    tcase_add_test(tests, things_that_are_no_files_are_a_miss);
    tcase_add_test(tests, full_disk_is_a_miss);
    tcase_add_test(tests, short_and_interrupted_calls_are_continued);
    tcase_add_test(tests, limit_on_file_size_ends_no_process);
    tcase_add_test(tests, no_descriptor_is_a_miss);
    tcase_add_test(tests, read_only_folder_is_read);
    tcase_add_test(tests, folder_that_vanishes_is_made_again);
    tcase_add_test(tests, failed_allocations_are_misses);
    tcase_add_test(tests, use_is_noted_once_an_hour);
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(processes, rig_up, rig_down);
    tcase_add_test(processes, many_processes_see_whole_contents_only);
    tcase_add_test(processes, killed_writers_do_no_harm);
    suite_add_tcase(suite, processes);
    return tf_run_suite(suite);
}
