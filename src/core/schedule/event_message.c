// SPDX-License-Identifier: MIT
// What a device has to say of a running command, for the context's callback: it comes
// from the notifier, like all others.
#include <string.h>

#include "base/alloc.h"
#include "core/object/notifier.h"
#include "core/platform/context.h"
#include "core/schedule/event.h"

struct message {
    struct tf_job job; // first
    cl_context ctx;    // owned
    char text[];
};

static void run_message(struct tf_job *job)
{
    struct message *message = tf_container_of(job, struct message, job);

    message->ctx->notify(message->text, NULL, 0, message->ctx->notify_data);
    tf_unref(message->ctx);
    tf_free(message);
}

void tf_command_said(struct tf_command *cmd, const char *text)
{
    const cl_context ctx = tf_container_of(cmd, struct _cl_event, cmd)->obj.ctx;
    const size_t bytes = strlen(text) + 1;
    struct message *message;

    if (!ctx || !ctx->notify)
        return;
    message = tf_zalloc(sizeof(*message) + bytes);
    if (!message)
        return;
    message->job.run = run_message;
    message->ctx = tf_ref(ctx);
    memcpy(message->text, text, bytes);
    tf_notifier_post(&message->job);
}
