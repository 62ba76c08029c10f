// SPDX-License-Identifier: MIT
// Every field of every struct goes over and comes back; what is damaged is refused.
#include "abi/compiler_wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/suite.h"

// Values that no two fields share, so that exchanged fields are seen.
static uint32_t next_value;

static uint32_t value(void)
{
    return next_value += 0x01010101u;
}

static uint64_t wide(void)
{
    const uint64_t high = value();

    return high << 32 | value();
}

// Samples name no fields: one that is added makes them incomplete, and the compiler says
// so.
static struct tf_compiler_device make_device(void)
{
    const struct tf_compiler_device d = {{{wide(), wide(), wide(), wide()}},
                                         value(),
                                         value(),
                                         value(),
                                         value(),
                                         wide(),
                                         wide()};

    return d;
}

static struct tf_compiler_device device;
static const struct tf_compiler_header headers[] = {{"a.h", "int a;", 6}, {"", "", 0}};
static const struct tf_compiler_constant constants[] = {{5, 2, "\x01\x02"}, {9, 1, "\3"}};

static struct tf_compile_in make_compile(void)
{
    device = make_device();
    return (struct tf_compile_in){"a\0b", 3,       true, constants, 2,
                                  "-D X", headers, 2,    &device};
}

static void expect_compile(const struct tf_compile_in *in, const struct tf_compile_in *of)
{
    ck_assert_uint_eq(in->source_bytes, of->source_bytes);
    ck_assert_mem_eq(in->source, of->source, of->source_bytes);
    ck_assert(in->is_il == of->is_il);
    ck_assert_uint_eq(in->constant_count, 2);
    ck_assert_uint_eq(in->constants[0].id, 5);
    ck_assert_uint_eq(in->constants[0].bytes, 2);
    ck_assert_mem_eq(in->constants[0].value, "\x01\x02", 2);
    ck_assert_uint_eq(in->constants[1].id, 9);
    ck_assert_mem_eq(in->constants[1].value, "\3", 1);
    ck_assert_str_eq(in->options, of->options);
    ck_assert_uint_eq(in->header_count, 2);
    ck_assert_str_eq(in->headers[0].name, "a.h");
    ck_assert_uint_eq(in->headers[0].text_bytes, 6);
    ck_assert_mem_eq(in->headers[0].text, "int a;", 6);
    ck_assert_str_eq(in->headers[1].name, "");
    ck_assert_uint_eq(in->headers[1].text_bytes, 0);
    ck_assert(!memcmp(in->device, of->device, sizeof(*in->device)));
}

