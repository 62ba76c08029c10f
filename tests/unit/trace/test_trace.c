// SPDX-License-Identifier: MIT
// Each test lets a child write a trace, by its exit(), and reads it.
#include "trace/trace.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "support/suite.h"
#include "trace/trace_chunk.h"

enum { THREADS = 4, RECORDS = 800, TEXT_BYTES = 1 << 20 };

static char path[64];
static char text[TEXT_BYTES];

static const char *take_file(const char *from)
{
    FILE *file = fopen(from, "re");
    size_t n;

    ck_assert_ptr_nonnull(file);
    n = fread(text, 1, sizeof(text) - 1, file);
    text[n] = '\0';
    fclose(file);
    unlink(from);
    return text;
}

// Lets a child that calls `work` leave its trace at `path`. The child's number.
static pid_t trace(void (*work)(void))
{
    int status;
    pid_t child;

    snprintf(path, sizeof(path), "/tmp/trefoil-trace-%ld.json", (long)getpid());
    setenv("TREFOIL_TRACE", path, 1);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        work();
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    return child;
}

static const char *trace_of(void (*work)(void))
{
    trace(work);
    return take_file(path);
}

static unsigned count(const char *in, const char *what)
{
    unsigned n = 0;

    for (const char *at = strstr(in, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

static void put_command(uint64_t id, uint64_t start_ns, uint64_t end_ns)
{
    tf_trace_put(&(struct tf_trace_record){.kind = TF_TRACE_COMMAND,
                                           .name = "copy",
                                           .note = "copy",
                                           .id = id,
                                           .number = 7,
                                           .queued_ns = start_ns,
                                           .start_ns = start_ns,
                                           .end_ns = end_ns});
}

static void overlap(void)
{
    const uint64_t now_ns = tf_time_ns() + 1000000;

    if (!tf_trace_on())
        _exit(1);
    put_command(1, now_ns, now_ns + 1500);
    put_command(2, now_ns + 1000, now_ns + 2000);
    put_command(3, now_ns + 1500, now_ns + 3000);
    tf_trace_put(
        &(struct tf_trace_record){.kind = TF_TRACE_DEPENDENCY, .id = 3, .amount = 1});
    tf_trace_put(
        &(struct tf_trace_record){.kind = TF_TRACE_DEPENDENCY, .id = 3, .amount = 99});
}

START_TEST(commands_that_overlap_have_lanes)
{
    const char *got = trace_of(overlap);

    ck_assert_uint_eq(count(got, "\"tid\":112,\"args\":{\"type\""), 2); // 7 * 16
    ck_assert_uint_eq(count(got, "\"tid\":112,\"ts\""), 2); // two ends of an arrow
    ck_assert_uint_eq(count(got, "\"tid\":113,\"args\":{\"type\""), 1);
    ck_assert_uint_eq(count(got, "\"queue 7\""), 1);
    ck_assert_uint_eq(count(got, "\"queue 7, lane 2\""), 1);
    ck_assert_uint_eq(count(got, "\"dur\":1.500}"), 2);
}
END_TEST

START_TEST(arrows_join_commands_that_are_known)
{
    const char *got = trace_of(overlap);

    ck_assert_uint_eq(count(got, "\"ph\":\"s\""), 1);
    ck_assert_uint_eq(count(got, "\"ph\":\"f\""), 1);
}
END_TEST

static void *put_stages(void *unused)
{
    for (int i = 0; i < RECORDS; i++)
        tf_trace_stage("stage", tf_trace_start(), i % 2);
    return unused;
}

static void work_in_threads(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, put_stages, NULL))
            _exit(1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

START_TEST(no_record_of_a_thread_is_lost)
{
    const char *got = trace_of(work_in_threads);

    ck_assert_uint_eq(count(got, "\"name\":\"stage\""), THREADS * RECORDS);
    ck_assert_uint_eq(count(got, "\"code\":-1}"), THREADS * RECORDS / 2);
    ck_assert_str_eq(got + strlen(got) - 4, "\n]}\n");
}
END_TEST

static const uint64_t amounts[] = {0,    9,    10,         99,        100,
                                   1000, 9999, 9999999999, 123456789, UINT64_MAX};

static void put_amounts(void)
{
    for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts) && tf_trace_on(); i++)
        tf_trace_put(&(struct tf_trace_record){
            .kind = TF_TRACE_MOVE, .name = "move", .note = "move", .amount = amounts[i]});
}

START_TEST(numbers_have_all_their_digits)
{
    const char *got = trace_of(put_amounts);

    for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
        char wanted[48];

        snprintf(wanted, sizeof(wanted), "\"bytes\":%llu}",
                 (unsigned long long)amounts[i]);
        ck_assert_uint_eq(count(got, wanted), 1);
    }
}
END_TEST

