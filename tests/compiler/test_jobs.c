// SPDX-License-Identifier: MIT
// Builds as work: on many threads, on small stacks, a thousand in a row, and while the
// process ends.
#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/compiled_source.h"
#include "support/suite.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

// A program unlike all others.
static void build_numbered(int number)
{
    struct test_build build;
    char source[600];

    snprintf(source, sizeof source,
             "float f%d(float x) { return x * %d.5f + clamp(x, 0.0f, %d.0f); }\n"
             "kernel void k%d(global float4 *p, int a, local float *l) {\n"
             "  l[get_local_id(0)] = f%d(p[0].x); barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  for (int i = 0; i < a; i++)\n"
             "    p[i + get_global_id(0)] += mix(p[i], p[a], l[i]) * %d; }\n",
             number, number, number, number, number, number);
    test_build(&build, source, number % 2 ? "-D X=1" : "-cl-std=CL3.0", NULL);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    ck_assert_uint_eq(build.kernel_count, 1);
    test_build_finish(&build);
}

static void *build_some(void *arg)
{
    const int first = *(const int *)arg;

    for (int i = 0; i < 20; i++)
        build_numbered(first + i);
    return NULL;
}

START_TEST(four_threads_build_at_once)
{
    int firsts[4] = {1000, 2000, 3000, 4000};
    pthread_t threads[4];

    test_compiler(); // opened by one thread, for all
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, build_some, &firsts[i]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

enum { MOST_TASKS = 256 };

// Threads of this process that compile: their numbers.
static unsigned list_compile_threads(unsigned long *tasks)
{
    DIR *const folder = opendir("/proc/self/task");
    unsigned count = 0;

    ck_assert_ptr_nonnull(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[300], name[32] = "";
        FILE *file;

        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        file = fopen(path, "r"); // NULL: not a number, or the thread is gone
        if (!file)
            continue;
        if (fgets(name, sizeof name, file) && !strcmp(name, "trefoil-cc\n") &&
            count < MOST_TASKS)
            tasks[count++] = strtoul(entry->d_name, NULL, 10);
        fclose(file);
    }
    closedir(folder);
    return count;
}

// While the folder is read one thread may end and another begin, and one that has ended
// stays there for a moment. Those count that are there in two looks, a while apart.
static unsigned compile_threads(void)
{
    enum { WHILE_US = 2000 };
    unsigned long before[MOST_TASKS], after[MOST_TASKS];
    const unsigned before_count = list_compile_threads(before);
    unsigned after_count, both = 0;

    usleep(WHILE_US);
    after_count = list_compile_threads(after);
    for (unsigned i = 0; i < before_count; i++) {
        for (unsigned k = 0; k < after_count; k++)
            both += before[i] == after[k];
    }
    return both;
}

static atomic_int threads_done;

static void *build_two(void *arg)
{
    build_numbered(*(const int *)arg);
    build_numbered(*(const int *)arg + 1);
    atomic_fetch_add(&threads_done, 1);
    return NULL;
}

START_TEST(processors_bound_the_builds_at_work)
{
    enum { THREADS = 32 };
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned most = processors > 2 ? (unsigned)processors * 2 : 4;
    pthread_t threads[THREADS];
    int firsts[THREADS];
    unsigned seen = 0;

    test_compiler();
    atomic_store(&threads_done, 0);
    for (int i = 0; i < THREADS; i++) {
        firsts[i] = 10000 + 100 * i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, build_two, &firsts[i]), 0);
    }
    while (atomic_load(&threads_done) < THREADS) {
        const unsigned now = compile_threads();

        seen = now > seen ? now : seen;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_ge(seen, 1);
    ck_assert_uint_le(seen, most);
}
END_TEST

static void *build_deep(void *arg)
{
    const char *const texts[] = {NULL};
    char source[600] = "kernel void k(global int *p) { p[0] = ";
    const size_t start = strlen(source);

    (void)arg;
    memset(source + start, '(', 200);
    source[start + 200] = '1';
    memset(source + start + 201, ')', 200);
    strcpy(source + start + 401, "; }");
    test_build_expect(source, "", TF_COMPILER_OK, texts);
    return NULL;
}

START_TEST(stack_of_the_caller_may_be_small)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, build_deep, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}
END_TEST

static long resident_kib(void)
{
    FILE *const file = fopen("/proc/self/statm", "r");
    long total, resident;

    ck_assert_int_eq(fscanf(file, "%ld %ld", &total, &resident), 2);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

START_TEST(thousand_builds_leave_no_memory_behind)
{
    const int builds = SANITIZED ? 50 : 1000;
    long after_100 = 0;

    for (int i = 1; i <= builds; i++) {
        build_numbered(i);
        if (i == 100)
            after_100 = resident_kib();
    }
    // The sanitizers keep freed memory: there, only leaks count.
    if (!SANITIZED)
        ck_assert_int_le(resident_kib(), after_100 + 2048);
}
END_TEST

START_TEST(failed_builds_leave_no_memory_behind)
{
    static const char *const sources[] = {
        "kernel void k(global int *p) { p[0] = q; }",
        "void exit(int); kernel void k(global int *p) { exit(1); }",
        "kernel void k(global int *p) { p[1] = (int)(long)__builtin_alloca(p[0]); }",
    };
    const char *const error[] = {"error: ", NULL};
    long after_100 = 0;

    for (int i = 1; i <= (SANITIZED ? 30 : 500); i++) {
        test_build_expect(sources[i % 3], "", TF_COMPILER_BAD_SOURCE, error);
        if (i == 100)
            after_100 = resident_kib();
    }
    if (!SANITIZED)
        ck_assert_int_le(resident_kib(), after_100 + 2048);
}
END_TEST

static void *build_for_ever(void *arg)
{
    for (int i = *(const int *)arg;; i++) {
        struct test_build build;
        char source[100];

        snprintf(source, sizeof source, "kernel void k(global int *p) { p[0] = %d; }", i);
        test_build(&build, source, "", NULL);
        test_build_finish(&build);
    }
    return NULL;
}

// Static destructors of LLVM must not run under a build.
START_TEST(exit_during_a_build_is_clean)
{
    for (int i = 0; i < (SANITIZED ? 5 : 40); i++) {
        const pid_t child = fork();
        int status;

        ck_assert_int_ge(child, 0);
        if (child == 0) {
            int firsts[2] = {0, 1000000};
            pthread_t threads[2];

            test_compiler();
            for (int k = 0; k < 2; k++)
                pthread_create(&threads[k], NULL, build_for_ever, &firsts[k]);
            usleep((useconds_t)(i * 1500));
            exit(0);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", status);
    }
}
END_TEST

START_TEST(table_describes_itself)
{
    const struct tf_compiler *const compiler = test_compiler();

    ck_assert_uint_eq(compiler->abi, TF_COMPILER_ABI);
    ck_assert(atoi(compiler->llvm_version) >= 19);
    ck_assert_uint_eq(strspn(compiler->build_id, "0123456789abcdef"), 40);
    compiler->release(NULL);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("jobs");
    TCase *const all = tcase_create("all");

    tcase_set_timeout(all, 300);
    tcase_add_test(all, four_threads_build_at_once);
    tcase_add_test(all, processors_bound_the_builds_at_work);
    tcase_add_test(all, stack_of_the_caller_may_be_small);
    tcase_add_test(all, thousand_builds_leave_no_memory_behind);
    tcase_add_test(all, failed_builds_leave_no_memory_behind);
    if (!test_llvm_is_shared())
        tcase_add_test(all, exit_during_a_build_is_clean);
    tcase_add_test(all, table_describes_itself);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
