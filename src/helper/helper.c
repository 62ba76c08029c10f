// SPDX-License-Identifier: MIT
// trefoil-helper: a process that libtrefoil.so starts to compile in (doc/compiler.md,
// "Processes"). It finds a socket as descriptor 3 and takes one job after the other from
// it. It ends when no job comes for some seconds, when the application closes the socket
// or ends, and with whatever ends a compilation badly.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/compiler.h"
#include "abi/compiler_wire.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/frame.h"
#include "base/lib.h"
#include "base/thread.h"

enum { SOCKET = 3, REASON_BYTES = 300, IDLE_MS = 10000, WATCH_STACK_BYTES = 64 << 10 };

// Sanitizers reserve far more address space than any limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

// The compiler itself, in trefoil-helper-whole: it is linked with it, without the
// addresses that a library has to have set when it is loaded. NULL: it is opened as a
// library.
const struct tf_compiler *tf_compiler_entry(void) __attribute__((weak));

// Of address space, for a job's stack (compiler/job): no memory that is limited.
#define STACK_BYTES ((uint64_t)256 << 20)

static const struct tf_compiler *compiler;
static uint64_t own_bytes;                 // of address space, before the first job
static struct tf_kept_fd application_link; // of SOCKET

// ---- A process of its own ----

// As the application's main thread was allowed to: the thread that needed a compiler may
// be bound to one processor, or have a real-time priority.
static void take_schedule(pid_t application)
{
    const struct sched_param none = {0};
    cpu_set_t processors;

    (void)sched_setscheduler(0, SCHED_OTHER, &none);
    if (!sched_getaffinity(application, sizeof(processors), &processors))
        (void)sched_setaffinity(0, sizeof(processors), &processors);
}

