// SPDX-License-Identifier: MIT
#include "support/fake_object.h"

#include <stdlib.h>
#include <string.h>

#include "devices/cpu/arch/cpu_arch.h"

static uint32_t add_string(struct fake_object *o, const char *text)
{
    const size_t at = o->string_bytes;
    const size_t bytes = strlen(text) + 1;

    if (bytes > sizeof(o->strings) - at)
        abort();
    memcpy(o->strings + at, text, bytes);
    o->string_bytes += bytes;
    return (uint32_t)at;
}

void fake_object_begin(struct fake_object *o)
{
    memset(o, 0, sizeof(*o));
    o->section_count = 1; // the null section and the null symbol
    o->symbol_count = 1;
    o->string_bytes = 1;
}

size_t fake_object_section(struct fake_object *o, uint32_t type, uint64_t flags,
                           size_t align, const void *data, size_t bytes)
{
    Elf64_Shdr *h = &o->sections[o->section_count];

    h->sh_type = type;
    h->sh_flags = flags;
    h->sh_addralign = align;
    h->sh_size = bytes;
    o->data[o->section_count] = data;
    return o->section_count++;
}

size_t fake_object_symbol(struct fake_object *o, const char *name, unsigned type,
                          size_t section, uint64_t value)
{
    Elf64_Sym *s = &o->symbols[o->symbol_count];

    s->st_name = add_string(o, name);
    s->st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type);
    s->st_shndx = (uint16_t)section;
    s->st_value = value;
    return o->symbol_count++;
}

void fake_object_reloc(struct fake_object *o, size_t section, uint64_t offset,
                       unsigned type, size_t symbol, int64_t addend)
{
    o->reloc_section[o->reloc_count] = section;
    o->relocs[o->reloc_count++] = (Elf64_Rela){
        .r_offset = offset, .r_info = ELF64_R_INFO(symbol, type), .r_addend = addend};
}

// One relocation section per relocation: as good as one per target, and plainer.
static void add_tables(struct fake_object *o)
{
    size_t strtab, symtab;

    strtab = fake_object_section(o, SHT_STRTAB, 0, 1, o->strings, o->string_bytes);
    symtab = fake_object_section(o, SHT_SYMTAB, 0, 8, o->symbols,
                                 o->symbol_count * sizeof(Elf64_Sym));
    o->sections[symtab].sh_link = (uint32_t)strtab;
    o->sections[symtab].sh_entsize = sizeof(Elf64_Sym);
    for (size_t i = 0; i < o->reloc_count; i++) {
        const size_t rela = fake_object_section(o, SHT_RELA, SHF_INFO_LINK, 8,
                                                &o->relocs[i], sizeof(o->relocs[i]));

        o->sections[rela].sh_link = (uint32_t)symtab;
        o->sections[rela].sh_info = (uint32_t)o->reloc_section[i];
        o->sections[rela].sh_entsize = sizeof(Elf64_Rela);
    }
}

void *fake_object_end(struct fake_object *o, size_t *bytes)
{
    Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                    EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = tf_arch_elf_machine,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof(head),
        .e_shentsize = sizeof(Elf64_Shdr),
    };
    size_t at = sizeof(head);
    char *out;

    add_tables(o);
    for (size_t i = 1; i < o->section_count; i++) {
        o->sections[i].sh_offset = at;
        if (o->sections[i].sh_type != SHT_NOBITS)
            at += (o->sections[i].sh_size + 15) & ~(size_t)15;
    }
    head.e_shoff = at;
    head.e_shnum = (uint16_t)o->section_count;
    *bytes = at + o->section_count * sizeof(Elf64_Shdr);
    out = calloc(1, *bytes);
    if (!out)
        abort();
    memcpy(out, &head, sizeof(head));
    for (size_t i = 1; i < o->section_count; i++) {
        if (o->sections[i].sh_type != SHT_NOBITS && o->sections[i].sh_size > 0)
            memcpy(out + o->sections[i].sh_offset, o->data[i], o->sections[i].sh_size);
    }
    memcpy(out + at, o->sections, o->section_count * sizeof(Elf64_Shdr));
    return out;
}

void *fake_object_jump(const char *name, const void *target, size_t *bytes)
{
    struct fake_object o;
    uint8_t code[TF_ARCH_STUB_BYTES];
    size_t text;

    tf_arch_write_stub(code, (uint64_t)(uintptr_t)target);
    fake_object_begin(&o);
    text = fake_object_section(&o, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, code,
                               sizeof(code));
    fake_object_symbol(&o, name, STT_FUNC, text, 0);
    return fake_object_end(&o, bytes);
}
