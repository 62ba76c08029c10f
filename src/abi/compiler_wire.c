// SPDX-License-Identifier: MIT
#include "abi/compiler_wire.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

// Whoever adds a field to one of these changes its function below, then the number. What
// fits into a gap is seen by the test: its samples name no fields, so they lack one then.
static_assert(sizeof(struct tf_compiler_header) == 24, "tf_compiler_header");
static_assert(sizeof(struct tf_compiler_device) == 64, "device()");
static_assert(sizeof(struct tf_compiler_constant) == 16, "constants()");
static_assert(sizeof(struct tf_compile_in) == 72, "tf_wire_compile_in()");
static_assert(sizeof(struct tf_compile_out) == 40, "tf_wire_compile_out()");
static_assert(sizeof(struct tf_link_in) == 48, "tf_wire_link_in()");
static_assert(sizeof(struct tf_link_out) == 56, "tf_wire_link_out()");
static_assert(sizeof(struct tf_generate_in) == 128, "tf_wire_generate_in()");
static_assert(sizeof(struct tf_generate_out) == 120, "tf_wire_generate_out()");

#define NO_TEXT UINT64_MAX

struct tf_wire_block {
    _Alignas(16) struct tf_wire_block *next;
};

void tf_wire_read(struct tf_wire *w, const void *data, size_t bytes)
{
    *w = (struct tf_wire){.at = data, .left_bytes = bytes, .reads = true};
}

void tf_wire_finish(struct tf_wire *w)
{
    while (w->blocks) {
        struct tf_wire_block *const block = w->blocks;

        w->blocks = block->next;
        tf_free(block);
    }
    tf_str_finish(&w->out);
}

// ---- Numbers and bytes ----

// `bytes` bytes of the stream, or NULL.
static const char *take(struct tf_wire *w, uint64_t bytes)
{
    const char *const at = w->at;

    if (w->failed || bytes > w->left_bytes) {
        w->failed = true;
        return NULL;
    }
    w->at += bytes;
    w->left_bytes -= (size_t)bytes;
    return at;
}

static void number(struct tf_wire *w, uint64_t *value)
{
    const char *at;

    if (!w->reads) {
        tf_str_add_bytes(&w->out, value, sizeof(*value));
        w->failed |= w->out.failed;
        return;
    }
    *value = 0;
    at = take(w, sizeof(*value));
    if (at)
        memcpy(value, at, sizeof(*value));
}

static void number32(struct tf_wire *w, uint32_t *value)
{
    uint64_t wide = *value;

    number(w, &wide);
    w->failed |= wide > UINT32_MAX;
    *value = (uint32_t)wide;
}

// Of 0 to `last`: enumerations, truth values.
static uint32_t choice(struct tf_wire *w, uint32_t value, uint32_t last)
{
    number32(w, &value);
    w->failed |= value > last;
    return w->failed ? 0 : value;
}

static void truth(struct tf_wire *w, bool *value)
{
    *value = choice(w, *value, 1);
}

static void bytes_of(struct tf_wire *w, const void **data, size_t *bytes)
{
    uint64_t count = *bytes;

    number(w, &count);
    if (w->reads) {
        *data = take(w, count);
        *bytes = w->failed ? 0 : (size_t)count;
    } else if (count > 0) {
        tf_str_add_bytes(&w->out, *data, *bytes);
        w->failed |= w->out.failed;
    }
}

// Terminated by 0 on the wire, too. `required`: it is never NULL.
static void text_of(struct tf_wire *w, const char **text, bool required)
{
    uint64_t count = *text ? strlen(*text) : NO_TEXT;

    number(w, &count);
    if (w->reads) {
        *text = count == NO_TEXT || count >= w->left_bytes ? NULL : take(w, count + 1);
        w->failed |=
            *text ? strnlen(*text, count + 1) != count : count != NO_TEXT || required;
        if (w->failed)
            *text = required ? "" : NULL;
    } else if (*text) {
        tf_str_add_bytes(&w->out, *text, count + 1);
        w->failed |= w->out.failed;
    }
}

