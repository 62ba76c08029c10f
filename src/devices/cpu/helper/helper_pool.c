// SPDX-License-Identifier: MIT
#include "devices/cpu/helper/helper_pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/compiler_wire.h"
#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/frame.h"
#include "base/kept_fd.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/helper/helper_rights.h"
#include "devices/cpu/helper/helper_spawn.h"

#define MAX_HELPERS 64
#define LEAST_HELPERS 2
#define HELLO_LIMIT_NS ((uint64_t)60 * 1000000000u)
#define REAP_LIMIT_NS ((uint64_t)2 * 1000000000u)
#define REAP_STEP_MS 500
#define WAIT_BY_PIDFD ((idtype_t)3) // P_PIDFD: not in every header
#define PATH_BYTES 4096

enum helper_state { FREE, STARTING, IDLE, BUSY };

struct tf_helper {
    enum helper_state state; // under the pool's lock
    struct tf_kept_fd link;
    struct tf_kept_fd its_end; // of the link, while it starts
    struct tf_kept_fd child;   // the process where it is a child of ours: to reap it
    struct tf_hash rights;
};

static struct {
    struct tf_mutex lock;
    struct tf_cond changed;
    struct tf_helper helpers[MAX_HELPERS] TF_GUARDED_BY(&lock);
    unsigned used TF_GUARDED_BY(&lock); // of those before it some may be FREE
    bool knows_facts TF_GUARDED_BY(&lock);
    struct tf_helper_facts facts TF_GUARDED_BY(&lock);
    char program[PATH_BYTES], library[PATH_BYTES]; // set once
    atomic_bool library_ends_it;                   // the helper that was started last
} pool = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .changed = TF_COND_INITIALIZER};

void tf_helper_pool_set(const char *program, const char *library)
{
    snprintf(pool.program, sizeof(pool.program), "%s", program);
    snprintf(pool.library, sizeof(pool.library), "%s", library);
}

const struct tf_kept_fd *tf_helper_link(const struct tf_helper *helper)
{
    return &helper->link;
}

// ---- Starting ----

// What the program needs of the environment, and nothing that was meant for the
// application (LD_PRELOAD). The texts are those that this process goes by.
#define MAX_ENVIRONMENT (TF_ENV_COUNT + 8)

static void add_variable(char **out, size_t *count, const char *name, const char *value)
{
    const size_t bytes = strlen(name) + strlen(value) + 2;
    char *const text = tf_zalloc(bytes);

    if (!text)
        return;
    snprintf(text, bytes, "%s=%s", name, value);
    out[(*count)++] = text;
}

static void make_environment(char *out[MAX_ENVIRONMENT + 1])
{
    static const char *const others[] = {"LD_LIBRARY_PATH", "ASAN_OPTIONS",
                                         "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"};
    size_t count = 0;

    for (int i = 0; i < TF_ENV_COUNT; i++)
        if (tf_env_text(i))
            add_variable(out, &count, tf_env_entry(i)->name, tf_env_text(i));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (getenv(others[i]))
            add_variable(out, &count, others[i], getenv(others[i]));
    out[count] = NULL;
}

static bool start_program(int fd, char *reason, size_t reason_bytes)
{
    char *const argv[] = {pool.program, pool.library, NULL};
    char *envp[MAX_ENVIRONMENT + 1] = {NULL};
    int error;

    if (!tf_helper_may_spawn()) {
        snprintf(reason, reason_bytes, "children are of another process namespace");
        return false;
    }
    make_environment(envp);
    error = tf_helper_spawn(pool.program, argv, envp, fd);
    for (size_t i = 0; envp[i]; i++)
        tf_free(envp[i]);
    if (error)
        snprintf(reason, reason_bytes, "%.150s: %s", pool.program, strerror(error));
    return !error;
}

// The helpers of a process run one library, also after another one was installed: what
// one of them made another one reads.
static bool agree(const struct tf_wire_hello *hello)
{
    bool same;

    tf_lock(&pool.lock);
    if (!pool.knows_facts) {
        snprintf(pool.facts.llvm_version, sizeof(pool.facts.llvm_version), "%s",
                 hello->llvm_version);
        snprintf(pool.facts.build_id, sizeof(pool.facts.build_id), "%s", hello->build_id);
        pool.knows_facts = true;
    }
    same = !strcmp(pool.facts.build_id, hello->build_id);
    tf_unlock(&pool.lock);
    return same;
}

