// SPDX-License-Identifier: MIT
// @src PNG (ISO/IEC 15948) §5, §9, §11.2; deflate, RFC 1951.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png.h"

// ---- Deflate ----

enum { SYMBOLS_MAX = 288, LENGTH_MAX = 15 };

struct bits {
    const uint8_t *at, *end;
    uint32_t held; // lowest first
    unsigned count;
    bool failed;
};

static uint32_t take(struct bits *b, unsigned count)
{
    uint32_t value;

    while (b->count < count) {
        if (b->at == b->end) {
            b->failed = true;
            return 0;
        }
        b->held |= (uint32_t)*b->at++ << b->count;
        b->count += 8;
    }
    value = b->held & ((1u << count) - 1);
    b->held >>= count;
    b->count -= count;
    return value;
}

// Codes of one length are consecutive numbers, in the order of their symbols.
struct code {
    uint32_t end[LENGTH_MAX + 1];  // behind the last code of a length
    int32_t place[LENGTH_MAX + 1]; // from a code of that length to its place in symbols
    uint16_t symbols[SYMBOLS_MAX];
};

static void make_code(struct code *code, const uint8_t *lengths, unsigned count)
{
    uint32_t next = 0;
    unsigned placed = 0;

    for (unsigned length = 1; length <= LENGTH_MAX; length++) {
        next <<= 1;
        code->place[length] = (int32_t)placed - (int32_t)next;
        for (unsigned symbol = 0; symbol < count; symbol++)
            if (lengths[symbol] == length) {
                code->symbols[placed++] = (uint16_t)symbol;
                next++;
            }
        code->end[length] = next;
    }
}

static unsigned take_symbol(struct bits *b, const struct code *code)
{
    uint32_t read = 0;

    for (unsigned length = 1; length <= LENGTH_MAX && !b->failed; length++) {
        const int32_t first =
            length > 1 ? (int32_t)code->end[length - 1] << 1 : 0; // of this length
        read = read << 1 | take(b, 1);
        if ((int32_t)read >= first && read < code->end[length])
            return code->symbols[(int32_t)read + code->place[length]];
    }
    b->failed = true;
    return 0;
}

// The n-th class of lengths or distances: so many numbers belong to each, as `extra` bits
// say, and the classes follow each other.
static uint32_t take_class(struct bits *b, unsigned n, unsigned first, unsigned per_step)
{
    const unsigned extra = n < 2 * per_step ? 0 : n / per_step - 1;
    uint32_t value = first;

    for (unsigned i = 0; i < n; i++)
        value += 1u << (i < 2 * per_step ? 0 : i / per_step - 1);
    return value + take(b, extra);
}

struct output {
    uint8_t *bytes;
    size_t done, room;
};

static void copy_back(struct bits *b, struct output *out, uint32_t length,
                      uint32_t distance)
{
    if (distance > out->done || length > out->room - out->done) {
        b->failed = true;
        return;
    }
    for (; length > 0; length--, out->done++)
        out->bytes[out->done] = out->bytes[out->done - distance];
}

static void inflate_codes(struct bits *b, struct output *out, const struct code *literals,
                          const struct code *distances)
{
    while (!b->failed) {
        const unsigned symbol = take_symbol(b, literals);
        if (symbol == 256)
            return;
        if (symbol < 256) {
            if (out->done == out->room)
                b->failed = true;
            else
                out->bytes[out->done++] = (uint8_t)symbol;
        } else {
            const uint32_t length =
                symbol == 285 ? 258 : take_class(b, symbol - 257, 3, 4);
            copy_back(b, out, length, take_class(b, take_symbol(b, distances), 1, 2));
        }
    }
}

static void inflate_fixed(struct bits *b, struct output *out)
{
    struct code literals, distances;
    uint8_t lengths[SYMBOLS_MAX];

    for (unsigned i = 0; i < SYMBOLS_MAX; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_code(&literals, lengths, SYMBOLS_MAX);
    memset(lengths, 5, 30);
    make_code(&distances, lengths, 30);
    inflate_codes(b, out, &literals, &distances);
}

// Lengths of codes, themselves coded: 16 repeats the last one, 17 and 18 zeros.
static void take_lengths(struct bits *b, const struct code *code, uint8_t *lengths,
                         unsigned count)
{
    for (unsigned i = 0; i < count && !b->failed;) {
        const unsigned symbol = take_symbol(b, code);
        unsigned times = 1;
        uint8_t length = (uint8_t)symbol;
        if (symbol >= 16) {
            length = symbol == 16 && i > 0 ? lengths[i - 1] : 0;
            times = symbol == 16   ? 3 + take(b, 2)
                    : symbol == 17 ? 3 + take(b, 3)
                                   : 11 + take(b, 7);
        }
        if (times > count - i)
            b->failed = true;
        for (; times > 0 && !b->failed; times--)
            lengths[i++] = length;
    }
}

static void inflate_dynamic(struct bits *b, struct output *out)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    const unsigned literal_count = 257 + take(b, 5), distance_count = 1 + take(b, 5);
    const unsigned count = 4 + take(b, 4);
    struct code lengths_code, literals, distances;
    uint8_t lengths[SYMBOLS_MAX + 32] = {0}, of_lengths[19] = {0};

    for (unsigned i = 0; i < count; i++)
        of_lengths[order[i]] = (uint8_t)take(b, 3);
    make_code(&lengths_code, of_lengths, 19);
    take_lengths(b, &lengths_code, lengths, literal_count + distance_count);
    make_code(&literals, lengths,
              literal_count < SYMBOLS_MAX ? literal_count : SYMBOLS_MAX);
    make_code(&distances, lengths + literal_count, distance_count);
    inflate_codes(b, out, &literals, &distances);
}