// Memory of what is read. Never more elements than bytes are left: each has some.
static void *block_of(struct tf_wire *w, uint64_t count, size_t element_bytes)
{
    struct tf_wire_block *block = NULL;

    if (!w->failed && count <= w->left_bytes / sizeof(uint64_t))
        block = tf_zalloc(sizeof(*block) + count * element_bytes);
    if (!block) {
        w->failed = true;
        return NULL;
    }
    block->next = w->blocks;
    w->blocks = block;
    return block + 1;
}

// Results: the reader owns them.
static void owned_bytes(struct tf_wire *w, struct tf_compiler_bytes *bytes)
{
    const void *data = bytes->data;

    bytes_of(w, &data, &bytes->bytes);
    if (!w->reads)
        return;
    bytes->data = bytes->bytes > 0 ? tf_memdup(data, bytes->bytes) : NULL;
    if (bytes->bytes > 0 && !bytes->data) {
        bytes->bytes = 0;
        w->failed = true;
    }
}

static void owned_text(struct tf_wire *w, char **text)
{
    const char *here = *text;

    text_of(w, &here, false);
    if (!w->reads)
        return;
    *text = here ? tf_strdup(here) : NULL;
    w->failed |= here && !*text;
}

// ---- Structs ----

void tf_wire_hello(struct tf_wire *w, struct tf_wire_hello *hello)
{
    // The first two stay where they are in every version.
    number32(w, &hello->version);
    number32(w, &hello->process);
    number32(w, &hello->abi);
    number32(w, &hello->cpu_abi);
    text_of(w, &hello->reason, true);
    text_of(w, &hello->llvm_version, true);
    text_of(w, &hello->build_id, true);
}

void tf_wire_job(struct tf_wire *w, struct tf_wire_job *job)
{
    text_of(w, &job->folder, true);
    number32(w, &job->seconds);
    number32(w, &job->memory_mib);
}

void tf_wire_status(struct tf_wire *w, enum tf_compiler_status *status)
{
    *status = (enum tf_compiler_status)choice(w, (uint32_t)*status, TF_COMPILER_INTERNAL);
}

static void device(struct tf_wire *w, const struct tf_compiler_device **given)
{
    struct tf_compiler_device copy = {0};
    struct tf_compiler_device *d = &copy;
    bool there = *given;

    truth(w, &there);
    if (w->reads)
        *given = d = there ? block_of(w, 1, sizeof(*d)) : NULL;
    else if (there)
        copy = **given;
    if (!there || !d)
        return;
    for (size_t i = 0; i < sizeof(d->features.bits) / sizeof(*d->features.bits); i++)
        number(w, &d->features.bits[i]);
    number32(w, &d->opencl_c_max);
    number32(w, &d->device_version);
    number32(w, &d->sub_group_size);
    number32(w, &d->max_group_size);
    number(w, &d->max_local_bytes);
    number(w, &d->max_variable_bytes);
}

// The number of elements, and the array itself if it is to be filled.
static void *array(struct tf_wire *w, size_t *count, size_t element_bytes)
{
    uint64_t wide = *count;
    void *elements;

    number(w, &wide);
    if (!w->reads)
        return NULL;
    elements = wide > 0 ? block_of(w, wide, element_bytes) : NULL;
    *count = elements ? (size_t)wide : 0;
    return elements;
}

static void headers(struct tf_wire *w, struct tf_compile_in *in)
{
    struct tf_compiler_header *const filled =
        array(w, &in->header_count, sizeof(*filled));

    for (size_t i = 0; i < in->header_count; i++) {
        struct tf_compiler_header h = {0};
        const void *text;

        if (!w->reads)
            h = in->headers[i];
        text = h.text;
        text_of(w, &h.name, true);
        bytes_of(w, &text, &h.text_bytes);
        h.text = text;
        if (filled)
            filled[i] = h;
    }
    if (w->reads)
        in->headers = filled;
}

static void constants(struct tf_wire *w, struct tf_compile_in *in)
{
    struct tf_compiler_constant *const filled =
        array(w, &in->constant_count, sizeof(*filled));

    for (size_t i = 0; i < in->constant_count; i++) {
        struct tf_compiler_constant c = {0};
        size_t bytes;

        if (!w->reads)
            c = in->constants[i];
        number32(w, &c.id);
        bytes = c.bytes;
        bytes_of(w, &c.value, &bytes);
        c.bytes = (uint32_t)bytes;
        if (filled)
            filled[i] = c;
    }
    if (w->reads)
        in->constants = filled;
}

