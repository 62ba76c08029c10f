// SPDX-License-Identifier: MIT
// One mapping per object: executable sections and jump stubs first, then read-only
// sections and the slots that hold symbol addresses. Headers are copied out of the bytes
// before use (they may lie at any address), and every offset is checked against what it
// points into.
#include "devices/cpu/loader/elf_loader.h"

#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/range.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/loader/jit_dump.h"
#include "devices/cpu/loader/jit_interface.h"
#include "devices/cpu/loader/line_table.h"
#include "devices/cpu/loader/perf_map.h"

enum { SLOT_BYTES = 8, MAX_ALIGN_BYTES = 4096 };
static const size_t max_image_bytes = (size_t)512
                                      << 20; // keeps 32-bit distances in reach

// Where a section goes; NOWHERE for those that are not loaded.
enum part { PART_CODE, PART_DATA, PART_NOWHERE };

struct section {
    Elf64_Shdr head;
    enum part part;
    size_t offset_bytes; // from the start of the mapping
};

struct loader {
    const uint8_t *bytes;
    size_t size_bytes;
    char *text; // reason of the failure
    size_t text_bytes;
    bool system_refused;

    struct section *sections;
    size_t section_count;
    size_t names_index; // of the section that has the names of all
    const struct section *symtab;
    const struct section *strtab;
    size_t symbol_count;

    uint8_t *map;
    size_t code_bytes; // of the mapping: executable
    size_t map_bytes;
    size_t stubs_offset_bytes; // one per symbol
    size_t slots_offset_bytes; // one per symbol
};

static bool refuse(struct loader *ld, const char *fmt, ...) TF_PRINTF(2, 3);

static bool refuse(struct loader *ld, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(ld->text, ld->text_bytes, fmt, args);
    va_end(args);
    return false;
}

// The object is not at fault.
static bool lack(struct loader *ld, const char *what)
{
    ld->system_refused = true;
    return refuse(ld, "%s", what);
}

static bool read_at(const struct loader *ld, uint64_t offset, void *out, size_t bytes)
{
    if (!tf_range_ok(offset, bytes, ld->size_bytes))
        return false;
    memcpy(out, ld->bytes + offset, bytes);
    return true;
}

static bool read_header(struct loader *ld, Elf64_Ehdr *head)
{
    const uint16_t order = 1;
    const uint8_t data = *(const uint8_t *)&order ? ELFDATA2LSB : ELFDATA2MSB;

    if (!read_at(ld, 0, head, sizeof(*head)) ||
        memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != data)
        return refuse(ld, "not an ELF object");
    if (head->e_type != ET_REL || head->e_machine != tf_arch_elf_machine)
        return refuse(ld, "not a relocatable object for this processor");
    if (head->e_shnum == 0 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        !tf_range_ok(head->e_shoff, (size_t)head->e_shnum * sizeof(Elf64_Shdr),
                     ld->size_bytes))
        return refuse(ld, "damaged section table");
    return true;
}

// Decides where one section goes and whether it may go there.
static bool classify(struct loader *ld, struct section *s)
{
    const Elf64_Shdr *h = &s->head;

    s->part = PART_NOWHERE;
    if (h->sh_type != SHT_NOBITS && h->sh_type != SHT_NULL &&
        !tf_range_ok(h->sh_offset, h->sh_size, ld->size_bytes))
        return refuse(ld, "section outside the object");
    if (!(h->sh_flags & SHF_ALLOC) || h->sh_type == SHT_NULL || h->sh_size == 0)
        return true;
    if (h->sh_flags & (SHF_WRITE | SHF_TLS))
        return refuse(ld, "writable section");
    if (h->sh_type == SHT_NOBITS || h->sh_type == SHT_REL || h->sh_type == SHT_RELA)
        return refuse(ld, "loaded section of type %u", h->sh_type);
    if (h->sh_addralign & (h->sh_addralign - 1) || h->sh_addralign > MAX_ALIGN_BYTES)
        return refuse(ld, "section alignment %llu", (unsigned long long)h->sh_addralign);
    s->part = h->sh_flags & SHF_EXECINSTR ? PART_CODE : PART_DATA;
    return true;
}

