// SPDX-License-Identifier: MIT
/*
 * Results.  A benchmark runs in a child process of its own, and reports each figure the
 * moment it has it, as a line on a pipe ("number <field> <value>" or "text <field>
 * <words>").  Whatever a driver does afterwards - crash, hang, exit - the parent keeps
 * what was reported before.
 */
#ifndef CLBENCH_REPORT_H
#define CLBENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// ---- in the child ----

/* The descriptor on which the parent listens. */
enum { REPORT_DESCRIPTOR = 3 };

void report_number(const char *field, double value);
void report_text(const char *field, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports the status ("error", "wrong_result", "unsupported") with its reason, and exits.
 */
_Noreturn void report_failure(const char *status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- in the parent ----

enum { RESULT_MAX_FIELDS = 32 };

struct field {
    char name[48];
    bool is_number;
    double number;
    char text[512];
};

struct result {
    const char *benchmark;
    size_t field_count;
    struct field fields[RESULT_MAX_FIELDS];
};

void result_add_line(struct result *result, const char *line);
void result_set_text(struct result *result, const char *name, const char *text);
void result_set_number(struct result *result, const char *name, double number);
const struct field *result_find(const struct result *result, const char *name);

/* "ok" when the child reported no other status. */
const char *result_status(const struct result *result);
bool result_is_ok(const struct result *result);

void json_write_string(FILE *file, const char *text);
void result_write_json(const struct result *result, FILE *file);

#endif
