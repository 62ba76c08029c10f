// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/elf_build_id.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"

// A file with one part of notes: one that is none of ours, then the id.
struct file {
    Elf64_Ehdr head;
    Elf64_Phdr part;
    Elf64_Nhdr other;
    char other_name[4], other_content[4];
    Elf64_Nhdr note;
    char name[4];
    unsigned char id[20];
};

static struct file file;
static char path[64];
static char text[TF_BUILD_ID_BYTES];

static void set_up(void)
{
    memset(&file, 0, sizeof(file));
    memcpy(file.head.e_ident, ELFMAG, SELFMAG);
    file.head.e_ident[EI_CLASS] = ELFCLASS64;
    file.head.e_phoff = offsetof(struct file, part);
    file.head.e_phentsize = sizeof(file.part);
    file.head.e_phnum = 1;
    file.part.p_type = PT_NOTE;
    file.part.p_offset = offsetof(struct file, other);
    file.part.p_filesz = sizeof(file) - offsetof(struct file, other);
    file.other.n_namesz = 4;
    file.other.n_descsz = 3; // padded to 4
    file.other.n_type = NT_GNU_BUILD_ID;
    memcpy(file.other_name, "XYZ", 4);
    file.note.n_namesz = 4;
    file.note.n_descsz = sizeof(file.id);
    file.note.n_type = NT_GNU_BUILD_ID;
    memcpy(file.name, "GNU", 4);
    for (unsigned i = 0; i < sizeof(file.id); i++)
        file.id[i] = (unsigned char)(0xe0 + i);
    strcpy(path, "/tmp/tf-build-id-XXXXXX");
    close(mkstemp(path));
}

static void tear_down(void)
{
    unlink(path);
}

static bool read_bytes(size_t bytes)
{
    FILE *out = fopen(path, "wb");

    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(&file, 1, bytes, out), bytes);
    fclose(out);
    return tf_elf_build_id(path, text);
}

START_TEST(id_is_found)
{
    ck_assert(read_bytes(sizeof(file)));
    ck_assert_str_eq(text, "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3");
}
END_TEST

START_TEST(file_without_an_id_has_none)
{
    file.note.n_type = NT_GNU_ABI_TAG;
    ck_assert(!read_bytes(sizeof(file)));
    ck_assert_str_eq(text, "");
    ck_assert(!tf_elf_build_id("/no/such/file", text));
    ck_assert(!tf_elf_build_id("/dev/null", text));
}
END_TEST

START_TEST(pipe_is_not_waited_for)
{
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!tf_elf_build_id(path, text));
}
END_TEST

START_TEST(id_that_is_too_long_is_none)
{
    file.note.n_descsz = 2000;
    ck_assert(!read_bytes(sizeof(file)));
    file.note.n_descsz = UINT32_MAX;
    ck_assert(!read_bytes(sizeof(file)));
    file.note.n_descsz = sizeof(file.id);
    file.note.n_namesz = UINT32_MAX;
    ck_assert(!read_bytes(sizeof(file)));
}
END_TEST

START_TEST(cut_file_is_read_without_harm)
{
    for (size_t bytes = 0; bytes < sizeof(file); bytes++)
        ck_assert(!read_bytes(bytes));
}
END_TEST

START_TEST(damaged_file_is_read_without_harm)
{
    unsigned char *bytes = (unsigned char *)&file;

    for (size_t at = 0; at < sizeof(file); at++)
        for (unsigned value = 0; value < 256; value += 85) {
            const unsigned char old = bytes[at];

            bytes[at] = (unsigned char)value;
            (void)read_bytes(sizeof(file));
            bytes[at] = old;
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("elf_build_id");
    TCase *tests = tcase_create("file");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, id_is_found);
    tcase_add_test(tests, file_without_an_id_has_none);
    tcase_add_test(tests, pipe_is_not_waited_for);
    tcase_add_test(tests, id_that_is_too_long_is_none);
    tcase_add_test(tests, cut_file_is_read_without_harm);
    tcase_add_test(tests, damaged_file_is_read_without_harm);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
