// SPDX-License-Identifier: MIT
// SPV_KHR_untyped_pointers, which Debian's assembler does not know yet: pointers without
// a type, which loads, stores, atomic operations and functions take for what they need.
#include "api/program_rig.h"
#include "support/spirv_writer.h"
#include "support/suite.h"

enum { ITEMS = 64, WORDS = 16, PAIR_WORDS = 4 };

static struct spirv_writer w;

enum id {
    STD = 1,
    KERNEL,
    VOID,
    INT,
    LONG,
    FLOAT,
    V3L,
    V2F,
    V4I,
    EVENT,
    PAIR,
    TABLE,
    ROW,
    GLOBAL,
    LOCAL,
    PRIVATE,
    INPUT,
    CONSTANT,
    TYPED_INT,
    TYPE,
    ALL,
    HALF,
    NUMBERS,
    KNOWN,
    GID,
    SHARED,
    NO_EVENT,
    IN,
    OUT,
    NUMBER_0, // the constants 0 to WORDS
    LONG_1 = NUMBER_0 + WORDS + 1,
    LONG_4,
    SEMANTICS,
    FIRST_FREE,
};

static uint32_t make_ids(uint32_t opcode, uint32_t type, const uint32_t *ids, size_t n)
{
    const uint32_t id = spirv_id(&w);

    spirv_op(&w, opcode, type, id);
    for (size_t i = 0; i < n; i++)
        spirv_word(&w, ids[i]);
    return id;
}

