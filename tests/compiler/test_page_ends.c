// SPDX-License-Identifier: MIT
// No form of a kernel reads or writes past what its source names: every buffer lies
// between pages without access, once at the end of its pages and once at their start.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <check.h>

#include "support/compiled_kernel.h"
#include "support/suite.h"

enum { ITEMS = 21, SPAN_PAGES = 4, LEVELS = 3 };

// SPAN_PAGES pages with one without access on each side.
struct fenced {
    char *first;
    size_t bytes;
};

static struct fenced fenced_new(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = SPAN_PAGES * page;
    char *const all = mmap(NULL, bytes + 2 * page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(all, MAP_FAILED);
    ck_assert_int_eq(mprotect(all, page, PROT_NONE), 0);
    ck_assert_int_eq(mprotect(all + page + bytes, page, PROT_NONE), 0);
    return (struct fenced){all + page, bytes};
}

static void fenced_free(struct fenced *f)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    ck_assert_int_eq(munmap(f->first - page, f->bytes + 2 * page), 0);
}

#define IN_OUT(in, out)                                         \
    "kernel void k(global " in " *in, global " out " *out) {\n" \
    "  size_t i = get_global_id(0), n = get_global_size(0);\n"

// Results that are no copies are compared with those of the first variant, where the
// language defines them.
static const struct {
    const char *source;
    size_t in_bytes, out_bytes;
    enum { COPY, SAME_IN_ALL, ANYTHING } result;
} cases[] = {
    {IN_OUT("float", "float") "vstore3(vload3(i, in), i, out); }", 12 * ITEMS, 12 * ITEMS,
     COPY},
    {IN_OUT("char", "char") "vstore3(vload3(i, in), i, out); }", 3 * ITEMS, 3 * ITEMS,
     COPY},
    {IN_OUT("ushort", "ushort") "vstore3(vload3(i, in), i, out); }", 6 * ITEMS, 6 * ITEMS,
     COPY},
    {IN_OUT("long", "long") "vstore3(vload3(n - 1 - i, in), n - 1 - i, out); }",
     24 * ITEMS, 24 * ITEMS, COPY},
    {IN_OUT("float", "float") "float3 v = vload3(i, in); out[i] = v.x + v.z; }",
     12 * ITEMS, 4 * ITEMS, SAME_IN_ALL},
    {IN_OUT("int", "int") "if (i % 4 == 1) vstore3(vload3(i, in) + 1, i, out); }",
     12 * ITEMS, 12 * ITEMS, SAME_IN_ALL},
    {IN_OUT("uchar", "uchar") "vstore2(vload2(i, in), i, out); }", 2 * ITEMS, 2 * ITEMS,
     COPY},
    {IN_OUT("uchar", "uchar") "vstore16(vload16(i, in), i, out); }", 16 * ITEMS,
     16 * ITEMS, COPY},
    {IN_OUT("short", "short") "vstore8(vload8(n - 1 - i, in), n - 1 - i, out); }",
     16 * ITEMS, 16 * ITEMS, COPY},
    {IN_OUT("double", "double") "vstore4(vload4(i, in), i, out); }", 32 * ITEMS,
     32 * ITEMS, COPY},
    {IN_OUT("half", "half") "vstore_half3(vload_half3(i, in), i, out); }", 6 * ITEMS,
     6 * ITEMS, SAME_IN_ALL},
    {IN_OUT("half", "half") "vstorea_half3(vloada_half3(i, in), i, out); }",
     8 * ITEMS - 2, 8 * ITEMS - 2, SAME_IN_ALL},
    {IN_OUT("half", "float") "out[i] = vload_half(i, in); }", 2 * ITEMS, 4 * ITEMS,
     SAME_IN_ALL},
    {IN_OUT("int",
            "int") "local int l[64]; event_t e = async_work_group_copy(l, in, 37, 0);\n"
                   "wait_group_events(1, &e);\n"
                   "e = async_work_group_copy(out, l, 37, 0);\n"
                   "wait_group_events(1, &e); }",
     37 * 4, 37 * 4, COPY},
    {IN_OUT("uchar", "uchar") "local uchar l[256];\n"
                              "event_t e = async_work_group_copy(l, in, 201, 0);\n"
                              "wait_group_events(1, &e);\n"
                              "e = async_work_group_copy(out, l, 201, 0);\n"
                              "wait_group_events(1, &e); }",
     201, 201, COPY},
    {IN_OUT("float",
            "float") "local float l[64];\n"
                     "event_t e = async_work_group_strided_copy(l, in, 30, 7, 0);\n"
                     "wait_group_events(1, &e);\n"
                     "e = async_work_group_strided_copy(out, l, 30, 5, 0);\n"
                     "wait_group_events(1, &e); }",
     4 * (29 * 7 + 1), 4 * (29 * 5 + 1), SAME_IN_ALL},
    {IN_OUT("uint4",
            "uint4") "uint4 far = (uint4)(0xfffffffcu, 0x80000001u, 6, 0x7ffffff7u);\n"
                     "out[i] = shuffle(in[i], far + (uint)(4 * i)); }",
     16 * ITEMS, 16 * ITEMS, SAME_IN_ALL},
    {IN_OUT("uchar16", "uchar16") "uchar16 far = (uchar16)(0xf0) + (uchar)i;\n"
                                  "out[i] = shuffle2(in[i], in[n - 1 - i], far); }",
     16 * ITEMS, 16 * ITEMS, SAME_IN_ALL},
    {IN_OUT("int4", "int") "out[i] = in[i][in[i].y | 0x10000000]; }", 16 * ITEMS,
     4 * ITEMS, ANYTHING},
    {IN_OUT("int4",
            "int4") "int4 v = in[i]; v[v.x | 0x20000000] = 5; v[v.y | 0x1000000] = 1;\n"
                    "out[i] = v; }",
     16 * ITEMS, 16 * ITEMS, ANYTHING},
    // Work-items that take no part stand where the others' pattern leaves the buffer: the
    // first lane, the last ones, every lane but one.
    {IN_OUT("int", "int") "if (i > 0) out[i] = in[i - 1]; }", 4 * (ITEMS - 1), 4 * ITEMS,
     SAME_IN_ALL},
    {IN_OUT("short", "int") "out[i] = i + 1 < n ? in[i] + in[n - 2 - i] : 7; }",
     2 * (ITEMS - 1), 4 * ITEMS, SAME_IN_ALL},
    {IN_OUT("uchar", "uchar") "if (i % 4 != 0 && i > 2) out[i - 3] = in[i - 3]; }", ITEMS,
     ITEMS, SAME_IN_ALL},
    {IN_OUT("int", "int") "if (i == n - 1) out[0] = in[i - n + 1]; }", 4, 4, COPY},
    {IN_OUT("int", "long") "if (i > 15) out[i - 16] = in[3 * i - 48] - in[3 * i - 47]; }",
     4 * (3 * 5 - 1), 8 * 5, SAME_IN_ALL},
    {IN_OUT("int", "int") "for (int k = 0; k < (int)i - 17; k++) out[k] = in[k]; }",
     4 * 3, 4 * 3, COPY},
    {IN_OUT("float", "float") "int last = n - 2, x = i;\n"
                              "if (x <= last) out[x] = in[clamp(x - 1, 0, last)]; }",
     4 * (ITEMS - 1), 4 * (ITEMS - 1), SAME_IN_ALL},
    // Elements that lie close together are taken out of more than each.
    {IN_OUT("float", "float") "int x = i; out[i] = in[(int)(x * (n / 42.0f)) + 9]; }",
     4 * (ITEMS / 2 + 10), 4 * ITEMS, SAME_IN_ALL},
    {IN_OUT("float", "float") "int x = i; out[i] = in[(int)(x * (n / 21.0f)) + 1]; }",
     4 * (ITEMS + 1), 4 * ITEMS, SAME_IN_ALL},
    {IN_OUT("uchar", "uchar") "int x = i; out[i] = in[(int)(x * (n / 42.0f)) + 9]; }",
     ITEMS / 2 + 10, ITEMS, SAME_IN_ALL},
    {IN_OUT("float", "float") "struct pair { float a, b; }; int x = i;\n"
                              "global struct pair *p = (global struct pair *)in;\n"
                              "out[i] = p[(int)(x * (n / 42.0f)) + 9].a; }",
     8 * (ITEMS / 2 + 10) - 4, 4 * ITEMS, SAME_IN_ALL},
    {IN_OUT("float4", "float4") "int x = i; out[i] = in[(int)(x * (n / 21.0f))]; }",
     16 * ITEMS, 16 * ITEMS, SAME_IN_ALL},
    // Bytes and shorts under masks are loaded with those of lanes that are not active.
    {IN_OUT("uchar",
            "uchar") "uchar s = 0; for (size_t k = i; k + 1 < n - i % 5; k += 2)\n"
                     "s = s * 3 + in[k]; out[i] = s; }",
     ITEMS - 1, ITEMS, SAME_IN_ALL},
    {IN_OUT("short", "short") "short s = 0; for (int k = 0; k < (int)(i % 4) * 3; k++)\n"
                              "if (i + k > 9) s += in[i + k - 10]; out[i] = s; }",
     2 * (ITEMS - 2), 2 * ITEMS, SAME_IN_ALL},
    {IN_OUT("float", "float") "float s = 0; for (int k = 0; k < (int)(i % 4) * 3; k++)\n"
                              "if (i + k > 9) s += in[i + k - 10]; out[i] = s; }",
     4 * (ITEMS - 2), 4 * ITEMS, SAME_IN_ALL},
    {IN_OUT("int", "int") "if (in[0] == 99999) out[1000000 * i] = in[-1000000]; }", 4, 4,
     ANYTHING},
    {IN_OUT("int", "int") "prefetch(in + 1000000, 5000000); prefetch(in - 99999, n);\n"
                          "out[i] = in[i]; }",
     4 * ITEMS, 4 * ITEMS, COPY},
};