void tf_wire_compile_in(struct tf_wire *w, struct tf_compile_in *in)
{
    const void *source = in->source;

    bytes_of(w, &source, &in->source_bytes);
    in->source = source;
    truth(w, &in->is_il);
    constants(w, in);
    text_of(w, &in->options, true);
    headers(w, in);
    device(w, &in->device);
}

void tf_wire_compile_out(struct tf_wire *w, struct tf_compile_out *out)
{
    owned_bytes(w, &out->bitcode);
    owned_bytes(w, &out->files);
    owned_text(w, &out->log);
}

void tf_wire_link_in(struct tf_wire *w, struct tf_link_in *in)
{
    struct tf_compiler_bytes *const filled = array(w, &in->module_count, sizeof(*filled));
    struct tf_compile_in source = {0}, *s = &source;
    bool has_source = in->source;

    for (size_t i = 0; i < in->module_count; i++) {
        const void *data = w->reads ? NULL : in->modules[i].data;
        size_t bytes = w->reads ? 0 : in->modules[i].bytes;

        bytes_of(w, &data, &bytes);
        if (filled) {
            filled[i].data = (void *)(uintptr_t)data;
            filled[i].bytes = bytes;
        }
    }
    if (w->reads)
        in->modules = filled;
    text_of(w, &in->options, true);
    truth(w, &in->create_library);
    truth(w, &has_source);
    if (w->reads)
        in->source = s = has_source ? block_of(w, 1, sizeof(*s)) : NULL;
    else if (has_source)
        source = *in->source;
    if (has_source && s)
        tf_wire_compile_in(w, s);
    device(w, &in->device);
}

void tf_wire_link_out(struct tf_wire *w, struct tf_link_out *out)
{
    owned_bytes(w, &out->bitcode);
    owned_bytes(w, &out->kernels);
    owned_bytes(w, &out->data);
    owned_text(w, &out->log);
}

void tf_wire_generate_in(struct tf_wire *w, struct tf_generate_in *in)
{
    const void *bitcode = in->bitcode.data;

    bytes_of(w, &bitcode, &in->bitcode.bytes);
    in->bitcode.data = (void *)(uintptr_t)bitcode;
    truth(w, &in->is_text);
    text_of(w, &in->kernel, true);
    text_of(w, &in->triple, true);
    text_of(w, &in->cpu, true);
    text_of(w, &in->features, true);
    text_of(w, &in->tune, false);
    number32(w, &in->vector_bits);
    in->form = (enum tf_wg_form)choice(w, (uint32_t)in->form, TF_WG_GANG_FIBERS);
    truth(w, &in->plain);
    truth(w, &in->quick);
    truth(w, &in->has_fma);
    number32(w, &in->budget_ms);
    number32(w, &in->width);
    truth(w, &in->report);
    truth(w, &in->times);
    number32(w, &in->pack_rows);
    bytes_of(w, &in->fixed_args, &in->fixed_arg_bytes);
    if (in->fixed_arg_bytes == 0)
        in->fixed_args = NULL;
    for (int d = 0; d < 3; d++)
        number32(w, &in->local_size[d]);
}

void tf_wire_generate_out(struct tf_wire *w, struct tf_generate_out *out)
{
    owned_bytes(w, &out->object);
    number(w, &out->stack_bytes);
    out->form = (enum tf_wg_form)choice(w, (uint32_t)out->form, TF_WG_GANG_FIBERS);
    owned_text(w, &out->log);
    number(w, &out->scratch.fixed_bytes);
    number(w, &out->scratch.gang_bytes);
    number32(w, &out->scratch.width);
    number32(w, &out->fibers.row_width);
    number32(w, &out->fibers.width);
    number32(w, &out->fit.small);
    number32(w, &out->fit.least_row);
    number32(w, &out->fit.dimension);
    number32(w, &out->fit.through_groups);
    number32(w, &out->fit.columns);
    number32(w, &out->fit.rows);
    number32(w, &out->fit.streamed_bytes);
    for (int i = 0; i < TF_FIT_SPACINGS; i++)
        number32(w, &out->fit.spacings[i]);
    number32(w, &out->fit.in_order);
}
