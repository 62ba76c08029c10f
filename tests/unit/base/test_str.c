// SPDX-License-Identifier: MIT
#include "base/str.h"

#include <string.h>

#include "base/alloc.h"
#include "support/suite.h"

START_TEST(text_grows)
{
    struct tf_str s = {0};
    char *text;

    for (int i = 0; i < 1000; i++) {
        tf_str_add(&s, "ab");
        tf_str_printf(&s, "%d", i % 10);
    }
    tf_str_add_bytes(&s, "\0x", 2);
    ck_assert_uint_eq(s.bytes, 3002);
    text = tf_str_take(&s);
    ck_assert_uint_eq(strlen(text), 3000);
    ck_assert_mem_eq(text + 2997, "ab9\0x\0", 6);
    ck_assert_ptr_null(s.text);
    tf_free(text);
}
END_TEST

START_TEST(nothing_added_is_the_empty_string)
{
    struct tf_str s = {0};
    char *text = tf_str_take(&s);

    ck_assert_str_eq(text, "");
    tf_free(text);
}
END_TEST

START_TEST(failure_is_told_at_the_end)
{
    for (int n = 0; n < 3; n++) {
        struct tf_str s = {0};

        tf_alloc_fail_at(n);
        for (int i = 0; i < 200; i++)
            tf_str_printf(&s, "%s", "text");
        tf_alloc_fail_at(-1);
        ck_assert(s.failed);
        ck_assert_ptr_null(tf_str_take(&s));
        ck_assert(!s.failed); // usable again
    }
}
END_TEST

START_TEST(size_that_wraps_fails)
{
    struct tf_str s = {0};

    tf_str_add(&s, "x");
    tf_str_add_bytes(&s, "y", (size_t)-1);
    ck_assert(s.failed);
    tf_str_finish(&s);
}
END_TEST

START_TEST(words_end_at_blanks_and_quotes)
{
    ck_assert(tf_str_has_word("-a", "-a"));
    ck_assert(tf_str_has_word("-b\t-a\n", "-a"));
    ck_assert(tf_str_has_word("-ab \"-a\"", "-a"));
    ck_assert(tf_str_has_word("-a-a -a", "-a"));
    ck_assert(!tf_str_has_word("", "-a"));
    ck_assert(!tf_str_has_word("-ab b-a -a=1", "-a"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("str");
    TCase *tcase = tcase_create("str");

    tcase_add_test(tcase, text_grows);
    tcase_add_test(tcase, nothing_added_is_the_empty_string);
    tcase_add_test(tcase, failure_is_told_at_the_end);
    tcase_add_test(tcase, size_that_wraps_fails);
    tcase_add_test(tcase, words_end_at_blanks_and_quotes);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
