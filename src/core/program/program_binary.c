// SPDX-License-Identifier: MIT
#include "core/program/program_binary.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/range.h"
#include "core/object/error.h"

#define MAGIC 0x1a4c4f4654ull // "TFOL", 0x1a
#define VERSION 3u

// All numbers are little endian, as on every processor that Trefoil runs on. The device's
// blob follows.
struct header {
    uint64_t magic;
    uint32_t version;
    uint32_t type; // CL_PROGRAM_BINARY_TYPE_*
    uint64_t total_bytes;
    uint64_t reserved;         // 0
    uint64_t hash_lo, hash_hi; // of all that follows, seeded with a hash of all before
};

static_assert(sizeof(struct header) % 16 == 0, "alignment of the blob");

static struct tf_hash hash_of(const struct header *head, const void *data, size_t bytes)
{
    const struct tf_hash seed = tf_hash_bytes(head, offsetof(struct header, hash_lo), 0);

    return tf_hash_bytes((const char *)data + sizeof(*head), bytes - sizeof(*head),
                         seed.lo ^ seed.hi);
}

void *tf_program_binary_write(const struct tf_program_binary *in, size_t *bytes_out)
{
    struct header head = {.magic = MAGIC, .version = VERSION, .type = in->type};
    struct tf_hash hash;
    size_t total;
    char *data;

    if (tf_add_overflow(sizeof(head), in->blob_bytes, &total))
        return NULL;
    data = tf_zalloc(total);
    if (!data)
        return NULL;
    head.total_bytes = total;
    if (in->blob_bytes)
        memcpy(data + sizeof(head), in->blob, in->blob_bytes);
    hash = hash_of(&head, data, total);
    head.hash_lo = hash.lo;
    head.hash_hi = hash.hi;
    memcpy(data, &head, sizeof(head));
    *bytes_out = total;
    return data;
}

// Fills *head from `data`.
static cl_int check_header(struct tf_err *err, const void *data, size_t bytes,
                           struct header *head)
{
    struct tf_hash hash;

    TF_REQUIRE(err, bytes >= sizeof(*head), CL_INVALID_BINARY,
               "%zu bytes are too short for a program binary", bytes);
    memcpy(head, data, sizeof(*head));
    TF_REQUIRE(err, head->magic == MAGIC, CL_INVALID_BINARY,
               "not a program binary of Trefoil");
    TF_REQUIRE(err, head->version == VERSION, CL_INVALID_BINARY,
               "program binary version %u, this is %u", head->version, VERSION);
    TF_REQUIRE(err, head->total_bytes == bytes, CL_INVALID_BINARY,
               "program binary of %zu bytes should have %llu", bytes,
               (unsigned long long)head->total_bytes);
    TF_REQUIRE(err,
               head->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                   head->type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
                   head->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
               CL_INVALID_BINARY, "program binary type %u", head->type);
    hash = hash_of(head, data, bytes);
    TF_REQUIRE(err, hash.lo == head->hash_lo && hash.hi == head->hash_hi,
               CL_INVALID_BINARY, "program binary is damaged: its checksum is wrong");
    return CL_SUCCESS;
}

cl_int tf_program_binary_read(struct tf_err *err, const void *data, size_t bytes,
                              struct tf_program_binary *out)
{
    struct header head;

    if (check_header(err, data, bytes, &head))
        return err->code;
    out->type = head.type;
    out->blob = (const char *)data + sizeof(head);
    out->blob_bytes = bytes - sizeof(head);
    return CL_SUCCESS;
}
