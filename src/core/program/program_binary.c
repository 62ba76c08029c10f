// SPDX-License-Identifier: MIT
#include "core/program/program_binary.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/range.h"
#include "core/object/error.h"

#define MAGIC 0x1a4c4f4654ull // "TFOL", 0x1a
#define VERSION 2u
#define BLOB_ALIGN_BYTES 16

// All numbers are little endian, as on every processor that Trefoil runs on.
struct header {
    uint64_t magic;
    uint32_t version;
    uint32_t type; // CL_PROGRAM_BINARY_TYPE_*
    uint64_t total_bytes;
    uint32_t section_count;
    uint32_t reserved;         // 0
    uint64_t hash_lo, hash_hi; // of all that follows, seeded with a hash of all before
};

enum section_tag {
    SECTION_BLOB = 1, // device's blob, exactly one
};

struct section {
    uint32_t tag; // unknown ones are skipped
    uint32_t reserved;
    uint64_t offset_bytes; // from the start of the container
    uint64_t size_bytes;
};

static struct tf_hash hash_of(const struct header *head, const void *data, size_t bytes)
{
    const struct tf_hash seed = tf_hash_bytes(head, offsetof(struct header, hash_lo), 0);

    return tf_hash_bytes((const char *)data + sizeof(*head), bytes - sizeof(*head),
                         seed.lo ^ seed.hi);
}

void *tf_program_binary_write(const struct tf_program_binary *in, size_t *bytes_out)
{
    const size_t blob_at =
        (sizeof(struct header) + sizeof(struct section) + BLOB_ALIGN_BYTES - 1) /
        BLOB_ALIGN_BYTES * BLOB_ALIGN_BYTES;
    struct header head = {
        .magic = MAGIC, .version = VERSION, .type = in->type, .section_count = 1};
    const struct section section = {
        .tag = SECTION_BLOB, .offset_bytes = blob_at, .size_bytes = in->blob_bytes};
    struct tf_hash hash;
    size_t total;
    char *data;

    if (tf_add_overflow(blob_at, in->blob_bytes, &total))
        return NULL;
    data = tf_zalloc(total);
    if (!data)
        return NULL;
    head.total_bytes = total;
    memcpy(data + sizeof(head), &section, sizeof(section));
    if (in->blob_bytes)
        memcpy(data + blob_at, in->blob, in->blob_bytes);
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

static cl_int check_section(struct tf_err *err, const struct section *section,
                            size_t bytes)
{
    TF_REQUIRE(err,
               section->offset_bytes <= SIZE_MAX && section->size_bytes <= SIZE_MAX &&
                   tf_range_ok(section->offset_bytes, section->size_bytes, bytes),
               CL_INVALID_BINARY, "program binary: section %u lies outside",
               section->tag);
    return CL_SUCCESS;
}

cl_int tf_program_binary_read(struct tf_err *err, const void *data, size_t bytes,
                              struct tf_program_binary *out)
{
    struct header head;
    size_t table_bytes;
    bool found = false;

    if (check_header(err, data, bytes, &head))
        return err->code;
    if (tf_mul_overflow((size_t)head.section_count, sizeof(struct section),
                        &table_bytes) ||
        !tf_range_ok(sizeof(head), table_bytes, bytes))
        return tf_fail(err, CL_INVALID_BINARY, "program binary with %u sections",
                       head.section_count);
    for (uint32_t i = 0; i < head.section_count; i++) {
        struct section section;

        memcpy(&section, (const char *)data + sizeof(head) + i * sizeof(section),
               sizeof(section));
        if (check_section(err, &section, bytes))
            return err->code;
        if (section.tag != SECTION_BLOB)
            continue;
        if (found)
            return tf_fail(err, CL_INVALID_BINARY, "program binary with two programs");
        found = true;
        out->blob = (const char *)data + section.offset_bytes;
        out->blob_bytes = section.size_bytes;
    }
    if (!found)
        return tf_fail(err, CL_INVALID_BINARY, "program binary without a program");
    out->type = head.type;
    return CL_SUCCESS;
}
