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

static const char magic[8] = {'T', 'F', 'F', 'I', 'L', 'E', 'S', '2'};
static const uint64_t max_file_bytes = 64 << 20;

// Before each path, which ends with a byte 0.
struct record {
    uint32_t found; // enum tf_file_found
    uint32_t path_bytes;
    uint64_t bytes;
    uint64_t file; // which, 0: none
    struct tf_digest digest;
};

void tf_file_list_add(struct tf_file_list *list, enum tf_file_found found,
                      const char *path, const void *text, uint64_t bytes, uint64_t file)
{
    struct record record = {.found = found, .bytes = bytes, .file = file};
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

// Files that were found again, in the order of their numbers.
struct identity {
    dev_t device;
    ino_t inode;
};
struct identities {
    struct identity *list; // room for one of each record
    uint64_t count;
};

// Whether names lead to one file that did, and to several that did not.
static bool is_same_file(struct identities *seen, const struct record *record,
                         const struct stat *facts)
{
    uint64_t i = 0;

    if (record->file == 0)
        return true;
    while (i < seen->count && (seen->list[i].device != facts->st_dev ||
                               seen->list[i].inode != facts->st_ino))
        i++;
    if (i == seen->count)
        seen->list[seen->count++] = (struct identity){facts->st_dev, facts->st_ino};
    return i + 1 == record->file;
}

static bool has_content(const char *path, const struct record *record, struct stat *facts)
{
    // A FIFO in the place of the file must not stop us.
    const int fd = tf_file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
    struct tf_digest digest;
    bool ok = false;
    char *text;

    if (fd < 0)
        return false;
    if (!fstat(fd, facts) && S_ISREG(facts->st_mode) &&
        (uint64_t)facts->st_size == record->bytes && record->bytes <= max_file_bytes &&
        (text = tf_zalloc(record->bytes)) != NULL) {
        ok = tf_file_read(fd, text, record->bytes);
        digest = tf_digest_of(text, record->bytes);
        ok = ok && tf_digest_equal(&digest, &record->digest);
        tf_free(text);
    }
    close(fd);
    return ok;
}

static bool is_found_again(const char *path, const struct record *record,
                           struct identities *seen)
{
    struct stat facts;

    if (record->found == TF_FILE_READ)
        return has_content(path, record, &facts) && is_same_file(seen, record, &facts);
    if (stat(path, &facts))
        return record->found == TF_FILE_ABSENT;
    if (record->found == TF_FILE_FOLDER)
        return S_ISDIR(facts.st_mode);
    return record->found == TF_FILE_THERE && S_ISREG(facts.st_mode) &&
           (uint64_t)facts.st_size == record->bytes && is_same_file(seen, record, &facts);
}

static bool all_hold(const char *at, size_t bytes, struct identities *seen)
{
    struct record record;

    while (bytes > 0) {
        if (bytes < sizeof(record))
            return false;
        memcpy(&record, at, sizeof(record));
        at += sizeof(record);
        bytes -= sizeof(record);
        if (record.path_bytes == 0 || record.path_bytes > bytes ||
            at[record.path_bytes - 1] != '\0' || !is_found_again(at, &record, seen))
            return false;
        at += record.path_bytes;
        bytes -= record.path_bytes;
    }
    return true;
}

bool tf_file_list_holds(const void *packed, size_t bytes)
{
    struct identities seen = {0};
    bool ok;

    if (bytes < sizeof(magic) || memcmp(packed, magic, sizeof(magic)) != 0)
        return false;
    bytes -= sizeof(magic);
    seen.list = tf_zalloc((bytes / sizeof(struct record) + 1) * sizeof(*seen.list));
    ok = seen.list && all_hold((const char *)packed + sizeof(magic), bytes, &seen);
    tf_free(seen.list);
    return ok;
}