START_TEST(compile_in_comes_whole)
{
    struct tf_compile_in in = make_compile(), back = {0};
    struct tf_wire w = {0}, r;

    tf_wire_compile_in(&w, &in);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_compile_in(&r, &back);
    ck_assert(!w.failed && !r.failed && r.left_bytes == 0);
    expect_compile(&back, &in);
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

static const struct tf_compiler_bytes modules[] = {{(char[]){"xyz"}, 3}, {NULL, 0}};

static struct tf_link_in make_link(const struct tf_compile_in *source)
{
    return (struct tf_link_in){modules, 2,      "",
                               true,    source, source ? source->device : NULL};
}

START_TEST(link_in_comes_whole)
{
    struct tf_compile_in source = make_compile();
    struct tf_link_in in = make_link(&source), back = {0};
    struct tf_wire w = {0}, r;

    tf_wire_link_in(&w, &in);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_link_in(&r, &back);
    ck_assert(!w.failed && !r.failed && r.left_bytes == 0);
    ck_assert_uint_eq(back.module_count, 2);
    ck_assert_uint_eq(back.modules[0].bytes, 3);
    ck_assert_mem_eq(back.modules[0].data, "xyz", 3);
    ck_assert_uint_eq(back.modules[1].bytes, 0);
    ck_assert_str_eq(back.options, "");
    ck_assert(back.create_library);
    expect_compile(back.source, &source);
    ck_assert(!memcmp(back.device, &device, sizeof(device)));
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

START_TEST(what_may_be_missing_stays_missing)
{
    struct tf_link_in in = make_link(NULL), back = {0};
    struct tf_wire w = {0}, r;

    tf_wire_link_in(&w, &in);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_link_in(&r, &back);
    ck_assert(!r.failed && r.left_bytes == 0);
    ck_assert_ptr_null(back.source);
    ck_assert_ptr_null(back.device);
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

static char fixed_args[] = "ABCDE", bitcode[] = "BC", object[] = "ELF", said[] = "said";

static struct tf_generate_in make_generate(void)
{
    const struct tf_generate_in sample = {{bitcode, 2},
                                          true,
                                          "k",
                                          "t",
                                          "c",
                                          "f",
                                          "u",
                                          value(),
                                          TF_WG_GANG_FIBERS,
                                          true,
                                          true,
                                          value(),
                                          true,
                                          value(),
                                          true,
                                          true,
                                          value(),
                                          fixed_args,
                                          5,
                                          {value(), value(), value()}};
    struct tf_generate_in in;

    memset(&in, 0, sizeof(in)); // gaps, too: samples are compared as bytes
    in.bitcode = sample.bitcode;
    in.is_text = sample.is_text;
    in.kernel = sample.kernel;
    in.triple = sample.triple;
    in.cpu = sample.cpu;
    in.features = sample.features;
    in.tune = sample.tune;
    in.vector_bits = sample.vector_bits;
    in.form = sample.form;
    in.plain = sample.plain;
    in.quick = sample.quick;
    in.budget_ms = sample.budget_ms;
    in.has_fma = sample.has_fma;
    in.width = sample.width;
    in.report = sample.report;
    in.times = sample.times;
    in.pack_rows = sample.pack_rows;
    in.fixed_args = sample.fixed_args;
    in.fixed_arg_bytes = sample.fixed_arg_bytes;
    memcpy(in.local_size, sample.local_size, sizeof(in.local_size));
    return in;
}

// All but the pointers in one comparison: a field that is added and forgotten is 0 in the
// copy, and then not in the sample.
START_TEST(generate_in_comes_whole)
{
    struct tf_generate_in in = make_generate(), back;
    struct tf_wire w = {0}, r;

    memset(&back, 0, sizeof(back));
    tf_wire_generate_in(&w, &in);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_generate_in(&r, &back);
    ck_assert(!w.failed && !r.failed && r.left_bytes == 0);
    ck_assert_mem_eq(back.bitcode.data, "BC", 2);
    ck_assert_str_eq(back.kernel, "k");
    ck_assert_str_eq(back.triple, "t");
    ck_assert_str_eq(back.cpu, "c");
    ck_assert_str_eq(back.features, "f");
    ck_assert_str_eq(back.tune, "u");
    back.bitcode.data = in.bitcode.data;
    back.kernel = in.kernel;
    back.triple = in.triple;
    back.cpu = in.cpu;
    back.features = in.features;
    back.tune = in.tune;
    ck_assert_mem_eq(back.fixed_args, "ABCDE", 5);
    back.fixed_args = in.fixed_args;
    ck_assert(!memcmp(&back, &in, sizeof(in)));
    tf_wire_finish(&w);
    tf_wire_finish(&r);
    in.tune = NULL;
    w = (struct tf_wire){0};
    tf_wire_generate_in(&w, &in);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_generate_in(&r, &back);
    ck_assert(!r.failed);
    ck_assert_ptr_null(back.tune);
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

static struct tf_generate_out make_generated(void)
{
    static struct tf_generate_out out; // gaps are 0: samples are compared as bytes
    const struct tf_generate_out sample = {{object, 3},
                                           wide(),
                                           TF_WG_SIMT,
                                           said,
                                           {wide(), wide(), value()},
                                           {value(), value()},
                                           {value(),
                                            value(),
                                            value(),
                                            value(),
                                            value(),
                                            value(),
                                            value(),
                                            {value(), value(), value(), value()},
                                            value()}};

    out.object = sample.object;
    out.stack_bytes = sample.stack_bytes;
    out.form = sample.form;
    out.log = sample.log;
    out.scratch.fixed_bytes = sample.scratch.fixed_bytes;
    out.scratch.gang_bytes = sample.scratch.gang_bytes;
    out.scratch.width = sample.scratch.width;
    out.fibers = sample.fibers;
    out.fit = sample.fit;
    return out;
}

START_TEST(generate_out_comes_whole)
{
    struct tf_generate_out out, back;
    struct tf_wire w = {0}, r;

    const struct tf_generate_out made = make_generated();
    memcpy(&out, &made, sizeof(out));
    memset(&back, 0, sizeof(back));
    tf_wire_generate_out(&w, &out);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_generate_out(&r, &back);
    ck_assert(!w.failed && !r.failed && r.left_bytes == 0);
    ck_assert_mem_eq(back.object.data, "ELF", 3);
    ck_assert_str_eq(back.log, "said");
    tf_free(back.object.data);
    tf_free(back.log);
    back.object.data = out.object.data;
    back.log = out.log;
    ck_assert(!memcmp(&back, &out, sizeof(out)));
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

START_TEST(other_results_come_whole)
{
    struct tf_link_out out = {
        {(char[]){"1"}, 1}, {(char[]){"22"}, 2}, {(char[]){"333"}, 3}, (char[]){"log"}};
    struct tf_compile_out compiled = {{(char[]){"4444"}, 4}, {(char[]){"5"}, 1}, NULL};
    struct tf_compile_out compiled_back = {0};
    struct tf_link_out back = {0};
    enum tf_compiler_status status = TF_COMPILER_BAD_SOURCE, status_back = TF_COMPILER_OK;
    struct tf_wire w = {0}, r;

    tf_wire_status(&w, &status);
    tf_wire_link_out(&w, &out);
    tf_wire_compile_out(&w, &compiled);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_status(&r, &status_back);
    tf_wire_link_out(&r, &back);
    tf_wire_compile_out(&r, &compiled_back);
    ck_assert(!w.failed && !r.failed && r.left_bytes == 0);
    ck_assert_int_eq(status_back, status);
    ck_assert_uint_eq(back.bitcode.bytes, 1);
    ck_assert_mem_eq(back.kernels.data, "22", 2);
    ck_assert_mem_eq(back.data.data, "333", 3);
    ck_assert_str_eq(back.log, "log");
    ck_assert_mem_eq(compiled_back.bitcode.data, "4444", 4);
    ck_assert_uint_eq(compiled_back.files.bytes, 1);
    ck_assert_mem_eq(compiled_back.files.data, "5", 1);
    ck_assert_ptr_null(compiled_back.log);
    tf_free(back.bitcode.data);
    tf_free(back.kernels.data);
    tf_free(back.data.data);
    tf_free(back.log);
    tf_free(compiled_back.bitcode.data);
    tf_free(compiled_back.files.data);
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

START_TEST(greeting_and_limits_come_whole)
{
    struct tf_wire_hello hello = {1, 2, 3, 4, "r", "l", "b"}, hello_back = {0};
    struct tf_wire_job job = {"/folder", 5, 6}, job_back = {0};
    struct tf_wire w = {0}, r;

    tf_wire_hello(&w, &hello);
    tf_wire_job(&w, &job);
    tf_wire_read(&r, w.out.text, w.out.bytes);
    tf_wire_hello(&r, &hello_back);
    tf_wire_job(&r, &job_back);
    ck_assert(!w.failed && !r.failed && r.left_bytes == 0);
    ck_assert_uint_eq(hello_back.version, 1);
    ck_assert_uint_eq(hello_back.abi, 2);
    ck_assert_uint_eq(hello_back.cpu_abi, 3);
    ck_assert_uint_eq(hello_back.process, 4);
    ck_assert_str_eq(hello_back.reason, "r");
    ck_assert_str_eq(hello_back.llvm_version, "l");
    ck_assert_str_eq(hello_back.build_id, "b");
    ck_assert_str_eq(job_back.folder, "/folder");
    ck_assert_uint_eq(job_back.seconds, 5);
    ck_assert_uint_eq(job_back.memory_mib, 6);
    tf_wire_finish(&w);
    tf_wire_finish(&r);
}
END_TEST

// Reads bytes as each struct in turn; what was read must be freed whole and stand in the
// bytes.
static void read_all(const char *bytes, size_t count)
{
    struct tf_generate_out generated = {0};
    struct tf_generate_in generate = {0};
    struct tf_compile_in compile = {0};
    struct tf_link_out linked = {0};
    struct tf_link_in link = {0};
    struct tf_wire r;

    tf_wire_read(&r, bytes, count);
    tf_wire_compile_in(&r, &compile);
    ck_assert(r.failed || compile.source_bytes <= count);
    tf_wire_finish(&r);
    tf_wire_read(&r, bytes, count);
    tf_wire_link_in(&r, &link);
    tf_wire_finish(&r);
    tf_wire_read(&r, bytes, count);
    tf_wire_generate_in(&r, &generate);
    ck_assert(r.failed || generate.form <= TF_WG_GANG_FIBERS);
    tf_wire_finish(&r);
    tf_wire_read(&r, bytes, count);
    tf_wire_generate_out(&r, &generated);
    tf_free(generated.object.data);
    tf_free(generated.log);
    tf_wire_finish(&r);
    tf_wire_read(&r, bytes, count);
    tf_wire_link_out(&r, &linked);
    tf_free(linked.bitcode.data);
    tf_free(linked.kernels.data);
    tf_free(linked.data.data);
    tf_free(linked.log);
    tf_wire_finish(&r);
}

// In memory of its own, so that a sanitizer sees a read past its end.
static void read_damaged(const char *bytes, size_t count)
{
    char *const copy = malloc(count ? count : 1);

    memcpy(copy, bytes, count);
    read_all(copy, count);
    for (size_t at = 0; at + 8 <= count; at += 8) {
        static const uint64_t lengths[] = {0,         1, 255, 1u << 31, UINT64_MAX - 1,
                                           UINT64_MAX};

        for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
            memcpy(copy + at, &lengths[i], 8);
            read_all(copy, count);
        }
        memcpy(copy + at, bytes + at, 8);
    }
    free(copy);
}

START_TEST(damaged_bytes_are_refused_whole)
{
    struct tf_compile_in source = make_compile();
    struct tf_link_in link = make_link(&source);
    struct tf_generate_in generate = make_generate();
    struct tf_generate_out generated = make_generated();
    const long live = tf_alloc_live();

    for (int kind = 0; kind < 4; kind++) {
        struct tf_wire w = {0};

        if (kind == 0)
            tf_wire_compile_in(&w, &source);
        else if (kind == 1)
            tf_wire_link_in(&w, &link);
        else if (kind == 2)
            tf_wire_generate_in(&w, &generate);
        else
            tf_wire_generate_out(&w, &generated);
        for (size_t count = 0; count <= w.out.bytes; count++)
            read_damaged(w.out.text, count);
        tf_wire_finish(&w);
    }
    ck_assert_int_eq(tf_alloc_live(), live);
}
END_TEST

START_TEST(without_memory_it_fails_whole)
{
    struct tf_compile_in source = make_compile();
    struct tf_link_in link = make_link(&source), back;
    const long live = tf_alloc_live();
    bool failed = true;

    for (long n = 0; failed; n++) {
        struct tf_wire w = {0}, r = {0};

        memset(&back, 0, sizeof(back));
        tf_alloc_fail_at(n);
        tf_wire_link_in(&w, &link);
        if (!w.failed) {
            tf_wire_read(&r, w.out.text, w.out.bytes);
            tf_wire_link_in(&r, &back);
        }
        tf_alloc_fail_at(-1);
        failed = w.failed || r.failed;
        tf_wire_finish(&w);
        tf_wire_finish(&r);
        ck_assert_int_eq(tf_alloc_live(), live);
        ck_assert_int_lt(n, 100);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compiler_wire");
    TCase *tcase = tcase_create("compiler_wire");

    tcase_add_test(tcase, compile_in_comes_whole);
    tcase_add_test(tcase, link_in_comes_whole);
    tcase_add_test(tcase, what_may_be_missing_stays_missing);
    tcase_add_test(tcase, generate_in_comes_whole);
    tcase_add_test(tcase, generate_out_comes_whole);
    tcase_add_test(tcase, other_results_come_whole);
    tcase_add_test(tcase, greeting_and_limits_come_whole);
    tcase_add_test(tcase, damaged_bytes_are_refused_whole);
    tcase_add_test(tcase, without_memory_it_fails_whole);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
