// SPDX-License-Identifier: MIT
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/cpu/loader/elf_loader.h"
#include "support/fake_object.h"
#include "support/suite.h"

enum { TEXT = SHF_ALLOC | SHF_EXECINSTR };
typedef uint64_t (*number_fn)(void);

static struct tf_elf_image image;
static char text[200];

// Loads and frees the object's bytes.
static bool load(struct fake_object *o, const char *entry)
{
    size_t bytes;
    void *object = fake_object_end(o, &bytes);
    const bool ok = tf_elf_load(&image, object, bytes, entry, text, sizeof(text));

    free(object);
    return ok;
}

// Ends the test unless loading fails for this reason and leaves nothing.
static void refuses(struct fake_object *o, const char *reason)
{
    ck_assert_msg(!load(o, "f"), "was loaded");
    ck_assert_msg(strstr(text, reason) != NULL, "'%s' is not about '%s'", text, reason);
    ck_assert_ptr_null(image.map);
    ck_assert_ptr_null(image.entry);
}

static uint64_t call(void)
{
    return ((number_fn)(uintptr_t)image.entry)();
}

// An object with the function "f" of these bytes.
static size_t begin(struct fake_object *o, const void *code, size_t bytes)
{
    size_t section;

    fake_object_begin(o);
    section = fake_object_section(o, SHT_PROGBITS, TEXT, 16, code, bytes);
    fake_object_symbol(o, "f", STT_FUNC, section, 0);
    return section;
}

#if defined(__x86_64__)
static const uint8_t load_pc[] = {0x48, 0x8b, 0x05, 0,
                                  0,    0,    0,    0xc3}; // mov 0(%rip),%rax; ret
static const uint8_t load_abs[] = {0x48, 0xb8, 0,    0,   0,
                                   0,    0,    0,    0,   0,       // movabs $0,%rax
                                   0x48, 0x8b, 0x00, 0xc3};        // mov (%rax),%rax; ret
static const uint8_t load_got[] = {0x48, 0x8b, 0x05, 0,   0, 0, 0, // mov 0(%rip),%rax
                                   0x48, 0x8b, 0x00, 0xc3};        // mov (%rax),%rax; ret
static const uint8_t jump[] = {0xe9, 0, 0, 0, 0};                  // jmp 0
static const uint64_t number = 0x1122334455667788;

// f() returns the number from a read-only section through a relocation of this type.
static void check_data_relocation(const uint8_t *code, size_t bytes, size_t at,
                                  unsigned type, int64_t addend)
{
    struct fake_object o;
    const size_t section = begin(&o, code, bytes);
    const size_t data = fake_object_section(&o, SHT_PROGBITS, SHF_ALLOC, 64, &number, 8);
    const size_t symbol = fake_object_symbol(&o, "n", STT_OBJECT, data, 0);

    fake_object_reloc(&o, section, at, type, symbol, addend);
    ck_assert_msg(load(&o, "f"), "%s", text);
    ck_assert_uint_eq(call(), number);
    tf_elf_unload(&image);
}

START_TEST(relocations_reach_data)
{
    check_data_relocation(load_pc, sizeof(load_pc), 3, R_X86_64_PC32, -4);
    check_data_relocation(load_abs, sizeof(load_abs), 2, R_X86_64_64, 0);
    check_data_relocation(load_got, sizeof(load_got), 3, R_X86_64_GOTPCREL, -4);
    check_data_relocation(load_got, sizeof(load_got), 3, R_X86_64_GOTPCRELX, -4);
    check_data_relocation(load_got, sizeof(load_got), 3, R_X86_64_REX_GOTPCRELX, -4);
}
END_TEST

