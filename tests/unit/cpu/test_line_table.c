// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/line_table.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

enum { LENGTH_AT = 0, VERSION_AT = 4 };

// A unit of version 4 with the files a.cl and b.h, then its program.
static const unsigned char head[] = {
    0,    0,   0,   0, // bytes that follow: filled in
    4,    0,           // version
    0,    0,   0,   0, // bytes of the rest of the head: filled in
    1,    1,   1,      // bytes and operations of an instruction, statements
    0xfb, 14,  13,     // lines from -5 on, 14 of them, 13 opcodes before
    0,    1,   1,   1,   1, 0, 0, 0, 1, 0, 0, 1, // their operands
    0,                                           // no folders
    'a',  '.', 'c', 'l', 0, 0, 0, 0,             // file 1
    'b',  '.', 'h', 0,   0, 0, 0,                // file 2
};
// From 0x1000 on: line 7 of a.cl; 4 bytes on line 8; 0x20 on line 3 of b.h.
static const unsigned char program[] = {
    0,
    9,
    2,
    0,
    0x10,
    0,
    0,
    0,
    0,
    0,
    0, // address
    3,
    6,
    1,               // line + 6, copy
    13 + 4 * 14 + 6, // 4 bytes, line + 1
    4,
    2,
    2,
    0x20,
    3,
    0x7b,
    1, // file 2, 0x20 bytes, line - 5, copy
    0,
    1,
    1, // end of the sequence
};

static char bytes[256];
static size_t count;
static struct tf_code_lines lines;

static void begin(size_t header_bytes)
{
    count = 0;
    memcpy(bytes, head, sizeof(head));
    bytes[6] = (char)header_bytes;
    count = sizeof(head) + 1;
    bytes[count - 1] = 0; // no more files
    memcpy(bytes + count, program, sizeof(program));
    count += sizeof(program);
    bytes[LENGTH_AT] = (char)(count - 4);
}

static void set_up(void)
{
    begin(sizeof(head) + 1 - 10);
}

static void tear_down(void)
{
    tf_code_lines_finish(&lines);
}

static void read(void)
{
    // Of the heap, so that sanitizers see what is read too far.
    char *const copy = malloc(count ? count : 1);

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, count);
    tf_code_lines_finish(&lines);
    tf_line_table_read(&lines, copy, count);
    for (size_t i = 0; i < lines.count; i++)
        ck_assert_uint_lt(strlen(lines.lines[i].file), sizeof(bytes));
    if (lines.count == 3) { // while the names are there
        lines.lines[0].file = strcmp(lines.lines[0].file, "a.cl") ? "other" : "a.cl";
        lines.lines[2].file = strcmp(lines.lines[2].file, "b.h") ? "other" : "b.h";
    }
    free(copy);
}

START_TEST(lines_have_addresses_and_files)
{
    read();
    ck_assert_uint_eq(lines.count, 3);
    ck_assert_uint_eq(lines.lines[0].address, 0x1000);
    ck_assert_uint_eq(lines.lines[0].line, 7);
    ck_assert_str_eq(lines.lines[0].file, "a.cl");
    ck_assert_uint_eq(lines.lines[1].address, 0x1004);
    ck_assert_uint_eq(lines.lines[1].line, 8);
    ck_assert_uint_eq(lines.lines[2].address, 0x1024);
    ck_assert_uint_eq(lines.lines[2].line, 3);
    ck_assert_str_eq(lines.lines[2].file, "b.h");
}
END_TEST

// What is of several lines, or of none, belongs to the line before it.
START_TEST(line_0_is_none)
{
    enum { LINE_OF_FIRST = 14 }; // bytes of the program before it: line + 6, signed

    bytes[count - sizeof(program) + LINE_OF_FIRST - 2] = 0x7f; // line - 1
    read();
    ck_assert_uint_eq(lines.count, 2);
    ck_assert_uint_eq(lines.lines[0].line, 1);
    ck_assert_uint_eq(lines.lines[0].address, 0x1004);
}
END_TEST

START_TEST(other_versions_are_left_out)
{
    bytes[VERSION_AT] = 5;
    read();
    ck_assert_uint_eq(lines.count, 0);
}
END_TEST

START_TEST(cut_table_is_read_without_harm)
{
    for (const size_t whole = count; count > 0; count--) {
        read();
        ck_assert_uint_le(lines.count, 3);
        bytes[LENGTH_AT] = (char)(count - 5); // and one that says itself how short it is
        read();
        bytes[LENGTH_AT] = (char)(whole - 4);
    }
}
END_TEST

START_TEST(damaged_table_is_read_without_harm)
{
    uint32_t seed = 1;

    for (int round = 0; round < 20000; round++) {
        set_up();
        for (int i = 0; i < 1 + round % 4; i++) {
            seed = seed * 1664525 + 1013904223;
            bytes[(seed >> 8) % count] = (char)(seed >> 3);
        }
        read();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("line_table");
    TCase *tests = tcase_create("table");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, lines_have_addresses_and_files);
    tcase_add_test(tests, line_0_is_none);
    tcase_add_test(tests, other_versions_are_left_out);
    tcase_add_test(tests, cut_table_is_read_without_harm);
    tcase_add_test(tests, damaged_table_is_read_without_harm);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
