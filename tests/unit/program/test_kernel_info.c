// SPDX-License-Identifier: MIT
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "support/suite.h"

static struct tf_kernel_arg_info args_a[] = {
    {.kind = TF_ARG_BUFFER,
     .size_bytes = 8,
     .align_bytes = 8,
     .address_qualifier = 0x119b,
     .name = "out",
     .type_name = "float*"},
    {.kind = TF_ARG_VALUE,
     .size_bytes = 16,
     .align_bytes = 16,
     .block_offset_bytes = 16,
     .type_qualifier = 1,
     .name = "v",
     .type_name = "float4"},
    {.kind = TF_ARG_LOCAL,
     .align_bytes = 128,
     .block_offset_bytes = 32,
     .name = NULL,
     .type_name = "int*",
     .image_kind = 77,
     .packet_bytes = 12},
};

static const struct tf_kernel_info kernels[] = {
    {.name = "a",
     .attributes = "reqd_work_group_size(8,1,1)",
     .args = args_a,
     .arg_count = 3,
     .arg_block_bytes = 40,
     .flags = TF_KERNEL_HAS_LOCAL,
     .sub_group_size = 8,
     .reqd_local_size = {8, 1, 1},
     .local_bytes = 64,
     .private_bytes = 12},
    {.name = "empty", .attributes = NULL, .hint_local_size = {1, 2, 3}},
};

static bool damaged;

START_TEST(packed_table_reads_back_the_same)
{
    size_t bytes, count;
    void *packed = tf_kernel_info_pack(kernels, 2, &bytes);
    struct tf_kernel_info *k = tf_kernel_info_unpack(packed, bytes, &count, &damaged);

    ck_assert_ptr_nonnull(k);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(k[0].name, "a");
    ck_assert_str_eq(k[0].attributes, "reqd_work_group_size(8,1,1)");
    ck_assert_uint_eq(k[0].arg_count, 3);
    ck_assert_uint_eq(k[0].arg_block_bytes, 40);
    ck_assert_uint_eq(k[0].reqd_local_size[0], 8);
    ck_assert_uint_eq(k[0].local_bytes, 64);
    ck_assert_uint_eq(k[0].private_bytes, 12);
    ck_assert_str_eq(k[0].args[0].name, "out");
    ck_assert_str_eq(k[0].args[1].type_name, "float4");
    ck_assert_uint_eq(k[0].args[1].type_qualifier, 1);
    ck_assert_uint_eq(k[0].args[1].block_offset_bytes, 16);
    ck_assert_int_eq(k[0].args[2].kind, TF_ARG_LOCAL);
    ck_assert_str_eq(k[0].args[2].name, "");
    ck_assert_uint_eq(k[0].args[2].image_kind, 77);
    ck_assert_uint_eq(k[0].args[2].packet_bytes, 12);
    ck_assert_str_eq(k[1].name, "empty");
    ck_assert_str_eq(k[1].attributes, "");
    ck_assert_uint_eq(k[1].arg_count, 0);
    ck_assert_uint_eq(k[1].hint_local_size[2], 3);
    tf_free(k);
    tf_free(packed);
}
END_TEST

START_TEST(empty_table_is_legal)
{
    size_t bytes, count = 7;
    void *packed = tf_kernel_info_pack(NULL, 0, &bytes);
    struct tf_kernel_info *k = tf_kernel_info_unpack(packed, bytes, &count, &damaged);

    ck_assert_ptr_nonnull(k);
    ck_assert_uint_eq(count, 0);
    tf_free(k);
    tf_free(packed);
}
END_TEST

START_TEST(truncated_table_is_refused_at_every_length)
{
    size_t bytes, count;
    char *packed = tf_kernel_info_pack(kernels, 2, &bytes);

    for (size_t n = 0; n < bytes; n++) {
        char *part = malloc(n + 1); // its end is what a sanitizer watches

        memcpy(part, packed, n);
        ck_assert_ptr_null(tf_kernel_info_unpack(part, n, &count, &damaged));
        ck_assert_uint_eq(count, 0);
        ck_assert(damaged);
        free(part);
    }
    tf_free(packed);
}
END_TEST

// Whatever is read back from damaged bytes must stay inside them.
START_TEST(flipped_bits_never_lead_outside)
{
    size_t bytes, count, refused = 0;
    unsigned char *packed = tf_kernel_info_pack(kernels, 2, &bytes);

    for (size_t bit = 0; bit < bytes * 8; bit++) {
        struct tf_kernel_info *k;

        packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
        k = tf_kernel_info_unpack(packed, bytes, &count, &damaged);
        refused += !k;
        for (size_t i = 0; k && i < count; i++) {
            ck_assert_uint_lt(strlen(k[i].name), bytes);
            for (uint32_t a = 0; a < k[i].arg_count; a++)
                ck_assert_uint_lt(strlen(k[i].args[a].type_name), bytes);
        }
        tf_free(k);
        packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    ck_assert_uint_gt(refused, 0);
    tf_free(packed);
}
END_TEST

START_TEST(failed_allocation_gives_null)
{
    size_t bytes, count;
    void *packed = tf_kernel_info_pack(kernels, 2, &bytes);

    tf_alloc_fail_at(0);
    ck_assert_ptr_null(tf_kernel_info_unpack(packed, bytes, &count, &damaged));
    ck_assert(!damaged);
    tf_alloc_fail_at(0);
    ck_assert_ptr_null(tf_kernel_info_pack(kernels, 2, &bytes));
    tf_alloc_fail_at(-1);
    tf_free(packed);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kernel_info");
    TCase *t = tcase_create("core");

    tcase_add_test(t, packed_table_reads_back_the_same);
    tcase_add_test(t, empty_table_is_legal);
    tcase_add_test(t, truncated_table_is_refused_at_every_length);
    tcase_add_test(t, flipped_bits_never_lead_outside);
    tcase_add_test(t, failed_allocation_gives_null);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
