// SPDX-License-Identifier: MIT
// What libFuzzer calls. TF_FUZZ=NAME chooses what reads the bytes; a program of these has
// a table of them. Built in the preset fuzz alone (doc/testing.md).
#ifndef TF_TESTS_FUZZ_GUIDED_GUIDED_H
#define TF_TESTS_FUZZ_GUIDED_GUIDED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEED(condition)    \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%d: not so: %s\n", __LINE__, #condition), abort()))

struct guided_reader {
    const char *name;
    void (*read)(uint8_t *bytes, size_t count); // which may be changed
};

static inline const struct guided_reader *guided_choose(
    const struct guided_reader *readers, size_t count)
{
    const char *const name = getenv("TF_FUZZ");

    for (size_t i = 0; name && i < count; i++)
        if (!strcmp(readers[i].name, name))
            return &readers[i];
    fprintf(stderr, "TF_FUZZ is one of");
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", readers[i].name);
    fprintf(stderr, "\n");
    exit(2);
}

// TF_FUZZ_LAST=FILE: the bytes that are read last, for a death that no handler survives
// (libFuzzer keeps what the others read).
static inline void guided_note(const uint8_t *bytes, size_t count)
{
    const char *const path = getenv("TF_FUZZ_LAST");
    FILE *const file = path ? fopen(path, "wb") : NULL;

    if (!file)
        return;
    fwrite(bytes, 1, count, file);
    fclose(file);
}

// Bytes of their own, in which a reader that goes too far is found out.
static inline void guided_read(const struct guided_reader *reader, const uint8_t *bytes,
                               size_t count)
{
    uint8_t *const own = malloc(count ? count : 1);

    NEED(own);
    memcpy(own, bytes, count);
    guided_note(bytes, count);
    reader->read(own, count);
    free(own);
}

// guided_cache.c: files of the cache, objects for the loader.
void guided_cache_folder(void); // before anything of the library
void guided_cache_start(void);
void guided_read_cache(uint8_t *bytes, size_t count);
void guided_read_object(uint8_t *bytes, size_t count);
// From now on the compiler has the name that the bytes begin with.
void guided_compiler_is(const char *name, size_t bytes);
// guided_core.c
struct tf_devprog;
void guided_learn_version(struct tf_devprog *prog);
void guided_sign_program(uint8_t *bytes, size_t count);
void guided_query_and_free(struct tf_devprog *prog, size_t count);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif // TF_TESTS_FUZZ_GUIDED_GUIDED_H
