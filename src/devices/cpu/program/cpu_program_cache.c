// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_program_cache.h"

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/range.h"
#include "cache/cache_store.h"
#include "cache/file_list.h"
#include "core/object/error.h"
#include "devices/cpu/program/cpu_blob.h"
#include "devices/cpu/program/cpu_cache.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"

// A key has place for several programs, which differ by the files that were found.
enum { WAYS = 4, PAD_BYTES = 8 };

struct tf_cpu_build_key tf_cpu_program_cache_key(const struct tf_build_in *in,
                                                 const struct tf_compiler_device *device)
{
    struct tf_cpu_build_key key = {0};
    struct tf_digester d;

    if (!tf_cpu_cache() || tf_str_has_word(in->options, "-cl-trefoil-report") ||
        !tf_cpu_compiler_id(key.compiler_id))
        return key;
    tf_cpu_cache_start_key(&d, "program", key.compiler_id);
    tf_digest_add_part(&d, device, sizeof(*device));
    tf_digest_add_number(&d, in->kind);
    tf_digest_add_text(&d, in->options);
    tf_digest_add_number(&d, in->is_il);
    tf_digest_add_part(&d, in->source, in->source ? in->source_bytes : 0);
    tf_digest_add_number(&d, in->header_count);
    for (size_t i = 0; i < in->header_count; i++) {
        tf_digest_add_text(&d, in->headers[i].name);
        tf_digest_add_part(&d, in->headers[i].text, in->headers[i].text_bytes);
    }
    tf_digest_add_number(&d, in->constant_count);
    for (size_t i = 0; i < in->constant_count; i++) {
        tf_digest_add_number(&d, in->constants[i].id);
        tf_digest_add_part(&d, in->constants[i].value, in->constants[i].bytes);
    }
    tf_digest_add_number(&d, in->object_count);
    for (size_t i = 0; i < in->object_count; i++)
        tf_digest_add(&d, &in->objects[i]->bitcode_digest, sizeof(struct tf_digest));
    key.digest = tf_digest_end(&d);
    key.is_usable = true;
    return key;
}

static struct tf_digest way_of(const struct tf_digest *key, unsigned way)
{
    struct tf_digest digest = *key;

    digest.bytes[sizeof(digest.bytes) - 1] ^= (uint8_t)way;
    return digest;
}

// Before the list of files, the log with its 0 and the blob, each padded.
struct program_head {
    uint64_t files_bytes, log_bytes;
};

struct program_parts {
    const char *files, *log, *blob;
    size_t files_bytes, blob_bytes;
};

static bool find_parts(const struct tf_cache_content *content,
                       struct program_parts *parts)
{
    size_t left = content->bytes, files, log;
    struct program_head head;

    if (left < sizeof(head))
        return false;
    memcpy(&head, content->data, sizeof(head));
    left -= sizeof(head);
    if (!tf_round_up(head.files_bytes, PAD_BYTES, &files) || files > left ||
        head.log_bytes == 0 || !tf_round_up(head.log_bytes, PAD_BYTES, &log) ||
        log > left - files)
        return false;
    parts->files = content->data + sizeof(head);
    parts->files_bytes = head.files_bytes;
    parts->log = parts->files + files;
    parts->blob = parts->log + log;
    parts->blob_bytes = left - files - log;
    return parts->log[head.log_bytes - 1] == '\0';
}

static struct tf_devprog *read_program(const struct tf_cpu_build_key *key,
                                       const struct tf_cache_content *content,
                                       struct tf_str *log)
{
    struct tf_devprog *prog = NULL;
    struct program_parts parts;
    struct tf_err err = {0};
    bool has_code;

    if (!find_parts(content, &parts) ||
        !tf_file_list_holds(parts.files, parts.files_bytes) ||
        tf_cpu_blob_read(&err, parts.blob, parts.blob_bytes, &has_code, &prog))
        return NULL;
    if (strcmp(prog->build_id, key->compiler_id) != 0) {
        tf_cpu_program_unref(prog);
        return NULL;
    }
    tf_str_add(log, parts.log);
    return prog;
}

struct tf_devprog *tf_cpu_program_cache_find(const struct tf_cpu_build_key *key,
                                             struct tf_str *log)
{
    struct tf_devprog *prog = NULL;

    for (unsigned way = 0; key->is_usable && way < WAYS && !prog; way++) {
        const struct tf_digest digest = way_of(&key->digest, way);
        struct tf_cache_content content;

        // They are filled in this order: behind a free one there is none.
        if (!tf_cache_read(tf_cpu_cache(), TF_CACHE_PROGRAM, &digest, &content))
            break;
        prog = read_program(key, &content, log);
        tf_free(content.block);
    }
    if (prog)
        tf_log(TF_LOG_BUILD, "program found in the cache");
    return prog;
}

// The first way that is free or has the same list of files, from another process; where
// there is none, one that depends on the list, so that programs of one key do not all
// replace the same.
static struct tf_digest free_way(const struct tf_cpu_build_key *key,
                                 const struct tf_compiler_bytes *files)
{
    const struct tf_digest list = tf_digest_of(files->data, files->bytes);

    for (unsigned way = 0; way < WAYS; way++) {
        const struct tf_digest digest = way_of(&key->digest, way);
        struct tf_cache_content old;
        struct program_parts parts;
        bool is_free;

        if (!tf_cache_read(tf_cpu_cache(), TF_CACHE_PROGRAM, &digest, &old))
            return digest;
        is_free = !find_parts(&old, &parts) ||
                  (parts.files_bytes == files->bytes &&
                   !memcmp(parts.files, files->data, files->bytes));
        tf_free(old.block);
        if (is_free)
            return digest;
    }
    return way_of(&key->digest, list.bytes[0] % WAYS);
}

void tf_cpu_program_cache_keep(const struct tf_cpu_build_key *key,
                               struct tf_devprog *prog,
                               const struct tf_compiler_bytes *files,
                               const struct tf_str *log)
{
    static const char zeros[PAD_BYTES];
    const char *text = log->text ? log->text : "";
    const struct program_head head = {files->bytes, log->bytes + 1};
    struct tf_err err = {0};
    struct tf_digest digest;
    size_t padded[2], blob_bytes;
    void *blob;

    // The library may have been replaced since its build was asked for.
    if (!key->is_usable || !files->data || log->failed ||
        strcmp(prog->build_id, key->compiler_id) != 0 ||
        !tf_round_up(head.files_bytes, PAD_BYTES, &padded[0]) ||
        !tf_round_up(head.log_bytes, PAD_BYTES, &padded[1]) ||
        tf_cpu_blob_write(&err, prog, false, &blob, &blob_bytes))
        return;
    const struct tf_cache_part parts[] = {
        {&head, sizeof(head)},
        {files->data, files->bytes},
        {zeros, padded[0] - files->bytes},
        {text, log->bytes + 1},
        {zeros, padded[1] - log->bytes - 1},
        {blob, blob_bytes},
    };
    digest = free_way(key, files);
    tf_cache_write(tf_cpu_cache(), TF_CACHE_PROGRAM, &digest, parts,
                   sizeof(parts) / sizeof(*parts));
    tf_free(blob);
}
