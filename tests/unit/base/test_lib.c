// SPDX-License-Identifier: MIT
#include "base/lib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int main(void)
{
    Suite *suite = suite_create("lib");
    TCase *tcase = tcase_create("lib");

    tcase_add_test(tcase, missing_library_says_why);
    tcase_add_test(tcase, symbol_is_found_or_named);
    tcase_add_test(tcase, neighbour_of_a_library);
    tcase_add_test(tcase, library_that_is_cut_is_not_opened);
    tcase_add_loop_test(tcase, what_is_no_library_is_called_so, 0,
                        sizeof(no_libraries) / sizeof(no_libraries[0]));
    tcase_add_test(tcase, neighbour_after_the_folder_was_left);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
