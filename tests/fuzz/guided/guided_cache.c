// SPDX-License-Identifier: MIT
// Files of the cache, put where the device looks for them, and objects for its loader.
// The folder is new and goes with the process; the compiler is one that makes nothing.
#include "guided.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "cache/cache_store.h"
#include "core/object/error.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/loader/elf_loader.h"
#include "devices/cpu/program/cpu_code_cache.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_program_cache.h"

enum {
    KIND_AT = 12,
    KEY_AT = 16,
    BYTES_AT = 48,
    HASH_AT = 56,
    HEAD = 72,
    PATH_BYTES = 200
};
#define ENTRY "tf_wg_one"

static char folder[PATH_BYTES / 2], program_path[PATH_BYTES], object_path[PATH_BYTES];
static struct tf_cpu_build_key key = {.is_usable = true};
static struct tf_digest object_key;
static struct tf_devprog *prog; // whose code is looked for
static struct tf_cpu_wanted wanted;

// ---- A compiler ----

static char compiler_id[TF_BUILD_ID_BYTES] = "guided";

void guided_compiler_is(const char *name, size_t bytes)
{
    const size_t length = strnlen(name, bytes);

    if (length < sizeof(compiler_id))
        snprintf(compiler_id, sizeof(compiler_id), "%.*s", (int)length, name);
}

static enum tf_compiler_status generate(const struct tf_generate_in *in,
                                        struct tf_generate_out *out)
{
    (void)in;
    memset(out, 0, sizeof(*out));
    out->form = TF_WG_LOOPS;
    out->object.data = tf_zalloc(8);
    out->object.bytes = 8;
    return out->object.data ? TF_COMPILER_OK : TF_COMPILER_NO_MEMORY;
}

static const struct tf_compiler compiler = {
    .build_id = compiler_id, .generate = generate, .release = tf_free};

// ---- The folder ----

static void remove_folder(void)
{
    char room[PATH_BYTES];

    (void)unlink(program_path);
    (void)unlink(object_path);
    for (const char *digit = "0123456789abcdef"; *digit; digit++) {
        snprintf(room, sizeof(room), "%s/%c", folder, *digit);
        (void)rmdir(room);
    }
    (void)rmdir(folder);
}

// The one file of code, whose name nobody else knows.
static void find_object(void)
{
    for (const char *digit = "0123456789abcdef"; *digit; digit++) {
        char room[PATH_BYTES];
        enum tf_cache_kind kind;
        struct dirent *entry;
        DIR *dir;

        snprintf(room, sizeof(room), "%s/%c", folder, *digit);
        dir = opendir(room);
        while (dir && (entry = readdir(dir)))
            if (tf_cache_parse_name(entry->d_name, &kind, &object_key) &&
                kind == TF_CACHE_OBJECT)
                snprintf(object_path, sizeof(object_path), "%.100s/%.90s", room,
                         entry->d_name);
        if (dir)
            closedir(dir);
    }
    NEED(object_path[0]);
}

