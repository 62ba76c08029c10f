// SPDX-License-Identifier: MIT
// In libFuzzer's place: gives each file of folders to the reader, once.
//
//     TF_FUZZ=NAME fuzz_guided FOLDER ...
#include "guided.h"

#include <dirent.h>

enum { MOST_BYTES = 1 << 20, PATH_BYTES = 4096 };

static unsigned long count;

static void read_file(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *const file = fopen(path, "rb");
    size_t n;

    NEED(file);
    n = fread(bytes, 1, sizeof(bytes), file);
    NEED(!ferror(file) && !fclose(file));
    (void)LLVMFuzzerTestOneInput(bytes, n);
    count++;
}

// The path is said when the process ends within it.
static void read_folder(const char *folder)
{
    DIR *const dir = opendir(folder);
    char path[PATH_BYTES];
    struct dirent *entry;

    NEED(dir);
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        printf("%s\n", path);
        fflush(stdout);
        read_file(path);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        read_folder(argv[i]);
    printf("%lu files\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
