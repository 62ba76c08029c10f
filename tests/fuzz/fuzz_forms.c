// SPDX-License-Identifier: MIT
// Runs the kernels of generated files (gen_*.py) in every form of work-groups and says
// where one differs from fibers.
//
//     fuzz_forms [--all | --only CPU LANES] FILE.cl ...
//
// A kernel runs at one instruction level and with one number of lanes, which its text
// chooses; --all takes every level of this CPU and every number, --only one ("x86-64",
// "x86-64-v3" or "x86-64-v4"; 4, 8, 16, 32, or 0: as many as users get). Each kernel has
// a process of its own, so that one that crashes or never ends is a fault like others.
// All buffers lie between pages that nobody may touch. A kernel that checks itself says
// that it goes wrong by changing the last word of `shared`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "base/alloc.h"
#include "support/compiled_kernel.h"

enum {
    IN_WORDS = 256,
    SHARED_WORDS = 16,
    OVERLAP = 3, // words of `out` before what kernels "alias" have in place of `shared`
    ITEMS = 203,
    OUT_WORDS = 4 * ITEMS,
    PAGE_BYTES = 4096,
    SECONDS_A_KERNEL = 200, // of the processor
    STACK_BYTES = 64 << 20,
    SECONDS_ALIVE = 600, // it may be busy with other things
    LEVELS = 3,
    WIDTHS = 5,
    CHOICES = 11,
    RUNS = 3,
};

// The same number of work-items each; the last groups of a row are smaller. Kernels whose
// names begin with "plane" run in planes, the others in lines.
static const struct test_range lines[RUNS] = {
    {.work_dim = 1, .global = {ITEMS}, .local = {64}, .chunk = 2},
    {.work_dim = 1, .global = {ITEMS}, .local = {50}},
    {.work_dim = 1, .global = {ITEMS}, .local = {7}, .chunk = 5},
};
static const struct test_range planes[RUNS] = {
    {.work_dim = 2, .global = {29, 7}, .local = {8, 3}},
    {.work_dim = 2, .global = {7, 29}, .local = {7, 1}, .offset = {3, 11}, .chunk = 3},
    {.work_dim = 3, .global = {29, 1, 7}, .local = {16, 1, 2}, .offset = {1, 0, 40}},
};
static const uint32_t arguments[RUNS] = {0, 5, 3}, spacings[RUNS] = {1, 5, 3};
static const uint32_t widths[WIDTHS] = {0, 4, 8, 16, 32};
// Many lanes take long to compile, and few find most faults.
static const unsigned chosen[CHOICES] = {0, 1, 0, 2, 1, 0, 3, 2, 0, 1, 4};

struct level {
    const char *cpu;
    uint32_t vector_bits;
};

// Groups of several rows, of the sizes that kernels demand and others.
static const struct test_range tiles[RUNS] = {
    {.work_dim = 2, .global = {24, 8}, .local = {8, 4}, .chunk = 4},
    {.work_dim = 2, .global = {48, 4}, .local = {16, 4}, .offset = {3, 11}},
    {.work_dim = 2, .global = {29, 7}, .local = {16, 4}},
};

// Groups of one size that kernels demand.
static const struct test_range steps[RUNS] = {
    {.work_dim = 1, .global = {128}, .local = {64}, .chunk = 1},
    {.work_dim = 1, .global = {192}, .local = {64}, .offset = {5}},
    {.work_dim = 1, .global = {64}, .local = {64}},
};

// What one run of a kernel leaves.
struct result {
    uint32_t out[OUT_WORDS], shared[SHARED_WORDS];
};

// What the parent is told of a child that ends before its time.
struct progress {
    char at[128];
};

static bool all_modes;
static const char *only_cpu; // NULL: not said
static uint32_t only_width;
static struct progress *progress;

static unsigned find_levels(struct level levels[LEVELS])
{
    unsigned count = 0;

    levels[count++] = (struct level){"x86-64", 128};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        levels[count++] = (struct level){"x86-64-v3", 256};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        levels[count++] = (struct level){"x86-64-v4", 512};
    return count;
}

// `words` words between two pages without access, right behind the first or right before
// the second. Never freed: the process is short.
static uint32_t *guarded(size_t words, bool at_start)
{
    const size_t bytes = words * sizeof(uint32_t);
    const size_t room = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    char *at =
        mmap(NULL, room + 2 * PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED || mprotect(at + PAGE_BYTES, room, PROT_READ | PROT_WRITE))
        abort();
    return (uint32_t *)(void *)(at + PAGE_BYTES + (at_start ? 0 : room - bytes));
}

