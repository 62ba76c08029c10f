// SPDX-License-Identifier: MIT
#include "abi/spirv_features.h"

#include <string.h>

#include "support/suite.h"

START_TEST(rows_are_there_once)
{
    for (int i = 0; i < TF_SPIRV_ROWS; i++) {
        const struct tf_spirv_row *a = &tf_spirv_rows[i];

        ck_assert_ptr_nonnull(a->name);
        for (int k = 0; k < i; k++) {
            const struct tf_spirv_row *b = &tf_spirv_rows[k];

            ck_assert(a->kind != b->kind || strcmp(a->name, b->name) != 0);
            ck_assert(a->kind != TF_SPIRV_CAPABILITY || b->kind != TF_SPIRV_CAPABILITY ||
                      a->number != b->number);
        }
    }
}
END_TEST

START_TEST(rows_are_found)
{
    ck_assert_str_eq(tf_spirv_capability(6)->name, "Kernel");
    ck_assert_str_eq(tf_spirv_capability(4)->name, "Addresses");
    ck_assert_ptr_null(tf_spirv_capability(1)); // Shader
    ck_assert_ptr_nonnull(tf_spirv_named(TF_SPIRV_EXTENSION, "SPV_KHR_bit_instructions"));
    ck_assert_ptr_null(tf_spirv_named(TF_SPIRV_EXTENSION, "OpenCL.std"));
    ck_assert_ptr_null(tf_spirv_named(TF_SPIRV_EXTENSION, "SPV_KHR_none"));
    ck_assert_ptr_nonnull(tf_spirv_named(TF_SPIRV_INSTRUCTIONS, "OpenCL.std"));
}
END_TEST

START_TEST(rows_follow_the_features)
{
    const struct tf_spirv_row *half = tf_spirv_capability(9);
    struct tf_feature_set set = {{0}};

    ck_assert(!tf_spirv_row_in(&set, half));
    ck_assert(tf_spirv_row_in(&set, tf_spirv_capability(6)));
    tf_feature_put(&set, TF_FEATURE_cl_khr_fp16, true);
    ck_assert(tf_spirv_row_in(&set, half));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spirv_features");
    TCase *tcase = tcase_create("spirv_features");

    tcase_add_test(tcase, rows_are_there_once);
    tcase_add_test(tcase, rows_are_found);
    tcase_add_test(tcase, rows_follow_the_features);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