static bool read_sections(struct loader *ld, const Elf64_Ehdr *head)
{
    ld->section_count = head->e_shnum;
    ld->names_index = head->e_shstrndx;
    ld->sections = tf_zalloc(ld->section_count * sizeof(*ld->sections));
    if (!ld->sections)
        return lack(ld, "out of memory");
    for (size_t i = 0; i < ld->section_count; i++) {
        struct section *s = &ld->sections[i];

        if (!read_at(ld, head->e_shoff + i * sizeof(Elf64_Shdr), &s->head,
                     sizeof(s->head)))
            return refuse(ld, "damaged section table");
        if (!classify(ld, s))
            return false;
        if (s->head.sh_type == SHT_SYMTAB) {
            if (ld->symtab)
                return refuse(ld, "two symbol tables");
            ld->symtab = s;
        }
    }
    return true;
}

static bool read_symbol_table(struct loader *ld)
{
    if (!ld->symtab || ld->symtab->head.sh_entsize != sizeof(Elf64_Sym) ||
        ld->symtab->head.sh_link >= ld->section_count)
        return refuse(ld, "no symbol table");
    ld->symbol_count = ld->symtab->head.sh_size / sizeof(Elf64_Sym);
    ld->strtab = &ld->sections[ld->symtab->head.sh_link];
    if (ld->strtab->head.sh_type != SHT_STRTAB || ld->strtab->head.sh_size == 0 ||
        ld->bytes[ld->strtab->head.sh_offset + ld->strtab->head.sh_size - 1] != '\0')
        return refuse(ld, "damaged string table");
    return true;
}

// False when the index or the symbol's name lies outside its table.
static bool read_symbol(const struct loader *ld, size_t index, Elf64_Sym *sym,
                        const char **name)
{
    if (index >= ld->symbol_count ||
        !read_at(ld, ld->symtab->head.sh_offset + index * sizeof(*sym), sym,
                 sizeof(*sym)) ||
        sym->st_name >= ld->strtab->head.sh_size)
        return false;
    *name = (const char *)ld->bytes + ld->strtab->head.sh_offset + sym->st_name;
    return true;
}

static size_t align_up(size_t n, size_t align)
{
    return (n + align - 1) & ~(align - 1);
}

// Gives every section of one part its place. Sections that share bytes of the object
// could make a small object huge: the sum is held below the object's own size.
static bool place_part(struct loader *ld, enum part part, size_t *end, size_t *sum)
{
    for (size_t i = 0; i < ld->section_count; i++) {
        struct section *s = &ld->sections[i];

        if (s->part != part)
            continue;
        *sum += s->head.sh_size; // both below size_bytes: cannot wrap
        if (*sum > ld->size_bytes)
            return refuse(ld, "overlapping sections");
        *end = align_up(*end, s->head.sh_addralign ? s->head.sh_addralign : 1);
        s->offset_bytes = *end;
        *end += s->head.sh_size;
        if (*end > max_image_bytes)
            return refuse(ld, "object too large");
    }
    return true;
}

static bool lay_out(struct loader *ld)
{
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    size_t end = 0;
    size_t sum = 0;

    if (!place_part(ld, PART_CODE, &end, &sum))
        return false;
    ld->stubs_offset_bytes = align_up(end, TF_ARCH_STUB_BYTES);
    end = ld->stubs_offset_bytes + ld->symbol_count * TF_ARCH_STUB_BYTES;
    ld->code_bytes = align_up(end, page_bytes);
    end = ld->code_bytes;
    if (!place_part(ld, PART_DATA, &end, &sum))
        return false;
    ld->slots_offset_bytes = align_up(end, SLOT_BYTES);
    end = ld->slots_offset_bytes + ld->symbol_count * SLOT_BYTES;
    if (end > max_image_bytes)
        return refuse(ld, "object too large");
    ld->map_bytes = align_up(end, page_bytes);
    return true;
}

