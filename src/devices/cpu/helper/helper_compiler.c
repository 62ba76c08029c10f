// SPDX-License-Identifier: MIT
#include "devices/cpu/helper/helper_compiler.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/compiler_wire.h"
#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/frame.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/helper/helper_pool.h"

enum {
    REASON_BYTES = 300,
    TEXT_BYTES = 3000,
    PATH_BYTES = 4096,
    DEFAULT_SECONDS = 300,
    LEAST_MIB = 1024,
    MOST_MIB = 8192,
};
#define NS_PER_S ((uint64_t)1000000000u)
// A helper that died may say how far it was; it has so long for that.
#define LAST_WORDS_NS (3 * NS_PER_S)

static const struct tf_compiler *(*in_this_process)(void);

// One call of the table.
struct job {
    enum tf_wire_kind kind;
    const char *kernel; // or NULL
    struct tf_wire_job limits;
    char *folder; // PATH_BYTES; NULL: not asked for, or no memory
    struct tf_wire request;
    struct tf_frame answer;
    struct tf_wire result; // of the answer
    struct tf_str log;     // why there is none
};

enum outcome {
    ANSWERED,
    NOT_BEGUN, // the helper had ended before
    ENDED,     // without a word: something outside may have killed it
    FAILED,    // there is a reason in the log
    NO_HELPER,
};

// ---- What is said of failures ----

static void add_where(struct job *job)
{
    if (job->kind == TF_WIRE_COMPILE)
        tf_str_add(&job->log, " in the front end");
    else if (job->kind == TF_WIRE_LINK)
        tf_str_add(&job->log, " while linking");
    else
        tf_str_printf(&job->log, " in code generation of kernel %s",
                      job->kernel ? job->kernel : "");
}

static const char *signal_text(uint32_t number)
{
    switch (number) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGILL:
        return "illegal instruction";
    case SIGFPE:
        return "arithmetic exception";
    case SIGABRT:
        return "aborted";
    case SIGTRAP:
        return "trap";
    default:
        return "signal";
    }
}

// The helper's last words are lines of the passes that it was in. It was beside itself:
// only what can be printed is kept.
static void add_notes(struct tf_str *log, const char *text)
{
    while (*text) {
        const size_t bytes = strcspn(text, "\n");

        if (bytes > 0) {
            tf_str_add(log, "note: ");
            for (size_t i = 0; i < bytes; i++)
                tf_str_add_bytes(log, text[i] >= ' ' && text[i] <= '~' ? &text[i] : " ",
                                 1);
            tf_str_add(log, "\n");
        }
        text += bytes + (text[bytes] == '\n');
    }
}

static void explain_death(struct job *job, const struct tf_kept_fd *link)
{
    char *const text = tf_zalloc(TEXT_BYTES);
    uint32_t number = 0;

    if (job->answer.bytes >= sizeof(number))
        memcpy(&number, job->answer.data, sizeof(number));
    if (number == SIGXCPU)
        tf_str_printf(&job->log, "error: the compiler needed more than %u s",
                      job->limits.seconds);
    else
        tf_str_printf(&job->log, "error: the compiler crashed (%s %u)",
                      signal_text(number), number);
    add_where(job);
    tf_str_add(&job->log, "\n");
    if (text) {
        (void)tf_frame_rest(link, text, TEXT_BYTES, tf_time_ns() + LAST_WORDS_NS);
        add_notes(&job->log, text);
    }
    tf_free(text);
}

static void explain_no_answer(struct job *job, const char *what)
{
    tf_str_printf(&job->log, "error: the compiler's process %s", what);
    add_where(job);
    tf_str_add(&job->log, "\n");
}

// ---- One job ----

static uint64_t deadline_ns(const struct job *job)
{
    // Of time, not of processor time: for a helper that is stopped or waits for ever.
    return tf_time_ns() + (job->limits.seconds * (uint64_t)20 + 60) * NS_PER_S;
}

static enum outcome receive_answer(struct job *job, const struct tf_kept_fd *link,
                                   uint64_t until_ns)
{
    switch (tf_frame_receive(link, &job->answer, until_ns)) {
    case TF_FRAME_OK:
        break;
    case TF_FRAME_END:
        return ENDED;
    case TF_FRAME_CUT:
        explain_no_answer(job, "ended");
        return FAILED;
    case TF_FRAME_LATE:
        explain_no_answer(job, "does not answer");
        return FAILED;
    case TF_FRAME_NO_MEMORY:
        explain_no_answer(job, "sent more than there is memory for");
        return FAILED;
    }
    if (job->answer.kind == TF_WIRE_ANSWER)
        return ANSWERED;
    if (job->answer.kind == TF_WIRE_BYE)
        return NOT_BEGUN;
    if (job->answer.kind == TF_WIRE_DEATH)
        explain_death(job, link);
    else
        explain_no_answer(job, "sent what is no answer");
    return FAILED;
}

