// SPDX-License-Identifier: MIT
#include "compiler/codegen/object_seal.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/range.h"

static const char *const known_symbols[] = {
#define TF_KERNEL_SYMBOL(name) #name,
#include "abi/kernel_symbols.def"
#undef TF_KERNEL_SYMBOL
};

struct object {
    char *bytes;
    size_t size_bytes;
    Elf64_Ehdr header;
};

static bool read_at(const struct object *o, uint64_t offset, void *out, size_t bytes)
{
    if (!tf_range_ok(offset, bytes, o->size_bytes))
        return false;
    memcpy(out, o->bytes + offset, bytes);
    return true;
}

static bool read_section(const struct object *o, size_t index, Elf64_Shdr *out)
{
    return index < o->header.e_shnum &&
           read_at(o, o->header.e_shoff + index * sizeof(*out), out, sizeof(*out));
}

// The string at `at` of string section `index`, or "" if it is not there.
static const char *string_at(const struct object *o, size_t index, uint64_t at)
{
    Elf64_Shdr s;

    if (!read_section(o, index, &s) ||
        !tf_range_ok(s.sh_offset, s.sh_size, o->size_bytes) || at >= s.sh_size ||
        !memchr(o->bytes + s.sh_offset + at, '\0', s.sh_size - at))
        return "";
    return o->bytes + s.sh_offset + at;
}

static bool is_known(const char *symbol)
{
    for (size_t i = 0; i < sizeof(known_symbols) / sizeof(known_symbols[0]); i++) {
        if (strcmp(symbol, known_symbols[i]) == 0)
            return true;
    }
    return false;
}

static bool check_symbols(const struct object *o, const Elf64_Shdr *table,
                          struct tf_str *log)
{
    bool ok = true;
    Elf64_Sym symbol;

    // Symbol 0 is undefined by definition.
    for (uint64_t at = sizeof(symbol); at < table->sh_size; at += sizeof(symbol)) {
        const char *name;

        if (!read_at(o, table->sh_offset + at, &symbol, sizeof(symbol)))
            return false;
        if (symbol.st_shndx != SHN_UNDEF)
            continue;
        name = string_at(o, table->sh_link, symbol.st_name);
        if (is_known(name))
            continue;
        tf_str_printf(
            log, "error: the kernel needs the function %s, which is not there\n", name);
        ok = false;
    }
    return ok;
}

static bool check_section(const struct object *o, Elf64_Shdr *s, struct tf_str *log)
{
    const char *name = string_at(o, o->header.e_shstrndx, s->sh_name);
    const bool loaded = (s->sh_flags & SHF_ALLOC) && s->sh_size > 0;

    if (s->sh_type == SHT_SYMTAB)
        return check_symbols(o, s, log);
    // Constant pointers: written by the relocations, read-only from then on.
    if (strncmp(name, ".data.rel.ro", strlen(".data.rel.ro")) == 0)
        s->sh_flags &= ~(Elf64_Xword)SHF_WRITE;
    if (loaded && (s->sh_flags & (SHF_TLS | SHF_WRITE))) {
        tf_str_printf(log, "error: the kernel has writable data in section %s\n", name);
        return false;
    }
    return true;
}

bool tf_object_seal(void *object, size_t bytes, struct tf_str *log)
{
    struct object o = {.bytes = object, .size_bytes = bytes};
    bool ok;

    ok = read_at(&o, 0, &o.header, sizeof(o.header)) &&
         memcmp(o.header.e_ident, ELFMAG, SELFMAG) == 0 &&
         o.header.e_ident[EI_CLASS] == ELFCLASS64 && o.header.e_type == ET_REL;
    if (!ok)
        tf_str_add(log, "error: the code generator made no relocatable object\n");
    for (size_t i = 0; ok && i < o.header.e_shnum; i++) {
        Elf64_Shdr s;

        ok = read_section(&o, i, &s) && check_section(&o, &s, log);
        if (ok) // read_section found it within the object
            memcpy(o.bytes + o.header.e_shoff + i * sizeof(s), &s, sizeof(s));
    }
    return ok;
}
