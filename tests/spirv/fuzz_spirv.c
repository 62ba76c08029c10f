// SPDX-License-Identifier: MIT
// Damages SPIR-V modules and has them compiled and linked: whatever becomes of one, the
// process lives and comes back within seconds.
//
//     fuzz_spirv [--seed N] [--count N] [--keep FILE] MODULE.spv ...
//
// COUNT damaged modules of each file, each with some of its bits flipped, words changed,
// instructions left out, doubled, moved, or cut off. They run in a child process; one
// that it dies of, or spends more than its time on, is named by its seed, and its words
// are written to FILE. `fuzz_spirv --seed SEED --count 1 MODULE.spv` does it again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "support/compiled_source.h"

enum { SECONDS_EACH = 10, MOST_EDITS = 4, HEADER_WORDS = 5, LEAST_MODULE_WORDS = 8 };

struct words {
    uint32_t *at;
    size_t count;
};

// Of the child, for the parent.
struct progress {
    unsigned long seed, built;
};

static struct progress *progress;
static const char *keep;
static uint64_t state;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 24);
}

static uint32_t below(size_t n)
{
    return n ? next_random() % (uint32_t)n : 0;
}

static struct words read_words(const char *path)
{
    FILE *const file = fopen(path, "rb");
    struct words words = {NULL, 0};

    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "fuzz_spirv: %s cannot be read\n", path);
        exit(2);
    }
    const long bytes = ftell(file);
    rewind(file);
    words.count = (size_t)bytes / sizeof(uint32_t);
    words.at = calloc(words.count + 1, sizeof(uint32_t));
    if (!words.at ||
        fread(words.at, sizeof(uint32_t), words.count, file) != words.count ||
        words.count < LEAST_MODULE_WORDS)
        exit(2);
    fclose(file);
    return words;
}

static void write_words(const struct words *words)
{
    FILE *const file = keep ? fopen(keep, "wb") : NULL;

    if (!file)
        return;
    fwrite(words->at, sizeof(uint32_t), words->count, file);
    fclose(file);
}

// Some instruction's first word, or any word where they do not add up.
static size_t some_instruction(const struct words *w)
{
    const size_t wanted = HEADER_WORDS + below(w->count - HEADER_WORDS);
    size_t at = HEADER_WORDS;

    while (at < w->count) {
        const size_t words = w->at[at] >> 16;

        if (words == 0 || at + words > wanted)
            return at;
        at += words;
    }
    return wanted;
}

static size_t length_at(const struct words *w, size_t at)
{
    const size_t words = w->at[at] >> 16;

    return words == 0 || words > w->count - at ? 1 : words;
}

static uint32_t some_number(const struct words *w)
{
    static const uint32_t odd[] = {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 16, 64};

    switch (below(4)) {
    case 0:
        return odd[below(sizeof(odd) / sizeof(*odd))];
    case 1:
        return below(w->at[3] + 2); // an id
    case 2:
        return w->at[below(w->count)];
    default:
        return next_random();
    }
}

static void edit(struct words *w)
{
    const size_t at = some_instruction(w), words = length_at(w, at);
    const size_t other = some_instruction(w), others = length_at(w, other);

    switch (below(9)) {
    case 0:
        w->at[below(w->count)] ^= 1u << below(32);
        break;
    case 1:
    case 2:
        if (words > 1)
            w->at[at + 1 + below(words - 1)] = some_number(w);
        break;
    case 3: // without it
        memmove(w->at + at, w->at + at + words,
                (w->count - at - words) * sizeof(uint32_t));
        w->count -= words;
        break;
    case 4: // in the place of another one
        if (words <= others) {
            memmove(w->at + other, w->at + at, words * sizeof(uint32_t));
            for (size_t i = words; i < others; i++)
                w->at[other + i] = 1u << 16; // OpNop
        }
        break;
    case 5:
        w->count = HEADER_WORDS + below(w->count - HEADER_WORDS);
        break;
    case 6: // another instruction with the same operands
        w->at[at] = (w->at[at] & 0xffff0000) | (below(3) ? below(400) : below(7000));
        break;
    case 7: // an id for another one
        if (words > 1)
            w->at[at + 1 + below(words - 1)] = w->at[other + (others > 1)];
        break;
    default:
        w->at[below(HEADER_WORDS)] = some_number(w);
        break;
    }
}