START_TEST(pc64_is_a_distance)
{
    static const uint8_t code[] = {
        0x48, 0x8d, 0x05, 0xf9, 0xff, 0xff, 0xff, // lea f(%rip),%rax
        0x48, 0xb9, 0,    0,    0,    0,    0,    0,
        0,    0,    0x48, 0x8b, 0x04, 0x08, 0xc3}; // mov (%rax,%rcx),%rax
    struct fake_object o;
    const size_t section = begin(&o, code, sizeof(code));
    const size_t data = fake_object_section(&o, SHT_PROGBITS, SHF_ALLOC, 8, &number, 8);
    const size_t symbol = fake_object_symbol(&o, "n", STT_OBJECT, data, 0);

    fake_object_reloc(&o, section, 9, R_X86_64_PC64, symbol, 9);
    ck_assert_msg(load(&o, "f"), "%s", text);
    ck_assert_uint_eq(call(), number);
    tf_elf_unload(&image);
}
END_TEST

START_TEST(calls_reach_the_c_library)
{
    struct fake_object o;
    const size_t section = begin(&o, jump, sizeof(jump));
    const size_t symbol = fake_object_symbol(&o, "memset", STT_NOTYPE, 0, 0);
    char buffer[8] = "";

    fake_object_reloc(&o, section, 1, R_X86_64_PLT32, symbol, -4);
    ck_assert_msg(load(&o, "f"), "%s", text);
    ((void *(*)(void *, int, size_t))(uintptr_t)image.entry)(buffer, 'm', 7);
    ck_assert_str_eq(buffer, "mmmmmmm");
    tf_elf_unload(&image);
}
END_TEST

START_TEST(absolute_32_bit_addresses_are_refused)
{
    struct fake_object o;
    size_t section = begin(&o, load_pc, sizeof(load_pc));

    fake_object_reloc(&o, section, 3, R_X86_64_32, 1, 0);
    refuses(&o, "32-bit absolute");
    section = begin(&o, load_pc, sizeof(load_pc));
    fake_object_reloc(&o, section, 3, R_X86_64_32S, 1, 0);
    refuses(&o, "32-bit absolute");
}
END_TEST

START_TEST(unknown_relocation_is_refused)
{
    struct fake_object o;
    const size_t section = begin(&o, load_pc, sizeof(load_pc));

    fake_object_reloc(&o, section, 3, R_X86_64_TPOFF32, 1, 0);
    refuses(&o, "unknown relocation");
}
END_TEST

START_TEST(relocation_may_not_cross_the_end_of_its_section)
{
    const uint64_t offsets[] = {sizeof(load_pc) - 3, sizeof(load_pc), sizeof(load_pc) + 1,
                                UINT64_MAX, UINT64_MAX - 2};
    struct fake_object o;

    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        const size_t section = begin(&o, load_pc, sizeof(load_pc));

        fake_object_reloc(&o, section, offsets[i], R_X86_64_PC32, 1, 0);
        refuses(&o, "outside its section");
    }
}
END_TEST

START_TEST(target_out_of_reach_is_refused)
{
    struct fake_object o;
    const size_t section = begin(&o, load_pc, sizeof(load_pc));

    fake_object_reloc(&o, section, 3, R_X86_64_PC32, 1, INT64_C(1) << 40);
    refuses(&o, "out of reach");
}
END_TEST
#endif

START_TEST(jump_of_the_fake_compiler_works)
{
    size_t bytes;
    void *object = fake_object_jump("f", (const void *)(uintptr_t)abs, &bytes);

    ck_assert_msg(tf_elf_load(&image, object, bytes, "f", text, sizeof(text)), "%s",
                  text);
    ck_assert_int_eq(((int (*)(int))(uintptr_t)image.entry)(-5), 5);
    tf_elf_unload(&image);
    free(object);
}
END_TEST

START_TEST(undefined_symbol_is_named)
{
    static const uint8_t code[16] = {0};
    struct fake_object o;
    const size_t section = begin(&o, code, sizeof(code));
    const size_t symbol = fake_object_symbol(&o, "system", STT_NOTYPE, 0, 0);

    fake_object_reloc(&o, section, 0, R_X86_64_64, symbol, 0);
    refuses(&o, "undefined symbol 'system'");
}
END_TEST

