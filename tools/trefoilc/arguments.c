// SPDX-License-Identifier: MIT
#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct emit emits[] = {
    {"bc", NULL, AFTER_COMPILE},        {"ll", "frontend", AFTER_COMPILE},
    {"spirv", NULL, AFTER_COMPILE},     {"library", NULL, AFTER_LINK},
    {"binary", NULL, AFTER_ALL},        {"linked", NULL, AFTER_LINK},
    {"table", NULL, AFTER_LINK},        {"link", "link", AFTER_LINK},
    {"cleanup", "cleanup", AFTER_LINK}, {"obj", NULL, AFTER_GENERATE},
    {"gang", "gang", AFTER_GENERATE},   {"lowered", "wg", AFTER_GENERATE},
    {"asm", "asm", AFTER_GENERATE},     {"shape", "shape", AFTER_GENERATE},
    {"split", "split", AFTER_GENERATE}, {"cfg", "cfg", AFTER_GENERATE},
    {"plan", "plan", AFTER_GENERATE},
};

static const char *value_of(const char *arg, const char *name)
{
    const size_t bytes = strlen(name);

    return !strncmp(arg, name, bytes) ? arg + bytes : NULL;
}

static const struct emit *find_emit(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof emits / sizeof *emits; i++)
        if (strlen(emits[i].name) == bytes && !memcmp(emits[i].name, name, bytes))
            return &emits[i];
    return NULL;
}

// "cfg,shape": each is a text that --emit= names, too.
static bool take_stages(struct arguments *args, const char *list)
{
    for (const char *at = list; at;) {
        const size_t bytes = strcspn(at, ",");
        const struct emit *const stage = find_emit(at, bytes);

        if (!stage || !stage->dump)
            return false;
        tf_str_printf(&args->stages, "%s,", stage->dump);
        at = at[bytes] ? at + bytes + 1 : NULL;
    }
    args->printed = (struct emit){"-p", args->stages.text, AFTER_GENERATE};
    args->emit = &args->printed;
    return !args->stages.failed;
}

static bool take_form(struct arguments *args, const char *name)
{
    args->form = !strcmp(name, "loops")         ? TF_WG_LOOPS
                 : !strcmp(name, "simt")        ? TF_WG_SIMT
                 : !strcmp(name, "fibers")      ? TF_WG_FIBERS
                 : !strcmp(name, "gang_fibers") ? TF_WG_GANG_FIBERS
                                                : TF_WG_AUTO;
    return args->form != TF_WG_AUTO || !strcmp(name, "auto");
}

// 0 stands for "as fits".
static bool take_power(uint32_t *out, const char *text, unsigned long most)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);

    *out = (uint32_t)value;
    return *text && !*end && value <= most && (value & (value - 1)) == 0;
}

// Of levels; which of them this build has code for, the driver knows.
static bool take_isa(struct arguments *args, const char *list)
{
    static const char *const names[] = {"sse2", "sse4.2", "avx2", "avx512", "all"};

    args->isa = list;
    for (const char *at = list; at;) {
        const size_t bytes = strcspn(at, ",");
        bool known = false;

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            known |= strlen(names[i]) == bytes && !memcmp(names[i], at, bytes);
        if (!known)
            return false;
        at = at[bytes] ? at + bytes + 1 : NULL;
    }
    return true;
}

// "64", "16x4", "8x4x2". A size that a kernel demands is the only one it has.
static bool take_group(uint32_t size[3], const char *text)
{
    bool more = true;

    for (int d = 0; d < 3; d++) {
        char *end = NULL;
        const unsigned long value = more ? strtoul(text, &end, 10) : 1;

        if (more && (*text < '1' || *text > '9' || value > 4096))
            return false;
        size[d] = (uint32_t)value;
        more = more && *end == 'x';
        if (!more && end && *end)
            return false;
        text = more ? end + 1 : text;
    }
    return !more;
}

static bool take_budget(struct arguments *args, const char *text)
{
    char *end;
    const unsigned long ms = strtoul(text, &end, 10);

    args->budget_ms = (uint32_t)ms;
    return *text >= '0' && *text <= '9' && !*end && ms <= UINT32_MAX;
}