static void build(const struct words *w)
{
    static const char *const options[] = {"", "-cl-trefoil-report",
                                          "-g -cl-fast-relaxed-math"};
    const struct tf_compiler *const compiler = test_compiler();
    struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = (const char *)w->at,
                                     .source_bytes = w->count * sizeof(uint32_t),
                                     .is_il = true,
                                     .options = options[below(3)],
                                     .device = &device};
    struct tf_compile_out compiled;
    struct tf_link_out linked;

    device.features = tf_features_ours();
    tf_features_put_images(&device.features, true);
    if (compiler->compile(&in, &compiled) == TF_COMPILER_OK) {
        const struct tf_link_in link = {.modules = &compiled.bitcode,
                                        .module_count = 1,
                                        .options = "",
                                        .source = &in,
                                        .device = &device};

        progress->built += compiler->link(&link, &linked) == TF_COMPILER_OK;
        compiler->release(linked.bitcode.data);
        compiler->release(linked.kernels.data);
        compiler->release(linked.data.data);
        compiler->release(linked.log);
    }
    compiler->release(compiled.bitcode.data);
    compiler->release(compiled.files.data);
    compiler->release(compiled.log);
}

static struct words damaged(const struct words *whole, unsigned long seed)
{
    struct words w = {malloc((whole->count + 1) * sizeof(uint32_t)), whole->count};

    if (!w.at)
        abort();
    memcpy(w.at, whole->at, whole->count * sizeof(uint32_t));
    state = (seed + 1) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 1 + below(MOST_EDITS); i > 0 && w.count > LEAST_MODULE_WORDS; i--)
        edit(&w);
    return w;
}

static void run_child(const struct words *whole, unsigned long seed, unsigned long end)
{
    for (; seed < end; seed++) {
        const struct words w = damaged(whole, seed);
        struct rusage used;
        struct rlimit limit;

        // Of the processor, from now on; the machine may be busy with other things.
        getrusage(RUSAGE_SELF, &used);
        getrlimit(RLIMIT_CPU, &limit);
        limit.rlim_cur =
            (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + SECONDS_EACH;
        setrlimit(RLIMIT_CPU, &limit);
        progress->seed = seed;
        build(&w);
        free(w.at);
    }
    _exit(0);
}

// The number of modules that somebody died of.
static int run_file(const char *path, unsigned long seed, unsigned long count)
{
    const struct words whole = read_words(path);
    const unsigned long end = seed + count;
    int faults = 0;

    while (seed < end) {
        int status;

        progress->seed = seed;
        const pid_t child = fork();
        if (child == 0)
            run_child(&whole, seed, end);
        if (child < 0 || waitpid(child, &status, 0) != child)
            abort();
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        printf("%s: seed %lu: %s %d\n", path, progress->seed,
               WIFSIGNALED(status) ? "signal" : "exit status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        faults++;
        const struct words w = damaged(&whole, progress->seed);
        write_words(&w);
        free(w.at);
        seed = progress->seed + 1;
    }
    free(whole.at);
    return faults;
}

static char **files;
static int file_count;
static unsigned long first_seed = 1, each = 50;

START_TEST(no_damaged_module_ends_the_process)
{
    int faults = 0;

    (void)test_compiler();
    for (int i = 0; i < file_count; i++)
        faults += run_file(files[i], first_seed, each);
    printf("%d files, %lu modules of each: %d faults; %lu could be built\n", file_count,
           each, faults, progress->built);
    ck_assert_int_gt(file_count, 0);
    ck_assert_int_eq(faults, 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("fuzz_spirv");
    TCase *tests = tcase_create("fuzz");
    SRunner *runner = srunner_create(suite);
    int i = 1, failed;

    for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
        if (!strcmp(argv[i], "--seed"))
            first_seed = strtoul(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--count"))
            each = strtoul(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--keep"))
            keep = argv[i + 1];
    }
    files = argv + i;
    file_count = argc - i;
    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 2;
    tcase_add_test(tests, no_damaged_module_ends_the_process);
    suite_add_tcase(suite, tests);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
