// SPDX-License-Identifier: MIT
// Damaged and hostile bytes: program binaries, what the cache holds of programs, lists of
// files. Each round changes a few places (flips, numbers that overflow, cuts, blocks that
// are exchanged, doubled or left out), mostly signs the result anew, so that what lies
// behind the checksums is reached, and reads it. Whatever is accepted must be sound
// enough to be queried, saved and freed; nothing is run or compiled: LLVM's reader of
// bitcode promises nothing for bytes that nobody wrote (doc/programs.md).
//
//     fuzz_bytes FIRST-SEED ROUNDS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "cache/cache_store.h"
#include "cache/file_list.h"
#include "core/object/error.h"
#include "core/platform/device_interface.h"
#include "core/program/program_binary.h"
#include "devices/cpu/program/cpu_blob.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_program_cache.h"

enum { MOST_BYTES = 1 << 20, MOST_CHANGES = 6 };
enum { BLOB_HASH_AT = 72, BLOB_HEAD = 88, BOX_HASH_AT = 32, BOX_HEAD = 48 };

#define NEED(condition)                                                        \
    ((condition) ? (void)0                                                     \
                 : (fprintf(stderr, "%d: not so: %s\n", __LINE__, #condition), \
                    exit(EXIT_FAILURE)))

static const char source[] =
    "constant float table[4] = {1, 2, 3, 4};\n"
    "global int counter = 5;\n"
    "global int *global where = &counter;\n"
    "kernel void add(global float *p, local float *l, float3 v, int n)\n"
    "{ int i = get_global_id(0); l[get_local_id(0)] = p[i] + table[n & 3];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); p[i] = sin(l[0]) * v.y + *where; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void other(global int *p)\n"
    "{ p[get_global_id(0)] = atomic_add(&counter, 1); }\n";

struct bytes {
    unsigned char *data; // room for MOST_BYTES
    size_t count;
};

// ---- Chance ----

static uint64_t state;

static uint64_t chance(void)
{
    // splitmix64
    uint64_t x = state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static size_t below(size_t limit)
{
    return limit ? (size_t)(chance() % limit) : 0;
}

// ---- Changes ----

static void set_number(struct bytes *b)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       7,
                                       8,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xfffffff8,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xfffffffffffffff8,
                                       0xffffffffffffffff};
    const size_t wide = (size_t)1 << below(4);
    uint64_t value = numbers[below(sizeof(numbers) / sizeof(*numbers))];
    size_t at;

    if (b->count < 16)
        return;
    if (below(4) == 0)
        value = b->count + below(17) - 8;
    at = below(b->count - wide) & ~(wide - 1);
    memcpy(b->data + at, &value, wide);
}

static void move_block(struct bytes *b)
{
    const size_t bytes = 1 + below(64);
    unsigned char block[64];
    size_t from, to;

    if (b->count < 2 * sizeof(block))
        return;
    from = below(b->count - bytes) & ~(size_t)(below(2) ? 7 : 0);
    to = below(b->count - bytes) & ~(size_t)(below(2) ? 7 : 0);
    memcpy(block, b->data + from, bytes);
    if (below(2))
        memmove(b->data + from, b->data + to, bytes);
    memmove(b->data + to, block, bytes);
}

static void resize(struct bytes *b)
{
    const size_t bytes = 1 + below(below(4) ? 16 : 4096);
    const size_t at = below(b->count);

    switch (below(3)) {
    case 0: // cut
        b->count = below(4) ? at : b->count - below(9 < b->count ? 9 : b->count);
        break;
    case 1: // leave out
        if (bytes < b->count - at) {
            memmove(b->data + at, b->data + at + bytes, b->count - at - bytes);
            b->count -= bytes;
        }
        break;
    default: // put in
        if (bytes < MOST_BYTES - b->count) {
            memmove(b->data + at + bytes, b->data + at, b->count - at);
            memset(b->data + at, (int)below(256), bytes);
            b->count += bytes;
        }
    }
}

static void change(struct bytes *b)
{
    for (size_t n = 1 + below(MOST_CHANGES); n > 0 && b->count > 0; n--) {
        switch (below(8)) {
        case 0:
        case 1:
            b->data[below(b->count)] ^= (unsigned char)(1u << below(8));
            break;
        case 2:
            move_block(b);
            break;
        case 3:
            resize(b);
            break;
        default:
            set_number(b);
        }
    }
}