// Where this process is what init is to others (the first of a container, a "subreaper")
// the program has become its child. -1: it has not.
static int own_child(pid_t process)
{
    const int fd = (int)syscall(SYS_pidfd_open, process, 0);
    siginfo_t info;

    if (fd >= 0 &&
        waitid(WAIT_BY_PIDFD, (id_t)fd, &info, WEXITED | WNOHANG | WNOWAIT | __WALL)) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool take_hello(struct tf_helper *helper, const struct tf_frame *frame,
                       char *reason, size_t reason_bytes)
{
    struct tf_wire_hello hello = {0};
    struct tf_wire w;
    bool ok = false;

    tf_wire_read(&w, frame->data, frame->bytes);
    tf_wire_hello(&w, &hello);
    if (frame->kind != TF_WIRE_HELLO || hello.version != TF_WIRE_VERSION)
        snprintf(reason, reason_bytes, "%.150s is of another version", pool.program);
    else if (w.failed)
        snprintf(reason, reason_bytes, "%.150s does not answer", pool.program);
    else if (hello.reason[0])
        snprintf(reason, reason_bytes, "%.250s", hello.reason);
    else if (hello.abi != TF_COMPILER_ABI || hello.cpu_abi != TF_CPU_ABI_VERSION)
        snprintf(reason, reason_bytes, "%.150s is of another version of Trefoil",
                 pool.library);
    else if (!agree(&hello))
        snprintf(reason, reason_bytes, "%.150s has changed: start the program anew",
                 pool.library);
    else
        ok = true;
    if (ok)
        tf_kept_fd_set(&helper->child, own_child((pid_t)hello.process));
    tf_wire_finish(&w);
    return ok;
}

// Nothing of the library has run before it is opened, so what ends the helper then would
// end this process, too.
static bool receive_hello(struct tf_helper *helper, struct tf_frame *frame, char *reason,
                          size_t reason_bytes)
{
    const uint64_t until_ns = tf_time_ns() + HELLO_LIMIT_NS;
    enum tf_frame_result status = tf_frame_receive(&helper->link, frame, until_ns);
    bool opening = false;

    if (status == TF_FRAME_OK && frame->kind == TF_WIRE_OPENING) {
        opening = true;
        tf_free(frame->data);
        status = tf_frame_receive(&helper->link, frame, until_ns);
    }
    atomic_store(&pool.library_ends_it, opening && status != TF_FRAME_OK);
    if (status == TF_FRAME_OK)
        return true;
    if (opening)
        snprintf(reason, reason_bytes,
                 "the compiler's library is damaged: %.150s ends when it opens it",
                 pool.program);
    else
        snprintf(reason, reason_bytes, "%.150s ended at once", pool.program);
    return false;
}

bool tf_helper_library_is_damaged(void)
{
    return atomic_load(&pool.library_ends_it);
}

static bool start(struct tf_helper *helper, char *reason, size_t reason_bytes)
{
    struct tf_frame frame;
    int ends[2];
    bool ok;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        snprintf(reason, reason_bytes, "socketpair: %s", strerror(errno));
        return false;
    }
    for (int i = 0; i < 2; i++)
        ends[i] = tf_fd_above_streams(ends[i]);
    if (ends[0] < 0 || ends[1] < 0) {
        snprintf(reason, reason_bytes, "fcntl: %s", strerror(errno));
        for (int i = 0; i < 2; i++)
            if (ends[i] >= 0)
                close(ends[i]);
        return false;
    }
    tf_kept_fd_set(&helper->link, ends[0]);
    tf_kept_fd_set(&helper->its_end, ends[1]); // a child of a fork must not keep it open
    helper->rights = tf_helper_rights();
    if (tf_kept_fd(&helper->link) < 0 || tf_kept_fd(&helper->its_end) < 0) {
        snprintf(reason, reason_bytes, "fstat: %s", strerror(errno));
        return false;
    }
    ok = start_program(ends[1], reason, reason_bytes);
    tf_kept_fd_close(&helper->its_end);
    if (!ok)
        return false;
    if (!receive_hello(helper, &frame, reason, reason_bytes))
        return false;
    ok = take_hello(helper, &frame, reason, reason_bytes);
    tf_free(frame.data);
    return ok;
}

// ---- The pool ----

