// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "core/object/error.h"
#include "core/program/program_binary.h"
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

// ---- Forged containers: the checksum is right, what it covers is not ----

// Places in the container (doc/programs.md).
enum { VERSION_AT = 8, TYPE_AT = 12, SIZE_AT = 16, HASH_AT = 32, BLOB_AT = 48 };

static void put32(unsigned char *to, uint32_t value)
{
    memcpy(to, &value, sizeof(value));
}

static void put64(unsigned char *to, uint64_t value)
{
    memcpy(to, &value, sizeof(value));
}

static void sign(unsigned char *container, size_t size)
{
    const struct tf_hash seed = tf_hash_bytes(container, HASH_AT, 0);
    const struct tf_hash hash =
        tf_hash_bytes(container + BLOB_AT, size - BLOB_AT, seed.lo ^ seed.hi);

    put64(container + HASH_AT, hash.lo);
    put64(container + HASH_AT + 8, hash.hi);
}

static cl_int read_signed(void)
{
    sign(data, bytes);
    return read_all(data, bytes);
}

START_TEST(signature_of_the_tests_is_right)
{
    put64(data + HASH_AT, 0);
    ck_assert_int_eq(read_all(data, bytes), CL_INVALID_BINARY);
    ck_assert_int_eq(read_signed(), CL_SUCCESS);
}
END_TEST

START_TEST(type_must_be_one_of_three)
{
    const cl_uint good[] = {CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                            CL_PROGRAM_BINARY_TYPE_LIBRARY,
                            CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
    const cl_uint wrong[] = {CL_PROGRAM_BINARY_TYPE_NONE, 3, 0x40E1, ~0u};

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        put32(data + TYPE_AT, good[i]);
        ck_assert_int_eq(read_signed(), CL_SUCCESS);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        put32(data + TYPE_AT, wrong[i]);
        ck_assert_int_eq(read_signed(), CL_INVALID_BINARY);
    }
}
END_TEST

START_TEST(other_versions_are_refused)
{
    const uint32_t wrong[] = {0, 2, 4, UINT32_MAX};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        put32(data + VERSION_AT, wrong[i]);
        ck_assert_int_eq(read_signed(), CL_INVALID_BINARY);
    }
}
END_TEST

START_TEST(size_must_be_that_of_the_input)
{
    const uint64_t wrong[] = {0, BLOB_AT, bytes - 1, bytes + 1, UINT64_MAX};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        put64(data + SIZE_AT, wrong[i]);
        ck_assert_int_eq(read_signed(), CL_INVALID_BINARY);
    }
}
END_TEST

START_TEST(blob_is_all_that_follows)
{
    struct tf_program_binary out = {0};
    struct tf_err err = {0};

    ck_assert_int_eq(tf_program_binary_read(&err, data, bytes, &out), CL_SUCCESS);
    ck_assert_ptr_eq(out.blob, data + BLOB_AT);
    ck_assert_uint_eq(out.blob_bytes, bytes - BLOB_AT);
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
    tcase_add_test(all, signature_of_the_tests_is_right);
    tcase_add_test(all, type_must_be_one_of_three);
    tcase_add_test(all, other_versions_are_refused);
    tcase_add_test(all, size_must_be_that_of_the_input);
    tcase_add_test(all, blob_is_all_that_follows);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
