// SPDX-License-Identifier: MIT
#include "harness/table.h"

#include <string.h>

enum { COLUMN = 14 };

/* Fields that every result has, and that say nothing about the benchmark itself. */
static bool is_bookkeeping(const struct field *field)
{
    static const char *const names[] = {
        "process_ms", "peak_memory_MiB", "load_average", "rate", "runs", "exit_status"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(field->name, names[i]) == 0)
            return true;
    return !field->is_number;
}

static double number_of(const struct result *result, const char *name)
{
    const struct field *field = result_find(result, name);
    return field && field->is_number ? field->number : 0.0;
}

static bool is_kernel(const struct result *result)
{
    return strncmp(result->benchmark, "kernel/", 7) == 0;
}

static void print_kernel(FILE *file, const struct result *result)
{
    fprintf(file, "%9.2f ms, native/OpenCL %6.2f", number_of(result, "opencl_ms"),
            number_of(result, "ratio_native"));
    if (result_find(result, "ratio_tuned"))
        fprintf(file, ", tuned/OpenCL %6.2f", number_of(result, "ratio_tuned"));
    fprintf(file, ", first run %.1f ms", number_of(result, "first_run_ms"));
}

static void print_fields(FILE *file, const struct result *result)
{
    const char *separator = "";
    for (size_t i = 0; i < result->field_count; i++) {
        const struct field *field = &result->fields[i];
        if (is_bookkeeping(field))
            continue;
        fprintf(file, "%s%s %.4g", separator, field->name, field->number);
        separator = ", ";
    }
}

void table_print_line(FILE *file, const struct target *target,
                      const struct result *result)
{
    fprintf(file, "%-28s %-*s ", result->benchmark, COLUMN, target->label);
    if (!result_is_ok(result)) {
        const struct field *reason = result_find(result, "reason");
        fprintf(file, "%s: %.120s", result_status(result), reason ? reason->text : "");
    }
    if (!is_kernel(result))
        print_fields(file, result);
    else if (result_is_ok(result))
        print_kernel(file, result);
    fputc('\n', file);
    fflush(file);
}

static void print_heading(FILE *file, const char *title, const struct target *targets,
                          size_t target_count)
{
    fprintf(file, "\n%-46s", title);
    for (size_t t = 0; t < target_count; t++)
        fprintf(file, " %*.*s", COLUMN, COLUMN, targets[t].label);
    fputc('\n', file);
}

static void print_cell(FILE *file, const struct result *result, const char *field)
{
    if (result_find(result, field) && (result_is_ok(result) || !is_kernel(result)))
        fprintf(file, " %*.4g", COLUMN, number_of(result, field));
    else
        fprintf(file, " %*.*s", COLUMN, COLUMN,
                result_is_ok(result) ? "-" : result_status(result));
}

static void print_row(FILE *file, const char *name, const char *field,
                      const struct result *results, size_t target_count)
{
    fprintf(file, "%-46s", name);
    for (size_t t = 0; t < target_count; t++)
        print_cell(file, &results[t], field);
    fputc('\n', file);
}

static void print_kernel_matrix(FILE *file, const char *title, const char *field,
                                const struct target *targets, size_t target_count,
                                const struct result *results, size_t benchmark_count)
{
    bool has_heading = false;
    for (size_t b = 0; b < benchmark_count; b++) {
        const struct result *row = &results[b * target_count];
        bool has_field = false;
        for (size_t t = 0; t < target_count; t++)
            has_field |= result_find(&row[t], field) != NULL;
        if (!is_kernel(row) || !has_field)
            continue;
        if (!has_heading)
            print_heading(file, title, targets, target_count);
        has_heading = true;
        print_row(file, row->benchmark, field, row, target_count);
    }
}

/* One row per field that any target reported. */
static void print_field_rows(FILE *file, const struct result *row, size_t target_count)
{
    for (size_t t = 0; t < target_count; t++) {
        for (size_t i = 0; i < row[t].field_count; i++) {
            const struct field *field = &row[t].fields[i];
            bool printed_before = false;
            for (size_t earlier = 0; earlier < t; earlier++)
                printed_before |= result_find(&row[earlier], field->name) != NULL;
            if (printed_before || is_bookkeeping(field))
                continue;
            char name[128];
            snprintf(name, sizeof name, "%s %s", row->benchmark, field->name);
            print_row(file, name, field->name, row, target_count);
        }
    }
}

void table_print_summary(FILE *file, const struct target *targets, size_t target_count,
                         const struct result *results, size_t benchmark_count)
{
    bool has_heading = false;
    for (size_t b = 0; b < benchmark_count; b++) {
        const struct result *row = &results[b * target_count];
        if (is_kernel(row))
            continue;
        if (!has_heading)
            print_heading(file, "latency and bandwidth", targets, target_count);
        has_heading = true;
        print_field_rows(file, row, target_count);
    }
    print_kernel_matrix(file, "native time / OpenCL time", "ratio_native", targets,
                        target_count, results, benchmark_count);
    print_kernel_matrix(file, "tuned native time / OpenCL time", "ratio_tuned", targets,
                        target_count, results, benchmark_count);
    print_kernel_matrix(file, "OpenCL time, ms", "opencl_ms", targets, target_count,
                        results, benchmark_count);
    print_kernel_matrix(file, "build and first run, ms: build", "build_ms", targets,
                        target_count, results, benchmark_count);
    print_kernel_matrix(file, "first run", "first_run_ms", targets, target_count, results,
                        benchmark_count);
}