// Gives a head that ends with its checksum the one that belongs to it.
static void sign(unsigned char *data, size_t count, size_t hash_at, size_t head)
{
    struct tf_hash hash;

    if (count < head)
        return;
    hash = tf_hash_bytes(data, hash_at, 0);
    hash = tf_hash_bytes(data + head, count - head, hash.lo ^ hash.hi);
    memcpy(data + hash_at, &hash, sizeof(hash));
}

// ---- Targets ----

static struct tf_device *device;
static unsigned long accepted;

static void query_and_free(struct tf_devprog *prog)
{
    struct tf_program_info info;
    struct tf_err err = {0};
    size_t bytes, letters = 0;
    void *blob;

    device->ops->program_info(prog, &info);
    for (size_t i = 0; i < info.kernel_count; i++) {
        letters += strlen(info.kernels[i].name) + strlen(info.kernels[i].attributes);
        for (uint32_t a = 0; a < info.kernels[i].arg_count; a++)
            letters += strlen(info.kernels[i].args[a].type_name);
    }
    NEED(letters < MOST_BYTES);
    // With code it would wait for a compiler that is not there.
    NEED(tf_cpu_blob_write(&err, prog, false, &blob, &bytes) == CL_SUCCESS);
    tf_free(blob);
    device->ops->program_free(device, prog);
    accepted++;
}

// Signs the device's part of a program, which begins at `start` and is the rest.
static void sign_blob(struct bytes *b, size_t start)
{
    uint64_t total;

    if (b->count <= start + BLOB_HEAD)
        return;
    total = b->count - start;
    memcpy(b->data + start + BLOB_HASH_AT - 8, &total, sizeof(total));
    sign(b->data + start, b->count - start, BLOB_HASH_AT, BLOB_HEAD);
}

// A binary in its container, or (not `boxed`) the device's part alone.
static void read_binary(struct bytes *b, bool boxed)
{
    struct tf_program_binary binary = {.blob = b->data, .blob_bytes = b->count};
    struct tf_devprog *prog = NULL;
    struct tf_err err = {0};
    bool has_code;

    if (below(8))
        sign_blob(b, boxed ? BOX_HEAD : 0);
    if (boxed && b->count > BOX_HEAD && below(8)) {
        const uint64_t total = b->count;

        memcpy(b->data + 16, &total, sizeof(total));
        sign(b->data, b->count, BOX_HASH_AT, BOX_HEAD);
    }
    if (boxed && tf_program_binary_read(&err, b->data, b->count, &binary)) {
        NEED(err.code == CL_INVALID_BINARY);
        return;
    }
    if (tf_cpu_blob_read(&err, binary.blob, binary.blob_bytes, &has_code, &prog))
        NEED(err.code == CL_INVALID_BINARY || err.code == CL_OUT_OF_HOST_MEMORY);
    else
        query_and_free(prog);
}

static size_t blob_at; // in the sample

static void read_program(const struct tf_cache *cache, const struct tf_cpu_build_key *key,
                         struct bytes *b)
{
    struct tf_cache_part part;
    struct tf_devprog *prog;
    struct tf_str log = {0};

    if (below(8))
        sign_blob(b, blob_at);
    part = (struct tf_cache_part){b->data, b->count};
    tf_cache_write(cache, TF_CACHE_PROGRAM, &key->digest, &part, 1);
    prog = tf_cpu_program_cache_find(key, &log);
    if (prog)
        query_and_free(prog);
    tf_str_finish(&log);
}

static void read_files(const struct bytes *b)
{
    accepted += tf_file_list_holds(b->data, b->count);
}

// ---- Samples ----

static struct bytes copy_of(const void *data, size_t count)
{
    struct bytes b = {malloc(MOST_BYTES), count};

    NEED(b.data && count < MOST_BYTES / 2);
    memcpy(b.data, data, count);
    return b;
}

static struct bytes sample_binary(void)
{
    const struct tf_build_in in = {.kind = TF_BUILD_WHOLE,
                                   .source = source,
                                   .source_bytes = sizeof(source) - 1,
                                   .options = "-cl-std=CL3.0"};
    struct tf_program_binary box = {.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
    struct tf_build_out out = {0};
    struct tf_err err = {0};
    struct bytes b;
    void *blob, *data;
    size_t count;

