// SPDX-License-Identifier: MIT
// Binaries, the device's part of them, lists of files, modules as core looks at them,
// files of the cache, objects. What tells versions, sizes and accidents apart (magic
// numbers, checksums, the compiler's name) is made right before the bytes are read.
#include "guided.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "cache/file_list.h"
#include "core/object/error.h"
#include "core/platform/device_interface.h"
#include "core/program/il.h"
#include "core/program/program_binary.h"
#include "devices/cpu/program/cpu_blob.h"

enum { BLOB_HASH_AT = 72, BLOB_HEAD = 88, TYPE_AT = 20, BOX_HASH_AT = 32, BOX_HEAD = 48 };

static struct tf_device *device;

static void sign(uint8_t *bytes, size_t count, size_t hash_at, size_t head)
{
    struct tf_hash hash = tf_hash_bytes(bytes, hash_at, 0);

    hash = tf_hash_bytes(bytes + head, count - head, hash.lo ^ hash.hi);
    memcpy(bytes + hash_at, &hash, sizeof(hash));
}

static uint8_t version[TYPE_AT]; // how programs begin that this version writes

void guided_learn_version(struct tf_devprog *prog)
{
    struct tf_err err = {0};
    size_t bytes;
    void *blob;

    NEED(tf_cpu_blob_write(&err, prog, false, &blob, &bytes) == CL_SUCCESS &&
         bytes > BLOB_HEAD);
    memcpy(version, blob, TYPE_AT);
    tf_free(blob);
}

// As if this version had written it, by the compiler that it names.
void guided_sign_program(uint8_t *bytes, size_t count)
{
    const uint64_t total = count;

    if (count <= BLOB_HEAD)
        return;
    memcpy(bytes, version, TYPE_AT);
    memcpy(bytes + BLOB_HASH_AT - sizeof(total), &total, sizeof(total));
    sign(bytes, count, BLOB_HASH_AT, BLOB_HEAD);
    guided_compiler_is((const char *)bytes + BLOB_HEAD, count - BLOB_HEAD);
}

// Whatever is accepted is sound enough to be queried, saved and freed.
void guided_query_and_free(struct tf_devprog *prog, size_t count)
{
    struct tf_program_info info;
    struct tf_err err = {0};
    size_t letters = 0, saved;
    void *blob;

    device->ops->program_info(prog, &info);
    for (size_t i = 0; i < info.kernel_count; i++) {
        letters += strlen(info.kernels[i].name) + strlen(info.kernels[i].attributes);
        for (uint32_t a = 0; a < info.kernels[i].arg_count; a++)
            letters += strlen(info.kernels[i].args[a].type_name);
    }
    NEED(letters <= count);
    NEED(tf_cpu_blob_write(&err, prog, false, &blob, &saved) == CL_SUCCESS);
    tf_free(blob);
    device->ops->program_free(device, prog);
}

static void read_part(const void *bytes, size_t count)
{
    struct tf_devprog *prog = NULL;
    struct tf_err err = {0};
    bool has_code;

    if (tf_cpu_blob_read(&err, bytes, count, &has_code, &prog))
        NEED(err.code == CL_INVALID_BINARY || err.code == CL_OUT_OF_HOST_MEMORY);
    else
        guided_query_and_free(prog, count);
}

static void read_device_part(uint8_t *bytes, size_t count)
{
    guided_sign_program(bytes, count);
    read_part(bytes, count);
}

static void read_binary(uint8_t *bytes, size_t count)
{
    struct tf_program_binary binary = {0};
    struct tf_err err = {0};

    if (count > BOX_HEAD) {
        const uint64_t total = count;

        guided_sign_program(bytes + BOX_HEAD, count - BOX_HEAD);
        memcpy(bytes + 16, &total, sizeof(total));
        sign(bytes, count, BOX_HASH_AT, BOX_HEAD);
    }
    if (tf_program_binary_read(&err, bytes, count, &binary))
        NEED(err.code == CL_INVALID_BINARY);
    else
        read_part(binary.blob, binary.blob_bytes);
}

static void read_files(uint8_t *bytes, size_t count)
{
    (void)tf_file_list_holds(bytes, count);
}

// A list to begin with, as it is written: TF_FUZZ_SEED names the file.
static void write_seed(const char *path)
{
    struct tf_file_list list = {0};
    FILE *const file = fopen(path, "wb");
    size_t bytes;
    void *data;

    NEED(file);
    tf_file_list_add(&list, TF_FILE_ABSENT, "/no/such/file", NULL, 0, 0);
    tf_file_list_add(&list, TF_FILE_FOLDER, "/", NULL, 0, 0);
    tf_file_list_add(&list, TF_FILE_READ, "/dev/null", "", 0, 0);
    tf_file_list_add(&list, TF_FILE_THERE, "/etc/hostname", NULL, 10, 0);
    data = tf_file_list_take(&list, &bytes);
    NEED(fwrite(data, 1, bytes, file) == bytes && !fclose(file));
    tf_free(data);
}

static void read_module(uint8_t *bytes, size_t count)
{
    struct tf_il_constant constant;
    struct tf_err err = {0};

    if (tf_il_check(&err, bytes, count))
        return;
    for (uint32_t id = 0; id < 20; id++)
        (void)tf_il_find_constant(bytes, count, id, &constant);
}

static const struct guided_reader readers[] = {
    {"binary", read_binary},
    {"cache", guided_read_cache},
    {"device_part", read_device_part},
    {"files", read_files},
    {"il", read_module},
    {"object", guided_read_object},
};
static const struct guided_reader *reader;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct tf_err err = {0};

    (void)argc;
    (void)argv;
    reader = guided_choose(readers, sizeof(readers) / sizeof(readers[0]));
    guided_cache_folder();
    if (getenv("TF_FUZZ_SEED"))
        write_seed(getenv("TF_FUZZ_SEED"));
    NEED(tf_drivers[0]->probe(&device, 1) == 1 && !device->ops->open(&err, device));
    guided_cache_start();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    guided_read(reader, bytes, count);
    return 0;
}
