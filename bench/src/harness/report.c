// SPDX-License-Identifier: MIT
#include "harness/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void send_line(const char *line)
{
    if (write(REPORT_DESCRIPTOR, line, strlen(line)) < 0)
        fputs(line, stdout); /* run by hand, without a parent */
}

void report_number(const char *field, double value)
{
    char line[128];
    snprintf(line, sizeof line, "number %s %.9g\n", field, value);
    send_line(line);
}

static void report_text_arguments(const char *field, const char *format,
                                  va_list arguments)
{
    char text[512], line[600];
    vsnprintf(text, sizeof text, format, arguments);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    snprintf(line, sizeof line, "text %s %s\n", field, text);
    send_line(line);
}

void report_text(const char *field, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_text_arguments(field, format, arguments);
    va_end(arguments);
}

_Noreturn void report_failure(const char *status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_text_arguments("reason", format, arguments);
    va_end(arguments);
    report_text("status", "%s", status);
    _exit(0); /* without the driver's exit handlers: they may hang after an error */
}

static struct field *find_or_add(struct result *result, const char *name)
{
    for (size_t i = 0; i < result->field_count; i++)
        if (strcmp(result->fields[i].name, name) == 0)
            return &result->fields[i];
    if (result->field_count == RESULT_MAX_FIELDS) {
        fprintf(stderr, "clbench: too many fields in %s\n", result->benchmark);
        exit(1);
    }
    struct field *field = &result->fields[result->field_count++];
    *field = (struct field){0};
    snprintf(field->name, sizeof field->name, "%s", name);
    return field;
}

void result_set_text(struct result *result, const char *name, const char *text)
{
    struct field *field = find_or_add(result, name);
    field->is_number = false;
    snprintf(field->text, sizeof field->text, "%s", text);
}

void result_set_number(struct result *result, const char *name, double number)
{
    struct field *field = find_or_add(result, name);
    field->is_number = true;
    field->number = number;
}

void result_add_line(struct result *result, const char *line)
{
    char kind[8], name[48];
    int value_at = 0;
    if (sscanf(line, "%7s %47s %n", kind, name, &value_at) < 2)
        return;
    if (strcmp(kind, "number") == 0)
        result_set_number(result, name, strtod(line + value_at, NULL));
    else if (strcmp(kind, "text") == 0)
        result_set_text(result, name, line + value_at);
}

const struct field *result_find(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->field_count; i++)
        if (strcmp(result->fields[i].name, name) == 0)
            return &result->fields[i];
    return NULL;
}

const char *result_status(const struct result *result)
{
    const struct field *status = result_find(result, "status");
    return status ? status->text : "ok";
}

bool result_is_ok(const struct result *result)
{
    return strcmp(result_status(result), "ok") == 0;
}

void json_write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20 || *c >= 0x7f)
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

void result_write_json(const struct result *result, FILE *file)
{
    fprintf(file, "{\"benchmark\": ");
    json_write_string(file, result->benchmark);
    fprintf(file, ", \"status\": ");
    json_write_string(file, result_status(result));
    for (size_t i = 0; i < result->field_count; i++) {
        const struct field *field = &result->fields[i];
        if (strcmp(field->name, "status") == 0)
            continue;
        fprintf(file, ", ");
        json_write_string(file, field->name);
        fprintf(file, ": ");
        if (!field->is_number)
            json_write_string(file, field->text);
        else if (isfinite(field->number))
            fprintf(file, "%.6g", field->number);
        else
            fprintf(file, "null");
    }
    fprintf(file, "}");
}