static unsigned most_helpers(void)
{
    static atomic_long known; // the C library reads a file for it
    long processors = atomic_load_explicit(&known, memory_order_relaxed);

    if (processors == 0) {
        processors = sysconf(_SC_NPROCESSORS_ONLN);
        atomic_store_explicit(&known, processors, memory_order_relaxed);
    }
    return processors < LEAST_HELPERS ? LEAST_HELPERS
           : processors > MAX_HELPERS ? MAX_HELPERS
                                      : (unsigned)processors;
}

// An idle one, else a free place; NULL when all are at work.
static struct tf_helper *find(unsigned most, bool *idle) TF_REQUIRES(&pool.lock)
{
    struct tf_helper *place = NULL;

    *idle = false;
    for (unsigned i = 0; i < most; i++) {
        struct tf_helper *const helper = &pool.helpers[i];

        if (helper->state == IDLE) {
            *idle = true;
            return helper;
        }
        if (helper->state == FREE && !place)
            place = helper;
    }
    return place;
}

static void leave(struct tf_helper *helper, enum helper_state state)
{
    tf_lock(&pool.lock);
    helper->state = state;
    tf_cond_signal_all(&pool.changed);
    tf_unlock(&pool.lock);
}

// A child that somebody stopped, or that hangs in the kernel, does not notice that its
// link is closed. It is not waited for without limit: a zombie is the lesser evil.
static void reap(int child_fd)
{
    struct pollfd end = {.fd = child_fd, .events = POLLIN};
    const uint64_t limit_ns = tf_time_ns() + REAP_LIMIT_NS;
    siginfo_t info;

    (void)syscall(SYS_pidfd_send_signal, child_fd, SIGKILL, NULL, 0U);
    while (poll(&end, 1, REAP_STEP_MS) <= 0 && tf_time_ns() < limit_ns)
        continue;
    (void)waitid(WAIT_BY_PIDFD, (id_t)child_fd, &info, WEXITED | WNOHANG | __WALL);
}

static void end(struct tf_helper *helper)
{
    const int child_fd = tf_kept_fd(&helper->child);

    tf_kept_fd_close(&helper->link); // it ends by this, if it has not
    if (child_fd >= 0)
        reap(child_fd);
    tf_kept_fd_close(&helper->child);
}

// Something to read while idle is a farewell. Rights that the application has given up
// since are not used for it.
static bool is_usable(const struct tf_helper *helper)
{
    const struct tf_hash rights = tf_helper_rights();

    return rights.lo == helper->rights.lo && rights.hi == helper->rights.hi &&
           tf_kept_fd(&helper->link) >= 0 && !tf_frame_waits(&helper->link);
}

struct tf_helper *tf_helper_take(bool fresh, char *reason, size_t reason_bytes)
{
    const unsigned most = most_helpers();
    struct tf_helper *helper;
    bool idle;

    tf_lock(&pool.lock);
    while (!(helper = find(most, &idle)))
        tf_cond_wait(&pool.changed, &pool.lock);
    helper->state = BUSY;
    tf_unlock(&pool.lock);
    if (idle && !fresh && is_usable(helper))
        return helper;
    // A signal to the application's group can hit a program before it has left it.
    for (int attempt = 0; attempt < 2; attempt++) {
        end(helper);
        if (start(helper, reason, reason_bytes))
            return helper;
    }
    tf_helper_drop(helper);
    return NULL;
}

void tf_helper_give(struct tf_helper *helper)
{
    leave(helper, IDLE);
}

void tf_helper_drop(struct tf_helper *helper)
{
    end(helper);
    leave(helper, FREE);
}

struct tf_helper_facts tf_helper_pool_facts(void)
{
    struct tf_helper_facts facts;

    tf_lock(&pool.lock);
    facts = pool.facts;
    tf_unlock(&pool.lock);
    return facts;
}

unsigned tf_helper_pool_count(void)
{
    unsigned count = 0;

    tf_lock(&pool.lock);
    for (unsigned i = 0; i < MAX_HELPERS; i++)
        count += pool.helpers[i].state != FREE;
    tf_unlock(&pool.lock);
    return count;
}

void tf_helper_pool_forked(void) TF_NO_TSA
{
    tf_mutex_init(&pool.lock, TF_RANK_LEAF);
    tf_cond_init(&pool.changed);
    for (unsigned i = 0; i < MAX_HELPERS; i++) {
        tf_kept_fd_close(&pool.helpers[i].link);
        tf_kept_fd_close(&pool.helpers[i].its_end);
        tf_kept_fd_close(&pool.helpers[i].child);
        pool.helpers[i].state = FREE;
    }
}