static const struct test_range *ranges_of(const char *name)
{
    return !strncmp(name, "plane", 5)   ? planes
           : !strncmp(name, "tiles", 5) ? tiles
           : !strncmp(name, "steps", 5) ? steps
                                        : lines;
}

// Of kernels whose argument spaces out what they own.
static uint32_t argument_of(const char *name, unsigned number)
{
    return !strncmp(name, "spaced", 6) ? spacings[number] : arguments[number];
}

// Run `number` of the kernel, over a range that may be another than that run's.
static void run(struct test_kernel *kernel, unsigned number,
                const struct test_range *range, struct result *result)
{
    uint32_t *in = guarded(IN_WORDS, number & 1);
    uint32_t *out = guarded(OUT_WORDS, number & 1);
    uint32_t *shared = guarded(SHARED_WORDS, number & 1), *inside = out + OVERLAP;
    const bool overlaps = !strncmp(kernel->info->name, "alias", 5);
    const uint32_t n = argument_of(kernel->info->name, number);

    for (uint32_t i = 0, x = 1; i < IN_WORDS; i++)
        in[i] = (x = x * 1664525u + 1013904223u) >> (i & 24);
    for (uint32_t i = 0; i < OUT_WORDS; i++)
        out[i] = i;
    for (uint32_t i = 0; i < SHARED_WORDS; i++)
        shared[i] = i;
    test_kernel_arg(kernel, 0, sizeof(in), &in);
    test_kernel_arg(kernel, 1, sizeof(out), &out);
    test_kernel_arg(kernel, 2, sizeof(shared), overlaps ? &inside : &shared);
    test_kernel_arg(kernel, 3, sizeof(n), &n);
    kernel->apart = number != 1 && !overlaps;
    test_kernel_run(kernel, range);
    memcpy(result->out, out, sizeof(result->out));
    memcpy(result->shared, shared, sizeof(result->shared));
}

static void describe(const struct test_variant *v)
{
    static const char *const names[] = {[TF_WG_LOOPS] = "loops",
                                        [TF_WG_FIBERS] = "fibers",
                                        [TF_WG_SIMT] = "lanes",
                                        [TF_WG_GANG_FIBERS] = "gang fibers"};

    snprintf(progress->at, sizeof(progress->at), "%s%s, %u lanes, %u rows%s, %s",
             v->quick ? "quick " : "", names[v->form], v->width, v->pack_rows,
             v->local_size[0] ? ", one size" : "", v->cpu);
}

static void make_results(const struct test_program *program, const char *name,
                         const struct test_variant *variant, struct result results[RUNS])
{
    struct test_kernel kernel;

    describe(variant);
    test_kernel_generate(&kernel, program, name, variant);
    for (unsigned r = 0; r < RUNS; r++)
        run(&kernel, r, &ranges_of(name)[r], &results[r]);
    test_kernel_finish(&kernel);
}

static int compare(const struct result *wanted, const struct result *got, uint32_t n)
{
    const uint32_t *a = wanted->out, *b = got->out;
    const size_t words = sizeof(*wanted) / sizeof(uint32_t);
    size_t at = 0;

    _Static_assert(sizeof(*wanted) == (OUT_WORDS + SHARED_WORDS) * 4, "no padding");
    while (at < words && a[at] == b[at])
        at++;
    if (at == words)
        return 0;
    printf("%s: n=%u: word %zu is %u, not %u\n", progress->at, n, at, b[at], a[at]);
    return 1;
}

static int compare_all(const struct result wanted[RUNS], const struct result got[RUNS],
                       const char *name)
{
    int faults = 0;

    for (unsigned r = 0; r < RUNS; r++)
        faults += compare(&wanted[r], &got[r], argument_of(name, r));
    return faults;
}

// 1 if the kernel found that it goes wrong itself.
static int blamed(const struct result *result, uint32_t n)
{
    if (result->shared[SHARED_WORDS - 1] == SHARED_WORDS - 1)
        return 0;
    printf("%s: n=%u: the kernel says that it is wrong\n", progress->at, n);
    return 1;
}

