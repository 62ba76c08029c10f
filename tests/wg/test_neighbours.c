// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include "compiler/codegen/memory/neighbours.h"

#define AT(name, from, bytes) \
    "  %p" name " = getelementptr i8, ptr " from ", i64 " bytes "\n"
#define LOAD(name, type, pointer) \
    "  %" name " = load " type ", ptr " pointer ", align 4\n"
#define FUNCTION(bits, body)                                                       \
    "declare void @other()\ndeclare void @keep(...)\n"                             \
    "define void @k(ptr %p, ptr %q) \"prefer-vector-width\"=\"" bits "\" {\n" body \
    "  ret void\n}\n"
#define THREE(type)        \
    AT("a", "%p", "-4")    \
    AT("c", "%p", "4")     \
    LOAD("a", type, "%pa") \
    LOAD("b", type, "%p")  \
    LOAD("c", type, "%pc") \
    "  call void (...) @keep(" type " %a, " type " %b, " type " %c)\n"

// How often `what` is in the function afterwards.
static unsigned count_after(const char *text, const char *what)
{
    struct ir ir;
    unsigned count;

    ir_open(&ir, text);
    tf_neighbours_settle(ir.fn);
    count = ir_count(&ir, what);
    ir_close(&ir);
    return count;
}

START_TEST(overlapping_registers_are_shuffled)
{
    static const char one[] = FUNCTION("512", THREE("<16 x float>"));
    static const char two[] = FUNCTION("512", THREE("<32 x i32>"));

    // A register, and an element on either side.
    ck_assert_uint_eq(count_after(one, " load "), 3);
    ck_assert_uint_eq(count_after(one, " load <16 x i32>"), 1);
    ck_assert_uint_eq(count_after(one, " load i32"), 2);
    ck_assert_uint_eq(count_after(two, " load <16 x i32>"), 2);
    ck_assert_uint_eq(count_after(two, " load i32"), 2);
}
END_TEST

START_TEST(edges_hold_what_is_beyond)
{
    // Three elements are loaded as four, of which one is within.
    static const char text[] = FUNCTION(
        "512", AT("a", "%p", "12") LOAD("a", "<16 x float>", "%pa")
                   LOAD("b", "<16 x float>",
                        "%p") "  call void (...) @keep(<16 x float> %a, <16 x float> "
                              "%b)\n");

    ck_assert_uint_eq(count_after(text, " load <4 x i32>"), 1);
    ck_assert_uint_eq(count_after(text, "i64 48"), 1);
}
END_TEST

START_TEST(others_stay)
{
    static const char *const texts[] = {
        FUNCTION("256", THREE("<16 x float>")),
        FUNCTION("512", THREE("<8 x float>")),
        // No two overlap.
        FUNCTION("512", AT("a", "%p", "64") LOAD("a", "<16 x float>", "%pa") LOAD(
                            "b", "<16 x float>",
                            "%p") "  call void (...) @keep(<16 x float> %a, <16 x float> "
                                  "%b)\n"),
        // Another base, and parts of elements.
        FUNCTION("512", AT("a", "%q", "4") LOAD("a", "<16 x float>", "%pa") LOAD(
                            "b", "<16 x float>",
                            "%p") "  call void (...) @keep(<16 x float> %a, <16 x float> "
                                  "%b)\n"),
        FUNCTION("512", AT("a", "%p", "2") LOAD("a", "<32 x i16>", "%pa") LOAD(
                            "b", "<32 x i16>",
                            "%p") "  call void (...) @keep(<32 x i16> %a, <32 x i16> "
                                  "%b)\n"),
        // What is written in between is loaded again; what becomes wider is loaded by
        // parts.
        FUNCTION(
            "512",
            AT("a", "%p", "4")
                LOAD("a", "<16 x float>", "%pa") "  call void @other()\n" LOAD(
                    "b", "<16 x float>",
                    "%p") "  call void (...) @keep(<16 x float> %a, <16 x float> %b)\n"),
        FUNCTION("512",
                 AT("a", "%p", "4") LOAD("a", "<64 x i8>", "%pa") LOAD(
                     "b", "<64 x i8>",
                     "%p") "  %c = zext <64 x i8> %a to <64 x i32>\n"
                           "  %d = zext <64 x i8> %b to <64 x i32>\n"
                           "  call void (...) @keep(<64 x i32> %c, <64 x i32> %d)\n"),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_msg(count_after(texts[i], "shufflevector") == 0, "%s", texts[i]);
}
END_TEST

Suite *tf_suite_neighbours(void)
{
    Suite *suite = suite_create("neighbours");
    TCase *tcase = tcase_create("loads");

    tcase_add_test(tcase, overlapping_registers_are_shuffled);
    tcase_add_test(tcase, edges_hold_what_is_beyond);
    tcase_add_test(tcase, others_stay);
    suite_add_tcase(suite, tcase);
    return suite;
}