void add_option(struct tf_str *options, const char *word)
{
    tf_str_add(options, " \"");
    for (; *word; word++)
        tf_str_printf(options, "%s%c", strchr("\"\\", *word) ? "\\" : "", *word);
    tf_str_add(options, "\"");
}

// What is a link's business, too; the compilations settle everything else.
static bool is_for_links(const char *word)
{
    return !strcmp(word, "-cl-trefoil-report") || value_of(word, "-cl-trefoil-check=");
}

static void take_build_option(struct arguments *args, const char *word)
{
    add_option(&args->options, word);
    if (is_for_links(word))
        add_option(&args->link_options, word);
}

// Options of one word. False: it is none of ours; `*ok`: its value makes sense.
static bool take_word(struct arguments *args, const char *word, bool *ok)
{
    const char *value;

    if ((value = value_of(word, "--emit=")))
        *ok = (args->emit = find_emit(value, strlen(value)));
    else if ((value = value_of(word, "--kernel=")))
        args->kernel = value;
    else if ((value = value_of(word, "--cpu=")))
        args->cpu = value;
    else if ((value = value_of(word, "--isa=")))
        *ok = take_isa(args, value);
    else if ((value = value_of(word, "--form=")))
        *ok = take_form(args, value);
    else if ((value = value_of(word, "--width=")))
        *ok = take_power(&args->width, value, 64);
    else if ((value = value_of(word, "--pack=")))
        *ok = take_power(&args->pack_rows, value, 4);
    else if ((value = value_of(word, "--group=")))
        *ok = take_group(args->local_size, value);
    else if (!strcmp(word, "--report")) {
        args->report = true;
        take_build_option(args, "-cl-trefoil-report");
    } else if (!strcmp(word, "--check"))
        setenv("TREFOIL_CHECK_LANES", "1", 1); // read at its first use
    else if (!strcmp(word, "--quick"))
        args->quick = true;
    else if ((value = value_of(word, "--budget=")))
        *ok = take_budget(args, value);
    else if (!strcmp(word, "--times"))
        args->times = true;
    else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        args->help = true;
    else
        return false;
    return true;
}

static bool take_input(struct arguments *args, const char *path)
{
    if (args->input_count == MAX_INPUTS)
        return false;
    args->inputs[args->input_count++] = path;
    return true;
}

static bool fits_together(const struct arguments *args)
{
    if (args->input_count > 1 && args->emit->last_stage == AFTER_COMPILE) {
        fprintf(stderr, "trefoilc: --emit=%s takes one file; several: library\n",
                args->emit->name);
        return false;
    }
    if (args->input_count == 0 && !args->help)
        fprintf(stderr, "trefoilc: no file; see --help\n");
    return args->input_count > 0 || args->help;
}

bool arguments_parse(struct arguments *args, int argc, char **argv)
{
    args->emit = find_emit("table", strlen("table"));
    for (int i = 1; i < argc; i++) {
        const char *const word = argv[i];
        bool ok = true;

        if (take_word(args, word, &ok)) {
        } else if (!strcmp(word, "-p")) {
            ok = ++i < argc && take_stages(args, argv[i]);
        } else if (!strcmp(word, "-o")) {
            ok = ++i < argc && (args->output = argv[i]);
        } else if (word[0] == '-' && word[1]) {
            take_build_option(args, word);
            if ((!strcmp(word, "-D") || !strcmp(word, "-I")) && i + 1 < argc)
                add_option(&args->options, argv[++i]);
        } else {
            ok = take_input(args, word);
        }
        if (!ok) {
            fprintf(stderr, "trefoilc: %s %s; see --help\n", word,
                    i < argc ? "makes no sense here" : "is the last word");
            return false;
        }
    }
    return fits_together(args);
}

void arguments_finish(struct arguments *args)
{
    tf_str_finish(&args->options);
    tf_str_finish(&args->link_options);
    tf_str_finish(&args->stages);
}
