// SPDX-License-Identifier: MIT
#include "core/object/destructor.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/object/notifier.h"

static void run_destructor(struct tf_job *job)
{
    struct tf_destructor *d = tf_container_of(job, struct tf_destructor, job);

    if (d->mem)
        d->mem_fn(d->mem, d->data);
    else
        d->ctx_fn(d->ctx, d->data);
    tf_free(d);
}

cl_int tf_destructors_add(struct tf_err *err, struct tf_destructors *to,
                          const struct tf_destructor *d)
{
    struct tf_destructor *node = tf_memdup(d, sizeof(*d));

    if (!node)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "destructor callback");
    node->job = (struct tf_job){.next = atomic_load(&to->newest), .run = run_destructor};
    while (!atomic_compare_exchange_weak(&to->newest, &node->job.next, &node->job))
        continue;
    return CL_SUCCESS;
}

void tf_destructors_run(struct tf_destructors *of)
{
    tf_notifier_post(atomic_exchange(&of->newest, NULL));
}
