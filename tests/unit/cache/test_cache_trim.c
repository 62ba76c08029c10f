// SPDX-License-Identifier: MIT
#include "cache/cache_trim.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "support/cache_rig.h"
#include "support/suite.h"

enum { CONTENT = 4000 };
static unsigned char data[CONTENT];

static uint64_t bytes_on_disk(size_t *files)
{
    const int folder = tf_cache_open(&rig_cache);
    uint64_t bytes = 0;

    *files = 0;
    ck_assert_int_ge(folder, 0);
    for (const char *room = "0123456789abcdef"; *room; room++) {
        size_t count;
        struct tf_cache_file *list = tf_cache_list(folder, *room, &count);

        for (size_t i = 0; i < count; i++)
            bytes += list[i].bytes;
        *files += count;
        tf_free(list);
    }
    close(folder);
    return bytes;
}

static void set_age(const char *path, time_t seconds)
{
    const time_t then = time(NULL) - seconds;
    const struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};

    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

START_TEST(size_is_kept_about)
{
    size_t files;

    rig_cache.cap_bytes = 1 << 20;
    for (unsigned i = 0; i < 1500; i++)
        rig_write(i, data, CONTENT);
    ck_assert_uint_le(bytes_on_disk(&files), 1 << 20);
    ck_assert_uint_gt(files, 100);
}
END_TEST

START_TEST(what_was_not_used_for_longest_goes_first)
{
    unsigned kept = 0;
    char path[PATH_MAX];
    int folder;

    for (unsigned i = 0; i < 400; i++) {
        rig_write(i, data, CONTENT);
        rig_path(i, path, sizeof(path));
        set_age(path, i % 2 ? 100 : 1000 + i);
    }
    rig_cache.cap_bytes = 1000000; // of 1.6 million
    folder = tf_cache_open(&rig_cache);
    for (const char *room = "0123456789abcdef"; *room; room++)
        tf_cache_trim(&rig_cache, folder, *room);
    close(folder);
    for (unsigned i = 0; i < 400; i += 2)
        kept += rig_holds(i, data, CONTENT);
    ck_assert_uint_lt(kept, 50);
    kept = 0;
    for (unsigned i = 1; i < 400; i += 2)
        kept += rig_holds(i, data, CONTENT);
    ck_assert_uint_gt(kept, 150);
}
END_TEST

START_TEST(files_of_others_stay)
{
    char path[PATH_MAX];
    int folder, fd;

    rig_write(0, data, CONTENT);
    rig_path(0, path, sizeof(path));
    snprintf(strrchr(path, '/'), 20, "/thesis.txt");
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_eq(write(fd, data, CONTENT), CONTENT);
    close(fd);
    set_age(path, 1000);
    rig_cache.cap_bytes = 16; // one byte a room
    folder = tf_cache_open(&rig_cache);
    tf_cache_trim(&rig_cache, folder, path[strlen(path) - strlen("0/thesis.txt")]);
    close(folder);
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert(!rig_holds(0, data, CONTENT));
}
END_TEST

START_TEST(large_contents_are_not_kept)
{
    static unsigned char large[200000];

    rig_cache.cap_bytes = 16 << 20; // 1 MiB a room
    rig_write(1, large, 100000);
    ck_assert(rig_holds(1, large, 100000));
    rig_write(2, large, sizeof(large));
    ck_assert(!rig_holds(2, large, sizeof(large)));
}
END_TEST

START_TEST(left_over_temporaries_go)
{
    char path[PATH_MAX], young[PATH_MAX];
    struct tf_digest key = rig_key(1);
    int folder;

    rig_write(1, data, CONTENT);
    rig_path(1, path, sizeof(path));
    snprintf(strrchr(path, '/'), 20, "/tmp.1.2.3");
    rig_path(1, young, sizeof(young));
    snprintf(strrchr(young, '/'), 20, "/tmp.1.2.4");
    close(open(path, O_CREAT | O_WRONLY, 0600));
    close(open(young, O_CREAT | O_WRONLY, 0600));
    set_age(path, TF_CACHE_TEMPORARY_AGE_S + 10);
    folder = tf_cache_open(&rig_cache);
    tf_cache_trim(&rig_cache, folder, "0123456789abcdef"[key.bytes[0] >> 4]);
    close(folder);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(access(young, F_OK), 0);
    ck_assert(rig_holds(1, data, CONTENT));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache_trim");
    TCase *tests = tcase_create("trim");

    tcase_add_checked_fixture(tests, rig_up, rig_down);
    tcase_add_test(tests, size_is_kept_about);
    tcase_add_test(tests, what_was_not_used_for_longest_goes_first);
    tcase_add_test(tests, files_of_others_stay);
    tcase_add_test(tests, large_contents_are_not_kept);
    tcase_add_test(tests, left_over_temporaries_go);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
