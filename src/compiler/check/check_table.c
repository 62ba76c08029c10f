// SPDX-License-Identifier: MIT
// The table of a kernel's places (abi/check_record.h).
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/alloc.h"
#include "compiler/check/checks.h"
#include "compiler/ir/ir_util.h"

static void add_bytes(struct tf_check_bytes *to, const void *data, size_t bytes)
{
    if (bytes == 0)
        return;
    if (!to->data || to->bytes + bytes > to->room) {
        const size_t room = 2 * (to->bytes + bytes);
        unsigned char *const grown = tf_realloc(to->data, room);

        if (!grown) {
            to->failed = true;
            return;
        }
        to->data = grown;
        to->room = room;
    }
    memcpy(to->data + to->bytes, data, bytes);
    to->bytes += bytes;
}

uint32_t tf_check_add_text(struct tf_checks *c, const char *text, size_t bytes)
{
    const struct tf_check_bytes *texts = &c->texts;
    size_t at = 0;

    if (bytes == 0 || memchr(text, 0, bytes))
        return 0;
    while (at < texts->bytes) {
        const char *there = (const char *)texts->data + at;
        const size_t length = strlen(there);

        if (length == bytes && !memcmp(there, text, bytes))
            return (uint32_t)at + 1;
        at += length + 1;
    }
    add_bytes(&c->texts, text, bytes);
    add_bytes(&c->texts, "", 1);
    return (uint32_t)at + 1;
}

static void set_line(struct tf_checks *c, LLVMValueRef instruction,
                     struct tf_check_site *site)
{
    const LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    LLVMMetadataRef file;
    const char *name;
    unsigned bytes;

    if (!at)
        return;
    site->line = LLVMDILocationGetLine(at);
    site->column = LLVMDILocationGetColumn(at);
    file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    if (!file)
        return;
    name = LLVMDIFileGetFilename(file, &bytes);
    site->file = tf_check_add_text(c, name, bytes);
}

uint32_t tf_check_add_site(struct tf_checks *c, LLVMValueRef instruction,
                           const struct tf_check_site *site)
{
    struct tf_check_site made = *site;

    set_line(c, instruction, &made);
    add_bytes(&c->sites, &made, sizeof(made));
    return c->site_count++;
}

// Texts were counted from 1 on; they lie behind the sites.
static void move_texts(struct tf_checks *c, uint32_t start)
{
    struct tf_check_site site;

    for (uint32_t i = 0; i < c->site_count; i++) {
        unsigned char *at = c->sites.data + i * sizeof(site);

        memcpy(&site, at, sizeof(site));
        if (site.file)
            site.file += start - 1;
        if (site.variable)
            site.variable += start - 1;
        memcpy(at, &site, sizeof(site));
    }
}

static uint64_t digest_of(const struct tf_check_bytes *all)
{
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a

    for (size_t i = 0; i < all->bytes; i++)
        hash = (hash ^ all->data[i]) * 0x100000001b3u;
    return hash;
}

LLVMValueRef tf_check_table(struct tf_checks *c)
{
    const char *name = tf_ir_name(c->kernel);
    struct tf_check_table head = {.modes = c->modes, .site_count = c->site_count};
    const uint32_t start = (uint32_t)(sizeof(head) + c->sites.bytes);
    struct tf_check_bytes all = {0};
    LLVMValueRef global = NULL, data;

    head.kernel = start - 1 + tf_check_add_text(c, name, strlen(name));
    head.bytes = start + (uint32_t)c->texts.bytes;
    move_texts(c, start);
    add_bytes(&all, &head, sizeof(head));
    add_bytes(&all, c->sites.data, c->sites.bytes);
    add_bytes(&all, c->texts.data, c->texts.bytes);
    if (!all.failed && !c->sites.failed && !c->texts.failed) {
        head.digest = digest_of(&all);
        memcpy(all.data, &head, sizeof(head));
        data = LLVMConstStringInContext2(c->context, (const char *)all.data, all.bytes,
                                         true);
        global =
            LLVMAddGlobalInAddressSpace(c->module, LLVMTypeOf(data), "tf_check_table", 2);
        LLVMSetInitializer(global, data);
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMInternalLinkage);
        LLVMSetAlignment(global, 8);
    }
    tf_free(all.data);
    return global;
}
