// SPDX-License-Identifier: MIT
// Mutex and condition variable with a rank; threads, and how long they stay. Locks are
// taken in increasing rank, at most one per rank; debug builds abort on a violation and
// name both locks.
#ifndef TF_BASE_THREAD_H
#define TF_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/select.h> // sigset_t alone: signal.h has all of unistd.h here

#include "base/attr.h"

enum tf_rank {
    TF_RANK_COMMAND_BUFFER = 5,
    TF_RANK_CONTEXT = 10,
    TF_RANK_PROGRAM = 15,
    TF_RANK_QUEUE = 20,
    TF_RANK_SEMAPHORE = 25,
    TF_RANK_EVENT = 30,
    TF_RANK_MEM = 40,
    TF_RANK_FAMILY = 45,
    TF_RANK_POOLS = 48,
    TF_RANK_DEVICE = 50,
    TF_RANK_LEAF = 90,
};

struct TF_CAPABILITY("mutex") tf_mutex {
    pthread_mutex_t m;
    enum tf_rank rank;
};

struct tf_cond {
    pthread_cond_t c;
};

// For objects of static storage; a condition made like this is for tf_cond_wait() only.
#define TF_MUTEX_INITIALIZER(rank)      \
    {                                   \
        PTHREAD_MUTEX_INITIALIZER, rank \
    }
#define TF_COND_INITIALIZER      \
    {                            \
        PTHREAD_COND_INITIALIZER \
    }

void tf_mutex_init(struct tf_mutex *m, enum tf_rank rank);
void tf_mutex_finish(struct tf_mutex *m);
void tf_lock(struct tf_mutex *m) TF_ACQUIRES(m);
void tf_unlock(struct tf_mutex *m) TF_RELEASES(m);

void tf_cond_init(struct tf_cond *c);
void tf_cond_finish(struct tf_cond *c);
void tf_cond_wait(struct tf_cond *c, struct tf_mutex *m) TF_REQUIRES(m);
// The same for `ns` at most. False: they are over.
bool tf_cond_wait_ns(struct tf_cond *c, struct tf_mutex *m, uint64_t ns) TF_REQUIRES(m);
void tf_cond_signal_all(struct tf_cond *c);

// What no other thread has as long as the calling one lives; only to be compared.
const void *tf_thread_self(void);

// ---- Signals in threads of ours ----

// Those that a thread's own mistakes raise reach the application's handlers; all others
// are its own threads' work.

enum { TF_HANDLER_STACK_BYTES = 64 << 10 };

// All but SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGSYS; abort() opens SIGABRT
// itself, which others may send and the application wait for. Where one of those is
// blocked, the system ends the process without calling its handler.
void tf_signals_of_others(sigset_t *out);

// Lends the calling thread TF_HANDLER_STACK_BYTES from `low` on for handlers that ask for
// a stack of their own (SA_ONSTACK), until tf_handler_stack_withdraw(). False where it
// has one already: sanitizers give one to each thread.
bool tf_handler_stack_offer(char *low);
void tf_handler_stack_withdraw(void);

// ---- Threads ----

// Starts a detached thread named `name` (15 characters at most) with all signals blocked
// but those of its own mistakes, and a stack for handlers that ask for one (SA_ONSTACK):
// the thread's own, or a kernel's, may be what has overflowed. `stack_bytes` 0: the
// system's default. False, with errno, when the system has no room for it.
bool tf_thread_start(const char *name, size_t stack_bytes, void *(*fn)(void *),
                     void *arg);
// The same, and waits for its end: all that it had is back by then, the allocator's arena
// included, which the next thread takes over.
bool tf_thread_run(const char *name, size_t stack_bytes, void *(*fn)(void *), void *arg);

// A process whose main thread leaves by pthread_exit() ends when its last thread does.
// Threads of ours stay for the next work only while the main thread is there; afterwards,
// and in a process whose main thread cannot be followed, they end when they have had
// nothing to do for a while. Whoever has work for them then starts new ones.

// Notes the calling thread if it is the main one, so that its end is seen at once. Costs
// two calls of the system until then: for rare calls.
void tf_main_thread_note(void);
// Waits like tf_cond_wait() for work. False: there was none for a while, and the thread
// is to end if there still is none.
bool tf_idle_wait(struct tf_cond *c, struct tf_mutex *m) TF_REQUIRES(m) TF_NODISCARD;
// Whether threads are to end that have nothing to do, and were told by a tf_idler.
bool tf_main_thread_left(void);

// What waits in tf_idle_wait(), or elsewhere: `wake` has it look again when the main
// thread leaves. Static, and in the list for good.
struct tf_idler {
    void (*wake)(struct tf_idler *idler);
    struct tf_idler *next;
    atomic_bool is_listed;
};
// Any lock may be held.
void tf_idler_add(struct tf_idler *idler);
// In a forked child, whose main thread is the one that forked.
void tf_main_thread_forked(void);

// A thread that the application cancels (pthread_cancel) ends behind the call that it is
// in, not in the middle of it with locks, files and claims that nobody gives back: until
// the block that declares this ends, cancelling waits. Every function that may block, or
// opens files, and is not called below such a block declares it.
#define TF_UNCANCELLED                                                       \
    __attribute__((cleanup(tf_cancel_back), unused)) const int uncancelled = \
        tf_cancel_off()
int tf_cancel_off(void);
void tf_cancel_back(const int *state);

// Called before any user code runs (callbacks, native kernels).
void tf_assert_no_locks(void);

#endif // TF_BASE_THREAD_H
