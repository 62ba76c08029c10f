// SPDX-License-Identifier: MIT
// Headers that the application hands over by name (clCompileProgram), and files of -I.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/compiled_source.h"
#include "support/suite.h"

#define KERNEL(value) "kernel void k(global int *p) { *p = " value "; }\n"
// Compiles only if `condition` holds.
#define REQUIRES(condition) "#if !(" condition ")\n#error not so\n#endif\n"

static char compile_log[4000];

static enum tf_compiler_status compile(const char *source, const char *options,
                                       const struct tf_compiler_header *headers,
                                       size_t count)
{
    const struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = source,
                                     .source_bytes = strlen(source),
                                     .options = options,
                                     .headers = headers,
                                     .header_count = count,
                                     .device = &device};
    struct tf_compile_out out;
    const enum tf_compiler_status status = test_compiler()->compile(&in, &out);

    snprintf(compile_log, sizeof(compile_log), "%s", out.log);
    test_compiler()->release(out.bitcode.data);
    test_compiler()->release(out.files.data);
    test_compiler()->release(out.log);
    return status;
}

static struct tf_compiler_header header(const char *name, const char *text)
{
    return (struct tf_compiler_header){name, text, strlen(text)};
}

static void compiles(const char *source, const char *options,
                     const struct tf_compiler_header *headers, size_t count)
{
    ck_assert_msg(compile(source, options, headers, count) == TF_COMPILER_OK, "%s",
                  compile_log);
}

START_TEST(same_name_in_two_folders)
{
    const struct tf_compiler_header headers[] = {
        header("a/size.h", "#define A_SIZE 3\n"),
        header("b/size.h", "#define B_SIZE 4\n"),
        header("size.h", "#define SIZE 5\n"),
    };

    compiles("#include \"a/size.h\"\n#include <b/size.h>\n#include \"size.h\"\n" REQUIRES(
                 "A_SIZE == 3 && B_SIZE == 4 && SIZE == 5") KERNEL("SIZE"),
             "", headers, 3);
}
END_TEST

START_TEST(header_finds_its_neighbours_first)
{
    const struct tf_compiler_header headers[] = {
        header("a/all.h", "#include \"part.h\"\n#include \"../common.h\"\n"),
        header("a/part.h", "#define PART 1\n"),
        header("part.h", "#define PART 2\n"),
        header("common.h", "#define COMMON 7\n"),
    };

    compiles("#include \"a/all.h\"\n" REQUIRES("PART == 1 && COMMON == 7") KERNEL("1"),
             "", headers, 4);
}
END_TEST

START_TEST(names_may_have_dots_and_blanks)
{
    const struct tf_compiler_header headers[] = {
        header("./here.h", "#define HERE 1\n"),
        header("../above.h", "#define ABOVE 2\n"),
        header("a folder/a file.h", "#define BLANK 3\n"),
        header("a/./b/../c.h", "#define WAY 4\n"),
    };

    compiles("#include \"here.h\"\n#include \"../above.h\"\n"
             "#include \"a folder/a file.h\"\n#include \"a/c.h\"\n" REQUIRES(
                 "HERE + ABOVE + BLANK + WAY == 10") KERNEL("1"),
             "", headers, 4);
}
END_TEST

START_TEST(name_may_be_absolute)
{
    const struct tf_compiler_header one = header("/no/such/file.h", "#define ROOT 1\n");

    compiles("#include \"/no/such/file.h\"\n" REQUIRES("ROOT == 1") KERNEL("1"), "", &one,
             1);
}
END_TEST

START_TEST(first_of_two_headers_with_one_name_counts)
{
    const struct tf_compiler_header headers[] = {header("x.h", "#define X 1\n"),
                                                 header("x.h", "#define X 2\n")};

    compiles("#include \"x.h\"\n" REQUIRES("X == 1") KERNEL("X"), "", headers, 2);
}
END_TEST

