// SPDX-License-Identifier: MIT
// Which launches store past the caches.
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/move/cpu_stream.h"
#include "support/suite.h"

static bool streams(uint32_t bytes, size_t x, size_t y, size_t z)
{
    const struct tf_fit fit = {.streamed_bytes = bytes};
    const size_t global[3] = {x, y, z};

    return tf_launch_streams(&fit, global);
}

START_TEST(launches_stream_from_so_many_bytes_on)
{
    ck_assert(streams(8, 1 << 17, 1, 1));
    ck_assert(!streams(8, (1 << 17) - 1, 1, 1));
    ck_assert(streams(8, 1 << 10, 1 << 4, 1 << 3));
    ck_assert(streams(8, SIZE_MAX, SIZE_MAX, SIZE_MAX));
}
END_TEST

START_TEST(code_without_such_stores_never_streams)
{
    ck_assert(!streams(0, SIZE_MAX, SIZE_MAX, 1));
    ck_assert(!streams(8, 0, 1 << 30, 1));
}
END_TEST

// Reads from files and pipes that this process has made; 0 where the system does not say.
static long reads(void)
{
    FILE *f = fopen("/proc/self/io", "re");
    char line[100];
    long count = 0;

    while (f && fgets(line, sizeof(line), f))
        sscanf(line, "syscr: %ld", &count);
    if (f)
        fclose(f);
    return count;
}

// What the caches are is read from a dozen files for each CPU: a first launch that no
// answer would make large does not wait for them.
START_TEST(small_launches_read_no_file)
{
    struct tf_device_info info;
    long once, before;

    unsetenv("TREFOIL_STREAM");
    tf_cpu_info_init(&info);
    before = reads();
    once = reads() - before;
    before = reads();
    ck_assert(!streams(8, 1 << 10, 1, 1));
    ck_assert_int_eq(reads() - before, once);
    ck_assert(streams(8, SIZE_MAX, SIZE_MAX, SIZE_MAX) || !info.cache_bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_stream");
    TCase *tcase = tcase_create("launches");

    setenv("TREFOIL_STREAM", "1", 1);
    tcase_add_test(tcase, launches_stream_from_so_many_bytes_on);
    tcase_add_test(tcase, code_without_such_stores_never_streams);
    tcase_add_test(tcase, small_launches_read_no_file);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
