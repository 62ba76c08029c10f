// SPDX-License-Identifier: MIT
#include "devices/cpu/check/check_shadow.h"

#include <string.h>

#include "base/alloc.h"

enum {
    PAGE_BYTES = 1024,
    WORDS = PAGE_BYTES / TF_CHECK_WORD_BYTES,
    FIRST_SLOTS = 1024,
    MAX_BYTES = 1 << 30, // then all is forgotten: some races are not seen
};

struct tf_check_page {
    struct tf_check_page *next; // of the slot
    uint64_t number;
    bool by_bytes;
    struct tf_check_cell *cells;
};

static void free_pages(struct tf_check_shadow *shadow)
{
    for (size_t i = 0; i < shadow->slot_count; i++) {
        while (shadow->slots[i]) {
            struct tf_check_page *page = shadow->slots[i];

            shadow->slots[i] = page->next;
            tf_free(page->cells);
            tf_free(page);
        }
    }
    shadow->page_count = shadow->bytes = 0;
}

void tf_check_shadow_finish(struct tf_check_shadow *shadow)
{
    free_pages(shadow);
    tf_free(shadow->slots);
    memset(shadow, 0, sizeof(*shadow));
}

static size_t slot_of(uint64_t number, size_t count)
{
    return (size_t)((number * 0x9e3779b97f4a7c15u) >> 20) & (count - 1);
}

// Twice as many slots where pages are crowded.
static bool make_slots(struct tf_check_shadow *shadow)
{
    const size_t count = shadow->slot_count ? shadow->slot_count * 2 : FIRST_SLOTS;
    struct tf_check_page **slots;

    if (shadow->page_count < shadow->slot_count)
        return true;
    slots = tf_zalloc(count * sizeof(struct tf_check_page *));
    if (!slots)
        return shadow->slot_count > 0;
    for (size_t i = 0; i < shadow->slot_count; i++) {
        while (shadow->slots[i]) {
            struct tf_check_page *page = shadow->slots[i];
            const size_t at = slot_of(page->number, count);

            shadow->slots[i] = page->next;
            page->next = slots[at];
            slots[at] = page;
        }
    }
    tf_free(shadow->slots);
    shadow->slots = slots;
    shadow->slot_count = count;
    return true;
}

static struct tf_check_page *new_page(struct tf_check_shadow *shadow, uint64_t number)
{
    const size_t bytes = WORDS * sizeof(struct tf_check_cell);
    struct tf_check_page *page;
    size_t at;

    if (shadow->bytes > MAX_BYTES)
        free_pages(shadow);
    page = make_slots(shadow) ? tf_zalloc(sizeof(*page)) : NULL;
    if (page)
        page->cells = tf_zalloc(bytes);
    if (!page || !page->cells) {
        tf_free(page);
        return NULL;
    }
    page->number = number;
    at = slot_of(number, shadow->slot_count);
    page->next = shadow->slots[at];
    shadow->slots[at] = page;
    shadow->page_count++;
    shadow->bytes += bytes;
    return page;
}

static struct tf_check_page *find_page(struct tf_check_shadow *shadow, uint64_t number)
{
    struct tf_check_page *page;

    if (!shadow->slot_count)
        return new_page(shadow, number);
    page = shadow->slots[slot_of(number, shadow->slot_count)];
    while (page && page->number != number)
        page = page->next;
    return page ? page : new_page(shadow, number);
}

// What was one of words becomes one of bytes.
static bool take_apart(struct tf_check_shadow *shadow, struct tf_check_page *page)
{
    struct tf_check_cell *cells = tf_zalloc(PAGE_BYTES * sizeof(*cells));

    if (!cells)
        return false;
    for (size_t i = 0; i < PAGE_BYTES; i++)
        cells[i] = page->cells[i / TF_CHECK_WORD_BYTES];
    tf_free(page->cells);
    page->cells = cells;
    page->by_bytes = true;
    shadow->bytes += (PAGE_BYTES - WORDS) * sizeof(*cells);
    return true;
}

struct tf_check_cell *tf_check_shadow_cell(struct tf_check_shadow *shadow,
                                           uint64_t address, uint64_t bytes,
                                           uint64_t *next)
{
    struct tf_check_page *page = find_page(shadow, address / PAGE_BYTES);
    const bool is_word =
        address % TF_CHECK_WORD_BYTES == 0 && bytes >= TF_CHECK_WORD_BYTES;

    if (!page || (!is_word && !page->by_bytes && !take_apart(shadow, page)))
        return NULL;
    *next = address + (page->by_bytes ? 1 : TF_CHECK_WORD_BYTES);
    return &page->cells[page->by_bytes ? address % PAGE_BYTES
                                       : address % PAGE_BYTES / TF_CHECK_WORD_BYTES];
}
