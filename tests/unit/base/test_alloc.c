// SPDX-License-Identifier: MIT
#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

#include "support/suite.h"

START_TEST(memory_is_zeroed_and_counted)
{
    const long before = tf_alloc_live();
    unsigned char *p = tf_zalloc(100);

    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(p[i], 0);
#ifdef TF_DEBUG
    ck_assert_int_eq(tf_alloc_live(), before + 1);
#endif
    tf_free(p);
    ck_assert_int_eq(tf_alloc_live(), before);
    p = tf_zalloc(0);
    ck_assert_ptr_nonnull(p);
    tf_free(p);
    tf_free(NULL);
}
END_TEST

START_TEST(copies)
{
    char *text = tf_strdup("trefoil"), *bytes = tf_memdup("abc", 2);

    ck_assert_str_eq(text, "trefoil");
    ck_assert_mem_eq(bytes, "ab", 2);
    tf_free(text);
    tf_free(bytes);
    bytes = tf_memdup(NULL, 0);
    ck_assert_ptr_nonnull(bytes);
    tf_free(bytes);
}
END_TEST

START_TEST(aligned)
{
    for (size_t align = 8; align <= 4096; align *= 2) {
        void *p = tf_alloc_aligned(align, 100);

        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % align, 0);
        tf_free(p);
    }
}
END_TEST

START_TEST(reallocation_counts_once)
{
    const long before = tf_alloc_live();
    char *p = tf_realloc(NULL, 10);

    memcpy(p, "trefoil", 8);
    p = tf_realloc(p, 10000);
    ck_assert_str_eq(p, "trefoil");
    tf_free(p);
    ck_assert_int_eq(tf_alloc_live(), before);
}
END_TEST

START_TEST(nth_allocation_fails_once)
{
    void *p[4];

    tf_alloc_fail_at(2);
    for (int i = 0; i < 4; i++)
        p[i] = tf_zalloc(1);
    tf_alloc_fail_at(-1);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(p[i] == NULL, i == 2);
        tf_free(p[i]);
    }
}
END_TEST

START_TEST(every_kind_can_be_made_to_fail)
{
    char *old = tf_strdup("kept");

    for (int kind = 0; kind < 6; kind++) {
        void *p;

        tf_alloc_fail_at(0);
        p = kind == 0   ? tf_zalloc(1)
            : kind == 1 ? tf_realloc(old, 100)
            : kind == 2 ? tf_memdup("x", 1)
            : kind == 3 ? tf_strdup("x")
            : kind == 4 ? tf_alloc_aligned(64, 1)
                        : tf_alloc_forever(1);
        tf_alloc_fail_at(-1);
        ck_assert_ptr_null(p);
    }
    ck_assert_str_eq(old, "kept");
    tf_free(old);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alloc");
    TCase *tcase = tcase_create("alloc");

    tcase_add_test(tcase, memory_is_zeroed_and_counted);
    tcase_add_test(tcase, copies);
    tcase_add_test(tcase, aligned);
    tcase_add_test(tcase, reallocation_counts_once);
    tcase_add_test(tcase, nth_allocation_fails_once);
    tcase_add_test(tcase, every_kind_can_be_made_to_fail);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