static void make_program(void)
{
    const struct tf_kernel_info info = {.name = "one", .attributes = ""};
    struct tf_err err = {0};
    struct tf_cpu_code code;
    struct tf_str log = {0};
    size_t bytes;
    void *packed = tf_kernel_info_pack(&info, 1, &bytes);

    prog = tf_cpu_program_new(CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    NEED(packed && prog && tf_cpu_program_set_bitcode(prog, "b", 1, compiler_id) &&
         tf_cpu_program_set_kernels(&err, prog, packed, bytes) == CL_SUCCESS);
    tf_free(packed);
    wanted = tf_cpu_wanted(prog, 0, TF_SLOT_QUICK);
    NEED(tf_cpu_code_cache_make(prog, 0, &wanted, false, &code, &log));
    tf_cpu_code_finish(&code);
    tf_str_finish(&log);
}

void guided_cache_folder(void)
{
    const char *const place = getenv("TMPDIR");

    snprintf(folder, sizeof(folder), "%.70s/guided-XXXXXX", place ? place : "/tmp");
    NEED(mkdtemp(folder) && !setenv("TREFOIL_CACHE", folder, 1) &&
         !atexit(remove_folder));
}

void guided_cache_start(void)
{
    char name[TF_CACHE_NAME_BYTES], room[PATH_BYTES];

    tf_cpu_compiler_override(&compiler);
    make_program();
    guided_learn_version(prog);
    find_object();
    tf_cache_name(TF_CACHE_PROGRAM, &key.digest, name);
    snprintf(program_path, sizeof(program_path), "%s/%s", folder, name);
    snprintf(room, sizeof(room), "%s/%c", folder, name[0]);
    NEED(!mkdir(room, 0700) || !access(room, W_OK));
}

// ---- Files of the cache ----

// The program in a file begins behind a list of files and a log.
static void sign_program(uint8_t *bytes, size_t count)
{
    uint64_t parts[2];
    size_t at = HEAD + sizeof(parts);

    if (count < at)
        return;
    memcpy(parts, bytes + HEAD, sizeof(parts));
    for (int i = 0; i < 2; i++) {
        if (parts[i] > count - at)
            return;
        at += (size_t)(parts[i] + 7) / 8 * 8;
        if (at > count)
            return;
    }
    guided_sign_program(bytes + at, count - at);
    snprintf(key.compiler_id, sizeof(key.compiler_id), "%s", compiler_id);
}

static void sign_file(uint8_t *bytes, size_t count, bool is_object)
{
    static const char magic[] = {'T', 'F', 'C', 'A', 'C', 'H', 'E', '\n'};
    const uint32_t facts[] = {1, is_object ? TF_CACHE_OBJECT : TF_CACHE_PROGRAM};
    const uint64_t content = count - HEAD;
    struct tf_hash hash;

    memcpy(bytes, magic, sizeof(magic));
    memcpy(bytes + sizeof(magic), facts, sizeof(facts));
    memcpy(bytes + KEY_AT, is_object ? &object_key : &key.digest, TF_DIGEST_BYTES);
    memcpy(bytes + BYTES_AT, &content, sizeof(content));
    hash = tf_hash_bytes(bytes, HASH_AT, 0);
    hash = tf_hash_bytes(bytes + HEAD, count - HEAD, hash.lo ^ hash.hi);
    memcpy(bytes + HASH_AT, &hash, sizeof(hash));
}

static void put_file(const char *path, const uint8_t *bytes, size_t count)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    NEED(fd >= 0 && write(fd, bytes, count) == (ssize_t)count && !close(fd));
}

void guided_read_object(uint8_t *bytes, size_t count)
{
    struct tf_elf_image image;
    char text[300] = "";

    if (tf_elf_load(&image, bytes, count, ENTRY, text, sizeof(text))) {
        NEED((char *)image.entry >= (char *)image.map &&
             (char *)image.entry < (char *)image.map + image.map_bytes);
        tf_elf_unload(&image);
    } else {
        NEED(!image.map && text[0]);
    }
}

static void find_code(void)
{
    struct tf_cpu_code code;

    if (!tf_cpu_code_cache_find(prog, 0, &wanted, &code))
        return;
    guided_read_object(code.object, code.object_bytes);
    tf_cpu_code_finish(&code);
}

// A file whose first letter is no T keeps the head that it has.
void guided_read_cache(uint8_t *bytes, size_t count)
{
    const bool is_object = count > KIND_AT && bytes[KIND_AT] == TF_CACHE_OBJECT;
    struct tf_devprog *found;
    struct tf_str log = {0};

    if (count >= HEAD && bytes[0] == 'T') {
        if (!is_object)
            sign_program(bytes, count);
        sign_file(bytes, count, is_object);
    }
    put_file(is_object ? object_path : program_path, bytes, count);
    if (is_object) {
        find_code();
        return;
    }
    found = tf_cpu_program_cache_find(&key, &log);
    if (found)
        guided_query_and_free(found, count);
    tf_str_finish(&log);
}
