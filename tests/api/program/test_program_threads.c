// SPDX-License-Identifier: MIT
// Programs built by many threads at a time, while others unload the compiler and ask.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/limits.h"
#include "support/suite.h"

enum { THREADS = 8, ROUNDS = 3 };

static atomic_bool stop;

static void start(pthread_t threads[THREADS], void *(*fn)(void *), void *shared)
{
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, fn, shared ? shared : (void *)(intptr_t)i),
            0);
}

static void join(pthread_t threads[THREADS])
{
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

// Builds a program whose kernel stores a number of the thread's own, and runs it.
static void build_and_run(int number)
{
    static const char text[] = "kernel void k(global int *p) { *p = NUMBER; }";
    cl_program prog = make(text);
    cl_mem mem = tf_api_buffer(0, 4, NULL);
    char options[40];
    cl_kernel kernel;
    cl_int seen = 0;

    snprintf(options, sizeof(options), "-D NUMBER=%d", number);
    ck_assert_int_eq(build(prog, options), CL_SUCCESS);
    kernel = tf_api_kernel(prog, "k");
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, 4, &seen);
    ck_assert_int_eq(seen, number);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    drop(prog);
}

static void *build_many(void *arg)
{
    for (int round = 0; round < ROUNDS; round++)
        build_and_run((int)(intptr_t)arg * 100 + round);
    return NULL;
}

static void *unload_again_and_again(void *arg)
{
    (void)arg;
    while (!atomic_load(&stop)) {
        ck_assert_int_eq(clUnloadPlatformCompiler(tf_api.platform), CL_SUCCESS);
        ck_assert_int_eq(clUnloadCompiler(), CL_SUCCESS);
        usleep(1000);
    }
    return NULL;
}

START_TEST(threads_build_while_the_compiler_is_unloaded)
{
    pthread_t builders[THREADS], unloader;

    atomic_store(&stop, false);
    ck_assert_int_eq(pthread_create(&unloader, NULL, unload_again_and_again, NULL), 0);
    start(builders, build_many, NULL);
    join(builders);
    atomic_store(&stop, true);
    ck_assert_int_eq(pthread_join(unloader, NULL), 0);
}
END_TEST

// ---- One program ----

static atomic_int succeeded, refused;

static void *build_the_same(void *arg)
{
    const cl_int code = build(arg, NULL);

    ck_assert(code == CL_SUCCESS || code == CL_INVALID_OPERATION);
    atomic_fetch_add(code ? &refused : &succeeded, 1);
    return NULL;
}

START_TEST(program_has_one_build_at_a_time)
{
    cl_program prog = make(source);
    pthread_t threads[THREADS];

    atomic_store(&succeeded, 0);
    atomic_store(&refused, 0);
    start(threads, build_the_same, prog);
    join(threads);
    ck_assert_int_ge(atomic_load(&succeeded), 1);
    ck_assert_int_eq(atomic_load(&succeeded) + atomic_load(&refused), THREADS);
    check_runs(prog);
    drop(prog);
}
END_TEST

static void *ask(void *arg)
{
    cl_program prog = arg;
    cl_build_status status;
    char text[2000];
    size_t size;

    while (!atomic_load(&stop)) {
        get_build_info(prog, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status);
        ck_assert(status == CL_BUILD_NONE || status == CL_BUILD_IN_PROGRESS ||
                  status == CL_BUILD_SUCCESS);
        get_build_info(prog, CL_PROGRAM_BUILD_LOG, sizeof(text), text);
        get_build_info(prog, CL_PROGRAM_BUILD_OPTIONS, sizeof(text), text);
        ck_assert_int_eq(
            clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
            CL_SUCCESS);
    }
    return NULL;
}

START_TEST(queries_do_not_wait_for_builds)
{
    cl_program prog = make(source);
    pthread_t threads[THREADS];

    atomic_store(&stop, false);
    start(threads, ask, prog);
    for (int round = 0; round < 4; round++)
        ck_assert_int_eq(build(prog, round % 2 ? "-D ODD" : "-D EVEN -w"), CL_SUCCESS);
    atomic_store(&stop, true);
    join(threads);
    drop(prog);
}
END_TEST

static void *take_the_binary(void *arg)
{
    size_t size = 0;
    unsigned char *data;

    ck_assert_int_eq(
        clGetProgramInfo(arg, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
        CL_SUCCESS);
    data = malloc(size);
    ck_assert_int_eq(
        clGetProgramInfo(arg, CL_PROGRAM_BINARIES, sizeof(data), &data, NULL),
        CL_SUCCESS);
    drop(with_binary(data, size, NULL, NULL));
    free(data);
    return NULL;
}

START_TEST(threads_take_one_binary)
{
    cl_program prog = tf_api_program(source, NULL);
    pthread_t threads[THREADS];

    start(threads, take_the_binary, prog);
    join(threads);
    drop(prog);
}
END_TEST

static void *make_kernels(void *arg)
{
    for (int round = 0; round < 200; round++) {
        cl_kernel kernel = tf_api_kernel(arg, round % 2 ? "set" : "add");

        ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    }
    return NULL;
}

START_TEST(threads_make_kernels_of_one_program)
{
    cl_program prog = tf_api_program(source, NULL);
    pthread_t threads[THREADS];

    start(threads, make_kernels, prog);
    join(threads);
    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS); // none is attached any more
    drop(prog);
}
END_TEST

// ---- Callbacks ----

static atomic_int done;

// Uses the program and drops it: no lock may be held around the call.
static void CL_CALLBACK use_and_drop(cl_program prog, void *data)
{
    (void)data;
    ck_assert_int_eq(status_of(prog), CL_BUILD_SUCCESS);
    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
    atomic_fetch_add(&done, 1);
}

START_TEST(callbacks_may_use_build_and_release_their_program)
{
    atomic_store(&done, 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(clBuildProgram(make(source), 0, NULL, NULL, use_and_drop, NULL),
                         CL_SUCCESS);
    ck_assert(TEST_UNTIL(atomic_load(&done) == THREADS));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_threads");
    TCase *tests = tcase_create("program_threads");

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, threads_build_while_the_compiler_is_unloaded);
    tcase_add_test(tests, program_has_one_build_at_a_time);
    tcase_add_test(tests, queries_do_not_wait_for_builds);
    tcase_add_test(tests, threads_take_one_binary);
    tcase_add_test(tests, threads_make_kernels_of_one_program);
    tcase_add_test(tests, callbacks_may_use_build_and_release_their_program);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
