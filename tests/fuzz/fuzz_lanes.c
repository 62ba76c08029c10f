// SPDX-License-Identifier: MIT
// Runs the kernels of generated files (gen_kernels.py) in every form of work-groups and
// says where one differs from the loops.
//
//     fuzz_lanes FILE.cl ...
//
// Buffers end at a page that nobody may touch: a lane that reads or writes past the end,
// or divides by zero, ends the process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <check.h>

#include "base/alloc.h"
#include "support/compiled_kernel.h"

enum { WORDS = 1024, ITEMS = 203, OUT_WORDS = 4 * ITEMS, PAGE_BYTES = 4096 };

static const struct test_variant reference = {
    .form = TF_WG_LOOPS, .cpu = "x86-64", .vector_bits = 128};
static const struct test_variant variants[] = {
    {.form = TF_WG_SIMT, .cpu = "x86-64", .vector_bits = 128, .width = 4},
    {.form = TF_WG_SIMT, .cpu = "x86-64-v3", .vector_bits = 256, .width = 8},
    {.form = TF_WG_SIMT, .cpu = "x86-64-v4", .vector_bits = 512, .width = 16},
    {.form = TF_WG_SIMT, .cpu = "x86-64-v3", .vector_bits = 256, .width = 32},
};

static bool runs_here(const struct test_variant *v)
{
    if (!strcmp(v->cpu, "x86-64-v3"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (!strcmp(v->cpu, "x86-64-v4"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return true;
}

// `words` words that end at a page without access.
static uint32_t *guarded(size_t words)
{
    const size_t bytes = words * sizeof(uint32_t);
    const size_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    char *at = mmap(NULL, (pages + 1) * PAGE_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED || mprotect(at + pages * PAGE_BYTES, PAGE_BYTES, PROT_NONE))
        abort();
    return (uint32_t *)(void *)(at + pages * PAGE_BYTES - bytes);
}

static void run(struct test_kernel *kernel, uint32_t n, const uint32_t *in, uint32_t *out)
{
    const struct test_range range = {
        .work_dim = 1, .global = {ITEMS}, .local = {n & 1 ? 50 : 64}, .chunk = 2};

    for (uint32_t i = 0; i < OUT_WORDS; i++)
        out[i] = i;
    test_kernel_arg(kernel, 0, sizeof(in), &in);
    test_kernel_arg(kernel, 1, sizeof(out), &out);
    test_kernel_arg(kernel, 2, sizeof(n), &n);
    test_kernel_run(kernel, &range);
}

static int compare(const char *file, struct test_kernel *plain, struct test_kernel *lanes,
                   const struct test_variant *variant, const uint32_t *in,
                   uint32_t *const out[2])
{
    int faults = 0;

    for (uint32_t n = 0; n < 8; n += 5) {
        uint32_t at = 0;

        run(plain, n, in, out[0]);
        run(lanes, n, in, out[1]);
        while (at < OUT_WORDS && out[0][at] == out[1][at])
            at++;
        if (at == OUT_WORDS)
            continue;
        printf("%s: %s: n=%u, %u lanes, %s: out[%u] is %u, not %u\n", file,
               plain->info->name, n, variant->width, variant->cpu, at, out[1][at],
               out[0][at]);
        fflush(stdout);
        faults++;
    }
    return faults;
}

static int compare_all(const struct test_program *program, const char *file,
                       const char *name, const uint32_t *in, uint32_t *const out[2])
{
    struct test_kernel plain, lanes;
    int faults = 0;

    test_kernel_generate(&plain, program, name, &reference);
    for (size_t v = 0; v < sizeof(variants) / sizeof(variants[0]); v++) {
        if (!runs_here(&variants[v]))
            continue;
        test_kernel_generate(&lanes, program, name, &variants[v]);
        faults += compare(file, &plain, &lanes, &variants[v], in, out);
        test_kernel_finish(&lanes);
    }
    test_kernel_finish(&plain);
    return faults;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long bytes;

    if (!file || fseek(file, 0, SEEK_END) || (bytes = ftell(file)) < 0)
        return NULL;
    rewind(file);
    text = tf_zalloc((size_t)bytes + 1);
    if (text && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
        tf_free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static int check_file(const char *path, const uint32_t *in, uint32_t *const out[2])
{
    char *text = read_file(path);
    struct test_program program;
    int faults = 0;

    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    test_program_build(&program, text, "");
    for (size_t i = 0; i < program.kernel_count; i++) {
        faults += compare_all(&program, path, program.kernels[i].name, in, out);
    }
    test_program_finish(&program);
    tf_free(text);
    return faults;
}

static char **files;

START_TEST(all_forms_give_one_result)
{
    uint32_t *in = guarded(WORDS), *const out[2] = {guarded(OUT_WORDS),
                                                    guarded(OUT_WORDS)};
    int faults = 0;

    for (uint32_t i = 0, x = 1; i < WORDS; i++)
        in[i] = (x = x * 1664525u + 1013904223u) >> (i & 24);
    for (char **file = files; *file; file++)
        faults += check_file(*file, in, out);
    ck_assert_int_eq(faults, 0);
}
END_TEST

int main(int argc, char **argv)
{
    TCase *tests = tcase_create("fuzz");
    Suite *suite = suite_create("fuzz_lanes");
    SRunner *runner = srunner_create(suite);
    int failed;

    files = argv + (argc > 0);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, all_forms_give_one_result);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
