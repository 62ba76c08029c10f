// SPDX-License-Identifier: MIT
// Programs as bytes: what clGetProgramInfo(CL_PROGRAM_BINARIES) hands out of this device.
// The native code is in it, so that a process that loads it on the same kind of CPU needs
// no compiler; so is the bitcode, for every other CPU of the family.
//
//     header | build id | kernel table | program data | bitcode | sections
//     section: its head | for each kernel: which piece, record, object | its variants by
//         size: the size, record, object
//
// Kernels whose code was not there have none in it (cpu_blob_code.c). A section is the
// code for one level of instructions; a program that was loaded keeps those of other
// levels, so that a binary that was saved again on each kind of machine has code for all.
// All parts are padded to 8 bytes. Nothing that is read is trusted.
#include "devices/cpu/program/cpu_blob.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/hash.h"
#include "base/range.h"
#include "base/str.h"
#include "core/object/error.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/program/cpu_code_cache.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_generator.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_record.h"
#include "devices/cpu/program/cpu_variant.h"

enum { REASON_BYTES = 200, PAD_BYTES = 8, MAX_SECTIONS = 64 };
// What the compiler says of code (struct tf_fit) is stored as it is.
enum { LAYOUT = 10, FORMAT = LAYOUT * 1000 + TF_COMPILER_ABI };
static const char magic[8] = {'T', 'F', 'C', 'P', 'U', 'P', 'R', 'G'};

struct head {
    char magic[8];
    uint32_t format;
    uint32_t cpu_abi;
    uint32_t machine; // e_machine
    uint32_t type;    // CL_PROGRAM_BINARY_TYPE_*
    uint32_t kernel_count;
    uint32_t section_count;
    uint64_t build_id_bytes, packed_bytes, data_bytes, bitcode_bytes;
    uint64_t total_bytes;
    uint64_t hash_lo, hash_hi; // of everything before and after these two
};

struct section_head {
    char level[16];
    uint32_t wanted; // what the environment asked of its code
    uint32_t reserved;
    uint64_t bytes; // behind this head, a multiple of PAD_BYTES
};

// What a section has of a kernel.
enum piece {
    PIECE_NONE, // to be made from the bitcode
    PIECE_FULL,
    PIECE_QUICK,
};

struct piece_head {
    uint32_t piece;
    uint32_t is_best; // the compiler cannot make better code, or none
    uint32_t sized_count;
    uint32_t reserved;
};

// Of a variant for groups of one size.
struct sized_head {
    uint32_t local_size[3];
    uint32_t reserved;
};

static struct tf_hash hash_of(const struct head *head, const char *rest, size_t bytes)
{
    const struct tf_hash seed = tf_hash_bytes(head, offsetof(struct head, hash_lo), 0);

    return tf_hash_bytes(rest, bytes, seed.lo ^ seed.hi);
}

static struct section_head section_of(const struct tf_arch_level *level)
{
    const struct tf_cpu_wanted wanted = tf_cpu_wanted_of_environment();
    struct section_head section = {0};

    snprintf(section.level, sizeof(section.level), "%s", level->name);
    section.wanted = (uint32_t)wanted.form | wanted.width << 8 | wanted.pack_rows << 16;
    return section;
}

