// SPDX-License-Identifier: MIT
#include "compiler/front/frontend_options.h"

#include <ctype.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/check_record.h"
#include "base/alloc.h"
#include "compiler/front/frontend_macros.h"

#define IN_COMPILE TF_OPTIONS_COMPILE
#define IN_LINK TF_OPTIONS_LINK
#define IN_BOTH (TF_OPTIONS_COMPILE | TF_OPTIONS_LINK)

// Options without a value. Those with `clang` false are legal and need nothing done here:
// -cl-denorms-are-zero only permits flushing, -cl-strict-aliasing is out of use,
// argument information and aliasing rules are always on.
struct flag {
    const char *name;
    unsigned uses;
    bool clang;    // passed on under the same name
    bool fuses;    // lets a * b + c be one operation across statements, too
    unsigned math; // what it allows every operation
};

enum {
    UNSAFE = LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros |
             LLVMFastMathAllowReciprocal | LLVMFastMathAllowContract |
             LLVMFastMathApproxFunc,
    FINITE = LLVMFastMathNoNaNs | LLVMFastMathNoInfs,
};

static const struct flag flags[] = {
    {"-cl-single-precision-constant", IN_COMPILE, true, false, 0},
    {"-cl-denorms-are-zero", IN_BOTH, false, false, 0},
    {"-cl-fp32-correctly-rounded-divide-sqrt", IN_COMPILE, true, false, 0},
    {"-cl-opt-disable", IN_COMPILE, false, false, 0},
    {"-cl-strict-aliasing", IN_COMPILE, false, false, 0},
    {"-cl-uniform-work-group-size", IN_COMPILE, true, false, 0},
    {"-cl-no-subgroup-ifp", IN_BOTH, false, false, 0},
    {"-cl-mad-enable", IN_COMPILE, true, true, LLVMFastMathAllowContract},
    {"-cl-no-signed-zeros", IN_BOTH, true, false, LLVMFastMathNoSignedZeros},
    {"-cl-no-signed-zeroes", IN_LINK, false, false, LLVMFastMathNoSignedZeros},
    {"-cl-unsafe-math-optimizations", IN_BOTH, true, true, UNSAFE},
    {"-cl-finite-math-only", IN_BOTH, true, false, FINITE},
    {"-cl-fast-relaxed-math", IN_BOTH, true, true, UNSAFE | FINITE},
    {"-cl-kernel-arg-info", IN_COMPILE, false, false, 0},
    {"-w", IN_COMPILE, true, false, 0},
    {"-Werror", IN_COMPILE, true, false, 0},
    {"-g", IN_COMPILE, false, false, 0},
    {"-gline-tables-only", IN_COMPILE, false, false, 0},
    {"-cl-trefoil-report", IN_BOTH, false, false, 0},
    {"-cl-trefoil-zero-private", IN_COMPILE, false, false, 0},
    {"-create-library", IN_LINK, false, false, 0},
    {"-enable-link-options", IN_LINK, false, false, 0},
};

struct parser {
    const char *at;
    enum tf_options_use use;
    bool is_il;
    const struct tf_compiler_device *device;
    struct tf_frontend_options *out;
    struct tf_str *log;
    bool link_options_enabled;
};

static enum tf_compiler_status refuse(struct parser *p, const char *what,
                                      const char *option)
{
    tf_str_printf(p->log, "error: %s: '%s'\n", what, option);
    return TF_COMPILER_BAD_OPTIONS;
}

// Takes the next word from the text: blanks end it, single and double quotes hold them, a
// backslash takes a blank, a quote or a backslash as it is. `*word` is NULL at the end.
static enum tf_compiler_status next_word(struct parser *p, char **word)
{
    const char *at = p->at;
    char quote = 0;
    char *out;