// The id of what an instruction makes.
#define MAKE(opcode, type, ...)                             \
    make_ids(opcode, type, (const uint32_t[]){__VA_ARGS__}, \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void begin_module(void)
{
    spirv_start(&w, 4);
    w.bound = FIRST_FREE;
    for (uint32_t capability = 4; capability <= 6; capability++)
        spirv_op(&w, 17, capability);
    spirv_op(&w, 17, 11);
    spirv_op(&w, 17, 18);
    spirv_op(&w, 17, 4473); // UntypedPointersKHR
    spirv_begin(&w, 10);
    spirv_text(&w, "SPV_KHR_untyped_pointers");
    spirv_begin(&w, 11);
    spirv_word(&w, STD);
    spirv_text(&w, "OpenCL.std");
    spirv_op(&w, 14, 2, 2);
    spirv_begin(&w, 15);
    spirv_word(&w, 6);
    spirv_word(&w, KERNEL);
    spirv_text(&w, "test");
    spirv_op(&w, 71, GID, 11, 28); // BuiltIn GlobalInvocationId
}

static void types_and_constants(void)
{
    spirv_op(&w, 19, VOID);
    spirv_op(&w, 21, INT, 32, 0);
    spirv_op(&w, 21, LONG, 64, 0);
    spirv_op(&w, 22, FLOAT, 32);
    spirv_op(&w, 23, V3L, LONG, 3);
    spirv_op(&w, 23, V2F, FLOAT, 2);
    spirv_op(&w, 23, V4I, INT, 4);
    spirv_op(&w, 34, EVENT);
    spirv_op(&w, 30, PAIR, INT, V2F); // the vector lies at byte 8
    for (uint32_t n = 0; n <= WORDS; n++)
        spirv_op(&w, 43, INT, NUMBER_0 + n, n);
    spirv_op(&w, 43, LONG, LONG_1, 1, 0);
    spirv_op(&w, 43, LONG, LONG_4, 4, 0);
    spirv_op(&w, 43, LONG, ALL, ITEMS, 0);
    spirv_op(&w, 43, INT, SEMANTICS, 0x110);
    spirv_op(&w, 43, FLOAT, HALF, 0x3f000000);
    spirv_op(&w, 44, V4I, NUMBERS, NUMBER_0 + 9, NUMBER_0, NUMBER_0, NUMBER_0);
    spirv_op(&w, 28, TABLE, INT, ALL);
    spirv_op(&w, 28, ROW, INT, NUMBER_0 + WORDS);
    spirv_op(&w, 4417, GLOBAL, 5);
    spirv_op(&w, 4417, LOCAL, 4);
    spirv_op(&w, 4417, PRIVATE, 7);
    spirv_op(&w, 4417, INPUT, 1);
    spirv_op(&w, 4417, CONSTANT, 0);
    spirv_op(&w, 32, TYPED_INT, 5, INT);
    spirv_op(&w, 46, EVENT, NO_EVENT);
    spirv_op(&w, 33, TYPE, VOID, GLOBAL, GLOBAL);
    spirv_op(&w, 4418, CONSTANT, KNOWN, 0, V4I, NUMBERS);
    spirv_op(&w, 4418, INPUT, GID, 1, V3L);
    spirv_op(&w, 4418, LOCAL, SHARED, 4, TABLE);
}

// The address of word `n` of this item's row of `out`.
static uint32_t word_at(uint32_t row, uint32_t n)
{
    return MAKE(4420, GLOBAL, ROW, row, NUMBER_0 + n);
}

static void put(uint32_t row, uint32_t n, uint32_t value)
{
    const uint32_t place = word_at(row, n);

    spirv_op(&w, 62, place, value);
}

static void use_local_memory(uint32_t i, uint32_t n, uint32_t row)
{
    const uint32_t place = MAKE(4419, LOCAL, TABLE, SHARED, i);
    uint32_t event, events, value;

    spirv_op(&w, 62, place, n);
    spirv_op(&w, 224, NUMBER_0 + 2, NUMBER_0 + 2, SEMANTICS);
    value = MAKE(234, INT, place, NUMBER_0 + 2, NUMBER_0, NUMBER_0 + 2); // add 2
    put(row, 1, value);
    value = MAKE(227, INT, place, NUMBER_0 + 2, NUMBER_0);
    put(row, 4, value);
    spirv_op(&w, 224, NUMBER_0 + 2, NUMBER_0 + 2, SEMANTICS);
    event =
        MAKE(4434, EVENT, NUMBER_0 + 2, SHARED, IN, NUMBER_0 + 4, ALL, LONG_1, NO_EVENT);
    events = MAKE(4418, PRIVATE, 7, EVENT);
    spirv_op(&w, 62, events, event);
    spirv_op(&w, 260, NUMBER_0 + 2, NUMBER_0 + 1, events);
    value = MAKE(61, INT, place);
    put(row, 13, value);
}

static void use_functions(uint32_t n, uint32_t pair, uint32_t row)
{
    const uint32_t real = MAKE(112, FLOAT, n);
    const uint32_t x = MAKE(129, FLOAT, real, HALF);
    const uint32_t whole = MAKE(4418, PRIVATE, 7, FLOAT, HALF);
    const uint32_t exponent = MAKE(4418, PRIVATE, 7, INT);
    uint32_t value = MAKE(12, FLOAT, STD, 30, x, whole); // fract

    put(row, 14, value);
    value = MAKE(61, FLOAT, whole);
    put(row, 5, value);
    value = MAKE(12, FLOAT, STD, 31, x, exponent); // frexp
    value = MAKE(61, INT, exponent);
    put(row, 6, value);
    value = MAKE(12, V2F, STD, 171, LONG_1, pair, 2); // vload2
    (void)MAKE(12, VOID, STD, 172, value, LONG_4, row);
}

static void copy(uint32_t row)
{
    const uint32_t typed = MAKE(124, TYPED_INT, word_at(row, 10)),
                   sized = word_at(row, 11);
    const uint32_t distance = MAKE(403, LONG, sized, row);

    spirv_op(&w, 63, typed, IN);
    spirv_op(&w, 64, sized, IN, NUMBER_0 + 4);
    spirv_op(&w, 4426, IN, NUMBER_0 + 4);
    put(row, 12, MAKE(113, INT, distance));
}

static size_t write_kernel(void)
{
    uint32_t ids, i, n, row, pair, value;

    begin_module();
    types_and_constants();
    spirv_op(&w, 54, VOID, KERNEL, 0, TYPE);
    spirv_op(&w, 55, GLOBAL, IN);
    spirv_op(&w, 55, GLOBAL, OUT);
    spirv_op(&w, 248, spirv_id(&w));
    ids = MAKE(61, V3L, GID);
    i = MAKE(81, LONG, ids, 0);
    n = MAKE(113, INT, i);
    row = MAKE(4424, GLOBAL, ROW, OUT, i);
    pair = MAKE(4423, GLOBAL, PAIR, IN, i);
    put(row, 0, MAKE(61, INT, pair));
    value = MAKE(4419, GLOBAL, PAIR, pair, NUMBER_0 + 1);
    put(row, 2, MAKE(61, V2F, value));
    value = MAKE(61, V4I, KNOWN);
    put(row, 7, MAKE(81, INT, value, 0));
    use_local_memory(i, n, row);
    use_functions(n, pair, row);
    copy(row);
    spirv_begin(&w, 253);
    spirv_begin(&w, 56);
    return spirv_finish(&w);
}

static cl_program load(size_t bytes)
{
    cl_int code;
    cl_program prog = clCreateProgramWithIL(tf_api.ctx, w.words, bytes, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

union word {
    cl_uint u;
    cl_float f;
};

static void check_row(cl_uint i, const union word *in, const union word *row)
{
    const union word *const pair = in + (size_t)PAIR_WORDS * i;
    cl_uint exponent = 0;

    while (i + 0.5f >= (float)(1u << exponent))
        exponent++;
    ck_assert_uint_eq(row[0].u, pair[0].u);
    ck_assert_uint_eq(row[1].u, i);
    ck_assert(row[2].f == pair[2].f && row[3].f == pair[3].f);
    ck_assert_uint_eq(row[4].u, i + 2);
    ck_assert(row[5].f == (float)i && row[14].f == 0.5f);
    ck_assert_uint_eq(row[6].u, exponent);
    ck_assert_uint_eq(row[7].u, 9);
    ck_assert(row[8].f == pair[2].f && row[9].f == pair[3].f);
    ck_assert_uint_eq(row[10].u, in[0].u);
    ck_assert_uint_eq(row[11].u, in[0].u);
    ck_assert_uint_eq(row[12].u, 11 * 4);
    ck_assert_uint_eq(row[13].u, in[i].u);
}

START_TEST(untyped_pointers_are_what_they_are_used_for)
{
    static union word in[ITEMS * PAIR_WORDS], out[ITEMS * WORDS];
    const size_t items = ITEMS;
    cl_program prog = load(write_kernel());
    cl_kernel kernel;
    cl_mem mems[2];

    for (cl_uint i = 0; i < ITEMS; i++) {
        in[i * PAIR_WORDS].u = i * 3 + 1;
        in[i * PAIR_WORDS + 2].f = (float)i + 0.25f;
        in[i * PAIR_WORDS + 3].f = (float)i - 0.5f;
    }
    mems[0] = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(in), in);
    mems[1] = tf_api_buffer(0, sizeof(out), NULL);
    ck_assert_msg(build(prog, "") == CL_SUCCESS, "%s", log_of(prog));
    kernel = tf_api_kernel(prog, "test");
    tf_api_set_arg(kernel, 0, sizeof(cl_mem), &mems[0]);
    tf_api_set_arg(kernel, 1, sizeof(cl_mem), &mems[1]);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(mems[1], 0, sizeof(out), out);
    for (cl_uint i = 0; i < ITEMS; i++)
        check_row(i, in, out + (size_t)WORDS * i);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mems[0]), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mems[1]), CL_SUCCESS);
    drop(prog);
}
END_TEST