static void leave_application(pid_t application)
{
    const struct rlimit no_core = {0, 0};
    sigset_t none;
    int null;

    (void)setsid(); // what is typed at the terminal is for the application
    for (int i = 1; i < NSIG; i++)
        (void)signal(i, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    null = open("/dev/null", O_RDWR);
    (void)dup2(null, STDIN_FILENO);
    (void)dup2(null, STDOUT_FILENO);
    // Somebody who asks for the compiler's text wants to see it.
    if (!tf_env_text(TF_ENV_DUMP) && !tf_env_text(TF_ENV_LOG))
        (void)dup2(null, STDERR_FILENO);
    if (syscall(SYS_close_range, SOCKET + 1, UINT_MAX, 0))
        for (int fd = SOCKET + 1; fd < 4096; fd++)
            close(fd);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    take_schedule(application);
    // Where the machine's memory ends, better this than the application.
    null = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (null >= 0) {
        (void)!write(null, "500", 3);
        close(null);
    }
}

static pid_t application_of(int fd)
{
    struct ucred peer = {0};
    socklen_t bytes = sizeof(peer);

    (void)getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
    return peer.pid;
}

// Ends the process with the application, also in the middle of a job. A process that the
// application forked may hold the other end of the socket, too: so its end is watched
// itself.
static void *watch(void *arg)
{
    struct pollfd ends[] = {{.fd = SOCKET, .events = POLLRDHUP},
                            {.fd = *(const int *)arg, .events = POLLIN}};

    while (poll(ends, 2, -1) < 0 && errno == EINTR)
        continue;
    _exit(0);
}

static void start_watch(pid_t application)
{
    static int process = -1;

    process = application > 0 ? (int)syscall(SYS_pidfd_open, application, 0) : -1;
    if (!tf_thread_start("trefoil-watch", WATCH_STACK_BYTES, watch, &process))
        _exit(1);
}

static uint64_t address_space_bytes(void)
{
    unsigned long long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");

    if (file) {
        if (fscanf(file, "%llu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// ---- Jobs ----

static void die(int number)
{
    const uint32_t word = (uint32_t)number;

    if (tf_frame_send(&application_link, TF_WIRE_DEATH, &word, sizeof(word),
                      TF_FRAME_NO_LIMIT) != TF_FRAME_OK)
        _exit(1);
    (void)dup2(SOCKET, STDERR_FILENO);
}

static void lower_limit(int resource, uint64_t value)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit))
        return;
    limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
    (void)setrlimit((__rlimit_resource_t)resource, &limit);
}

static void set_limits(const struct tf_wire_job *job)
{
    struct rusage used;

    // Each time: a folder of the name that the last job had may be another one now.
    if (!job->folder[0] || chdir(job->folder))
        (void)!chdir("/");
    getrusage(RUSAGE_SELF, &used);
    lower_limit(RLIMIT_CPU, (uint64_t)used.ru_utime.tv_sec +
                                (uint64_t)used.ru_stime.tv_sec + job->seconds + 1);
    if (LIMITS_MEMORY && own_bytes > 0)
        lower_limit(RLIMIT_AS,
                    own_bytes + STACK_BYTES + ((uint64_t)job->memory_mib << 20));
}

static enum tf_compiler_status compile(struct tf_wire *request, struct tf_wire *answer)
{
    struct tf_compile_in in = {0};
    struct tf_compile_out out = {0};
    enum tf_compiler_status status;

    tf_wire_compile_in(request, &in);
    if (request->failed || !in.device)
        _exit(1);
    status = compiler->compile(&in, &out);
    tf_wire_status(answer, &status);
    tf_wire_compile_out(answer, &out);
    compiler->release(out.bitcode.data);
    compiler->release(out.files.data);
    compiler->release(out.log);
    return status;
}

static enum tf_compiler_status link_program(struct tf_wire *request,
                                            struct tf_wire *answer)
{
    struct tf_link_in in = {0};
    struct tf_link_out out = {0};
    enum tf_compiler_status status;

    tf_wire_link_in(request, &in);
    if (request->failed || !in.device)
        _exit(1);
    status = compiler->link(&in, &out);
    tf_wire_status(answer, &status);
    tf_wire_link_out(answer, &out);
    compiler->release(out.bitcode.data);
    compiler->release(out.kernels.data);
    compiler->release(out.data.data);
    compiler->release(out.log);
    return status;
}

static enum tf_compiler_status generate(struct tf_wire *request, struct tf_wire *answer)
{
    struct tf_generate_in in = {0};
    struct tf_generate_out out = {0};
    enum tf_compiler_status status;

    tf_wire_generate_in(request, &in);
    if (request->failed)
        _exit(1);
    status = compiler->generate(&in, &out);
    tf_wire_status(answer, &status);
    tf_wire_generate_out(answer, &out);
    compiler->release(out.object.data);
    compiler->release(out.log);
    return status;
}

static void run_job(const struct tf_frame *frame)
{
    struct tf_wire request, answer = {0};
    struct tf_wire_job job = {0};
    enum tf_compiler_status status = TF_COMPILER_INTERNAL;

    tf_wire_read(&request, frame->data, frame->bytes);
    tf_wire_job(&request, &job);
    if (request.failed)
        _exit(1);
    set_limits(&job);
    if (frame->kind == TF_WIRE_COMPILE)
        status = compile(&request, &answer);
    else if (frame->kind == TF_WIRE_LINK)
        status = link_program(&request, &answer);
    else if (frame->kind == TF_WIRE_GENERATE)
        status = generate(&request, &answer);
    if (answer.failed) {
        tf_wire_finish(&answer);
        answer = (struct tf_wire){0};
        status = TF_COMPILER_NO_MEMORY;
        tf_wire_status(&answer, &status);
    }
    if (tf_frame_send(&application_link, TF_WIRE_ANSWER, answer.out.text,
                      answer.out.bytes, TF_FRAME_NO_LIMIT) != TF_FRAME_OK)
        _exit(1);
    tf_wire_finish(&request);
    tf_wire_finish(&answer);
}

static bool comes_in_time(void)
{
    struct pollfd p = {.fd = SOCKET, .events = POLLIN};
    int n;

    while ((n = poll(&p, 1, IDLE_MS)) < 0 && errno == EINTR)
        continue;
    return n != 0;
}

static void say_hello(const char *reason)
{
    struct tf_wire_hello hello = {.version = TF_WIRE_VERSION,
                                  .process = (uint32_t)getpid(),
                                  .abi = compiler ? compiler->abi : 0,
                                  .cpu_abi = compiler ? compiler->cpu_abi : 0,
                                  .reason = reason,
                                  .llvm_version = compiler ? compiler->llvm_version : "",
                                  .build_id = compiler ? compiler->build_id : ""};
    struct tf_wire w = {0};

    tf_wire_hello(&w, &hello);
    if (w.failed || tf_frame_send(&application_link, TF_WIRE_HELLO, w.out.text,
                                  w.out.bytes, TF_FRAME_NO_LIMIT) != TF_FRAME_OK)
        _exit(1);
    tf_wire_finish(&w);
}

static void open_compiler(const char *path)
{
    char reason[REASON_BYTES] = "";
    tf_compiler_entry_fn entry = tf_compiler_entry;

    if (tf_frame_send(&application_link, TF_WIRE_OPENING, NULL, 0, TF_FRAME_NO_LIMIT) !=
        TF_FRAME_OK)
        _exit(1);
    if (!entry)
        entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(
            path, TF_COMPILER_ENTRY_NAME, reason, sizeof(reason));
    compiler = entry ? entry() : NULL;
    own_bytes = address_space_bytes();
    if (compiler && compiler->abi == TF_COMPILER_ABI)
        compiler->own_process(die);
    say_hello(compiler ? "" : reason);
    if (!compiler || compiler->abi != TF_COMPILER_ABI)
        _exit(1);
}

int main(int argc, char **argv)
{
    const pid_t application = application_of(SOCKET);
    struct tf_frame frame;

    if (argc != 2 || application <= 0) {
        fprintf(stderr, "trefoil-helper is started by libtrefoil.so\n");
        return 2;
    }
    tf_kept_fd_set(&application_link, SOCKET);
    leave_application(application);
    start_watch(application);
    open_compiler(argv[1]);
    while (comes_in_time()) {
        if (tf_frame_receive(&application_link, &frame, TF_FRAME_NO_LIMIT) != TF_FRAME_OK)
            _exit(0);
        run_job(&frame);
        tf_free(frame.data);
    }
    (void)!tf_frame_send(&application_link, TF_WIRE_BYE, NULL, 0, TF_FRAME_NO_LIMIT);
    _exit(0);
}