    *word = NULL;
    while (isspace((unsigned char)*at))
        at++;
    if (!*at)
        return TF_COMPILER_OK;
    out = *word = tf_zalloc(strlen(at) + 1);
    if (!out)
        return TF_COMPILER_NO_MEMORY;
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (*at == '\\' && at[1] && strchr("\\\"' \t", at[1]))
            *out++ = *++at;
        else if (*at == quote)
            quote = 0;
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
        else
            *out++ = *at;
    }
    p->at = at;
    return quote ? refuse(p, "quote without an end", *word) : TF_COMPILER_OK;
}

// -D name, -D name=text, -D name(args)=text
static bool macro_ok(const char *text)
{
    size_t i = 0;

    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    while (isalnum((unsigned char)text[i]) || text[i] == '_')
        i++;
    return !text[i] || text[i] == '=' || text[i] == '(';
}

static enum tf_compiler_status take_value(struct parser *p, const char *option,
                                          const char *value)
{
    if (!value || !*value)
        return refuse(p, "option needs a value", option);
    if (option[1] == 'D' && !macro_ok(value))
        return refuse(p, "not a macro name", value);
    tf_args_add(&p->out->args, option);
    tf_args_add(&p->out->args, value);
    return TF_COMPILER_OK;
}

static enum tf_compiler_status take_standard(struct parser *p, const char *word)
{
    // C++ for OpenCL 1.0 and 2021 contain OpenCL C 2.0 and 3.0 (but for blocks).
    static const struct {
        const char *name;
        uint32_t version, cxx;
    } standards[] = {
        {"CL1.0", 100, 0},   {"CL1.1", 110, 0},      {"CL1.2", 120, 0},
        {"CL2.0", 200, 0},   {"CL3.0", 300, 0},      {"CL3.1", 310, 0},
        {"CLC++", 200, 100}, {"CLC++1.0", 200, 100}, {"CLC++2021", 300, 202100},
    };
    const char *const name = word + strlen("-cl-std=");

    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        const char *lacks;

        if (strcmp(name, standards[i].name) != 0)
            continue;
        lacks = p->is_il ? NULL
                         : tf_frontend_standard_lacks(p->device, standards[i].version,
                                                      standards[i].cxx != 0);
        if (lacks && *lacks)
            tf_str_printf(p->log, "OpenCL C 2.0 needs %s.\n", lacks);
        if (lacks)
            return refuse(p, "the device does not offer this language version", word);
        p->out->opencl_c = standards[i].version;
        p->out->cxx = standards[i].cxx;
        return TF_COMPILER_OK;
    }
    return refuse(p, "unknown language version", word);
}

// Of a module: all that -x and -spir-std say is known from its bytes.
static enum tf_compiler_status take_spir_version(struct parser *p, const char *word)
{
    return !p->is_il ? refuse(p, "unknown build option", word)
           : strcmp(word, "-spir-std=1.2") != 0
               ? refuse(p, "unknown version of SPIR", word)
               : TF_COMPILER_OK;
}

static bool language_ok(const struct parser *p, const char *name)
{
    return name && (p->is_il ? !strcmp(name, "spir")
                             : !strcmp(name, "cl") || !strcmp(name, "clc"));
}

static enum tf_compiler_status take_flag(struct parser *p, const char *word)
{
    const struct flag *flag = NULL;