enum { NAMES = 70, LONG_NAME = 400 };

// What events have in common is kept for a few of them only: these take it from each
// other.
static void put_many_names(void)
{
    static const uint8_t kinds[] = {TF_TRACE_WORK, TF_TRACE_COMMAND, TF_TRACE_MOVE};
    char name[LONG_NAME + 1] = "";

    if (!tf_trace_on())
        _exit(1);
    for (int i = 0; i < 4 * NAMES; i++) {
        snprintf(name, sizeof(name), "name %d", i / 4);
        for (size_t k = 0; k < sizeof(kinds); k++)
            tf_trace_put(&(struct tf_trace_record){.kind = kinds[k],
                                                   .name = tf_trace_name(name),
                                                   .note = i % 2 ? "one" : "two",
                                                   .number = 7});
    }
    for (int i = 0; i < NAMES; i++) { // nothing but the name is another
        snprintf(name, sizeof(name), "name %d", i);
        tf_trace_put(&(struct tf_trace_record){
            .kind = TF_TRACE_WORK, .name = tf_trace_name(name), .note = "three"});
    }
    memset(name, 'n', LONG_NAME);
    for (int i = 0; i < 2; i++)
        tf_trace_put(&(struct tf_trace_record){
            .kind = TF_TRACE_WORK, .name = tf_trace_name(name), .note = "three"});
}

START_TEST(each_event_has_its_own_name_kind_and_note)
{
    static const char *const parts[] = {"\"code\":\"one\"", "\"code\":\"two\"",
                                        "\"type\":\"one\"", "\"type\":\"two\"",
                                        "\"bytes\":0}"};
    const char *got = trace_of(put_many_names);

    for (int i = 0; i < NAMES; i++) {
        char wanted[64];

        snprintf(wanted, sizeof(wanted), "\"name\":\"name %d\",\"cat\":\"command\"", i);
        ck_assert_uint_eq(count(got, wanted), 4);
        snprintf(wanted, sizeof(wanted), "\"name\":\"name %d\",\"cat\":\"work\"", i);
        ck_assert_uint_eq(count(got, wanted), 9);
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        ck_assert_uint_eq(count(got, parts[i]), i == 4 ? 4 * NAMES : 2 * NAMES);
    ck_assert_uint_eq(count(got, "nnnn\",\"cat\":\"work\""), 2);
    ck_assert_uint_eq(count(got, "\"code\":\"three\""), NAMES + 2);
}
END_TEST

static void *put_across_chunks(void *unused)
{
    pthread_setname_np(pthread_self(), "one name");
    for (int i = 0; i < 3 * TF_TRACE_CHUNK; i++)
        tf_trace_stage("stage", tf_trace_start(), true);
    return unused;
}

static void fill_chunks(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, put_across_chunks, NULL))
        _exit(1);
    pthread_join(thread, NULL);
}

START_TEST(records_stay_in_order_and_a_thread_is_named_once)
{
    const char *got = trace_of(fill_chunks);
    double before = 0, now;

    ck_assert_uint_eq(count(got, "one name"), 1);
    for (const char *at = strstr(got, "\"ts\":"); at; at = strstr(at + 1, "\"ts\":")) {
        ck_assert_int_eq(sscanf(at, "\"ts\":%lf", &now), 1);
        ck_assert(now >= before);
        before = now;
    }
}
END_TEST

static void name_twice(void)
{
    char name[] = "na\"me\n";
    const char *first = tf_trace_name(name), *second = tf_trace_name("na\"me\n");
    uint64_t number;

    if (first == name || first != second)
        _exit(1);
    tf_trace_stage(first, tf_trace_start(), true);
    number = tf_trace_number();
    if (number == 0 || tf_trace_number() == number)
        _exit(1);
}

START_TEST(names_are_kept_once_and_shown_as_plain_text)
{
    ck_assert_uint_eq(count(trace_of(name_twice), "\"name\":\"na?me?\""), 1);
}
END_TEST

static void put_work(uint64_t id, const char *code, uint64_t start_ns)
{
    tf_trace_put(&(struct tf_trace_record){.kind = TF_TRACE_WORK,
                                           .name = "of_two_codes",
                                           .note = code,
                                           .id = id,
                                           .amount = 1,
                                           .start_ns = start_ns,
                                           .end_ns = start_ns + 100});
}