START_TEST(undefined_symbol_that_nothing_uses_is_harmless)
{
    static const uint8_t code[16] = {0};
    struct fake_object o;

    begin(&o, code, sizeof(code));
    fake_object_symbol(&o, "system", STT_NOTYPE, 0, 0);
    ck_assert_msg(load(&o, "f"), "%s", text);
    tf_elf_unload(&image);
}
END_TEST

// Refuses "f" with another section of 8 bytes, of this kind.
static void refuses_section(uint32_t type, uint64_t flags, size_t align,
                            const char *reason)
{
    static const uint8_t code[16] = {0};
    struct fake_object o;

    begin(&o, code, sizeof(code));
    fake_object_section(&o, type, flags, align, type == SHT_NOBITS ? NULL : code, 8);
    refuses(&o, reason);
}

START_TEST(writable_sections_are_refused)
{
    refuses_section(SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, "writable");
    refuses_section(SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 8, "writable");
    refuses_section(SHT_PROGBITS, SHF_ALLOC | SHF_TLS, 8, "writable");
}
END_TEST

START_TEST(empty_writable_section_is_harmless)
{
    static const uint8_t code[16] = {0};
    struct fake_object o;

    begin(&o, code, sizeof(code));
    fake_object_section(&o, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 8, NULL, 0);
    ck_assert_msg(load(&o, "f"), "%s", text);
    tf_elf_unload(&image);
}
END_TEST

START_TEST(code_is_not_writable_and_data_not_executable)
{
    static const uint8_t code[16] = {0};
    struct fake_object o;
    char line[200], perms[5];
    unsigned long low, high;
    unsigned found = 0;
    FILE *f;

    begin(&o, code, sizeof(code));
    fake_object_section(&o, SHT_PROGBITS, SHF_ALLOC, 8, code, 8);
    ck_assert_msg(load(&o, "f"), "%s", text);
    f = fopen("/proc/self/maps", "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof(line), f)) {
        if (sscanf(line, "%lx-%lx %4s", &low, &high, perms) != 3 ||
            high <= (uintptr_t)image.map || low >= (uintptr_t)image.map + image.map_bytes)
            continue;
        found++;
        ck_assert_msg(!strchr(perms, 'w'), "%s", line);
        ck_assert_int_eq(perms[2] == 'x',
                         low <= (uintptr_t)image.entry && (uintptr_t)image.entry < high);
    }
    fclose(f);
    ck_assert_uint_ge(found, 2);
    tf_elf_unload(&image);
}
END_TEST

START_TEST(section_alignment_is_kept)
{
    static const uint8_t code[100] = {0};
    struct fake_object o;
    size_t section;

    fake_object_begin(&o);
    fake_object_section(&o, SHT_PROGBITS, TEXT, 16, code, 33);
    section = fake_object_section(&o, SHT_PROGBITS, TEXT, 64, code, 100);
    fake_object_symbol(&o, "f", STT_FUNC, section, 0);
    ck_assert_msg(load(&o, "f"), "%s", text);
    ck_assert_uint_eq((uintptr_t)image.entry % 64, 0);
    tf_elf_unload(&image);
    refuses_section(SHT_PROGBITS, SHF_ALLOC, 3, "alignment");
    refuses_section(SHT_PROGBITS, SHF_ALLOC, (size_t)1 << 40, "alignment");
}
END_TEST

