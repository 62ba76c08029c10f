// SPDX-License-Identifier: MIT
// A folder that stands for the root of a machine: tests put the files of /sys, /proc and
// /etc into it that they need. For one test at a time, each in a process of its own.
#ifndef TF_TESTS_SUPPORT_FAKE_ROOT_H
#define TF_TESTS_SUPPORT_FAKE_ROOT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/trefoil-test-XXXXXX";

static void make_root(void)
{
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void remove_root(void)
{
    char command[100];

    snprintf(command, sizeof(command), "rm -r %s", root);
    ck_assert_int_eq(system(command), 0);
}

// Writes the file root/path ("/etc/..."), with the folders on the way to it.
static void put(const char *path, const char *text)
{
    char full[400];
    FILE *f;

    snprintf(full, sizeof(full), "%s%s", root, path);
    for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(full, 0777);
        *p = '/';
    }
    f = fopen(full, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

#endif // TF_TESTS_SUPPORT_FAKE_ROOT_H