// Queues overtake each other: the command that was made first begins last. The table goes
// where the trace's name and ".table" say.
static void put_works_out_of_order(void)
{
    const uint64_t now_ns = tf_time_ns() + 1000000;
    char table[sizeof(path) + 8];

    snprintf(table, sizeof(table), "%s.table", path);
    if (!tf_trace_on() || !freopen(table, "we", stderr))
        _exit(1);
    put_work(1, "later code", now_ns + 5000);
    put_work(2, "early code", now_ns);
}

START_TEST(the_table_shows_the_code_of_the_latest_launch)
{
    char table[sizeof(path) + 8];
    const char *got;

    trace(put_works_out_of_order);
    unlink(path);
    snprintf(table, sizeof(table), "%s.table", path);
    got = take_file(table);
    ck_assert_uint_eq(count(got, "of_two_codes"), 1);
    ck_assert_uint_eq(count(got, "later code, before other code"), 1);
}
END_TEST

static void be_written_over(void)
{
    FILE *file;

    if (!tf_trace_on())
        _exit(1);
    put_command(1, tf_time_ns(), tf_time_ns() + 10);
    file = fopen(path, "we"); // by another program with the same variable
    if (!file || fputs("other\n", file) < 0 || fclose(file) != 0)
        _exit(1);
}

START_TEST(a_file_that_another_process_writes_is_left_to_it)
{
    const pid_t child = trace(be_written_over);
    char own[128];

    snprintf(own, sizeof(own), "%s.%ld", path, (long)child);
    ck_assert_str_eq(take_file(path), "other\n");
    ck_assert_uint_eq(count(take_file(own), "\"copy\""), 2);
    ck_assert_str_eq(text + strlen(text) - 4, "\n]}\n");
    ck_assert_uint_eq(count(text, "traceEvents"), 1);
}
END_TEST

static void put_one(void)
{
    if (!tf_trace_on())
        _exit(1);
    put_command(1, tf_time_ns(), tf_time_ns() + 10);
}

// As a process does that is stopped while it writes.
START_TEST(a_file_that_another_process_holds_is_left_to_it)
{
    char own[128];
    FILE *file;
    pid_t child;

    snprintf(path, sizeof(path), "/tmp/trefoil-trace-%ld.json", (long)getpid());
    file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs("other\n", file), 0);
    ck_assert_int_eq(fflush(file), 0);
    ck_assert_int_eq(flock(fileno(file), LOCK_EX), 0);
    child = trace(put_one);
    fclose(file);
    snprintf(own, sizeof(own), "%s.%ld", path, (long)child);
    ck_assert_str_eq(take_file(path), "other\n");
    ck_assert_uint_eq(count(take_file(own), "\"copy\""), 2);
    ck_assert_str_eq(text + strlen(text) - 4, "\n]}\n");
}
END_TEST

START_TEST(without_the_variable_it_is_off)
{
    unsetenv("TREFOIL_TRACE");
    ck_assert(!tf_trace_on());
    ck_assert_uint_eq(tf_trace_start(), 0);
    tf_trace_stage("stage", 0, true);
    ck_assert_int_eq(atomic_load(&tf_trace_state), TF_TRACE_OFF);
}
END_TEST

START_TEST(a_path_that_cannot_be_written_is_off)
{
    setenv("TREFOIL_TRACE", "/dev/full", 1);
    ck_assert(!tf_trace_on());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace");
    TCase *tests = tcase_create("trace");

    tcase_add_test(tests, commands_that_overlap_have_lanes);
    tcase_add_test(tests, arrows_join_commands_that_are_known);
    tcase_add_test(tests, no_record_of_a_thread_is_lost);
    tcase_add_test(tests, numbers_have_all_their_digits);
    tcase_add_test(tests, each_event_has_its_own_name_kind_and_note);
    tcase_add_test(tests, records_stay_in_order_and_a_thread_is_named_once);
    tcase_add_test(tests, names_are_kept_once_and_shown_as_plain_text);
    tcase_add_test(tests, the_table_shows_the_code_of_the_latest_launch);
    tcase_add_test(tests, a_file_that_another_process_writes_is_left_to_it);
    tcase_add_test(tests, a_file_that_another_process_holds_is_left_to_it);
    tcase_add_test(tests, without_the_variable_it_is_off);
    tcase_add_test(tests, a_path_that_cannot_be_written_is_off);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
