// SPDX-License-Identifier: MIT
// Accesses outside of the objects that they are made to.
#include "devices/cpu/check/check_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *space_of(uint8_t space)
{
    static const char *const names[] = {"private", "global", "constant", "local",
                                        "generic"};

    return space < sizeof(names) / sizeof(names[0]) ? names[space] : "unknown";
}

static void name_object(const struct tf_check_question *q,
                        const struct tf_check_object *object, char *text, size_t bytes)
{
    const char *variable = tf_check_text(q->item->table, q->site->variable);

    if (q->site->base != TF_CHECK_VARIABLE)
        snprintf(text, bytes, "%s", object->name);
    else if (variable[0])
        snprintf(text, bytes, "the %s variable '%.80s'", space_of(q->site->space),
                 variable);
    else
        snprintf(text, bytes, "a %s variable", space_of(q->site->space));
}

// How the range lies to the object.
static void place(const struct tf_check_question *q, const struct tf_check_object *object,
                  char *text, size_t bytes)
{
    char name[200];

    name_object(q, object, name, sizeof(name));
    if (object->bytes == 0)
        snprintf(text, bytes, "address 0x%" PRIx64 " lies in %s", q->address, name);
    else if (q->address < object->start)
        snprintf(text, bytes, "%" PRIu64 " bytes before %s of %" PRIu64 " bytes",
                 object->start - q->address, name, object->bytes);
    else if (q->address - object->start >= object->bytes)
        snprintf(text, bytes, "%" PRIu64 " bytes past the end of %s of %" PRIu64 " bytes",
                 q->address - object->start - object->bytes, name, object->bytes);
    else
        snprintf(text, bytes, "at %" PRIu64 " of %s of %" PRIu64 " bytes",
                 q->address - object->start, name, object->bytes);
}

static const char *act_of(uint8_t op)
{
    return op == TF_CHECK_READ    ? "read"
           : op == TF_CHECK_WRITE ? "write"
                                  : "atomic operation";
}

static void tell(struct tf_check_question *q, const struct tf_check_object *object,
                 const char *kind, const char *verdict)
{
    char what[160], where[400];

    if (!tf_check_is_new(q, kind, 0))
        return;
    snprintf(what, sizeof(what), "%s %s of %" PRIu64 " bytes of %s memory", verdict,
             act_of(q->site->op), q->bytes, space_of(q->site->space));
    place(q, object, where, sizeof(where));
    tf_check_tell(q, kind, what, where);
}

bool tf_check_memory(struct tf_check_question *q)
{
    struct tf_check_object object;
    uint64_t offset;

    if (q->bytes == 0)
        return true;
    tf_check_find_object(q, &object);
    if (!object.is_known)
        return true;
    offset = q->address - object.start;
    if (q->address < object.start || q->bytes > object.bytes ||
        offset > object.bytes - q->bytes) {
        tell(q, &object, "memory", "invalid");
        return false;
    }
    if (object.is_read_only && q->site->op != TF_CHECK_READ) {
        tell(q, &object, "read-only", "forbidden");
        return false;
    }
    return true;
}