START_TEST(entry_must_be_a_function_in_code)
{
    static const uint8_t code[16] = {0};
    struct fake_object o;
    size_t data;

    begin(&o, code, sizeof(code));
    ck_assert(!load(&o, "g"));
    ck_assert_ptr_nonnull(strstr(text, "'g'"));
    fake_object_begin(&o);
    data = fake_object_section(&o, SHT_PROGBITS, SHF_ALLOC, 8, code, 16);
    fake_object_symbol(&o, "f", STT_FUNC, data, 0);
    refuses(&o, "no function 'f'");
    fake_object_begin(&o);
    data = fake_object_section(&o, SHT_PROGBITS, TEXT, 8, code, 16);
    fake_object_symbol(&o, "f", STT_FUNC, data, 16);
    refuses(&o, "no function 'f'");
}
END_TEST

// An object with something of everything.
static void *rich_object(size_t *bytes)
{
    static const uint8_t code[64] = {0};
    struct fake_object o;
    const size_t section = begin(&o, code, sizeof(code));
    const size_t data = fake_object_section(&o, SHT_PROGBITS, SHF_ALLOC, 64, code, 48);
    const size_t symbol = fake_object_symbol(&o, "n", STT_OBJECT, data, 8);
    const size_t outside = fake_object_symbol(&o, "memcpy", STT_NOTYPE, 0, 0);

    fake_object_reloc(&o, section, 4, R_X86_64_PC32, symbol, -4);
    fake_object_reloc(&o, section, 12, R_X86_64_PLT32, outside, -4);
    fake_object_reloc(&o, data, 16, R_X86_64_64, 1, 0);
    return fake_object_end(&o, bytes);
}

static void try_bytes(const void *bytes, size_t count)
{
    // Exactly as many bytes as there are, at an odd address: reads past the end and
    // misaligned ones are seen by the sanitizers.
    char *copy = malloc(count + 1);

    ck_assert_ptr_nonnull(copy);
    memcpy(copy + 1, bytes, count);
    if (tf_elf_load(&image, copy + 1, count, "f", text, sizeof(text)))
        tf_elf_unload(&image);
    ck_assert_ptr_null(image.map);
    free(copy);
}

START_TEST(cut_objects_are_survived)
{
    size_t bytes;
    void *object = rich_object(&bytes);

    for (size_t n = 0; n <= bytes; n++)
        try_bytes(object, n);
    free(object);
}
END_TEST

START_TEST(damaged_objects_are_survived)
{
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    size_t bytes;
    uint8_t *object = rich_object(&bytes);

    for (size_t at = 0; at < bytes; at++) {
        const uint8_t old = object[at];

        for (int bit = 0; bit < 8; bit++) {
            object[at] = (uint8_t)(old ^ 1u << bit);
            try_bytes(object, bytes);
        }
        for (size_t v = 0; v < sizeof(values); v++) {
            object[at] = values[v];
            try_bytes(object, bytes);
        }
        object[at] = old;
    }
    free(object);
}
END_TEST

START_TEST(objects_with_much_damage_are_survived)
{
    size_t bytes;
    uint8_t *object = rich_object(&bytes);
    uint8_t *broken = malloc(bytes);
    uint32_t seed = 12345;

    ck_assert_ptr_nonnull(broken);
    for (int round = 0; round < 20000; round++) {
        memcpy(broken, object, bytes);
        for (int i = 0; i < 1 + round % 6; i++) {
            seed = seed * 1664525 + 1013904223;
            broken[(seed >> 8) % bytes] = (uint8_t)(seed >> 3);
        }
        try_bytes(broken, bytes);
    }
    free(broken);
    free(object);
}
END_TEST

START_TEST(kernel_symbols_are_a_closed_list)
{
    ck_assert_ptr_nonnull(tf_kernel_symbol("memcpy"));
    ck_assert_ptr_nonnull(tf_kernel_symbol("__udivti3"));
    ck_assert_ptr_null(tf_kernel_symbol("exit"));
    ck_assert_ptr_null(tf_kernel_symbol("memcp"));
    ck_assert_ptr_null(tf_kernel_symbol(""));
}
END_TEST

static char perf_path[64];

