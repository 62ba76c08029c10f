// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <string.h>

#include "support/suite.h"

static int equal(struct tf_hash a, struct tf_hash b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

START_TEST(same_bytes_same_hash)
{
    unsigned char data[64 + 1];

    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)(i * 7);
    for (size_t n = 0; n < 64; n++) {
        unsigned char copy[64];

        memcpy(copy, data + 1, n); // another alignment
        ck_assert(equal(tf_hash_bytes(data + 1, n, 5), tf_hash_bytes(copy, n, 5)));
    }
}
END_TEST

// Every flip of one bit changes about half of the bits of both words.
START_TEST(one_bit_changes_half_of_the_hash)
{
    unsigned char data[40] = {0};
    const struct tf_hash first = tf_hash_bytes(data, sizeof(data), 0);

    for (size_t bit = 0; bit < sizeof(data) * 8; bit++) {
        struct tf_hash h;
        int lo, hi;

        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        h = tf_hash_bytes(data, sizeof(data), 0);
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        lo = __builtin_popcountll(h.lo ^ first.lo);
        hi = __builtin_popcountll(h.hi ^ first.hi);
        ck_assert_int_ge(lo, 12);
        ck_assert_int_le(lo, 52);
        ck_assert_int_ge(hi, 12);
        ck_assert_int_le(hi, 52);
    }
}
END_TEST

START_TEST(length_and_seed_count)
{
    const unsigned char zeros[64] = {0};

    for (size_t n = 0; n < 64; n++)
        for (size_t m = 0; m < n; m++)
            ck_assert(!equal(tf_hash_bytes(zeros, n, 0), tf_hash_bytes(zeros, m, 0)));
    ck_assert(!equal(tf_hash_bytes(zeros, 64, 0), tf_hash_bytes(zeros, 64, 1)));
}
END_TEST

// Hashes rest on disk: they must not change by accident.
START_TEST(value_is_fixed)
{
    const struct tf_hash h = tf_hash_bytes("trefoil", 7, 0);

    ck_assert_uint_eq(h.lo, 0xfe18eb8850b9ca56u);
    ck_assert_uint_eq(h.hi, 0x89cca47c0d734ab0u);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hash");
    TCase *tcase = tcase_create("hash");

    tcase_add_test(tcase, same_bytes_same_hash);
    tcase_add_test(tcase, one_bit_changes_half_of_the_hash);
    tcase_add_test(tcase, length_and_seed_count);
    tcase_add_test(tcase, value_is_fixed);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
