// SPDX-License-Identifier: MIT
// Files are told apart by their content alone: headers are small, and times of change are
// set back, shared by two writes, or late on disks behind a network.
#include "cache/file_list.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/digest.h"
#include "cache/whole_file.h"

static const char magic[8] = {'T', 'F', 'F', 'I', 'L', 'E', 'S', '1'};
static const uint64_t max_file_bytes = 64 << 20;

// Before each path, which ends with a byte 0.
struct record {
    uint32_t found; // enum tf_file_found
    uint32_t path_bytes;
    uint64_t bytes;
    struct tf_digest digest;
};

void tf_file_list_add(struct tf_file_list *list, enum tf_file_found found,
                      const char *path, const void *text, uint64_t bytes)
{
    struct record record = {.found = found, .bytes = bytes};
    const size_t path_bytes = strlen(path) + 1;

    record.path_bytes = (uint32_t)path_bytes;
    if (found == TF_FILE_READ)
        record.digest = tf_digest_of(text, bytes);
    if (list->packed.bytes == 0)
        tf_str_add_bytes(&list->packed, magic, sizeof(magic));
    tf_str_add_bytes(&list->packed, &record, sizeof(record));
    tf_str_add_bytes(&list->packed, path, path_bytes);
}

void tf_file_list_lose(struct tf_file_list *list)
{
    list->is_lost = true;
}

void *tf_file_list_take(struct tf_file_list *list, size_t *bytes)
{
    void *packed = NULL;

    if (list->packed.bytes == 0)
        tf_str_add_bytes(&list->packed, magic, sizeof(magic));
    *bytes = list->packed.bytes;
    if (!list->is_lost)
        packed = tf_str_take(&list->packed);
    if (!packed)
        *bytes = 0;
    tf_str_finish(&list->packed);
    list->is_lost = false;
    return packed;
}

// ---- Looking again ----

static bool has_content(const char *path, const struct record *record)
{
    // A FIFO in the place of the file must not stop us.
    const int fd = tf_file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
    struct tf_digest digest;
    struct stat facts;
    bool ok = false;
    char *text;

    if (fd < 0)
        return false;
    if (!fstat(fd, &facts) && S_ISREG(facts.st_mode) &&
        (uint64_t)facts.st_size == record->bytes && record->bytes <= max_file_bytes &&
        (text = tf_zalloc(record->bytes)) != NULL) {
        ok = tf_file_read(fd, text, record->bytes);
        digest = tf_digest_of(text, record->bytes);
        ok = ok && tf_digest_equal(&digest, &record->digest);
        tf_free(text);
    }
    close(fd);
    return ok;
}

static bool is_found_again(const char *path, const struct record *record)
{
    struct stat facts;

    if (record->found == TF_FILE_READ)
        return has_content(path, record);
    if (stat(path, &facts))
        return record->found == TF_FILE_ABSENT;
    return record->found == TF_FILE_FOLDER
               ? S_ISDIR(facts.st_mode)
               : record->found == TF_FILE_THERE && S_ISREG(facts.st_mode) &&
                     (uint64_t)facts.st_size == record->bytes;
}

bool tf_file_list_holds(const void *packed, size_t bytes)
{
    const char *at = packed;
    struct record record;

    if (bytes < sizeof(magic) || memcmp(at, magic, sizeof(magic)) != 0)
        return false;
    at += sizeof(magic);
    bytes -= sizeof(magic);
    while (bytes > 0) {
        if (bytes < sizeof(record))
            return false;
        memcpy(&record, at, sizeof(record));
        at += sizeof(record);
        bytes -= sizeof(record);
        if (record.path_bytes == 0 || record.path_bytes > bytes ||
            at[record.path_bytes - 1] != '\0' || !is_found_again(at, &record))
            return false;
        at += record.path_bytes;
        bytes -= record.path_bytes;
    }
    return true;
}
