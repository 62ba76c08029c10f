// SPDX-License-Identifier: MIT
// Which launches store past the caches.
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

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

int main(void)
{
    Suite *suite = suite_create("cpu_stream");
    TCase *tcase = tcase_create("launches");

    setenv("TREFOIL_STREAM", "1", 1);
    tcase_add_test(tcase, launches_stream_from_so_many_bytes_on);
    tcase_add_test(tcase, code_without_such_stores_never_streams);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