static bool copy_sections(struct loader *ld)
{
    void *map = mmap(NULL, ld->map_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED)
        return lack(ld, "out of memory");
    ld->map = map;
    for (size_t i = 0; i < ld->section_count; i++) {
        const struct section *s = &ld->sections[i];

        if (s->part != PART_NOWHERE)
            memcpy(ld->map + s->offset_bytes, ld->bytes + s->head.sh_offset,
                   s->head.sh_size);
    }
    return true;
}

// The section that a defined symbol lies in, or NULL if it has no address in the mapping.
static const struct section *section_of(const struct loader *ld, const Elf64_Sym *sym)
{
    const struct section *s;

    if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= ld->section_count)
        return NULL;
    s = &ld->sections[sym->st_shndx];
    if (s->part == PART_NOWHERE || sym->st_value > s->head.sh_size)
        return NULL;
    return s;
}

// Address of the symbol that a relocation names.
static bool resolve(struct loader *ld, size_t index, uint64_t *address)
{
    const struct section *s;
    const void *outside;
    const char *name;
    Elf64_Sym sym;

    if (!read_symbol(ld, index, &sym, &name))
        return refuse(ld, "damaged symbol table");
    if (ELF64_ST_TYPE(sym.st_info) == STT_TLS ||
        ELF64_ST_TYPE(sym.st_info) == STT_GNU_IFUNC)
        return refuse(ld, "symbol '%.100s' of a kind that kernels may not have", name);
    if (sym.st_shndx == SHN_UNDEF) {
        outside = tf_kernel_symbol(name);
        if (!outside)
            return refuse(ld, "undefined symbol '%.100s'", name);
        *address = (uint64_t)(uintptr_t)outside;
        return true;
    }
    s = section_of(ld, &sym);
    if (!s)
        return refuse(ld, "symbol '%.100s' has no address", name);
    *address = (uint64_t)(uintptr_t)(ld->map + s->offset_bytes + sym.st_value);
    return true;
}

static bool relocate_one(struct loader *ld, const struct section *target,
                         const Elf64_Rela *rela)
{
    const size_t index = ELF64_R_SYM(rela->r_info);
    struct tf_arch_reloc reloc = {.type = ELF64_R_TYPE(rela->r_info),
                                  .addend = rela->r_addend};
    uint8_t *slot, *stub;
    const char *fault;

    if (rela->r_offset > target->head.sh_size)
        return refuse(ld, "relocation outside its section");
    if (!resolve(ld, index, &reloc.symbol))
        return false;
    slot = ld->map + ld->slots_offset_bytes + index * SLOT_BYTES;
    stub = ld->map + ld->stubs_offset_bytes + index * TF_ARCH_STUB_BYTES;
    memcpy(slot, &reloc.symbol, SLOT_BYTES);
    tf_arch_write_stub(stub, reloc.symbol);
    reloc.place = ld->map + target->offset_bytes + rela->r_offset;
    reloc.room_bytes = target->head.sh_size - rela->r_offset;
    reloc.slot = (uint64_t)(uintptr_t)slot;
    reloc.stub = (uint64_t)(uintptr_t)stub;
    fault = tf_arch_relocate(&reloc);
    if (fault)
        return refuse(ld, "%s (type %u)", fault, (unsigned)reloc.type);
    return true;
}

static bool relocate_section(struct loader *ld, const struct section *s)
{
    const struct section *target;
    Elf64_Rela rela;

    if (s->head.sh_info >= ld->section_count)
        return refuse(ld, "damaged relocations");
    target = &ld->sections[s->head.sh_info];
    if (target->part == PART_NOWHERE)
        return true; // debug information and the like
    if (s->head.sh_type != SHT_RELA || s->head.sh_entsize != sizeof(rela) ||
        s->head.sh_link >= ld->section_count ||
        &ld->sections[s->head.sh_link] != ld->symtab)
        return refuse(ld, "damaged relocations");
    for (size_t at = 0; at + sizeof(rela) <= s->head.sh_size; at += sizeof(rela)) {
        if (!read_at(ld, s->head.sh_offset + at, &rela, sizeof(rela)))
            return refuse(ld, "damaged relocations");
        if (!relocate_one(ld, target, &rela))
            return false;
    }
    return true;
}

