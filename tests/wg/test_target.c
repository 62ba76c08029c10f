// SPDX-License-Identifier: MIT
#include "ir_text.h"

START_TEST(levels_differ_in_what_vectors_can_do)
{
    const struct tf_target sse = tf_target_of(NULL, 128);
    const struct tf_target avx2 = tf_target_of(NULL, 256);
    const struct tf_target avx512 = tf_target_of(NULL, 512);

    ck_assert(!sse.gathers && !sse.permutes && !tf_target_masks(&sse, 4));
    ck_assert(avx2.gathers && !avx2.scatters && !avx2.gathers_fast);
    ck_assert(tf_target_masks(&avx2, 4) && !tf_target_masks(&avx2, 2));
    ck_assert(avx512.scatters && avx512.masks_free && tf_target_masks(&avx512, 1));
    ck_assert_uint_gt(avx512.registers, avx2.registers);
    ck_assert_uint_lt(avx512.costs.shuffle, avx2.costs.shuffle);
    // Four numbers at once for little more than one.
    ck_assert_uint_lt(sse.costs.vector, 2 * sse.costs.scalar);
}
END_TEST

START_TEST(families_are_known_by_their_models)
{
    ck_assert_str_eq(tf_target_of("znver4", 512).family, "zen4");
    ck_assert_str_eq(tf_target_of(NULL, 512).family, "unknown");
    ck_assert_str_eq(tf_target_of("a processor to come", 512).family, "unknown");
}
END_TEST

START_TEST(halved_stores_are_one_familys_habit)
{
    ck_assert_uint_eq(tf_target_of("znver4", 512).stream_bits, 256);
    ck_assert_uint_eq(tf_target_of("znver4", 256).stream_bits, 0);
    ck_assert_uint_eq(tf_target_of(NULL, 512).stream_bits, 0);
}
END_TEST

START_TEST(two_lines_at_once_escape_one_family)
{
    const struct tf_target wide = tf_target_of("znver5", 512);

    ck_assert_uint_eq(wide.unseen_bytes, 128);
    ck_assert_uint_eq(tf_target_narrow(&wide, 256).unseen_bytes, 0);
    ck_assert_uint_eq(tf_target_of("znver5", 256).unseen_bytes, 0);
    ck_assert_uint_eq(tf_target_of("znver4", 512).unseen_bytes, 0);
    ck_assert_uint_eq(tf_target_of(NULL, 512).unseen_bytes, 0);
}
END_TEST

// Their microcode makes them wait.
START_TEST(gathers_of_one_family_are_slower_than_loads)
{
    const struct tf_target wide = tf_target_of("cascadelake", 512);

    ck_assert(wide.gathers && !wide.gathers_fast && wide.scatters);
    ck_assert(!tf_target_narrow(&wide, 256).gathers_fast);
    ck_assert(tf_target_of("znver5", 512).gathers_fast);
    ck_assert(tf_target_of(NULL, 512).gathers_fast);
}
END_TEST

START_TEST(a_narrow_target_costs_what_the_processor_does)
{
    const struct tf_target wide = tf_target_of("znver4", 512);
    const struct tf_target narrow = tf_target_narrow(&wide, 256);

    ck_assert_uint_eq(narrow.vector_bits, 256);
    ck_assert_uint_eq(narrow.stream_bits, 0);
    ck_assert_uint_eq(narrow.costs.gather, wide.costs.gather);
    ck_assert_str_eq(narrow.family, wide.family);
}
END_TEST

Suite *tf_suite_target(void)
{
    Suite *suite = suite_create("target");
    TCase *tests = tcase_create("target");

    tcase_add_test(tests, levels_differ_in_what_vectors_can_do);
    tcase_add_test(tests, families_are_known_by_their_models);
    tcase_add_test(tests, halved_stores_are_one_familys_habit);
    tcase_add_test(tests, two_lines_at_once_escape_one_family);
    tcase_add_test(tests, gathers_of_one_family_are_slower_than_loads);
    tcase_add_test(tests, a_narrow_target_costs_what_the_processor_does);
    suite_add_tcase(suite, tests);
    return suite;
}