    for (size_t i = 0; i < sizeof flags / sizeof *flags && !flag; i++)
        if (!strcmp(word, flags[i].name))
            flag = &flags[i];
    if (!flag)
        return refuse(p, "unknown build option", word);
    if (!(flag->uses & p->use))
        return refuse(
            p, p->use == TF_OPTIONS_LINK ? "not a link option" : "only a link option",
            word);
    // The meaning of code is settled when it is compiled: math options at the link of
    // compiled objects are legal and change nothing.
    if (flag->clang && p->use == TF_OPTIONS_COMPILE)
        tf_args_add(&p->out->args, word);
    if (flag->fuses && p->use == TF_OPTIONS_COMPILE)
        tf_args_add(&p->out->args, "-ffp-contract=fast-honor-pragmas");
    if (!strcmp(word, "-cl-trefoil-zero-private")) {
        p->out->zero_private = true;
        tf_args_add(&p->out->args, "-ftrivial-auto-var-init=zero");
    }
    p->out->uniform_groups |= !strcmp(word, "-cl-uniform-work-group-size");
    p->out->debug_info |= !strcmp(word, "-g");
    p->out->lines |= !strcmp(word, "-g") || !strcmp(word, "-gline-tables-only");
    p->out->debug_form |= !strcmp(word, "-g") || !strcmp(word, "-cl-opt-disable");
    p->out->warnings_are_errors |= !strcmp(word, "-Werror");
    p->out->fast_math |= flag->math;
    p->out->report |= !strcmp(word, "-cl-trefoil-report");
    p->out->create_library |= !strcmp(word, "-create-library");
    p->link_options_enabled |= !strcmp(word, "-enable-link-options");
    return TF_COMPILER_OK;
}

// -cl-trefoil-check=memory,races: work-items as the source has them, with lines.
static enum tf_compiler_status take_checks(struct parser *p, const char *word)
{
    const char *unknown = NULL;

    p->out->checks |= tf_check_modes(word + strlen(TF_CHECK_OPTION), &unknown);
    p->out->debug_form |= p->out->checks != 0;
    return unknown ? refuse(p, "unknown check", unknown) : TF_COMPILER_OK;
}

static enum tf_compiler_status take_word(struct parser *p, const char *word)
{
    enum tf_compiler_status status;
    char *value = NULL;

    if (!strncmp(word, "-cl-std=", strlen("-cl-std=")))
        return p->use == TF_OPTIONS_COMPILE ? take_standard(p, word)
                                            : refuse(p, "not a link option", word);
    if (!strncmp(word, "-spir-std=", strlen("-spir-std=")))
        return take_spir_version(p, word);
    if (!strncmp(word, TF_CHECK_OPTION, strlen(TF_CHECK_OPTION)))
        return take_checks(p, word);
    if (strncmp(word, "-D", 2) != 0 && strncmp(word, "-I", 2) != 0 &&
        strcmp(word, "-x") != 0)
        return take_flag(p, word);
    if (p->use != TF_OPTIONS_COMPILE)
        return refuse(p, "not a link option", word);
    if (word[2])
        return take_value(p, word[1] == 'D' ? "-D" : "-I", word + 2);
    status = next_word(p, &value);
    if (status == TF_COMPILER_OK && word[1] != 'x')
        status = take_value(p, word, value);
    else if (status == TF_COMPILER_OK && !language_ok(p, value))
        status = refuse(p, "unknown language", value ? value : word);
    tf_free(value);
    return status;
}

enum tf_compiler_status tf_frontend_options_parse(const char *text,
                                                  enum tf_options_use use,
                                                  const struct tf_compiler_device *device,
                                                  struct tf_frontend_options *out,
                                                  struct tf_str *log)
{
    const bool is_il = use == TF_OPTIONS_COMPILE_IL;
    struct parser p = {.at = text,
                       .use = is_il ? TF_OPTIONS_COMPILE : use,
                       .is_il = is_il,
                       .device = device,
                       .out = out,
                       .log = log};
    enum tf_compiler_status status;
    char *word;

    memset(out, 0, sizeof *out);
    out->opencl_c = 120; // without -cl-std: the highest 1.x (OpenCL C 3.0, 5.8.6.5)
    do {
        status = next_word(&p, &word);
        if (status == TF_COMPILER_OK && word)
            status = take_word(&p, word);
        tf_free(word);
    } while (status == TF_COMPILER_OK && word);
    if (status == TF_COMPILER_OK && p.link_options_enabled && !out->create_library)
        status = refuse(&p, "only together with -create-library", "-enable-link-options");
    if (out->args.failed)
        status = TF_COMPILER_NO_MEMORY;
    return status;
}

void tf_frontend_options_finish(struct tf_frontend_options *options)
{
    tf_args_finish(&options->args);
}