static bool relocate(struct loader *ld)
{
    for (size_t i = 0; i < ld->section_count; i++) {
        const struct section *s = &ld->sections[i];

        if ((s->head.sh_type == SHT_RELA || s->head.sh_type == SHT_REL) &&
            !relocate_section(ld, s))
            return false;
    }
    return true;
}

static bool find_entry(struct loader *ld, const char *entry_name, void **entry)
{
    const struct section *s;
    const char *name;
    Elf64_Sym sym;

    for (size_t i = 0; i < ld->symbol_count; i++) {
        if (!read_symbol(ld, i, &sym, &name))
            return refuse(ld, "damaged symbol table");
        if (sym.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(sym.st_info) != STT_FUNC ||
            strcmp(name, entry_name) != 0)
            continue;
        s = section_of(ld, &sym);
        if (!s || s->part != PART_CODE || sym.st_value >= s->head.sh_size)
            break;
        *entry = ld->map + s->offset_bytes + sym.st_value;
        return true;
    }
    return refuse(ld, "no function '%.100s' in the object", entry_name);
}

static bool protect(struct loader *ld)
{
    if (ld->code_bytes > 0 && mprotect(ld->map, ld->code_bytes, PROT_READ | PROT_EXEC))
        return lack(ld, "the system refuses executable memory");
    if (ld->map_bytes > ld->code_bytes &&
        mprotect(ld->map + ld->code_bytes, ld->map_bytes - ld->code_bytes, PROT_READ))
        return lack(ld, "the system refuses to protect memory");
    __builtin___clear_cache((char *)ld->map, (char *)ld->map + ld->code_bytes);
    return true;
}

// Whether a name in the table of section names is `wanted`.
static bool has_name(const struct loader *ld, const struct section *names,
                     const struct section *s, const char *wanted)
{
    const size_t bytes = strlen(wanted) + 1;

    return tf_range_ok(s->head.sh_name, bytes, names->head.sh_size) &&
           !memcmp(ld->bytes + names->head.sh_offset + s->head.sh_name, wanted, bytes);
}

// A section with bytes, or NULL. Only those of debug information are known by name.
static const struct section *find_section(const struct loader *ld, const char *name)
{
    const struct section *names;

    if (ld->names_index >= ld->section_count)
        return NULL;
    names = &ld->sections[ld->names_index];
    if (names->head.sh_type != SHT_STRTAB)
        return NULL;
    for (size_t i = 0; i < ld->section_count; i++) {
        const struct section *const s = &ld->sections[i];

        if (s->head.sh_type == SHT_PROGBITS && has_name(ld, names, s, name))
            return s;
    }
    return NULL;
}

// The bytes of `target`, relocated as if they were loaded. NULL: there is no memory, or
// they are damaged. Owned.
static uint8_t *relocated_copy(struct loader *ld, const struct section *target)
{
    uint8_t *const copy =
        tf_memdup(ld->bytes + target->head.sh_offset, target->head.sh_size);
    bool ok = copy != NULL;

    for (size_t i = 0; ok && i < ld->section_count; i++) {
        const struct section *const s = &ld->sections[i];
        Elf64_Rela rela = {0};

        if (s->head.sh_type != SHT_RELA || s->head.sh_info >= ld->section_count ||
            &ld->sections[s->head.sh_info] != target)
            continue;
        for (size_t at = 0; ok && at + sizeof(rela) <= s->head.sh_size;
             at += sizeof(rela)) {
            struct tf_arch_reloc reloc = {0};

            ok = read_at(ld, s->head.sh_offset + at, &rela, sizeof(rela)) &&
                 rela.r_offset <= target->head.sh_size &&
                 resolve(ld, ELF64_R_SYM(rela.r_info), &reloc.symbol);
            reloc.type = ELF64_R_TYPE(rela.r_info);
            reloc.addend = rela.r_addend;
            reloc.place = copy + rela.r_offset;
            reloc.room_bytes = target->head.sh_size - rela.r_offset;
            ok = ok && !tf_arch_relocate(&reloc);
        }
    }
    if (ok)
        return copy;
    tf_free(copy);
    return NULL;
}