static enum outcome ask(struct job *job, struct tf_helper *helper)
{
    const struct tf_kept_fd *link = tf_helper_link(helper);
    uint64_t until_ns = deadline_ns(job);

    // What cannot be sent was not begun, but a helper that dies while it reads may have
    // left a word.
    switch (tf_frame_send(link, job->kind, job->request.out.text, job->request.out.bytes,
                          until_ns)) {
    case TF_FRAME_NO_MEMORY:
        explain_no_answer(job, "does not take so long a program");
        return FAILED;
    case TF_FRAME_LATE:
        explain_no_answer(job, "does not listen");
        return FAILED;
    case TF_FRAME_END:
    case TF_FRAME_CUT:
        until_ns = tf_time_ns() + LAST_WORDS_NS;
        break;
    case TF_FRAME_OK:
        break;
    }
    return receive_answer(job, link, until_ns);
}

// Two attempts: a helper may end of idleness while the job is on its way, or be killed by
// somebody who did not mean the application, and all the others with it. What crashes is
// not tried again.
static enum outcome attempt(struct job *job)
{
    enum outcome outcome = NO_HELPER;

    for (int n = 0; n < 2 && (n == 0 || outcome == NOT_BEGUN || outcome == ENDED); n++) {
        char reason[REASON_BYTES] = "";
        struct tf_helper *const helper = tf_helper_take(n > 0, reason, sizeof(reason));

        if (!helper) {
            tf_log(TF_LOG_ERROR, "no process to compile in: %s", reason);
            tf_str_printf(&job->log, "error: no process to compile in: %s\n", reason);
            return NO_HELPER;
        }
        outcome = ask(job, helper);
        if (outcome == ANSWERED) {
            enum tf_compiler_status status = TF_COMPILER_OK;

            tf_wire_read(&job->result, job->answer.data, job->answer.bytes);
            tf_wire_status(&job->result, &status);
            // After such an end memory of the job is lost to the helper.
            if (status == TF_COMPILER_NO_MEMORY || status == TF_COMPILER_INTERNAL)
                tf_helper_drop(helper);
            else
                tf_helper_give(helper);
            tf_wire_read(&job->result, job->answer.data, job->answer.bytes);
            return ANSWERED;
        }
        tf_free(job->answer.data);
        job->answer = (struct tf_frame){0};
        tf_helper_drop(helper);
    }
    if (outcome == ENDED || outcome == NOT_BEGUN) {
        explain_no_answer(job, "ended without a word (killed, or out of memory)");
        outcome = FAILED;
    }
    return outcome;
}

// A GiB, and a thousand bytes for each byte that comes in: what takes more is made to. Up
// to half of the machine's memory.
static uint32_t default_memory_mib(uint64_t input_bytes)
{
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    const uint64_t half_mib = pages * (uint64_t)sysconf(_SC_PAGESIZE) >> 21;
    const uint64_t wanted_mib = LEAST_MIB + (input_bytes >> 10);
    const uint64_t most_mib = half_mib < LEAST_MIB  ? LEAST_MIB
                              : half_mib > MOST_MIB ? MOST_MIB
                                                    : half_mib;

    return (uint32_t)(wanted_mib < most_mib ? wanted_mib : most_mib);
}

static void begin(struct job *job, enum tf_wire_kind kind, uint64_t input_bytes)
{
    memset(job, 0, sizeof(*job));
    job->kind = kind;
    // The front end reads files; their names may be relative.
    if (kind == TF_WIRE_COMPILE)
        job->folder = tf_zalloc(PATH_BYTES);
    job->limits.folder =
        job->folder && getcwd(job->folder, PATH_BYTES) ? job->folder : "";
    job->limits.seconds =
        (uint32_t)tf_env_number(TF_ENV_COMPILE_SECONDS, DEFAULT_SECONDS);
    job->limits.memory_mib = (uint32_t)tf_env_number(
        TF_ENV_COMPILE_MEMORY, (long)default_memory_mib(input_bytes));
    tf_wire_job(&job->request, &job->limits);
}

