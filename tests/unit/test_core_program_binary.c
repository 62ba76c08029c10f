// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/alloc.h"
#include "core/error.h"
#include "core/program_binary.h"
#include "support/suite.h"

static unsigned char blob[301];
static unsigned char *data;
static size_t bytes;

static void begin(void)
{
    const struct tf_program_binary in = {CL_PROGRAM_BINARY_TYPE_EXECUTABLE, blob,
                                         sizeof(blob)};

    for (size_t i = 0; i < sizeof(blob); i++)
        blob[i] = (unsigned char)(i * 37 + 11);
    data = tf_program_binary_write(&in, &bytes);
    ck_assert_ptr_nonnull(data);
}

static void end(void)
{
    tf_free(data);
}

static cl_int read_all(const void *from, size_t size)
{
    struct tf_program_binary out = {0};
    struct tf_err err = {0};

    return tf_program_binary_read(&err, from, size, &out);
}

START_TEST(what_is_written_is_read)
{
    struct tf_program_binary out = {0};
    struct tf_err err = {0};

    ck_assert_int_eq(tf_program_binary_read(&err, data, bytes, &out), CL_SUCCESS);
    ck_assert_uint_eq(out.type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_uint_eq(out.blob_bytes, sizeof(blob));
    ck_assert_mem_eq(out.blob, blob, sizeof(blob));
    ck_assert_uint_eq((size_t)((const unsigned char *)out.blob - data) % 16, 0);
}
END_TEST

START_TEST(any_alignment_is_read)
{
    unsigned char *moved = tf_zalloc(bytes + 16);

    for (size_t shift = 0; shift < 16; shift++) {
        memcpy(moved + shift, data, bytes);
        ck_assert_int_eq(read_all(moved + shift, bytes), CL_SUCCESS);
    }
    tf_free(moved);
}
END_TEST

START_TEST(empty_blob_is_read)
{
    const struct tf_program_binary in = {CL_PROGRAM_BINARY_TYPE_LIBRARY, NULL, 0};
    size_t size;
    void *empty = tf_program_binary_write(&in, &size);

    ck_assert_ptr_nonnull(empty);
    ck_assert_int_eq(read_all(empty, size), CL_SUCCESS);
    tf_free(empty);
}
END_TEST

// Each in memory of exactly its size: a sanitizer sees a read past the end.
START_TEST(every_truncation_is_refused)
{
    for (size_t size = 0; size < bytes; size++) {
        unsigned char *part = tf_memdup(data, size);

        ck_assert_int_eq(read_all(part, size), CL_INVALID_BINARY);
        tf_free(part);
    }
}
END_TEST

START_TEST(longer_input_is_refused)
{
    unsigned char *longer = tf_zalloc(bytes + 1);

    memcpy(longer, data, bytes);
    ck_assert_int_eq(read_all(longer, bytes + 1), CL_INVALID_BINARY);
    tf_free(longer);
}
END_TEST

START_TEST(every_flipped_bit_is_noticed)
{
    for (size_t bit = 0; bit < bytes * 8; bit++) {
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        ck_assert_int_eq(read_all(data, bytes), CL_INVALID_BINARY);
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    ck_assert_int_eq(read_all(data, bytes), CL_SUCCESS);
}
END_TEST

START_TEST(foreign_bytes_are_refused)
{
    unsigned state = 12345;

    for (int round = 0; round < 1000; round++) {
        unsigned char noise[200];

        for (size_t i = 0; i < sizeof(noise); i++) {
            state = state * 1103515245u + 12345u;
            noise[i] = (unsigned char)(state >> 16);
        }
        ck_assert_int_eq(read_all(noise, sizeof(noise)), CL_INVALID_BINARY);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_binary");
    TCase *all = tcase_create("container");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, what_is_written_is_read);
    tcase_add_test(all, any_alignment_is_read);
    tcase_add_test(all, empty_blob_is_read);
    tcase_add_test(all, every_truncation_is_refused);
    tcase_add_test(all, longer_input_is_refused);
    tcase_add_test(all, every_flipped_bit_is_noticed);
    tcase_add_test(all, foreign_bytes_are_refused);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