// What the file for perf holds, "" where there is none.
static const char *perf_map(void)
{
    static char lines[1000];
    FILE *file = fopen(perf_path, "re");
    size_t n = file ? fread(lines, 1, sizeof(lines) - 1, file) : 0;

    lines[n] = '\0';
    if (file)
        fclose(file);
    return lines;
}

// Loads a function, with TREFOIL_PERF as it is.
static void load_for_perf(void)
{
    static const uint8_t code[] = {0xc3, 0xc3, 0xc3, 0xc3};
    struct fake_object o;

    snprintf(perf_path, sizeof(perf_path), "/tmp/perf-%ld.map", (long)getpid());
    begin(&o, code, sizeof(code));
    ck_assert(load(&o, "f"));
}

START_TEST(functions_are_named_for_perf)
{
    char line[64];

    setenv("TREFOIL_PERF", "1", 1);
    load_for_perf();
    snprintf(line, sizeof(line), "%lx 4 f\n", (unsigned long)(uintptr_t)image.entry);
    ck_assert_str_eq(perf_map(), line);
    tf_elf_unload(&image);
    load_for_perf(); // more lines, none lost
    ck_assert_uint_gt(strlen(perf_map()), strlen(line));
    ck_assert_int_eq(unlink(perf_path), 0);
    tf_elf_unload(&image);
}
END_TEST

START_TEST(nothing_is_named_unasked)
{
    load_for_perf();
    ck_assert_int_ne(access(perf_path, F_OK), 0);
    tf_elf_unload(&image);
}
END_TEST

START_TEST(names_for_perf_follow_no_link)
{
    char victim[80];

    setenv("TREFOIL_PERF", "1", 1);
    snprintf(perf_path, sizeof(perf_path), "/tmp/perf-%ld.map", (long)getpid());
    snprintf(victim, sizeof(victim), "%s.victim", perf_path);
    fclose(fopen(victim, "we"));
    ck_assert_int_eq(symlink(victim, perf_path), 0);
    load_for_perf();
    ck_assert_str_eq(perf_map(), "");
    ck_assert_int_eq(unlink(perf_path), 0);
    ck_assert_int_eq(link(victim, perf_path), 0); // nor a second name
    load_for_perf();
    ck_assert_str_eq(perf_map(), "");
    unlink(perf_path);
    unlink(victim);
    tf_elf_unload(&image);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("elf_loader");
    TCase *tcase = tcase_create("objects");

#if defined(__x86_64__)
    tcase_add_test(tcase, relocations_reach_data);
    tcase_add_test(tcase, pc64_is_a_distance);
    tcase_add_test(tcase, calls_reach_the_c_library);
    tcase_add_test(tcase, absolute_32_bit_addresses_are_refused);
    tcase_add_test(tcase, unknown_relocation_is_refused);
    tcase_add_test(tcase, relocation_may_not_cross_the_end_of_its_section);
    tcase_add_test(tcase, target_out_of_reach_is_refused);
#endif
    tcase_add_test(tcase, jump_of_the_fake_compiler_works);
    tcase_add_test(tcase, undefined_symbol_is_named);
    tcase_add_test(tcase, undefined_symbol_that_nothing_uses_is_harmless);
    tcase_add_test(tcase, writable_sections_are_refused);
    tcase_add_test(tcase, empty_writable_section_is_harmless);
    tcase_add_test(tcase, code_is_not_writable_and_data_not_executable);
    tcase_add_test(tcase, section_alignment_is_kept);
    tcase_add_test(tcase, entry_must_be_a_function_in_code);
    tcase_add_test(tcase, cut_objects_are_survived);
    tcase_add_test(tcase, damaged_objects_are_survived);
    tcase_add_test(tcase, objects_with_much_damage_are_survived);
    tcase_add_test(tcase, kernel_symbols_are_a_closed_list);
    tcase_add_test(tcase, functions_are_named_for_perf);
    tcase_add_test(tcase, nothing_is_named_unasked);
    tcase_add_test(tcase, names_for_perf_follow_no_link);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