    if (device->ops->program_build(&err, device, &in, &out)) {
        fprintf(stderr, "%s\n%s\n", err.text, out.log);
        exit(EXIT_FAILURE);
    }
    NEED(!device->ops->program_save(&err, device, out.program, &blob, &box.blob_bytes));
    box.blob = blob;
    data = tf_program_binary_write(&box, &count);
    NEED(data);
    b = copy_of(data, count);
    tf_free(data);
    tf_free(blob);
    tf_free(out.log);
    device->ops->program_free(device, out.program);
    return b;
}

// The one file of a program in the cache, without its head.
static struct bytes sample_program(const struct tf_cache *cache,
                                   struct tf_cpu_build_key *key)
{
    const struct bytes binary = sample_binary();
    struct tf_devprog *prog;
    struct tf_file_list list = {0};
    struct tf_compiler_bytes files;
    struct tf_cache_content content;
    struct tf_str log = {0};
    struct tf_err err = {0};
    struct bytes b;
    bool has_code;

    NEED(!tf_cpu_blob_read(&err, binary.data + BOX_HEAD, binary.count - BOX_HEAD,
                           &has_code, &prog));
    tf_file_list_add(&list, TF_FILE_ABSENT, "/no/such/file", NULL, 0, 0);
    tf_file_list_add(&list, TF_FILE_FOLDER, "/", NULL, 0, 0);
    files.data = tf_file_list_take(&list, &files.bytes);
    tf_str_add(&log, "a warning\n");
    key->is_usable = true;
    snprintf(key->compiler_id, sizeof(key->compiler_id), "%s", prog->build_id);
    tf_cpu_program_cache_keep(key, prog, &files, &log);
    NEED(tf_cache_read(cache, TF_CACHE_PROGRAM, &key->digest, &content));
    b = copy_of(content.data, content.bytes);
    while (memcmp(b.data + blob_at, "TFCPUPRG", 8) != 0)
        blob_at++;
    tf_free(content.block);
    tf_free(files.data);
    tf_str_finish(&log);
    device->ops->program_free(device, prog);
    free(binary.data);
    return b;
}

static struct bytes sample_files(void)
{
    struct tf_file_list list = {0};
    struct bytes b;
    void *data;
    size_t count;

    tf_file_list_add(&list, TF_FILE_ABSENT, "/no/such/file", NULL, 0, 0);
    tf_file_list_add(&list, TF_FILE_FOLDER, "/", NULL, 0, 0);
    tf_file_list_add(&list, TF_FILE_READ, "/dev/null", "", 0, 0);
    tf_file_list_add(&list, TF_FILE_THERE, "/etc/hostname", NULL, 10, 0);
    data = tf_file_list_take(&list, &count);
    b = copy_of(data, count);
    tf_free(data);
    return b;
}

int main(int argc, char **argv)
{
    const unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
    const unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 0) : 1000;
    static const char *const names[] = {"binaries", "device parts", "programs", "files"};
    const struct tf_cache *cache = tf_cache_own();
    struct tf_compiler only_name = {0}; // nothing asks it to work
    struct tf_cpu_build_key key = {0};
    struct bytes samples[4], b = {malloc(MOST_BYTES), 0};
    struct tf_err err = {0};

    NEED(cache && b.data && tf_drivers[0]->probe(&device, 1) == 1 &&
         !device->ops->open(&err, device));
    samples[0] = sample_binary();
    samples[1] = copy_of(samples[0].data + BOX_HEAD, samples[0].count - BOX_HEAD);
    samples[2] = sample_program(cache, &key);
    samples[3] = sample_files();
    only_name.build_id = key.compiler_id;
    tf_cpu_compiler_override(&only_name);
    for (int target = 0; target < 4; target++) {
        accepted = 0;
        for (unsigned long seed = first; seed < first + rounds; seed++) {
            state = seed * 4 + (unsigned long)target;
            b.count = samples[target].count;
            memcpy(b.data, samples[target].data, b.count);
            change(&b);
            if (target < 2)
                read_binary(&b, target == 0);
            else if (target == 2)
                read_program(cache, &key, &b);
            else
                read_files(&b);
        }
        printf("%s: %lu of %lu accepted\n", names[target], accepted, rounds);
        free(samples[target].data);
    }
    free(b.data);
    return EXIT_SUCCESS;
}
