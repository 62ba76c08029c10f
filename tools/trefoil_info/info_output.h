// SPDX-License-Identifier: MIT
// Named values in sections, written as lines for people or as one JSON object. Sections
// and lists are closed in the reverse order.
#ifndef TREFOIL_INFO_OUTPUT_H
#define TREFOIL_INFO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

void out_start(bool as_json);
// Ends the output; false when standard output could not take it.
bool out_finish(void);

// A section of named values; `key` is for JSON, NULL among sections, `headline` for
// people.
void out_section(const char *key, const char *headline);
void out_section_end(void);
// Sections under a name of JSON, one after the other for people.
void out_sections(const char *key);
void out_sections_end(void);
// Values without names.
void out_list(const char *key);
void out_list_end(void);

// One value; in a list `key` is NULL. Text need not be UTF-8.
void out_text(const char *key, const char *text);
void out_number(const char *key, unsigned long long value, const char *unit);
void out_bool(const char *key, bool value);
// Nothing is known: null, and no line for people.
void out_nothing(const char *key);

#endif // TREFOIL_INFO_OUTPUT_H
