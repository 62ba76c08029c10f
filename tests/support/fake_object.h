// SPDX-License-Identifier: MIT
// Puts relocatable ELF objects together, right or wrong ones, for the tests of the loader
// and for the fake compiler.
#ifndef TF_TESTS_FAKE_OBJECT_H
#define TF_TESTS_FAKE_OBJECT_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_SECTIONS_MAX = 12, FAKE_SYMBOLS_MAX = 16, FAKE_RELOCS_MAX = 16 };

struct fake_object {
    Elf64_Shdr sections[FAKE_SECTIONS_MAX]; // sh_offset 0 until fake_object_end()
    const void *data[FAKE_SECTIONS_MAX];
    size_t section_count;
    Elf64_Sym symbols[FAKE_SYMBOLS_MAX];
    size_t symbol_count;
    char strings[512];
    size_t string_bytes;
    Elf64_Rela relocs[FAKE_RELOCS_MAX];
    size_t reloc_section[FAKE_RELOCS_MAX];
    size_t reloc_count;
};

void fake_object_begin(struct fake_object *o);
// Adds a section of `bytes` bytes at `data` (borrowed until fake_object_end); its number.
size_t fake_object_section(struct fake_object *o, uint32_t type, uint64_t flags,
                           size_t align, const void *data, size_t bytes);
// Adds a global symbol; section 0 leaves it undefined. Its number.
size_t fake_object_symbol(struct fake_object *o, const char *name, unsigned type,
                          size_t section, uint64_t value);
void fake_object_reloc(struct fake_object *o, size_t section, uint64_t offset,
                       unsigned type, size_t symbol, int64_t addend);
// The object's bytes, to be freed with free().
void *fake_object_end(struct fake_object *o, size_t *bytes);

// A whole object whose function `name` jumps to `target` of this process.
void *fake_object_jump(const char *name, const void *target, size_t *bytes);

#endif // TF_TESTS_FAKE_OBJECT_H
