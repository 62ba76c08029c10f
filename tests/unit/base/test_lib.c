// SPDX-License-Identifier: MIT
#include "base/lib.h"

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

int main(void)
{
    Suite *suite = suite_create("lib");
    TCase *tcase = tcase_create("lib");

    tcase_add_test(tcase, missing_library_says_why);
    tcase_add_test(tcase, symbol_is_found_or_named);
    tcase_add_test(tcase, neighbour_of_a_library);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
