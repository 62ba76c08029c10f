// SPDX-License-Identifier: MIT
#include "abi/language_features.h"

#include <check.h>
#include <string.h>

#include <CL/cl.h>

#include "support/suite.h"

START_TEST(names_fit_the_queries_and_are_there_once)
{
    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        ck_assert_ptr_nonnull(tf_features[f].name);
        ck_assert_uint_lt(strlen(tf_features[f].name), CL_NAME_VERSION_MAX_NAME_SIZE);
        // What is still experimental has no first version.
        ck_assert_uint_ge(tf_features[f].version, CL_MAKE_VERSION(0, 9, 0));
        for (int other = 0; other < f; other++)
            ck_assert_str_ne(tf_features[f].name, tf_features[other].name);
    }
}
END_TEST

START_TEST(kinds_follow_from_names)
{
    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        const bool macro = !strncmp(tf_features[f].name, "__opencl_c_", 11);

        ck_assert_int_eq(macro, tf_features[f].kind == TF_FEATURE_KIND_MACRO);
        ck_assert(macro || !strncmp(tf_features[f].name, "cl_", 3));
        ck_assert(macro || !tf_features[f].is_2_0);
    }
}
END_TEST

START_TEST(sets_hold_what_was_put)
{
    struct tf_feature_set set = {{0}};

    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        ck_assert(!tf_feature_in(&set, f));
        tf_feature_put(&set, f, true);
        ck_assert(tf_feature_in(&set, f));
    }
    tf_feature_put(&set, TF_FEATURE_fp64, false);
    ck_assert(!tf_feature_in(&set, TF_FEATURE_fp64));
    ck_assert(tf_feature_in(&set, TF_FEATURE_cl_khr_fp64));
}
END_TEST

START_TEST(images_are_added_and_taken_away)
{
    struct tf_feature_set set = tf_features_ours();

    ck_assert(!tf_feature_in(&set, TF_FEATURE_images));
    tf_features_put_images(&set, true);
    ck_assert(tf_feature_in(&set, TF_FEATURE_images));
    ck_assert(tf_feature_in(&set, TF_FEATURE_cl_khr_image2d_from_buffer));
    ck_assert(tf_feature_in(&set, TF_FEATURE_fp64));
    tf_features_put_images(&set, false);
    ck_assert(!tf_feature_in(&set, TF_FEATURE_images));
    ck_assert(tf_feature_in(&set, TF_FEATURE_fp64));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("language_features");
    TCase *tcase = tcase_create("language_features");

    tcase_add_test(tcase, names_fit_the_queries_and_are_there_once);
    tcase_add_test(tcase, kinds_follow_from_names);
    tcase_add_test(tcase, sets_hold_what_was_put);
    tcase_add_test(tcase, images_are_added_and_taken_away);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
