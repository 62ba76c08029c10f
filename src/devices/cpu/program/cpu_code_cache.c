// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_code_cache.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "cache/cache_store.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/program/cpu_cache.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_record.h"

// A field that is missing here would give code to who wants other code.
static_assert(sizeof(struct tf_cpu_wanted) == 56, "each field is in the key");

static bool make_key(const struct tf_devprog *prog, size_t index,
                     const struct tf_cpu_wanted *wanted, struct tf_digest *key)
{
    const struct tf_arch_level *level = wanted->level;
    struct tf_digester d;

    if (!tf_cpu_cache() || !prog->build_id)
        return false;
    tf_cpu_cache_start_key(&d, "code", prog->build_id);
    tf_digest_add(&d, &prog->bitcode_digest, sizeof(prog->bitcode_digest));
    tf_digest_add_text(&d, prog->infos[index].name);
    tf_digest_add_text(&d, level->name);
    tf_digest_add_text(&d, level->triple);
    tf_digest_add_text(&d, level->llvm_cpu);
    tf_digest_add_text(&d, level->llvm_features);
    tf_digest_add_number(&d, level->vector_bits);
    // Code is tuned for the model that it is made on.
    tf_digest_add_text(&d, tf_cpu_info_model());
    tf_digest_add_number(&d, wanted->form);
    tf_digest_add_number(&d, wanted->plain);
    tf_digest_add_number(&d, wanted->quick);
    tf_digest_add_number(&d, wanted->width);
    tf_digest_add_number(&d, wanted->pack_rows);
    tf_digest_add_part(&d, wanted->fixed_args, wanted->fixed_arg_bytes);
    for (int i = 0; i < 3; i++)
        tf_digest_add_number(&d, wanted->local_size[i]);
    *key = tf_digest_end(&d);
    return true;
}

bool tf_cpu_code_cache_find(const struct tf_devprog *prog, size_t index,
                            const struct tf_cpu_wanted *wanted, struct tf_cpu_code *code)
{
    TF_UNCANCELLED;
    struct tf_cache_content content;
    struct tf_cpu_record record;
    struct tf_digest key;
    bool ok;

    if (!make_key(prog, index, wanted, &key) ||
        !tf_cache_read(tf_cpu_cache(), TF_CACHE_OBJECT, &key, &content))
        return false;
    ok = content.bytes > sizeof(record);
    if (ok) {
        memcpy(&record, content.data, sizeof(record));
        ok = record.object_bytes == content.bytes - sizeof(record) &&
             tf_cpu_record_read(&record, code);
    }
    if (ok) {
        code->object = tf_memdup(content.data + sizeof(record), code->object_bytes);
        ok = code->object != NULL;
    }
    tf_free(content.block);
    return ok;
}

static void keep_code(const struct tf_devprog *prog, size_t index,
                      const struct tf_cpu_wanted *wanted, const struct tf_cpu_code *code)
{
    const struct tf_cpu_record record = tf_cpu_record_of(code);
    const struct tf_cache_part parts[] = {{&record, sizeof(record)},
                                          {code->object, code->object_bytes}};
    struct tf_digest key;

    if (make_key(prog, index, wanted, &key))
        tf_cache_write(tf_cpu_cache(), TF_CACHE_OBJECT, &key, parts, 2);
}

bool tf_cpu_code_cache_make(const struct tf_devprog *prog, size_t index,
                            const struct tf_cpu_wanted *wanted, bool report,
                            struct tf_cpu_code *code, struct tf_str *log)
{
    TF_UNCANCELLED;

    if (!report && tf_cpu_code_cache_find(prog, index, wanted, code)) {
        tf_str_add(log, "found in the cache");
        return true;
    }
    if (!tf_cpu_generate(prog, index, wanted, report, code, log))
        return false;
    keep_code(prog, index, wanted, code);
    return true;
}
