// SPDX-License-Identifier: MIT
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/device.h"
#include "devices/cpu/cpu_uuid.h"
#include "support/suite.h"

static const struct tf_device_info cpu = {.name = "Some CPU", .vendor = "Somebody"};
static const struct tf_device_info other = {.name = "Other CPU", .vendor = "Somebody"};

static void set_machine(const char *root, const char *number)
{
    char path[200];
    FILE *f;

    snprintf(path, sizeof(path), "%s/etc", root);
    mkdir(path, 0777);
    snprintf(path, sizeof(path), "%s/etc/machine-id", root);
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(number, f);
    fclose(f);
}

START_TEST(machines_and_processors_differ)
{
    char root[] = "/tmp/trefoil-test-XXXXXX", command[100];
    uint8_t bare[16], here[16], again[16], elsewhere[16], second[16];

    ck_assert_ptr_nonnull(mkdtemp(root));
    tf_cpu_uuid(root, &cpu, bare);
    set_machine(root, "0123456789abcdef0123456789abcdef\n");
    tf_cpu_uuid(root, &cpu, here);
    tf_cpu_uuid(root, &cpu, again);
    tf_cpu_uuid(root, &other, second);
    set_machine(root, "0123456789abcdef0123456789abcdee\n");
    tf_cpu_uuid(root, &cpu, elsewhere);
    ck_assert_mem_eq(here, again, 16);
    ck_assert_mem_ne(here, second, 16);
    ck_assert_mem_ne(here, bare, 16);
    ck_assert_mem_ne(here, elsewhere, 16);
    snprintf(command, sizeof(command), "rm -r %s", root);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_uuid");
    TCase *all = tcase_create("cpu_uuid");

    tcase_add_test(all, machines_and_processors_differ);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