static void run(struct test_kernel *k, char *const buffers[2], const size_t bytes[2])
{
    static const struct test_range range = {
        1, {ITEMS, 0, 0}, {ITEMS, 0, 0}, {0, 0, 0}, 0};

    for (size_t i = 0; i < bytes[0]; i++)
        buffers[0][i] = (char)(i * 7 % 120);
    memset(buffers[1], 0x5a, bytes[1]);
    for (uint32_t i = 0; i < 2; i++)
        test_kernel_arg(k, i, sizeof(buffers[i]), &buffers[i]);
    test_kernel_run(k, &range);
}

// test_variants, and lanes at each level.
static size_t find_variants(struct test_variant variants[])
{
    const size_t count = test_variant_count();
    size_t all = count;

    for (size_t v = 0; v < count; v++) {
        variants[v] = test_variants[v];
        if (variants[v].form != TF_WG_LOOPS || variants[v].plain)
            continue;
        variants[all] = variants[v];
        variants[all].form = TF_WG_SIMT;
        variants[all++].width = 0;
    }
    return all;
}

START_TEST(buffers_may_end_at_a_page_without_access)
{
    struct test_variant variants[sizeof test_variants / sizeof *test_variants + LEVELS];
    const size_t variant_count = find_variants(variants);
    const size_t bytes[2] = {cases[_i].in_bytes, cases[_i].out_bytes};
    struct fenced fences[2] = {fenced_new(), fenced_new()};
    static char expected[1 << 16];
    struct test_program program;
    bool first = true;

    test_program_build(&program, cases[_i].source, "");
    for (size_t v = 0; v < variant_count; v++) {
        struct test_kernel k;

        test_kernel_generate(&k, &program, "k", &variants[v]);
        for (int at_end = 0; at_end < 2; at_end++) {
            char *buffers[2];

            for (int i = 0; i < 2; i++)
                buffers[i] = fences[i].first + (at_end ? fences[i].bytes - bytes[i] : 0);
            run(&k, buffers, bytes);
            if (cases[_i].result == COPY)
                ck_assert_mem_eq(buffers[1], buffers[0], bytes[1]);
            if (first)
                memcpy(expected, buffers[1], bytes[1]);
            else if (cases[_i].result == SAME_IN_ALL)
                ck_assert_mem_eq(buffers[1], expected, bytes[1]);
            first = false;
        }
        test_kernel_finish(&k);
    }
    test_program_finish(&program);
    for (int i = 0; i < 2; i++)
        fenced_free(&fences[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("page_ends");
    TCase *tcase = tcase_create("page_ends");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, buffers_may_end_at_a_page_without_access, 0,
                        sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