static bool is_same(const struct section_head *a, const struct section_head *b)
{
    return !memcmp(a->level, b->level, sizeof(a->level)) && a->wanted == b->wanted;
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

static void add_code(struct tf_str *s, const struct tf_cpu_code *code)
{
    const struct tf_cpu_record record = tf_cpu_record_of(code);

    add_padded(s, &record, sizeof(record));
    add_padded(s, code->object, code->object_bytes);
}

static void add_piece(struct tf_str *s, struct piece_head head,
                      const struct tf_cpu_code *code)
{
    add_padded(s, &head, sizeof(head));
    if (head.piece != PIECE_NONE)
        add_code(s, code);
}

// The code of the kernel's variants by size that are there, `count` of them at most in
// the order of their slots. Returns the number; `s` NULL: counts only.
static uint32_t add_sized(struct tf_str *s, const struct tf_devprog *prog, size_t index,
                          uint32_t count)
{
    const size_t most = tf_cpu_variant_sizes(prog, index);
    uint32_t found = 0;

    for (size_t i = 0; i < most && found < count; i++) {
        const enum tf_cpu_slot slot = (enum tf_cpu_slot)(TF_SLOT_VARIANT + i);
        const struct tf_cpu_kernel *const code = tf_cpu_kernel_peek(prog, index, slot);
        struct sized_head head = {0};

        if (!code)
            continue;
        found++;
        if (!s)
            continue;
        memcpy(head.local_size, atomic_load(&code->key)->local_size,
               sizeof(head.local_size));
        add_padded(s, &head, sizeof(head));
        add_code(s, &code->code);
    }
    return found;
}

static void add_own_code(struct tf_str *s, const struct tf_devprog *prog, size_t index)
{
    const struct tf_cpu_kernel *full = tf_cpu_kernel_peek(prog, index, TF_SLOT_FULL);
    const struct tf_cpu_kernel *quick = tf_cpu_kernel_peek(prog, index, TF_SLOT_QUICK);
    const bool failed =
        atomic_load(&tf_cpu_kernel_at(prog, index, TF_SLOT_FULL)->state) ==
        TF_CODE_FAILED;

    // Others may make more meanwhile.
    const uint32_t sized_count = add_sized(NULL, prog, index, UINT32_MAX);
    const struct tf_cpu_kernel *const best = full ? full : quick;

    add_piece(s,
              (struct piece_head){.piece = full    ? PIECE_FULL
                                           : quick ? PIECE_QUICK
                                                   : PIECE_NONE,
                                  .is_best = full || failed,
                                  .sized_count = sized_count},
              best ? &best->code : NULL);
    add_sized(s, prog, index, sized_count);
}

// Code of all kernels for a level that is not this process's.
struct other_code {
    const struct tf_devprog *prog;
    const struct tf_arch_level *level;
    struct tf_cpu_code *codes; // without an object: that failed, plain code, too
};

static void make_other_code(void *arg, size_t index)
{
    const struct other_code *other = arg;
    struct tf_cpu_wanted wanted = tf_cpu_wanted(other->prog, index, TF_SLOT_FULL);
    struct tf_cpu_code *code = &other->codes[index];
    struct tf_str log = {0};

    wanted.level = other->level;
    for (int attempt = 0; attempt < 2 && !code->object; attempt++) {
        if (!tf_cpu_code_cache_make(other->prog, index, &wanted, false, code, &log)) {
            tf_cpu_code_finish(code);
            *code = (struct tf_cpu_code){0};
        }
        wanted.plain = true;
    }
    tf_str_finish(&log);
}

static void add_other_code(struct tf_str *s, struct tf_devprog *prog,
                           const struct tf_arch_level *level)
{
    const size_t count = prog->kernel_count;
    struct other_code other = {prog, level, tf_zalloc(count * sizeof(*other.codes))};

    if (!other.codes) {
        s->failed = true;
        return;
    }
    tf_generator_each(count, make_other_code, &other);
    for (size_t i = 0; i < count; i++) {
        const enum piece piece = other.codes[i].object ? PIECE_FULL : PIECE_NONE;

        add_piece(s, (struct piece_head){.piece = piece, .is_best = true},
                  &other.codes[i]);
        tf_cpu_code_finish(&other.codes[i]);
    }
    tf_free(other.codes);
}

static void add_section(struct tf_str *s, struct tf_devprog *prog,
                        const struct tf_arch_level *level)
{
    struct section_head section = section_of(level);
    struct tf_str code = {0};

    if (level == tf_cpu_info_level()) {
        for (size_t i = 0; i < prog->kernel_count; i++)
            add_own_code(&code, prog, i);
    } else {
        add_other_code(&code, prog, level);
    }
    section.bytes = code.bytes;
    add_padded(s, &section, sizeof(section));
    add_padded(s, code.text, code.bytes);
    s->failed |= code.failed;
    tf_str_finish(&code);
}

// Whether the program was loaded with code for the level.
static bool was_loaded(const struct tf_devprog *prog, const struct tf_arch_level *level)
{
    const struct section_head wanted = section_of(level);
    struct section_head section;

    for (size_t at = 0; at < prog->other_section_bytes;
         at += sizeof(section) + section.bytes) {
        memcpy(&section, prog->other_sections + at, sizeof(section));
        if (is_same(&section, &wanted))
            return true;
    }
    return false;
}

// Code for this process, for the levels that TREFOIL_BINARY_ISA names, and what was
// loaded for others. Returns the number of sections.
static uint32_t add_sections(struct tf_str *s, struct tf_devprog *prog)
{
    uint32_t count = 1;
    size_t level_count;
    const struct tf_arch_level *levels = tf_arch_levels(&level_count);

    add_section(s, prog, tf_cpu_info_level());
    for (size_t i = 0; i < level_count; i++) {
        if (&levels[i] == tf_cpu_info_level() || was_loaded(prog, &levels[i]) ||
            !tf_env_lists(TF_ENV_BINARY_ISA, levels[i].name))
            continue;
        add_section(s, prog, &levels[i]);
        count++;
    }
    add_padded(s, prog->other_sections, prog->other_section_bytes);
    return count + prog->other_section_count;
}

cl_int tf_cpu_blob_write(struct tf_err *err, struct tf_devprog *prog, bool with_code,
                         void **blob, size_t *bytes)
{
    struct head head = {
        .format = FORMAT,
        .cpu_abi = TF_CPU_ABI_VERSION,
        .machine = tf_arch_elf_machine,
        .type = prog->type,
        .kernel_count = (uint32_t)prog->kernel_count,
        .build_id_bytes = strlen(prog->build_id) + 1,
        .packed_bytes = prog->packed_bytes,
        .data_bytes = prog->packed_data_bytes,
        .bitcode_bytes = prog->bitcode_bytes,
    };
    struct tf_str s = {0};
    struct tf_hash hash;

    memcpy(head.magic, magic, sizeof(magic));
    tf_str_add_bytes(&s, &head, sizeof(head));
    add_padded(&s, prog->build_id, head.build_id_bytes);
    add_padded(&s, prog->packed, head.packed_bytes);
    add_padded(&s, prog->packed_data, head.data_bytes);
    add_padded(&s, prog->bitcode, head.bitcode_bytes);
    if (with_code)
        head.section_count = add_sections(&s, prog);

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

cl_int tf_cpu_blob_save(struct tf_err *err, struct tf_devprog *prog, void **blob,
                        size_t *bytes)
{
    const bool with_code = prog->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;

    if (with_code)
        tf_cpu_blob_make_code(prog);
    return tf_cpu_blob_write(err, prog, with_code, blob, bytes);
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

    if (bytes > r->left_bytes || !tf_round_up((size_t)bytes, PAD_BYTES, &padded) ||
        padded > r->left_bytes)
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
    TF_REQUIRE(err, head->section_count <= MAX_SECTIONS, CL_INVALID_BINARY,
               "code of %u levels", head->section_count);
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
    TF_REQUIRE(err,
               tf_cpu_program_set_bitcode(prog, bitcode, head->bitcode_bytes, build_id),
               CL_OUT_OF_HOST_MEMORY, "program");
    if (head->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return CL_SUCCESS;
    if (tf_cpu_program_set_kernels(err, prog, packed, head->packed_bytes))
        return err->code;
    TF_REQUIRE(err, prog->kernel_count == head->kernel_count, CL_INVALID_BINARY,
               "damaged kernel table");
    tf_cpu_variant_settle(prog);
    return tf_cpu_program_set_data(err, prog, data, head->data_bytes);
}

static cl_int read_code(struct tf_err *err, struct tf_devprog *prog, size_t index,
                        enum tf_cpu_slot slot, struct reader *r)
{
    const char *data = take(r, sizeof(struct tf_cpu_record));
    char reason[REASON_BYTES] = "";
    struct tf_cpu_record record;
    struct tf_cpu_code code;

    TF_REQUIRE(err, data, CL_INVALID_BINARY, "damaged program");
    memcpy(&record, data, sizeof(record));
    data = take(r, record.object_bytes);
    TF_REQUIRE(err, data && record.object_bytes > 0 && tf_cpu_record_read(&record, &code),
               CL_INVALID_BINARY, "damaged program");
    code.object = tf_memdup(data, record.object_bytes);
    TF_REQUIRE(err, code.object, CL_OUT_OF_HOST_MEMORY, "kernel object");
    if (tf_cpu_kernel_adopt(prog, index, slot, &code, reason, sizeof(reason)))
        return CL_SUCCESS;
    tf_cpu_code_finish(&code);
    return tf_fail(err,
                   tf_cpu_kernel_at(prog, index, slot)->image.system_refused
                       ? CL_OUT_OF_HOST_MEMORY
                       : CL_INVALID_BINARY,
                   "kernel object: %s", reason);
}

static cl_int read_sized(struct tf_err *err, struct tf_devprog *prog, size_t index,
                         struct reader *r)
{
    const char *const data = take(r, sizeof(struct sized_head));
    enum tf_cpu_slot slot;
    struct sized_head head;
    bool no_memory;

    TF_REQUIRE(err, data, CL_INVALID_BINARY, "damaged program");
    memcpy(&head, data, sizeof(head));
    slot = tf_cpu_variant_slot_of_size(prog, index, head.local_size, &no_memory);
    TF_REQUIRE(err, !no_memory, CL_OUT_OF_HOST_MEMORY, "program");
    TF_REQUIRE(err, slot != TF_SLOT_COUNT && !tf_cpu_kernel_peek(prog, index, slot),
               CL_INVALID_BINARY, "damaged program");
    return read_code(err, prog, index, slot, r);
}

// Sets *has_code to false where the compiler may be needed.
static cl_int read_kernel(struct tf_err *err, struct tf_devprog *prog, size_t index,
                          struct reader *r, bool *has_code)
{
    const char *data = take(r, sizeof(struct piece_head));
    struct piece_head head;

    TF_REQUIRE(err, data, CL_INVALID_BINARY, "damaged program");
    memcpy(&head, data, sizeof(head));
    TF_REQUIRE(err, head.piece <= PIECE_QUICK && head.is_best <= 1, CL_INVALID_BINARY,
               "damaged program");
    *has_code &= head.is_best;
    if (head.piece != PIECE_NONE &&
        read_code(err, prog, index,
                  head.piece == PIECE_FULL ? TF_SLOT_FULL : TF_SLOT_QUICK, r))
        return err->code;
    for (uint32_t i = 0; i < head.sized_count; i++)
        if (read_sized(err, prog, index, r))
            return err->code;
    return CL_SUCCESS;
}

// Code of another level: kept as it is for who saves the program again.
static cl_int keep_section(struct tf_err *err, struct tf_devprog *prog, const char *data,
                           size_t bytes)
{
    char *all;

    all = tf_realloc(prog->other_sections, prog->other_section_bytes + bytes);
    TF_REQUIRE(err, all, CL_OUT_OF_HOST_MEMORY, "code of %zu bytes", bytes);
    memcpy(all + prog->other_section_bytes, data, bytes);
    prog->other_sections = all;
    prog->other_section_bytes += bytes;
    prog->other_section_count++;
    return CL_SUCCESS;
}

static cl_int read_section(struct tf_err *err, struct tf_devprog *prog, struct reader *r,
                           bool *has_own, bool *has_code)
{
    const struct section_head own = section_of(tf_cpu_info_level());
    const char *start = take(r, sizeof(struct section_head)), *data;
    struct section_head section;
    struct reader inside;

    TF_REQUIRE(err, start, CL_INVALID_BINARY, "damaged program");
    memcpy(&section, start, sizeof(section));
    data = take(r, section.bytes);
    TF_REQUIRE(err, data && section.bytes % PAD_BYTES == 0, CL_INVALID_BINARY,
               "damaged program");
    if (!is_same(&section, &own))
        return keep_section(err, prog, start, sizeof(section) + section.bytes);
    TF_REQUIRE(err, !*has_own, CL_INVALID_BINARY, "code of one level twice");
    *has_own = *has_code = true;
    inside = (struct reader){data, section.bytes};
    for (size_t i = 0; i < prog->kernel_count; i++) {
        if (read_kernel(err, prog, i, &inside, has_code))
            return err->code;
    }
    TF_REQUIRE(err, inside.left_bytes == 0, CL_INVALID_BINARY, "damaged program");
    return CL_SUCCESS;
}

// Bitcode is read by the very compiler that wrote it, or not at all. It is not opened
// for that: who only loads programs may never need it.
static cl_int check_compiler(struct tf_err *err, const struct tf_devprog *prog)
{
    char id[TF_BUILD_ID_BYTES];

    TF_REQUIRE(err, tf_cpu_compiler_id(id), CL_INVALID_BINARY,
               "no code for this CPU, and no compiler");
    TF_REQUIRE(err, !strcmp(id, prog->build_id), CL_INVALID_BINARY,
               "made by another build of the compiler");
    return CL_SUCCESS;
}

static cl_int read_program(struct tf_err *err, struct tf_devprog *prog,
                           const struct head *head, struct reader *r, bool *has_code)
{
    bool has_own = false;

    *has_code = false;
    if (read_parts(err, prog, head, r))
        return err->code;
    TF_REQUIRE(
        err, head->section_count == 0 || head->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
        CL_INVALID_BINARY, "damaged program");
    for (uint32_t i = 0; i < head->section_count; i++) {
        if (read_section(err, prog, r, &has_own, has_code))
            return err->code;
    }
    TF_REQUIRE(err, r->left_bytes == 0, CL_INVALID_BINARY, "damaged program");
    return *has_code ? CL_SUCCESS : check_compiler(err, prog);
}

cl_int tf_cpu_blob_read(struct tf_err *err, const void *blob, size_t bytes,
                        bool *has_code, struct tf_devprog **out)
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
    if (read_program(err, prog, &head, &r, has_code)) {
        tf_cpu_program_unref(prog);
        return err->code;
    }
    *out = prog;
    return CL_SUCCESS;
}

cl_int tf_cpu_blob_load(struct tf_err *err, const void *blob, size_t bytes,
                        struct tf_devprog **out)
{
    bool has_code;

    return tf_cpu_blob_read(err, blob, bytes, &has_code, out);
}
