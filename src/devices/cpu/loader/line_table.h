// SPDX-License-Identifier: MIT
// Which line of the source an instruction was made of: the table .debug_line of an
// object, versions 2 to 4. Nothing in its bytes is trusted.
// @src DWARF 4, 6.2 "Line Number Information".
#ifndef TF_DEVICES_CPU_LOADER_LINE_TABLE_H
#define TF_DEVICES_CPU_LOADER_LINE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct tf_code_line {
    uint64_t address; // from here on
    uint32_t line;
    const char *file; // in the section's bytes
};

struct tf_code_lines {
    struct tf_code_line *lines; // owned
    size_t count, capacity;
};

// Adds what the section says, relocated; as much of it as is whole and there is memory
// for.
void tf_line_table_read(struct tf_code_lines *out, const char *section, size_t bytes);
void tf_code_lines_finish(struct tf_code_lines *lines);

#endif // TF_DEVICES_CPU_LOADER_LINE_TABLE_H
