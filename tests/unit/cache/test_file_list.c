// SPDX-License-Identifier: MIT
#include "cache/file_list.h"

#include <string.h>

#include "support/cache_rig.h"
#include "support/suite.h"

static char *packed;
static size_t packed_bytes;

static const char *path_of(const char *name)
{
    static char path[4][200];
    static unsigned next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof(path[next]), "%s/%s", rig_top, name);
    return path[next];
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

// A list of one of each kind.
static void set_up(void)
{
    struct tf_file_list list = {0};

    rig_up();
    write_text("read.h", "some text\n");
    write_text("there.h", "more");
    ck_assert_int_eq(mkdir(path_of("folder"), 0700), 0);
    tf_file_list_add(&list, TF_FILE_READ, path_of("read.h"), "some text\n", 10, 0);
    tf_file_list_add(&list, TF_FILE_THERE, path_of("there.h"), NULL, 4, 0);
    tf_file_list_add(&list, TF_FILE_FOLDER, path_of("folder"), NULL, 0, 0);
    tf_file_list_add(&list, TF_FILE_ABSENT, path_of("absent.h"), NULL, 0, 0);
    packed = tf_file_list_take(&list, &packed_bytes);
    ck_assert_ptr_nonnull(packed);
}

static void tear_down(void)
{
    tf_free(packed);
    rig_down();
}

static bool holds(void)
{
    return tf_file_list_holds(packed, packed_bytes);
}

START_TEST(same_files_hold)
{
    ck_assert(holds());
}
END_TEST

START_TEST(other_text_of_the_same_length_does_not)
{
    write_text("read.h", "some tExt\n");
    ck_assert(!holds());
    write_text("read.h", "some text\n");
    ck_assert(holds());
    write_text("read.h", "some text");
    ck_assert(!holds());
}
END_TEST

START_TEST(file_that_is_gone_or_no_file_does_not)
{
    ck_assert_int_eq(unlink(path_of("read.h")), 0);
    ck_assert(!holds());
    ck_assert_int_eq(mkfifo(path_of("read.h"), 0600), 0);
    ck_assert(!holds());
    ck_assert_int_eq(unlink(path_of("read.h")), 0);
    ck_assert_int_eq(mkdir(path_of("read.h"), 0700), 0);
    ck_assert(!holds());
}
END_TEST

START_TEST(file_that_appears_does_not)
{
    write_text("absent.h", "");
    ck_assert(!holds());
}
END_TEST

START_TEST(folder_that_is_gone_or_a_file_does_not)
{
    ck_assert_int_eq(rmdir(path_of("folder")), 0);
    ck_assert(!holds());
    write_text("folder", "");
    ck_assert(!holds());
}
END_TEST

START_TEST(file_of_another_size_does_not)
{
    write_text("there.h", "MORE"); // nobody read it
    ck_assert(holds());
    write_text("there.h", "mo");
    ck_assert(!holds());
    ck_assert_int_eq(unlink(path_of("there.h")), 0);
    ck_assert(!holds());
}
END_TEST

// What #pragma once asks: whether two names are one file. The texts are the same always.
START_TEST(names_of_one_file_stay_so_and_others_do_not_become_it)
{
    struct tf_file_list list = {0};
    const char *names[] = {"one.h", "link.h", "other.h"};
    const uint64_t files[] = {1, 1, 2};
    size_t bytes;
    void *data;

    write_text("one.h", "same");
    write_text("other.h", "same");
    ck_assert_int_eq(link(path_of("one.h"), path_of("link.h")), 0);
    for (int i = 0; i < 3; i++)
        tf_file_list_add(&list, i == 1 ? TF_FILE_THERE : TF_FILE_READ, path_of(names[i]),
                         i == 1 ? NULL : "same", 4, files[i]);
    data = tf_file_list_take(&list, &bytes);
    ck_assert(tf_file_list_holds(data, bytes));

    ck_assert_int_eq(unlink(path_of("link.h")), 0);
    write_text("link.h", "same");
    ck_assert(!tf_file_list_holds(data, bytes)); // two files now
    ck_assert_int_eq(unlink(path_of("link.h")), 0);
    ck_assert_int_eq(symlink("one.h", path_of("link.h")), 0);
    ck_assert(tf_file_list_holds(data, bytes));
    ck_assert_int_eq(unlink(path_of("other.h")), 0);
    ck_assert_int_eq(link(path_of("one.h"), path_of("other.h")), 0);
    ck_assert(!tf_file_list_holds(data, bytes)); // one file now
    tf_free(data);
}
END_TEST

START_TEST(empty_list_holds)
{
    struct tf_file_list list = {0};
    size_t bytes;
    void *data = tf_file_list_take(&list, &bytes);

    ck_assert_ptr_nonnull(data);
    ck_assert(tf_file_list_holds(data, bytes));
    tf_free(data);
}
END_TEST

START_TEST(lost_list_is_none)
{
    struct tf_file_list list = {0};
    size_t bytes;

    tf_file_list_add(&list, TF_FILE_ABSENT, "/x", NULL, 0, 0);
    tf_file_list_lose(&list);
    ck_assert_ptr_null(tf_file_list_take(&list, &bytes));
    ck_assert_uint_eq(bytes, 0);
}
END_TEST

START_TEST(list_without_memory_is_none)
{
    struct tf_file_list list = {0};
    size_t bytes;

    tf_alloc_fail_at(0);
    tf_file_list_add(&list, TF_FILE_ABSENT, "/x", NULL, 0, 0);
    tf_alloc_fail_at(-1);
    tf_file_list_add(&list, TF_FILE_ABSENT, "/y", NULL, 0, 0);
    ck_assert_ptr_null(tf_file_list_take(&list, &bytes));
}
END_TEST

// Only what comes from the heap's end is seen by a sanitizer: each cut has its own block.
START_TEST(cut_list_is_read_without_harm)
{
    for (size_t bytes = 0; bytes < packed_bytes; bytes++) {
        char *cut = tf_memdup(packed, bytes);

        // Whole records are a list, too.
        (void)tf_file_list_holds(cut, bytes);
        tf_free(cut);
    }
    ck_assert(!tf_file_list_holds(packed, 0));
    ck_assert(!tf_file_list_holds(packed, packed_bytes - 1));
}
END_TEST

START_TEST(damaged_list_is_read_without_harm)
{
    for (size_t at = 0; at < packed_bytes; at++)
        for (unsigned value = 0; value < 256; value += 51) {
            const char old = packed[at];

            packed[at] = (char)value;
            (void)holds();
            packed[at] = old;
        }
    ck_assert(holds());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file_list");
    TCase *tests = tcase_create("list");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, same_files_hold);
    tcase_add_test(tests, other_text_of_the_same_length_does_not);
    tcase_add_test(tests, file_that_is_gone_or_no_file_does_not);
    tcase_add_test(tests, file_that_appears_does_not);
    tcase_add_test(tests, folder_that_is_gone_or_a_file_does_not);
    tcase_add_test(tests, file_of_another_size_does_not);
    tcase_add_test(tests, names_of_one_file_stay_so_and_others_do_not_become_it);
    tcase_add_test(tests, empty_list_holds);
    tcase_add_test(tests, lost_list_is_none);
    tcase_add_test(tests, list_without_memory_is_none);
    tcase_add_test(tests, cut_list_is_read_without_harm);
    tcase_add_test(tests, damaged_list_is_read_without_harm);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
