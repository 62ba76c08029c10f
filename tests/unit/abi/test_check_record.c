// SPDX-License-Identifier: MIT
#include "abi/check_record.h"

#include <string.h>

#include "support/suite.h"

START_TEST(words_are_modes)
{
    ck_assert_uint_eq(tf_check_modes(NULL, NULL), 0);
    ck_assert_uint_eq(tf_check_modes("", NULL), 0);
    ck_assert_uint_eq(tf_check_modes("memory", NULL), TF_CHECK_MEMORY);
    ck_assert_uint_eq(tf_check_modes("races,divergence", NULL),
                      TF_CHECK_RACES | TF_CHECK_DIVERGENCE);
    ck_assert_uint_eq(tf_check_modes(",uninitialized,,", NULL), TF_CHECK_UNINITIALIZED);
    ck_assert_uint_eq(tf_check_modes("all", NULL), TF_CHECK_ALL);
}
END_TEST

START_TEST(unknown_words_are_told)
{
    const char *list = "memory,mem,races", *unknown = NULL;

    ck_assert_uint_eq(tf_check_modes(list, &unknown), TF_CHECK_MEMORY | TF_CHECK_RACES);
    ck_assert_ptr_eq(unknown, list + strlen("memory,"));
    unknown = NULL;
    tf_check_modes("all,", &unknown);
    ck_assert_ptr_null(unknown);
    ck_assert_uint_eq(tf_check_modes("memoryx", NULL), 0);
}
END_TEST

START_TEST(texts_are_found_by_offset)
{
    struct {
        struct tf_check_table head;
        struct tf_check_site sites[2];
        char text[8];
    } table = {.sites = {{.line = 1}, {.line = 2}}, .text = "k"};
    const uint32_t at = (uint32_t)((char *)table.text - (char *)&table);

    ck_assert_uint_eq(tf_check_sites(&table.head)[1].line, 2);
    ck_assert_str_eq(tf_check_text(&table.head, at), "k");
    ck_assert_str_eq(tf_check_text(&table.head, 0), "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check_record");
    TCase *tcase = tcase_create("check_record");

    tcase_add_test(tcase, words_are_modes);
    tcase_add_test(tcase, unknown_words_are_told);
    tcase_add_test(tcase, texts_are_found_by_offset);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
