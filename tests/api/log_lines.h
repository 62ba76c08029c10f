// SPDX-License-Identifier: MIT
// What the library says of builds and code in its log (TREFOIL_LOG=build), for tests that
// count it. Included by one source file of each test program.
#ifndef TF_TESTS_API_LOG_LINES_H
#define TF_TESTS_API_LOG_LINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

static FILE *log_lines;

// The setting is read once, maybe when entry points are looked up.
__attribute__((constructor(101))) static void log_lines_set(void)
{
    setenv("TREFOIL_LOG", "build", 1);
}

// From here on they go to a file, as all of stderr does.
static inline void log_lines_begin(void)
{
    log_lines = tmpfile();
    ck_assert_ptr_nonnull(log_lines);
    ck_assert_int_ge(dup2(fileno(log_lines), STDERR_FILENO), 0);
}

// Lines so far that have the text in them.
static inline int log_lines_count(const char *text)
{
    char line[2000];
    int count = 0;

    // The descriptor that is written to shares its place with the one read from.
    rewind(log_lines);
    while (fgets(line, sizeof(line), log_lines))
        count += strstr(line, text) != NULL;
    fseek(log_lines, 0, SEEK_END);
    return count;
}

#endif // TF_TESTS_API_LOG_LINES_H
