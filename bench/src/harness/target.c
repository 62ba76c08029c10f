// SPDX-License-Identifier: MIT
#include "harness/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void reject(const char *path, int line_number, const char *problem)
{
    fprintf(stderr, "clbench: %s:%d: %s\n", path, line_number, problem);
    exit(1);
}

static char *copy_text(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        abort();
    return copy;
}

/* One word after the label: platform=..., device=... or a variable of the environment. */
static const char *add_word(struct target *target, const char *word)
{
    if (strncmp(word, "platform=", 9) == 0) {
        target->platform = copy_text(word + 9);
    } else if (strncmp(word, "device=", 7) == 0) {
        target->device = copy_text(word + 7);
    } else if (strchr(word, '=') == NULL) {
        return "expected NAME=value";
    } else if (target->variable_count == TARGET_MAX_VARIABLES) {
        return "too many variables";
    } else {
        target->variables[target->variable_count++] = copy_text(word);
    }
    return NULL;
}

size_t targets_read(const char *path, struct target targets[MAX_TARGETS])
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    char line[4096];
    size_t count = 0;
    for (int line_number = 1; fgets(line, sizeof line, file); line_number++) {
        char *comment = strchr(line, '#');
        if (comment)
            *comment = '\0';
        char *label = strtok(line, " \t\n");
        if (label == NULL)
            continue;
        if (count == MAX_TARGETS)
            reject(path, line_number, "too many targets");
        struct target *target = &targets[count++];
        *target = (struct target){.label = copy_text(label)};
        for (char *word; (word = strtok(NULL, " \t\n")) != NULL;) {
            const char *problem = add_word(target, word);
            if (problem)
                reject(path, line_number, problem);
        }
    }
    fclose(file);
    return count;
}
