// SPDX-License-Identifier: MIT
// Programs as bytes: what clGetProgramInfo(CL_PROGRAM_BINARIES) hands out of this device.
// The native code is in it, so that a process that loads it on the same kind of CPU needs
// no compiler; so is the bitcode, for every other CPU of the family.
//
//     header | build id | kernel table | program data | bitcode | for each kernel:
//     record, object
//
// All parts are padded to 8 bytes. Nothing that is read is trusted.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/range.h"
#include "base/str.h"
#include "core/object/error.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"

enum { FORMAT = 4, REASON_BYTES = 200, PAD_BYTES = 8 };
static const char magic[8] = {'T', 'F', 'C', 'P', 'U', 'P', 'R', 'G'};

struct head {
    char magic[8];
    uint32_t format;
    uint32_t cpu_abi;
    uint32_t machine; // e_machine
    uint32_t type;    // CL_PROGRAM_BINARY_TYPE_*
    uint32_t wanted_form;
    uint32_t kernel_count;
    char level[16];
    uint64_t build_id_bytes, packed_bytes, data_bytes, bitcode_bytes;
    uint64_t total_bytes;
    uint64_t hash_lo, hash_hi; // of everything before and after these two
};

struct record {
    uint64_t object_bytes; // 0: no code
    uint64_t stack_bytes;
    uint64_t form;
    uint64_t scratch_fixed_bytes, scratch_gang_bytes, scratch_width;
    uint32_t fiber_row_width, fiber_width;
    struct tf_fit fit;
};

static struct tf_hash hash_of(const struct head *head, const char *rest, size_t bytes)
{
    const struct tf_hash seed = tf_hash_bytes(head, offsetof(struct head, hash_lo), 0);

    return tf_hash_bytes(rest, bytes, seed.lo ^ seed.hi);
}

// ---- Writing ----

static void add_padded(struct tf_str *s, const void *data, size_t bytes)
{
    static const char zeros[PAD_BYTES];

    if (bytes > 0)
        tf_str_add_bytes(s, data, bytes);
    if (bytes % PAD_BYTES)
        tf_str_add_bytes(s, zeros, PAD_BYTES - bytes % PAD_BYTES);
}

static void add_kernel(struct tf_str *s, struct tf_devprog *prog, size_t index)
{
    const struct tf_cpu_kernel *kernel = tf_cpu_kernel_wait(prog, index, TF_SLOT_FULL);
    const struct tf_cpu_code *code = kernel ? &kernel->code : NULL;
    struct record record = {0};

    if (code) {
        record.object_bytes = code->object_bytes;
        record.stack_bytes = code->stack_bytes;
        record.form = code->form;
        record.scratch_fixed_bytes = code->scratch.fixed_bytes;
        record.scratch_gang_bytes = code->scratch.gang_bytes;
        record.scratch_width = code->scratch.width;
        record.fiber_row_width = code->fibers.row_width;
        record.fiber_width = code->fibers.width;
        record.fit = code->fit;
    }
    add_padded(s, &record, sizeof(record));
    if (record.object_bytes > 0)
        add_padded(s, code->object, code->object_bytes);
}

// What the environment asks of code generation.
static uint32_t wanted_form(void)
{
    const struct tf_cpu_wanted wanted = tf_cpu_wanted_of_environment();

    return (uint32_t)wanted.form | wanted.width << 8 | wanted.pack_rows << 16;
}

