// SPDX-License-Identifier: MIT
// trefoil-info: what this machine offers, what the OpenCL loader shows of Trefoil on it,
// or why it shows nothing; every environment variable with its value; and whether kernels
// run, in every form and with every level of instructions.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "base/env.h"
#include "info_device.h"
#include "info_library.h"
#include "info_machine.h"
#include "info_output.h"
#include "info_self_test.h"
#include "trefoil-info-help.h"

enum { MAX_DEVICES = 64, BAD_COMMAND_LINE = 2 };

static void print_environment(bool as_json)
{
    out_section("environment", NULL);
    for (int var = 0; var < TF_ENV_COUNT; var++) {
        const struct tf_env_entry *entry = tf_env_entry((enum tf_env)var);
        const char *unknown = tf_env_unknown((enum tf_env)var);
        const char *value = tf_env_text((enum tf_env)var);
        const char *shown = unknown ? unknown : value;

        if (!as_json) {
            printf("%s%s%s%s\n    %s\n", entry->name, shown ? "=" : "",
                   shown ? shown : "",
                   !unknown ? ""
                   : value  ? "  (ignored: the words that it does not know)"
                            : "  (unknown: ignored)",
                   entry->help);
            continue;
        }
        out_section(entry->name, NULL);
        if (value)
            out_text("value", value);
        else
            out_nothing("value");
        if (unknown)
            out_text("unknown", unknown);
        out_text("help", entry->help);
        out_section_end();
    }
    out_section_end();
}

static bool print_all(bool only_list)
{
    cl_device_id devices[MAX_DEVICES];
    cl_uint others, count = 0;
    const cl_platform_id platform = find_platform(&others);

    if (platform)
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count);
    if (!only_list) {
        print_machine();
        if (platform)
            print_library(platform);
        out_sections("devices");
    }
    for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
        if (only_list)
            print_device_line(devices[i]);
        else
            print_device(devices[i]);
    }
    if (!only_list)
        out_sections_end();
    if (!platform)
        explain_no_platform(others);
    return count > 0;
}

enum what { ALL, LIST, ENVIRONMENT, SELF_TEST, SELF_TEST_HERE, HELP };

static bool read_arguments(int argc, char **argv, bool *as_json, enum what *what)
{
    static const char *const names[] = {[LIST] = "--list",
                                        [ENVIRONMENT] = "--env",
                                        [SELF_TEST] = "--self-test",
                                        [SELF_TEST_HERE] = "--self-test=here",
                                        [HELP] = "--help"};

    *what = ALL;
    *as_json = false;
    for (int i = 1; i < argc; i++) {
        enum what asked = ALL;

        if (!strcmp(argv[i], "--json")) {
            *as_json = true;
            continue;
        }
        if (!strcmp(argv[i], "-h"))
            asked = HELP;
        for (enum what w = LIST; w <= HELP; w++)
            if (!strcmp(argv[i], names[w]))
                asked = w;
        if (asked == ALL || *what != ALL) {
            fprintf(stderr, "trefoil-info: %s makes no sense here\n", argv[i]);
            return false;
        }
        *what = asked;
    }
    if (!*as_json || (*what != LIST && *what != SELF_TEST_HERE && *what != HELP))
        return true;
    fprintf(stderr, "trefoil-info: --json makes no sense with %s\n", names[*what]);
    return false;
}

int main(int argc, char **argv)
{
    bool as_json, is_fine = true;
    enum what what;

    if (!read_arguments(argc, argv, &as_json, &what)) {
        fputs(usage_text, stderr);
        return BAD_COMMAND_LINE;
    }
    if (what == HELP)
        return fputs(help_text, stdout) < 0 || fflush(stdout);
    if (what == SELF_TEST_HERE)
        return self_test_here() ? EXIT_SUCCESS : EXIT_FAILURE;
    out_start(as_json);
    if (what == ENVIRONMENT)
        print_environment(as_json);
    else if (what == SELF_TEST)
        is_fine = self_test_all(argv[0]);
    else
        is_fine = print_all(what == LIST);
    return out_finish() && is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