static void inflate_stored(struct bits *b, struct output *out)
{
    uint32_t size;

    take(b, b->count % 8);
    size = take(b, 16);
    take(b, 16); // its complement
    for (; size > 0 && !b->failed; size--) {
        const uint32_t byte = take(b, 8);
        if (out->done == out->room)
            b->failed = true;
        else
            out->bytes[out->done++] = (uint8_t)byte;
    }
}

// False unless exactly `room` bytes came out.
static bool inflate(const uint8_t *data, size_t bytes, uint8_t *to, size_t room)
{
    struct bits b = {.at = data, .end = data + bytes};
    struct output out = {.bytes = to, .room = room};
    bool last = false;

    take(&b, 16); // method, window, check bits
    while (!last && !b.failed) {
        last = take(&b, 1);
        switch (take(&b, 2)) {
        case 0:
            inflate_stored(&b, &out);
            break;
        case 1:
            inflate_fixed(&b, &out);
            break;
        case 2:
            inflate_dynamic(&b, &out);
            break;
        default:
            b.failed = true;
        }
    }
    return !b.failed && out.done == room;
}

// ---- PNG ----

static uint32_t be32(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 |
           from[3];
}

struct picture {
    uint32_t width_px, height_px;
    unsigned channels;
    uint8_t *packed; // IDAT, one behind the other
    size_t packed_bytes;
};

static bool take_header(struct picture *p, const uint8_t *data, uint32_t bytes)
{
    if (bytes != 13 || data[8] != 8 || data[12] != 0) // 8 bits, not interlaced
        return false;
    p->width_px = be32(data);
    p->height_px = be32(data + 4);
    p->channels = data[9] == 0 ? 1 : data[9] == 2 ? 3 : data[9] == 6 ? 4 : 0;
    return p->channels && p->width_px - 1 < 16384 && p->height_px - 1 < 16384;
}

static bool take_chunks(struct picture *p, const uint8_t *file, size_t bytes)
{
    for (size_t at = 8; at + 12 <= bytes;) {
        const uint32_t size = be32(file + at);
        const uint8_t *type = file + at + 4, *data = file + at + 8;
        if (size > bytes - at - 12)
            return false;
        if (memcmp(type, "IHDR", 4) == 0 && !take_header(p, data, size))
            return false;
        if (memcmp(type, "IDAT", 4) == 0) {
            memcpy(p->packed + p->packed_bytes, data, size);
            p->packed_bytes += size;
        }
        at += (size_t)size + 12;
    }
    return p->channels != 0;
}

// What a filter takes off a byte: of the one to the left, above, and above that.
static uint8_t predicted(uint8_t filter, int left, int up, int corner)
{
    const int guess = left + up - corner;
    const int to_left = abs(guess - left), to_up = abs(guess - up),
              to_corner = abs(guess - corner);

    switch (filter) {
    case 1:
        return (uint8_t)left;
    case 2:
        return (uint8_t)up;
    case 3:
        return (uint8_t)((left + up) / 2);
    case 4:
        return (uint8_t)(to_left <= to_up && to_left <= to_corner ? left
                         : to_up <= to_corner                     ? up
                                                                  : corner);
    default:
        return 0;
    }
}

static void unfilter(uint8_t *raw, const struct picture *p)
{
    const size_t row_bytes = (size_t)p->width_px * p->channels, step = p->channels;

    for (uint32_t y = 0; y < p->height_px; y++) {
        uint8_t *row = raw + y * (row_bytes + 1) + 1;
        const uint8_t *above = y ? row - row_bytes - 1 : NULL;
        for (size_t i = 0; i < row_bytes; i++)
            row[i] =
                (uint8_t)(row[i] + predicted(row[-1], i >= step ? row[i - step] : 0,
                                             above ? above[i] : 0,
                                             above && i >= step ? above[i - step] : 0));
    }
}

static void put_rgb(uint8_t *rgb, const uint8_t *raw, const struct picture *p)
{
    const size_t row_bytes = (size_t)p->width_px * p->channels;

    for (uint32_t y = 0; y < p->height_px; y++) {
        const uint8_t *from = raw + y * (row_bytes + 1) + 1;
        for (uint32_t x = 0; x < p->width_px; x++, from += p->channels, rgb += 3)
            for (unsigned c = 0; c < 3; c++)
                rgb[c] = from[p->channels == 1 ? 0 : c];
    }
}

static uint8_t *decode(struct picture *p)
{
    const size_t raw_bytes = ((size_t)p->width_px * p->channels + 1) * p->height_px;
    uint8_t *raw = malloc(raw_bytes), *rgb = NULL;

    if (raw && inflate(p->packed, p->packed_bytes, raw, raw_bytes)) {
        unfilter(raw, p);
        rgb = malloc((size_t)p->width_px * p->height_px * 3);
        if (rgb)
            put_rgb(rgb, raw, p);
    }
    free(raw);
    return rgb;
}

static uint8_t *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long size = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size > 0 && fseek(file, 0, SEEK_SET) == 0)
        data = malloc((size_t)size);
    if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
        free(data);
        data = NULL;
    }
    if (file)
        fclose(file);
    *bytes = data ? (size_t)size : 0;
    return data;
}

uint8_t *png_read(const char *path, uint32_t *width_px, uint32_t *height_px)
{
    struct picture p = {0};
    size_t bytes;
    uint8_t *file = read_file(path, &bytes), *rgb = NULL;

    p.packed = malloc(bytes + 1);
    if (file && p.packed && bytes > 8 && memcmp(file, "\x89PNG\r\n\x1a\n", 8) == 0 &&
        take_chunks(&p, file, bytes))
        rgb = decode(&p);
    *width_px = p.width_px;
    *height_px = p.height_px;
    free(p.packed);
    free(file);
    return rgb;
}
