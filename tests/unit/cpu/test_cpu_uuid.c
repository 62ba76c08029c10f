// SPDX-License-Identifier: MIT
#include <check.h>
#include <string.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/facts/cpu_uuid.h"
#include "support/fake_root.h"
#include "support/suite.h"

static const struct tf_device_info cpu = {.name = "Some CPU", .vendor = "Somebody"};
static const struct tf_device_info other = {.name = "Other CPU", .vendor = "Somebody"};

START_TEST(machines_and_processors_differ)
{
    uint8_t bare[16], here[16], again[16], elsewhere[16], second[16];

    tf_cpu_uuid(root, &cpu, bare);
    put("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
    tf_cpu_uuid(root, &cpu, here);
    tf_cpu_uuid(root, &cpu, again);
    tf_cpu_uuid(root, &other, second);
    put("/etc/machine-id", "0123456789abcdef0123456789abcdee\n");
    tf_cpu_uuid(root, &cpu, elsewhere);
    ck_assert_mem_eq(here, again, 16);
    ck_assert_mem_ne(here, second, 16);
    ck_assert_mem_ne(here, bare, 16);
    ck_assert_mem_ne(here, elsewhere, 16);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_uuid");
    TCase *all = tcase_create("cpu_uuid");

    tcase_add_checked_fixture(all, make_root, remove_root);
    tcase_add_test(all, machines_and_processors_differ);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
