// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/elf_build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"

enum { MAX_PARTS = 64, MAX_NOTE_BYTES = 4096 };

static size_t aligned(uint32_t bytes)
{
    return ((size_t)bytes + 3) & ~(size_t)3;
}

// Looks for the id among the notes of one part.
static bool find_in_notes(const unsigned char *at, size_t left, char *text)
{
    Elf64_Nhdr head;

    while (left >= sizeof(head)) {
        size_t name, content;

        memcpy(&head, at, sizeof(head));
        name = aligned(head.n_namesz);
        content = aligned(head.n_descsz);
        at += sizeof(head);
        left -= sizeof(head);
        if (name > left || content > left - name)
            return false;
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof("GNU") &&
            !memcmp(at, "GNU", sizeof("GNU")) && head.n_descsz > 0 &&
            2 * (size_t)head.n_descsz < TF_BUILD_ID_BYTES) {
            for (size_t i = 0; i < head.n_descsz; i++)
                snprintf(text + 2 * i, 3, "%02x", at[name + i]);
            return true;
        }
        at += name + content;
        left -= name + content;
    }
    return false;
}

// Too large for the stack of a thread of the application's.
struct room {
    Elf64_Phdr parts[MAX_PARTS];
    unsigned char notes[MAX_NOTE_BYTES];
};

static bool find_in_file(int fd, struct room *room, char *text)
{
    Elf64_Phdr *const parts = room->parts;
    Elf64_Ehdr head;
    ssize_t bytes;

    if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(*parts) ||
        head.e_phnum > MAX_PARTS)
        return false;
    bytes = (ssize_t)(head.e_phnum * sizeof(*parts));
    if (pread(fd, parts, (size_t)bytes, (off_t)head.e_phoff) != bytes)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (parts[i].p_type != PT_NOTE || parts[i].p_filesz > sizeof(room->notes))
            continue;
        bytes = pread(fd, room->notes, parts[i].p_filesz, (off_t)parts[i].p_offset);
        if (bytes > 0 && find_in_notes(room->notes, (size_t)bytes, text))
            return true;
    }
    return false;
}

bool tf_elf_build_id(const char *path, char text[TF_BUILD_ID_BYTES])
{
    TF_UNCANCELLED;
    // A pipe that nobody writes to must not be waited for.
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct room *room;
    bool found;

    text[0] = '\0';
    if (fd < 0)
        return false;
    room = tf_zalloc(sizeof(*room));
    found = room && find_in_file(fd, room, text);
    tf_free(room);
    close(fd);
    return found;
}