START_TEST(header_may_be_empty_or_unused)
{
    const struct tf_compiler_header headers[] = {header("empty.h", ""),
                                                 header("unused.h", "#error unused\n")};

    compiles("#include \"empty.h\"\n" KERNEL("1"), "", headers, 2);
}
END_TEST

// ---- Files on disk ----

static char folder[] = "/tmp/trefoil headers XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void begin(void)
{
    snprintf(folder, sizeof(folder), "/tmp/trefoil headers XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file("disk.h", "#define DISK 1\n");
    write_file("both.h", "#define BOTH 1\n");
}

static void end(void)
{
    char path[200];

    snprintf(path, sizeof(path), "%s/disk.h", folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/both.h", folder);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(folder_may_have_blanks)
{
    // Before the path, behind it.
    static const char *const forms[][2] = {{"-I \"", "\""},
                                           {"-I\"", "\""},
                                           {"-I '", "'"},
                                           {"\"-I", "\""},
                                           {"-w -I '", "' -DX"}};
    static const char source[] =
        "#include <disk.h>\n" REQUIRES("DISK == 1") KERNEL("DISK");
    char options[200];

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        snprintf(options, sizeof(options), "%s%s%s", forms[i][0], folder, forms[i][1]);
        compiles(source, options, NULL, 0);
    }
    snprintf(options, sizeof(options), "-I /tmp/trefoil\\ headers\\ %s",
             strrchr(folder, ' ') + 1);
    compiles(source, options, NULL, 0);
    ck_assert_int_eq(compile(source, "", NULL, 0), TF_COMPILER_BAD_SOURCE);
}
END_TEST

START_TEST(named_header_wins_over_a_file)
{
    const struct tf_compiler_header one = header("both.h", "#define BOTH 2\n");
    char options[200];

    snprintf(options, sizeof(options), "-I \"%s\"", folder);
    compiles("#include \"both.h\"\n#include <disk.h>\n" REQUIRES("BOTH == 2 && DISK == 1")
                 KERNEL("1"),
             options, &one, 1);
    compiles("#include <both.h>\n" REQUIRES("BOTH == 2") KERNEL("1"), options, &one, 1);
}
END_TEST

// What never ends, or never begins, is no header.
START_TEST(pipes_and_devices_are_no_headers)
{
    char path[200], options[200];

    snprintf(path, sizeof(path), "%s/pipe.h", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    snprintf(options, sizeof(options), "-I \"%s\"", folder);
    ck_assert_int_eq(compile("#include <pipe.h>\n" KERNEL("1"), options, NULL, 0),
                     TF_COMPILER_BAD_SOURCE);
    ck_assert_ptr_nonnull(strstr(compile_log, "pipe.h"));
    ck_assert_int_eq(compile("#include \"/dev/zero\"\n" KERNEL("1"), "", NULL, 0),
                     TF_COMPILER_BAD_SOURCE);
    ck_assert_ptr_nonnull(strstr(compile_log, "/dev/zero"));
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("headers");
    TCase *const memory = tcase_create("memory");
    TCase *const disk = tcase_create("disk");

    tcase_set_timeout(memory, 120);
    tcase_add_test(memory, same_name_in_two_folders);
    tcase_add_test(memory, header_finds_its_neighbours_first);
    tcase_add_test(memory, names_may_have_dots_and_blanks);
    tcase_add_test(memory, name_may_be_absolute);
    tcase_add_test(memory, first_of_two_headers_with_one_name_counts);
    tcase_add_test(memory, header_may_be_empty_or_unused);
    suite_add_tcase(suite, memory);
    tcase_set_timeout(disk, 120);
    tcase_add_checked_fixture(disk, begin, end);
    tcase_add_test(disk, folder_may_have_blanks);
    tcase_add_test(disk, pipes_and_devices_are_no_headers);
    tcase_add_test(disk, named_header_wins_over_a_file);
    suite_add_tcase(suite, disk);
    return tf_run_suite(suite);
}