// The forms of lanes: as users get them, as packs of rows, and gangs on fibers.
static const struct form {
    enum tf_wg_form form;
    uint32_t rows; // 0: as pays
} forms[] = {{TF_WG_SIMT, 0}, {TF_WG_SIMT, 2}, {TF_WG_SIMT, 4}, {TF_WG_GANG_FIBERS, 0}};

// Loops, of both tiers, and `count` widths of lanes against fibers, at one level; in
// planes also two or four rows as one, with barriers also the lanes on fibers.
static int compare_forms(const struct test_program *program, const char *name,
                         const struct level *level, unsigned first, unsigned count)
{
    static struct result wanted[RUNS], got[RUNS];
    struct test_variant variant = {.form = TF_WG_FIBERS,
                                   .cpu = level->cpu,
                                   .vector_bits = level->vector_bits,
                                   .plain = true};
    const uint32_t flags = test_program_kernel(program, name)->flags;
    const bool has_barrier = flags & TF_KERNEL_HAS_BARRIER;
    const bool has_rows = ranges_of(name) != lines;
    int faults = 0;

    make_results(program, name, &variant, wanted);
    for (unsigned r = 0; r < RUNS; r++)
        faults += blamed(&wanted[r], argument_of(name, r));
    variant.plain = false;
    for (unsigned quick = 0; quick < 2; quick++) {
        variant.quick = quick;
        variant.form = TF_WG_LOOPS;
        make_results(program, name, &variant, got);
        faults += compare_all(wanted, got, name);
    }
    variant.quick = false;
    for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
        variant.form = forms[f].form;
        variant.pack_rows = forms[f].rows;
        if ((variant.pack_rows && !has_rows) ||
            (variant.form == TF_WG_GANG_FIBERS && !has_barrier))
            continue;
        for (unsigned i = 0; i < count; i++) {
            variant.width = widths[first + i];
            make_results(program, name, &variant, got);
            faults += compare_all(wanted, got, name);
        }
    }
    return faults;
}

// The range of a run without groups at its edge that are smaller than others.
static struct test_range whole_range(const char *name, unsigned number)
{
    struct test_range range = ranges_of(name)[number];

    for (unsigned d = 0; d < range.work_dim; d++) {
        if (range.global[d] >= range.local[d])
            range.global[d] -= range.global[d] % range.local[d];
        else
            range.global[d] = range.local[d];
    }
    return range;
}

// Code for groups of one size alone against fibers, at one level: loops, lanes, and packs
// of two or four rows.
static int compare_sizes(const struct test_program *program, const char *name,
                         const struct level *level, uint32_t width, unsigned number)
{
    static struct result wanted, got;
    const struct test_range range = whole_range(name, number);
    struct test_variant variant = {.form = TF_WG_FIBERS,
                                   .cpu = level->cpu,
                                   .vector_bits = level->vector_bits,
                                   .plain = true};
    struct test_kernel kernel;
    int faults = 0;

    for (unsigned i = 0; i < (range.work_dim > 1 ? 4 : 3); i++) {
        variant.pack_rows = i < 3 ? 0 : number % 2 ? 2 : 4;
        describe(&variant);
        test_kernel_generate(&kernel, program, name, &variant);
        run(&kernel, number, &range, i == 0 ? &wanted : &got);
        test_kernel_finish(&kernel);
        if (i > 0)
            faults += compare(&wanted, &got, argument_of(name, number));
        variant.plain = false;
        variant.form = i == 0 ? TF_WG_LOOPS : TF_WG_SIMT;
        variant.width = i == 0 ? 0 : width;
        for (unsigned d = 0; d < 3; d++)
            variant.local_size[d] = d < range.work_dim ? (uint32_t)range.local[d] : 1;
    }
    return faults;
}

static int check_sizes(const struct test_program *program, const char *name,
                       const struct level levels[LEVELS], unsigned count, uint32_t choice)
{
    const struct tf_kernel_info *const info = test_program_kernel(program, name);
    const uint32_t width = widths[chosen[choice / count % CHOICES]];
    int faults = 0;

    if (!(info->flags & TF_KERNEL_HAS_BARRIER) || info->reqd_local_size[0])
        return 0;
    if (!all_modes)
        return compare_sizes(program, name, &levels[choice % count], width,
                             choice / 5 % RUNS);
    for (unsigned l = 0; l < count; l++)
        for (unsigned r = 0; r < RUNS; r++)
            faults += compare_sizes(program, name, &levels[l], width, r);
    return faults;
}

