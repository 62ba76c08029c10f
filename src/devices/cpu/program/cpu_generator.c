// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_generator.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "base/log.h"
#include "base/thread.h"
#include "devices/cpu/facts/cpu_info.h"

// More would wait for each other's memory more than they compile.
enum { MOST_THREADS = 8, STACK_BYTES = 1 << 20 };

static struct {
    struct tf_mutex lock;
    struct tf_cond work;
    struct tf_generator_job *first[TF_GENERATOR_TURNS] TF_GUARDED_BY(&lock);
    struct tf_generator_job *last[TF_GENERATOR_TURNS] TF_GUARDED_BY(&lock);
    unsigned queued TF_GUARDED_BY(&lock);
    unsigned threads TF_GUARDED_BY(&lock);
    unsigned idle TF_GUARDED_BY(&lock);
} generator = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .work = TF_COND_INITIALIZER};

static unsigned most_threads(void)
{
    const unsigned units = tf_cpu_info_units();

    return units <= 2 ? 1 : units > MOST_THREADS ? MOST_THREADS : units - 1;
}

static struct tf_generator_job *take(void) TF_REQUIRES(&generator.lock)
{
    for (int turn = 0; turn < TF_GENERATOR_TURNS; turn++) {
        struct tf_generator_job *job = generator.first[turn];

        if (!job)
            continue;
        generator.first[turn] = job->next;
        if (!job->next)
            generator.last[turn] = NULL;
        generator.queued--;
        return job;
    }
    return NULL;
}

static void *generator_thread(void *arg)
{
    (void)arg;
    tf_lock(&generator.lock);
    for (;;) {
        struct tf_generator_job *job = take();

        if (!job) {
            bool stays;

            generator.idle++;
            stays = tf_idle_wait(&generator.work, &generator.lock);
            generator.idle--;
            if (stays || generator.queued > 0)
                continue;
            generator.threads--;
            break;
        }
        tf_unlock(&generator.lock);
        tf_assert_no_locks();
        job->run(job);
        tf_lock(&generator.lock);
    }
    tf_unlock(&generator.lock);
    return NULL;
}

static void wake_all(struct tf_idler *unused)
{
    (void)unused;
    tf_lock(&generator.lock);
    tf_cond_signal_all(&generator.work);
    tf_unlock(&generator.lock);
}

static struct tf_idler idler = {.wake = wake_all};

static void add(struct tf_generator_job *job, enum tf_generator_turn turn)
    TF_REQUIRES(&generator.lock)
{
    job->next = NULL;
    if (generator.last[turn])
        generator.last[turn]->next = job;
    else
        generator.first[turn] = job;
    generator.last[turn] = job;
    generator.queued++;
}

// A thread that was counted could not be started. Where there is none at all, all that
// waits for one is done here: others who posted meanwhile counted on it, too.
static void do_without(void)
{
    struct tf_generator_job *job;

    tf_log(TF_LOG_ERROR, "no thread to generate code: it is made where it comes up");
    tf_lock(&generator.lock);
    generator.threads--;
    while (generator.threads == 0 && (job = take()) != NULL) {
        tf_unlock(&generator.lock);
        job->run(job);
        tf_lock(&generator.lock);
    }
    tf_unlock(&generator.lock);
}

void tf_generator_post(struct tf_generator_job *job, enum tf_generator_turn turn)
{
    bool starts;

    tf_assert_no_locks();
    tf_lock(&generator.lock);
    add(job, turn);
    starts = generator.queued > generator.idle && generator.threads < most_threads();
    generator.threads += starts;
    tf_cond_signal_all(&generator.work);
    tf_unlock(&generator.lock);
    if (starts)
        tf_idler_add(&idler);
    if (starts && !tf_thread_start("trefoil-gen", STACK_BYTES, generator_thread, NULL))
        do_without();
}

// ---- Many at once ----

// Threads that come when all is taken only drop their reference.
struct many {
    atomic_uint refs; // the caller's, and one a job
    atomic_size_t next;
    size_t count;
    void (*fn)(void *arg, size_t index);
    void *arg;
    struct tf_mutex lock;
    struct tf_cond ended;
    size_t done TF_GUARDED_BY(&lock);
};

struct many_job {
    struct tf_generator_job job;
    struct many *many;
};

static void take_part(struct many *many)
{
    size_t done = 0, index;

    while ((index = atomic_fetch_add(&many->next, 1)) < many->count) {
        many->fn(many->arg, index);
        done++;
    }
    tf_lock(&many->lock);
    many->done += done;
    if (many->done == many->count)
        tf_cond_signal_all(&many->ended);
    tf_unlock(&many->lock);
}

static void drop_many(struct many *many)
{
    if (atomic_fetch_sub(&many->refs, 1) != 1)
        return;
    tf_cond_finish(&many->ended);
    tf_mutex_finish(&many->lock);
    tf_free(many);
}

static void run_many_job(struct tf_generator_job *job)
{
    struct many_job *own = tf_container_of(job, struct many_job, job);
    struct many *many = own->many;

    tf_free(own);
    take_part(many);
    drop_many(many);
}

static void post_help(struct many *many)
{
    struct many_job *own = tf_zalloc(sizeof(*own));

    if (!own)
        return; // the others do it
    *own = (struct many_job){{.run = run_many_job}, many};
    atomic_fetch_add(&many->refs, 1);
    tf_generator_post(&own->job, TF_GENERATOR_LATER);
}

void tf_generator_each(size_t count, void (*fn)(void *arg, size_t index), void *arg)
{
    const size_t most = most_threads();
    struct many *many = count > 1 ? tf_zalloc(sizeof(*many)) : NULL;

    for (size_t i = 0; !many && i < count; i++)
        fn(arg, i);
    if (!many)
        return;
    atomic_init(&many->refs, 1);
    atomic_init(&many->next, 0);
    many->count = count;
    many->fn = fn;
    many->arg = arg;
    tf_mutex_init(&many->lock, TF_RANK_LEAF);
    tf_cond_init(&many->ended);
    for (size_t i = 0; i < most && i < count - 1; i++)
        post_help(many);
    take_part(many);
    tf_lock(&many->lock);
    while (many->done < many->count)
        tf_cond_wait(&many->ended, &many->lock);
    tf_unlock(&many->lock);
    drop_many(many);
}

void tf_generator_forked(void) TF_NO_TSA
{
    tf_mutex_init(&generator.lock, TF_RANK_LEAF);
    tf_cond_init(&generator.work);
    for (int turn = 0; turn < TF_GENERATOR_TURNS; turn++)
        generator.first[turn] = generator.last[turn] = NULL;
    generator.queued = generator.threads = generator.idle = 0;
}
