// SPDX-License-Identifier: MIT
// SPIR-V modules word by word: what an assembler does not write, specialization constants
// of the host, and what a fault says of itself.
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/compiled_source.h"
#include "support/suite.h"

#define OP(opcode, words) ((uint32_t)(words) << 16 | (opcode))
enum { HEADER_WORDS = 5, BOUND = 3, MOST_WORDS = 128, MOST_LOG = 4096 };

// kernel void k(global uint *out) { out[0] = specialized; }, with SpecId 7. Its default
// is 5.
static const uint32_t whole[] = {
    0x07230203, 0x00010000, 0,  12,  0, //
    OP(17, 2),  4,                      // OpCapability Addresses
    OP(17, 2),  6,                      // OpCapability Kernel
    OP(14, 3),  2,          2,          // OpMemoryModel Physical64 OpenCL
    OP(15, 4),  6,          1,  'k',    // OpEntryPoint Kernel %1 "k"
    OP(71, 4),  2,          1,  7,      // OpDecorate %2 SpecId 7
    OP(19, 2),  3,                      // %3 = OpTypeVoid
    OP(21, 4),  4,          32, 0,      // %4 = OpTypeInt 32 0
    OP(32, 4),  5,          5,  4,      // %5 = OpTypePointer CrossWorkgroup %4
    OP(33, 4),  6,          3,  5,      // %6 = OpTypeFunction %3 %5
    OP(50, 4),  4,          2,  5,      // %2 = OpSpecConstant %4 5
    OP(54, 5),  3,          1,  0,   6, // %1 = OpFunction %3 None %6
    OP(55, 3),  5,          7,          // %7 = OpFunctionParameter %5
    OP(248, 2), 8,                      // %8 = OpLabel
    OP(62, 3),  7,          2,          // OpStore %7 %2
    OP(253, 1),                         // OpReturn
    OP(56, 1),                          // OpFunctionEnd
};
enum {
    WORDS = sizeof(whole) / sizeof(*whole),
    FIRST_CAPABILITY = 5,
    ENTRY_POINT = 12,
    SPEC_CONSTANT = 34
};

struct module {
    uint32_t words[MOST_WORDS];
    size_t bytes;
};

static struct module copy_of_whole(void)
{
    struct module m = {.bytes = sizeof(whole)};

    memcpy(m.words, whole, sizeof(whole));
    return m;
}

// Compiles and, where that goes well, links. The log is of what failed; the text of the
// bitcode is not looked at.
static enum tf_compiler_status build(const struct module *m,
                                     const struct tf_compiler_constant *constants,
                                     size_t count, char *log)
{
    const struct tf_compiler *const compiler = test_compiler();
    const struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = (const char *)m->words,
                                     .source_bytes = m->bytes,
                                     .is_il = true,
                                     .constants = constants,
                                     .constant_count = count,
                                     .options = "",
                                     .device = &device};
    struct tf_compile_out compiled;
    enum tf_compiler_status status = compiler->compile(&in, &compiled);

    snprintf(log, MOST_LOG, "%s", compiled.log);
    if (status == TF_COMPILER_OK) {
        const struct tf_link_in link = {.modules = &compiled.bitcode,
                                        .module_count = 1,
                                        .options = "",
                                        .source = &in,
                                        .device = &device};
        struct tf_link_out linked;

        status = compiler->link(&link, &linked);
        snprintf(log, MOST_LOG, "%s", linked.log);
        compiler->release(linked.bitcode.data);
        compiler->release(linked.kernels.data);
        compiler->release(linked.data.data);
        compiler->release(linked.log);
    }
    compiler->release(compiled.bitcode.data);
    compiler->release(compiled.log);
    return status;
}

static void expect_fault(const struct module *m, const char *text)
{
    char log[MOST_LOG];

    ck_assert_int_eq(build(m, NULL, 0, log), TF_COMPILER_BAD_SOURCE);
    ck_assert_msg(strstr(log, text), "'%s' is not in: %s", text, log);
}

START_TEST(words_of_either_byte_order_are_read)
{
    struct module m = copy_of_whole();
    char log[MOST_LOG];

    ck_assert_msg(build(&m, NULL, 0, log) == TF_COMPILER_OK, "%s", log);
    for (size_t i = 0; i < WORDS; i++)
        m.words[i] = __builtin_bswap32(m.words[i]);
    ck_assert_msg(build(&m, NULL, 0, log) == TF_COMPILER_OK, "%s", log);
}
END_TEST

START_TEST(versions_from_1_0_to_1_6_are_read)
{
    struct module m = copy_of_whole();
    char log[MOST_LOG];

    for (uint32_t minor = 0; minor <= 6; minor++) {
        m.words[1] = 0x10000 | minor << 8;
        ck_assert_int_eq(build(&m, NULL, 0, log), TF_COMPILER_OK);
    }
    m.words[1] = 0x10700;
    expect_fault(&m, "word 0: version 0x00010700");
    m.words[1] = 0x20000;
    expect_fault(&m, "version");
    m.words[1] = 0x10001;
    expect_fault(&m, "version");
}
END_TEST