// Each begins with a whole module and puts one wrong instruction behind it.
START_TEST(what_untyped_pointers_cannot_do_fails)
{
    static const struct {
        uint32_t words[8], count;
        const char *text;
    } wrong[] = {
        {{4423, TYPED_INT, 0, INT, OUT, ALL}, 6, "no untyped pointer"},
        {{4423, LOCAL, 0, INT, OUT, ALL}, 6, "no untyped pointer"},
        {{4420, GLOBAL, 0, VOID, OUT, ALL}, 6, "has no size"},
        {{4418, PRIVATE, 0, 7}, 4, "without a data type"},
        {{4418, TYPED_INT, 0, 5, INT}, 5, "no untyped pointer"},
        {{61, VOID, 0, OUT}, 4, "has no size"},
        {{4425, INT, 0, PAIR, OUT, 1}, 6, "not supported"},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cl_program prog;

        begin_module();
        types_and_constants();
        spirv_op(&w, 54, VOID, KERNEL, 0, TYPE);
        spirv_op(&w, 55, GLOBAL, IN);
        spirv_op(&w, 55, GLOBAL, OUT);
        spirv_op(&w, 248, spirv_id(&w));
        spirv_begin(&w, wrong[i].words[0]);
        for (uint32_t at = 1; at < wrong[i].count; at++)
            spirv_word(&w, at == 2 ? spirv_id(&w) : wrong[i].words[at]);
        spirv_begin(&w, 253);
        spirv_begin(&w, 56);
        prog = load(spirv_finish(&w));
        ck_assert_int_ne(build(prog, ""), CL_SUCCESS);
        ck_assert_msg(strstr(log_of(prog), wrong[i].text) != NULL, "%zu: %s", i,
                      log_of(prog));
        drop(prog);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il_untyped");
    TCase *tests = tcase_create("il_untyped");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, untyped_pointers_are_what_they_are_used_for);
    tcase_add_test(tests, what_untyped_pointers_cannot_do_fails);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