cl_int tf_cpu_blob_save(struct tf_err *err, struct tf_devprog *prog, void **blob,
                        size_t *bytes)
{
    struct head head = {
        .format = FORMAT,
        .cpu_abi = TF_CPU_ABI_VERSION,
        .machine = tf_arch_elf_machine,
        .type = prog->type,
        .wanted_form = wanted_form(),
        .kernel_count = (uint32_t)prog->kernel_count,
        .build_id_bytes = strlen(prog->build_id) + 1,
        .packed_bytes = prog->packed_bytes,
        .data_bytes = prog->packed_data_bytes,
        .bitcode_bytes = prog->bitcode_bytes,
    };
    struct tf_str s = {0};
    struct tf_hash hash;

    memcpy(head.magic, magic, sizeof(magic));
    snprintf(head.level, sizeof(head.level), "%s", tf_cpu_info_level()->name);
    tf_str_add_bytes(&s, &head, sizeof(head));
    add_padded(&s, prog->build_id, head.build_id_bytes);
    add_padded(&s, prog->packed, head.packed_bytes);
    add_padded(&s, prog->packed_data, head.data_bytes);
    add_padded(&s, prog->bitcode, head.bitcode_bytes);
    for (size_t i = 0; i < prog->kernel_count; i++)
        add_kernel(&s, prog, i);

    *bytes = s.bytes;
    *blob = tf_str_take(&s);
    if (!*blob)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program binary");
    head.total_bytes = *bytes;
    hash = hash_of(&head, (char *)*blob + sizeof(head), *bytes - sizeof(head));
    head.hash_lo = hash.lo;
    head.hash_hi = hash.hi;
    memcpy(*blob, &head, sizeof(head));
    return CL_SUCCESS;
}

// ---- Reading ----

struct reader {
    const char *at;
    size_t left_bytes;
};

// The next part of `bytes` bytes, or NULL when there are not so many left.
static const char *take(struct reader *r, uint64_t bytes)
{
    const char *at = r->at;
    size_t padded;

    if (bytes > r->left_bytes || tf_add_overflow((size_t)bytes, PAD_BYTES - 1, &padded))
        return NULL;
    padded &= ~(size_t)(PAD_BYTES - 1);
    if (padded > r->left_bytes)
        return NULL;
    r->at += padded;
    r->left_bytes -= padded;
    return at;
}

static cl_int read_head(struct tf_err *err, struct head *head, const void *blob,
                        size_t bytes)
{
    struct tf_hash hash;

    TF_REQUIRE(err, bytes >= sizeof(*head), CL_INVALID_BINARY, "%zu bytes", bytes);
    memcpy(head, blob, sizeof(*head));
    TF_REQUIRE(err,
               !memcmp(head->magic, magic, sizeof(magic)) && head->total_bytes == bytes,
               CL_INVALID_BINARY, "not a CPU program");
    hash = hash_of(head, (const char *)blob + sizeof(*head), bytes - sizeof(*head));
    TF_REQUIRE(err, hash.lo == head->hash_lo && hash.hi == head->hash_hi,
               CL_INVALID_BINARY, "damaged program");
    TF_REQUIRE(err, head->format == FORMAT && head->cpu_abi == TF_CPU_ABI_VERSION,
               CL_INVALID_BINARY, "made by another version of Trefoil");
    TF_REQUIRE(err, head->machine == tf_arch_elf_machine, CL_INVALID_BINARY,
               "made for another processor family");
    TF_REQUIRE(err,
               head->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE ||
                   head->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                   head->type == CL_PROGRAM_BINARY_TYPE_LIBRARY,
               CL_INVALID_BINARY, "program of type %#x", head->type);
    return CL_SUCCESS;
}