START_TEST(headers_that_are_none_are_refused)
{
    struct module m = copy_of_whole();

    m.words[0]++;
    expect_fault(&m, "0x07230204 is not how a module starts");
    m = copy_of_whole();
    m.words[4] = 1;
    expect_fault(&m, "schema 1");
    m = copy_of_whole();
    m.words[BOUND] = 0;
    expect_fault(&m, "bound 0");
    m.words[BOUND] = 0xffffffff;
    expect_fault(&m, "bound 4294967295");
    for (size_t bytes = 0; bytes < HEADER_WORDS * sizeof(uint32_t); bytes++) {
        m.bytes = bytes;
        expect_fault(&m, "are no module");
    }
}
END_TEST

START_TEST(a_module_cut_off_anywhere_is_refused)
{
    struct module m = copy_of_whole();

    for (size_t bytes = HEADER_WORDS * sizeof(uint32_t); bytes < sizeof(whole); bytes++) {
        m.bytes = bytes;
        if (bytes != ENTRY_POINT * sizeof(uint32_t)) // a library of nothing
            expect_fault(&m, "error: SPIR-V");
    }
}
END_TEST

START_TEST(ids_are_between_0_and_the_bound)
{
    struct module m = copy_of_whole();

    m.words[BOUND] = 8;
    expect_fault(&m, "OpLabel: id 8 is not between 0 and the bound 8");
    m = copy_of_whole();
    m.words[SPEC_CONSTANT + 2] = 0;
    expect_fault(&m, "OpSpecConstant: id 0");
    m.words[SPEC_CONSTANT + 2] = 0xffffffff;
    expect_fault(&m, "OpSpecConstant: id 4294967295");
    m.words[SPEC_CONSTANT + 2] = 4;
    expect_fault(&m, "OpSpecConstant: id 4 is the result of two instructions");
}
END_TEST

START_TEST(instructions_have_words_and_numbers)
{
    struct module m = copy_of_whole();

    m.words[FIRST_CAPABILITY] = 17;
    expect_fault(&m, "word 5: OpCapability: 0 words");
    m.words[FIRST_CAPABILITY] = OP(17, 1);
    expect_fault(&m, "word 5: OpCapability: 1 words");
    m.words[FIRST_CAPABILITY] = OP(17, 0xffff);
    expect_fault(&m, "word 5: OpCapability: 65535 words");
    m.words[FIRST_CAPABILITY] = OP(0xfffe, 2);
    expect_fault(&m, "word 5: instruction 65534 is not known");
}
END_TEST

START_TEST(values_of_the_host_specialize_constants)
{
    const struct module m = copy_of_whole();
    const uint32_t value = 9;
    const uint64_t wide = 9;
    const struct tf_compiler_constant right = {7, sizeof(value), &value};
    const struct tf_compiler_constant other = {8, sizeof(value), &value};
    const struct tf_compiler_constant large = {7, sizeof(wide), &wide};
    char log[MOST_LOG];

    ck_assert_int_eq(build(&m, &right, 1, log), TF_COMPILER_OK);
    ck_assert_int_eq(build(&m, &other, 1, log), TF_COMPILER_OK);
    ck_assert_int_eq(build(&m, &large, 1, log), TF_COMPILER_BAD_SOURCE);
    ck_assert_msg(strstr(log, "specialization constant 7 has 4 bytes"), "%s", log);
}
END_TEST

START_TEST(opcodes_and_indices_are_no_ids)
{
    // Each is named like the instruction in the other, or like an index.
    static const uint32_t more[] = {
        OP(23, 4),  9, 4,   16, // OpTypeVector %4 16
        OP(51, 19), 9, 10,  2,   2,   2,  2, 2, 2, 2,
        2,          2, 2,   2,   2,   2,  2, 2, 2, // %2, 16 times
        OP(52, 6),  4, 12,  81,  10,  13,          // extract 13 of %10
        OP(52, 6),  4, 13,  128, 12,  2,           // %12 + %2
        OP(52, 6),  4, 130, 128, 2,   2,           // %2 + %2
        OP(52, 6),  4, 128, 130, 130, 2,           // %130 - %2
    };
    struct module m = copy_of_whole();
    const size_t behind = SPEC_CONSTANT + 4;
    char log[MOST_LOG];

    m.words[BOUND] = 131;
    memmove(m.words + behind + sizeof(more) / sizeof(*more), m.words + behind,
            (WORDS - behind) * sizeof(*m.words));
    memcpy(m.words + behind, more, sizeof(more));
    m.bytes += sizeof(more);
    ck_assert_msg(build(&m, NULL, 0, log) == TF_COMPILER_OK, "%s", log);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("spirv");
    TCase *const all = tcase_create("all");

    tcase_add_test(all, words_of_either_byte_order_are_read);
    tcase_add_test(all, versions_from_1_0_to_1_6_are_read);
    tcase_add_test(all, headers_that_are_none_are_refused);
    tcase_add_test(all, a_module_cut_off_anywhere_is_refused);
    tcase_add_test(all, ids_are_between_0_and_the_bound);
    tcase_add_test(all, instructions_have_words_and_numbers);
    tcase_add_test(all, values_of_the_host_specialize_constants);
    tcase_add_test(all, opcodes_and_indices_are_no_ids);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