// ---- What others are told of the code ----

static void tell_perf(struct loader *ld, const char *entry)
{
    const struct section *const table =
        tf_jit_dump_on() ? find_section(ld, ".debug_line") : NULL;
    uint8_t *const bytes = table ? relocated_copy(ld, table) : NULL;
    struct tf_code_lines lines = {0};
    struct tf_str map = {0};
    const char *name;
    Elf64_Sym sym;

    if (bytes)
        tf_line_table_read(&lines, (const char *)bytes, table->head.sh_size);
    for (size_t i = 0; i < ld->symbol_count && read_symbol(ld, i, &sym, &name); i++) {
        const struct section *s = section_of(ld, &sym);
        const uint8_t *code;
        size_t code_bytes;
        char shown[256];

        if (!s || s->part != PART_CODE || ELF64_ST_TYPE(sym.st_info) != STT_FUNC)
            continue;
        code = ld->map + s->offset_bytes + sym.st_value;
        // Those without a size end with their section.
        code_bytes = s->head.sh_size - sym.st_value;
        if (sym.st_size && sym.st_size < code_bytes)
            code_bytes = sym.st_size;
        tf_perf_function_name(shown, sizeof(shown), name, entry);
        if (tf_jit_dump_on())
            tf_jit_dump_code(code, code_bytes, shown, &lines);
        else
            tf_perf_map_name(&map, code, code_bytes, shown);
    }
    tf_perf_map_write(&map);
    tf_code_lines_finish(&lines);
    tf_free(bytes);
}

// The object's relocations of debug information are applied by the debugger.
static struct tf_jit_entry *tell_debugger(const struct loader *ld, const Elf64_Ehdr *head)
{
    uint8_t *const copy =
        find_section(ld, ".debug_info") ? tf_memdup(ld->bytes, ld->size_bytes) : NULL;

    if (!copy)
        return NULL;
    for (size_t i = 0; i < ld->section_count; i++) {
        const struct section *s = &ld->sections[i];
        Elf64_Shdr moved = s->head;

        if (s->part == PART_NOWHERE)
            continue;
        moved.sh_addr = (uint64_t)(uintptr_t)(ld->map + s->offset_bytes);
        memcpy(copy + head->e_shoff + i * sizeof(moved), &moved, sizeof(moved));
    }
    return tf_jit_register(copy, ld->size_bytes);
}

bool tf_elf_load(struct tf_elf_image *out, const void *object, size_t bytes,
                 const char *entry_name, char *text, size_t text_bytes)
{
    struct loader ld = {
        .bytes = object, .size_bytes = bytes, .text = text, .text_bytes = text_bytes};
    Elf64_Ehdr head = {0};
    bool ok;

    text[0] = '\0';
    memset(out, 0, sizeof(*out));
    ok = read_header(&ld, &head) && read_sections(&ld, &head) && read_symbol_table(&ld) &&
         lay_out(&ld) && copy_sections(&ld) && relocate(&ld) &&
         find_entry(&ld, entry_name, &out->entry) && protect(&ld);
    if (ok && (tf_perf_map_on() || tf_jit_dump_on()))
        tell_perf(&ld, entry_name);
    if (ok)
        out->debugger = tell_debugger(&ld, &head);
    tf_free(ld.sections);
    out->map = ld.map;
    out->map_bytes = ld.map_bytes;
    if (!ok)
        tf_elf_unload(out);
    out->system_refused = ld.system_refused;
    return ok;
}

void tf_elf_unload(struct tf_elf_image *image)
{
    tf_jit_unregister(image->debugger);
    if (image->map)
        munmap(image->map, image->map_bytes);
    memset(image, 0, sizeof(*image));
}