static enum outcome run(struct job *job)
{
    TF_UNCANCELLED;

    return job->request.failed ? FAILED : attempt(job);
}

static void finish(struct job *job)
{
    tf_wire_finish(&job->request);
    tf_wire_finish(&job->result);
    tf_free(job->answer.data);
    tf_free(job->folder);
    tf_str_finish(&job->log);
}

// The status and log of a job without a usable result.
static enum tf_compiler_status give_up(struct job *job, char **log)
{
    *log = tf_str_take(&job->log);
    return *log && **log ? TF_COMPILER_INTERNAL : TF_COMPILER_NO_MEMORY;
}

// Memory that ended in the helper is no lack of memory here.
static enum tf_compiler_status conclude(struct job *job, enum tf_compiler_status status,
                                        char **log)
{
    if (status != TF_COMPILER_NO_MEMORY)
        return status;
    tf_str_add(&job->log, *log ? *log : "");
    tf_free(*log);
    tf_str_printf(&job->log, "error: the compiler ran out of memory (limit %u MiB)",
                  job->limits.memory_mib);
    add_where(job);
    tf_str_add(&job->log, "\n");
    return give_up(job, log);
}

// ---- The table ----

union result {
    struct tf_compile_out compiled;
    struct tf_link_out linked;
    struct tf_generate_out generated;
};

// What the three functions of the table differ in.
struct stage {
    enum tf_wire_kind kind;
    void (*write)(struct tf_wire *, const void *in);
    uint64_t (*bytes)(const void *in); // of programs
    void (*result)(struct tf_wire *, union result *);
    enum tf_compiler_status (*here)(const struct tf_compiler *, const void *in,
                                    union result *);
    // Leaves zeros.
    void (*release)(union result *, void (*release)(void *));
    char **(*log)(union result *);
};

static void write_compile(struct tf_wire *w, const void *in)
{
    struct tf_compile_in copy = *(const struct tf_compile_in *)in;

    tf_wire_compile_in(w, &copy);
}

static uint64_t compile_bytes(const void *in)
{
    const struct tf_compile_in *const compile = in;
    uint64_t bytes = compile->source_bytes;

    for (size_t i = 0; i < compile->header_count; i++)
        bytes += compile->headers[i].text_bytes;
    return bytes;
}

static void compile_result(struct tf_wire *w, union result *out)
{
    tf_wire_compile_out(w, &out->compiled);
}

static enum tf_compiler_status compile_here(const struct tf_compiler *table,
                                            const void *in, union result *out)
{
    return table->compile(in, &out->compiled);
}

static void release_compiled(union result *out, void (*release)(void *))
{
    release(out->compiled.bitcode.data);
    release(out->compiled.files.data);
    release(out->compiled.log);
    memset(out, 0, sizeof(*out));
}

static char **compile_log(union result *out)
{
    return &out->compiled.log;
}

static void write_link(struct tf_wire *w, const void *in)
{
    struct tf_link_in copy = *(const struct tf_link_in *)in;

    tf_wire_link_in(w, &copy);
}

static uint64_t link_bytes(const void *in)
{
    const struct tf_link_in *const link = in;
    uint64_t bytes = 0;

    for (size_t i = 0; i < link->module_count; i++)
        bytes += link->modules[i].bytes;
    return bytes;
}

static void link_result(struct tf_wire *w, union result *out)
{
    tf_wire_link_out(w, &out->linked);
}

static enum tf_compiler_status link_here(const struct tf_compiler *table, const void *in,
                                         union result *out)
{
    return table->link(in, &out->linked);
}

static void release_linked(union result *out, void (*release)(void *))
{
    release(out->linked.bitcode.data);
    release(out->linked.kernels.data);
    release(out->linked.data.data);
    release(out->linked.log);
    memset(out, 0, sizeof(*out));
}

static char **link_log(union result *out)
{
    return &out->linked.log;
}

static void write_generate(struct tf_wire *w, const void *in)
{
    struct tf_generate_in copy = *(const struct tf_generate_in *)in;

    tf_wire_generate_in(w, &copy);
}

static uint64_t generate_bytes(const void *in)
{
    const struct tf_generate_in *const generate = in;

    return generate->bitcode.bytes;
}

static void generate_result(struct tf_wire *w, union result *out)
{
    tf_wire_generate_out(w, &out->generated);
}

static enum tf_compiler_status generate_here(const struct tf_compiler *table,
                                             const void *in, union result *out)
{
    return table->generate(in, &out->generated);
}