static int check_kernel(const struct test_program *program, const char *name,
                        uint32_t choice)
{
    struct level levels[LEVELS];
    const unsigned count = find_levels(levels);
    int faults = only_cpu ? 0 : check_sizes(program, name, levels, count, choice);

    if (!all_modes)
        return faults + compare_forms(program, name, &levels[choice % count],
                                      chosen[choice / count % CHOICES], 1);
    for (unsigned l = 0; l < count; l++) {
        unsigned w = 0;

        while (only_cpu && w < WIDTHS && widths[w] != only_width)
            w++;
        if (!only_cpu)
            faults += compare_forms(program, name, &levels[l], 0, WIDTHS);
        else if (w < WIDTHS && !strcmp(only_cpu, levels[l].cpu))
            faults += compare_forms(program, name, &levels[l], w, 1);
    }
    return faults;
}

// Recursive kernels keep 64 KiB for each lane and place that calls, and the kernel's
// stack is this one here. The program begins again with it: a stack may not grow beyond
// what was its limit then, whatever the limit is now.
static void make_room(char **argv)
{
    struct rlimit limit;

    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur < STACK_BYTES &&
        (limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= STACK_BYTES)) {
        limit.rlim_cur = STACK_BYTES;
        if (setrlimit(RLIMIT_STACK, &limit) == 0)
            execv("/proc/self/exe", argv);
    }
}

// A kernel that waits for something takes no time of the processor.
static void limit_time(void)
{
    const struct rlimit limit = {SECONDS_A_KERNEL, SECONDS_A_KERNEL + 1};

    setrlimit(RLIMIT_CPU, &limit);
    alarm(SECONDS_ALIVE);
}

// In a process of its own. 1 if something is wrong.
static int check_apart(const struct test_program *program, const char *path,
                       const char *name, uint32_t choice)
{
    int status;
    pid_t child;

    snprintf(progress->at, sizeof(progress->at), "before the first form");
    fflush(stdout);
    child = fork();
    if (child == 0) {
        limit_time();
        status = check_kernel(program, name, choice);
        fflush(stdout);
        _exit(status != 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        const bool late = number == SIGALRM || number == SIGXCPU;

        printf("%s: %s\n", progress->at, late ? "takes too long" : strsignal(number));
    }
    printf("%s: kernel %s is wrong\n", path, name);
    return 1;
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

static int check_file(const char *path)
{
    char *text = read_file(path);
    struct test_program program;
    uint32_t choice = 2166136261u;
    int faults = 0;

    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    for (const char *c = text; *c; c++)
        choice = (choice ^ (unsigned char)*c) * 16777619u;
    // Which products and sums are one operation must not be up to a form.
    test_program_build(&program, text,
                       choice & 1 ? "-cl-std=CL3.0" : "-cl-std=CL3.0 -cl-mad-enable");
    if (program.kernel_count == 0) {
        fprintf(stderr, "%s: no kernels\n", path);
        faults++;
    }
    for (size_t i = 0; i < program.kernel_count; i++)
        faults += check_apart(&program, path, program.kernels[i].name,
                              (choice >> 8) + (uint32_t)i);
    test_program_finish(&program);
    tf_free(text);
    return faults;
}

static char **files;

START_TEST(all_forms_give_one_result)
{
    int faults = 0;

    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(progress != MAP_FAILED);
    ck_assert_msg(*files != NULL, "no files");
    for (char **file = files; *file; file++)
        faults += check_file(*file);
    ck_assert_int_eq(faults, 0);
}
END_TEST

int main(int argc, char **argv)
{
    TCase *tests = tcase_create("fuzz");
    Suite *suite = suite_create("fuzz_forms");
    SRunner *runner = srunner_create(suite);
    int failed;

    make_room(argv);
    files = argv + (argc > 0);
    if (argc > 1 && !strcmp(argv[1], "--all")) {
        all_modes = true;
        files++;
    } else if (argc > 3 && !strcmp(argv[1], "--only")) {
        all_modes = true;
        only_cpu = argv[2];
        only_width = (uint32_t)strtoul(argv[3], NULL, 10);
        files += 3;
    }
    tcase_add_test(tests, all_forms_give_one_result);
    suite_add_tcase(suite, tests);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