static cl_int read_parts(struct tf_err *err, struct tf_devprog *prog,
                         const struct head *head, struct reader *r)
{
    const char *build_id = take(r, head->build_id_bytes);
    const char *packed = build_id ? take(r, head->packed_bytes) : NULL;
    const char *data = packed ? take(r, head->data_bytes) : NULL;
    const char *bitcode = data ? take(r, head->bitcode_bytes) : NULL;

    TF_REQUIRE(err,
               bitcode && head->build_id_bytes > 0 && head->bitcode_bytes > 0 &&
                   build_id[head->build_id_bytes - 1] == '\0',
               CL_INVALID_BINARY, "damaged program");
    prog->build_id = tf_strdup(build_id);
    prog->bitcode = tf_memdup(bitcode, head->bitcode_bytes);
    prog->bitcode_bytes = head->bitcode_bytes;
    TF_REQUIRE(err, prog->build_id && prog->bitcode, CL_OUT_OF_HOST_MEMORY, "program");
    if (head->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return CL_SUCCESS;
    if (tf_cpu_program_set_kernels(err, prog, packed, head->packed_bytes))
        return err->code;
    TF_REQUIRE(err, prog->kernel_count == head->kernel_count, CL_INVALID_BINARY,
               "damaged kernel table");
    return tf_cpu_program_set_data(err, prog, data, head->data_bytes);
}

// Whether code in the blob was made for what this process would generate now.
static bool is_code_current(const struct head *head)
{
    return !strncmp(head->level, tf_cpu_info_level()->name, sizeof(head->level)) &&
           head->wanted_form == wanted_form();
}

static cl_int read_kernel(struct tf_err *err, struct tf_devprog *prog, size_t index,
                          struct reader *r)
{
    const char *data = take(r, sizeof(struct record));
    char reason[REASON_BYTES] = "";
    struct tf_cpu_code code = {0};
    struct record record;

    TF_REQUIRE(err, data, CL_INVALID_BINARY, "damaged program");
    memcpy(&record, data, sizeof(record));
    data = take(r, record.object_bytes);
    TF_REQUIRE(err,
               data &&
                   (record.form == TF_WG_LOOPS || record.form == TF_WG_FIBERS ||
                    record.form == TF_WG_SIMT || record.object_bytes == 0) &&
                   record.scratch_width <= UINT16_MAX &&
                   record.fiber_row_width <= UINT16_MAX &&
                   record.fiber_width <= UINT16_MAX,
               CL_INVALID_BINARY, "damaged program");
    if (record.object_bytes == 0)
        return CL_SUCCESS;
    code.object = tf_memdup(data, record.object_bytes);
    code.object_bytes = record.object_bytes;
    TF_REQUIRE(err, code.object, CL_OUT_OF_HOST_MEMORY, "kernel object");
    code.stack_bytes = record.stack_bytes;
    code.form = (enum tf_wg_form)record.form;
    code.scratch.fixed_bytes = record.scratch_fixed_bytes;
    code.scratch.gang_bytes = record.scratch_gang_bytes;
    code.scratch.width = (uint32_t)record.scratch_width;
    code.fibers.row_width = record.fiber_row_width;
    code.fibers.width = record.fiber_width;
    code.fit = record.fit;
    if (tf_cpu_kernel_adopt(prog, index, &code, reason, sizeof(reason)))
        return CL_SUCCESS;
    tf_cpu_code_finish(&code);
    return tf_fail(err,
                   prog->kernels[index].image.system_refused ? CL_OUT_OF_HOST_MEMORY
                                                             : CL_INVALID_BINARY,
                   "kernel object: %s", reason);
}

// Bitcode is read by the very compiler that wrote it, or not at all.
static cl_int check_compiler(struct tf_err *err, const struct tf_devprog *prog)
{
    char reason[REASON_BYTES];
    const struct tf_compiler *compiler = tf_cpu_compiler(reason, sizeof(reason));

    TF_REQUIRE(err, compiler, CL_INVALID_BINARY,
               "no code for this CPU, and no compiler: %s", reason);
    TF_REQUIRE(err, !strcmp(compiler->build_id, prog->build_id), CL_INVALID_BINARY,
               "made by another build of the compiler");
    return CL_SUCCESS;
}

static cl_int read_program(struct tf_err *err, struct tf_devprog *prog,
                           const struct head *head, struct reader *r)
{
    if (read_parts(err, prog, head, r))
        return err->code;
    if (head->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE || !is_code_current(head))
        return check_compiler(err, prog);
    for (size_t i = 0; i < prog->kernel_count; i++) {
        if (read_kernel(err, prog, i, r))
            return err->code;
    }
    return CL_SUCCESS;
}

cl_int tf_cpu_blob_load(struct tf_err *err, const void *blob, size_t bytes,
                        struct tf_devprog **out)
{
    struct tf_devprog *prog;
    struct reader r;
    struct head head;

    *out = NULL;
    if (read_head(err, &head, blob, bytes))
        return err->code;
    r.at = (const char *)blob + sizeof(head);
    r.left_bytes = bytes - sizeof(head);
    prog = tf_cpu_program_new(head.type);
    if (!prog)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program");
    if (read_program(err, prog, &head, &r)) {
        tf_cpu_program_unref(prog);
        return err->code;
    }
    *out = prog;
    return CL_SUCCESS;
}
