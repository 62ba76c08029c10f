// SPDX-License-Identifier: MIT
// What a module says of itself before its types: capabilities, extensions, instruction
// sets, entry points and how they are executed.
#include <string.h>

#include "abi/spirv_features.h"
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"

void tf_spv_op_ignored(struct tf_spv *r)
{
    (void)r;
}

void tf_spv_op_refused(struct tf_spv *r)
{
    tf_spv_fail(r, "the instruction is not supported");
}

// The name of a capability that no device has, for messages; NULL: it is not known.
static const char *unknown_capability(uint32_t number)
{
    switch (number) {
#define CAP(value, text) \
    case value:          \
        return #text;
#include "compiler/spirv/read/spirv_capabilities.def"
#undef CAP
    default:
        return NULL;
    }
}

void tf_spv_op_capability(struct tf_spv *r)
{
    const uint32_t number = tf_spv_word(r, 1);
    const struct tf_spirv_row *const row = tf_spirv_capability(number);

    const char *const other = row ? row->name : unknown_capability(number);

    tf_spv_need(r, other, "capability %u is not supported", number);
    tf_spv_need(r, row, "capability %s is not supported", other);
    tf_spv_need(r, tf_spirv_row_in(&r->in->device->features, row),
                "the device has no capability %s", row->name);
    r->device_barriers |= number == TF_SPV_CAPABILITY_DEVICE_BARRIER;
    r->device_enqueue |= number == TF_SPV_CAPABILITY_DEVICE_ENQUEUE;
}

void tf_spv_op_extension(struct tf_spv *r)
{
    const char *const name = tf_spv_text(r, 1, NULL);
    const struct tf_spirv_row *const row = tf_spirv_named(TF_SPIRV_EXTENSION, name);

    tf_spv_need(r, row && tf_spirv_row_in(&r->in->device->features, row),
                "extension %s is not supported", name);
}

void tf_spv_op_memory_model(struct tf_spv *r)
{
    const uint32_t addressing = tf_spv_word(r, 1), model = tf_spv_word(r, 2);

    tf_spv_need(r, addressing == TF_SPV_ADDRESSING_PHYSICAL64,
                "addressing model %u is not that of this device, Physical64 (2)",
                addressing);
    tf_spv_need(r, model == TF_SPV_MEMORY_MODEL_OPENCL,
                "memory model %u is not OpenCL (2)", model);
    r->has_memory_model = true;
}

void tf_spv_op_import(struct tf_spv *r)
{
    const char *const name = tf_spv_text(r, 2, NULL);
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

    tf_spv_need(r, id->kind == TF_SPV_ID_NONE, "id %u is defined already", r->op.result);
    id->kind = TF_SPV_ID_IMPORT;
    if (!strcmp(name, "OpenCL.std"))
        id->is.number = TF_SPV_SET_OPENCL_STD;
    else if (!strncmp(name, "NonSemantic.", strlen("NonSemantic.")) ||
             !strcmp(name, "OpenCL.DebugInfo.100") || !strcmp(name, "SPIRV.debug"))
        id->is.number = TF_SPV_SET_IGNORED;
    else
        tf_spv_fail(r, "instruction set '%s' is not supported", name);
}

void tf_spv_op_entry_point(struct tf_spv *r)
{
    struct tf_spv_entry *const entry = TF_SPV_NEW(r, struct tf_spv_entry, 1);

    tf_spv_need(r, tf_spv_word(r, 1) == TF_SPV_MODEL_KERNEL,
                "execution model %u is not Kernel (6)", tf_spv_word(r, 1));
    (void)tf_spv_id_at(r, 2);
    entry->function = tf_spv_word(r, 2);
    entry->name = tf_spv_text(r, 3, NULL);
    tf_spv_need(r, *entry->name, "an entry point must have a name");
    for (const struct tf_spv_entry *other = r->entries; other; other = other->next)
        tf_spv_need(r, strcmp(other->name, entry->name) != 0,
                    "two entry points are called '%s'", entry->name);
    entry->offset = r->op.offset;
    entry->next = r->entries;
    r->entries = entry;
}

void tf_spv_op_execution_mode(struct tf_spv *r)
{
    struct tf_spv_mode *const mode = TF_SPV_NEW(r, struct tf_spv_mode, 1);

    (void)tf_spv_id_at(r, 1);
    mode->function = tf_spv_word(r, 1);
    mode->op = r->op;
    mode->number = tf_spv_word(r, 2);
    mode->next = r->modes;
    r->modes = mode;
}