static void release_generated(union result *out, void (*release)(void *))
{
    release(out->generated.object.data);
    release(out->generated.log);
    memset(out, 0, sizeof(*out));
}

static char **generate_log(union result *out)
{
    return &out->generated.log;
}

static const struct stage compile_stage = {
    TF_WIRE_COMPILE, write_compile,    compile_bytes, compile_result,
    compile_here,    release_compiled, compile_log};
static const struct stage link_stage = {TF_WIRE_LINK, write_link, link_bytes,
                                        link_result,  link_here,  release_linked,
                                        link_log};
static const struct stage generate_stage = {
    TF_WIRE_GENERATE, write_generate,    generate_bytes, generate_result,
    generate_here,    release_generated, generate_log};

// The compiler in this process. Its memory is its own: the result takes the same way
// through bytes as that of a helper.
static enum tf_compiler_status run_here(const struct stage *stage, struct job *job,
                                        const void *in, union result *out)
{
    const struct tf_compiler *const table = in_this_process ? in_this_process() : NULL;
    union result theirs = {0};
    struct tf_wire w = {0}, back;
    enum tf_compiler_status status;

    if (!table)
        return give_up(job, stage->log(out));
    status = stage->here(table, in, &theirs);
    stage->result(&w, &theirs);
    stage->release(&theirs, table->release);
    tf_wire_read(&back, w.out.text, w.out.bytes);
    stage->result(&back, out);
    if (w.failed || back.failed) {
        stage->release(out, tf_free);
        status = TF_COMPILER_NO_MEMORY;
    }
    tf_wire_finish(&w);
    tf_wire_finish(&back);
    return status;
}

static enum tf_compiler_status read_result(const struct stage *stage, struct job *job,
                                           union result *out)
{
    enum tf_compiler_status status = TF_COMPILER_INTERNAL;

    tf_wire_status(&job->result, &status);
    stage->result(&job->result, out);
    if (!job->result.failed)
        return conclude(job, status, stage->log(out));
    stage->release(out, tf_free);
    explain_no_answer(job, "sent a damaged answer");
    return give_up(job, stage->log(out));
}

static enum tf_compiler_status run_stage(const struct stage *stage, const char *kernel,
                                         const void *in, union result *out)
{
    enum tf_compiler_status status;
    struct job job;

    begin(&job, stage->kind, stage->bytes(in));
    job.kernel = kernel;
    stage->write(&job.request, in);
    switch (run(&job)) {
    case ANSWERED:
        status = read_result(stage, &job, out);
        break;
    case NO_HELPER:
        status = run_here(stage, &job, in, out);
        break;
    case NOT_BEGUN:
    case ENDED:
    case FAILED:
    default:
        status = give_up(&job, stage->log(out));
        break;
    }
    finish(&job);
    return status;
}

static enum tf_compiler_status compile(const struct tf_compile_in *in,
                                       struct tf_compile_out *out)
{
    union result result = {0};
    const enum tf_compiler_status status = run_stage(&compile_stage, NULL, in, &result);

    *out = result.compiled;
    return status;
}

static enum tf_compiler_status link_program(const struct tf_link_in *in,
                                            struct tf_link_out *out)
{
    union result result = {0};
    const enum tf_compiler_status status = run_stage(&link_stage, NULL, in, &result);

    *out = result.linked;
    return status;
}

static enum tf_compiler_status generate(const struct tf_generate_in *in,
                                        struct tf_generate_out *out)
{
    union result result = {0};
    const enum tf_compiler_status status =
        run_stage(&generate_stage, in->kernel, in, &result);

    *out = result.generated;
    return status;
}

static struct tf_helper_facts facts;
static struct tf_compiler table = {
    .abi = TF_COMPILER_ABI,
    .cpu_abi = TF_CPU_ABI_VERSION,
    .llvm_version = facts.llvm_version,
    .build_id = facts.build_id,
    .compile = compile,
    .link = link_program,
    .generate = generate,
    .release = tf_free,
};

const struct tf_compiler *tf_helper_compiler(const char *program, const char *library,
                                             const struct tf_compiler *(*otherwise)(void),
                                             char *reason, size_t reason_bytes)
{
    struct tf_helper *first;

    in_this_process = otherwise;
    tf_helper_pool_set(program, library);
    first = tf_helper_take(false, reason, reason_bytes);
    if (!first)
        return NULL;
    tf_helper_give(first);
    facts = tf_helper_pool_facts();
    return &table;
}
