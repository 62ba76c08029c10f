// SPDX-License-Identifier: MIT
// @src PNG (ISO/IEC 15948) §5, §11.2; zlib format, RFC 1950; stored blocks, RFC 1951
// §3.2.4.
#include "png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORED_BLOCK_MAX 65535

static void put_be32(uint8_t *to, uint32_t value)
{
    for (int n = 0; n < 4; n++)
        to[n] = (uint8_t)(value >> (24 - 8 * n));
}

static uint32_t crc32_of(const uint8_t *data, size_t bytes)
{
    uint32_t crc = 0xffffffff;

    for (size_t n = 0; n < bytes; n++) {
        crc ^= data[n];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t adler32_of(const uint8_t *data, size_t bytes)
{
    uint32_t a = 1, b = 0;

    for (size_t n = 0; n < bytes; n++) {
        a = (a + data[n]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

// `chunk` holds 4 bytes of room, the type, `bytes` of data and 4 bytes of room.
static bool write_chunk(FILE *file, uint8_t *chunk, const char *type, size_t bytes)
{
    put_be32(chunk, (uint32_t)bytes);
    memcpy(chunk + 4, type, 4);
    put_be32(chunk + 8 + bytes, crc32_of(chunk + 4, bytes + 4));
    return fwrite(chunk, 1, bytes + 12, file) == bytes + 12;
}

// The rows, each after a filter byte 0, in stored blocks. Returns the bytes written.
static size_t store(uint8_t *to, const uint8_t *raw, size_t raw_bytes)
{
    uint8_t *at = to;

    *at++ = 0x78; // deflate, 32 KiB window
    *at++ = 0x01; // check bits
    for (size_t done = 0; done < raw_bytes;) {
        const size_t left = raw_bytes - done;
        const size_t n = left < STORED_BLOCK_MAX ? left : STORED_BLOCK_MAX;
        *at++ = n == left; // last block?
        *at++ = (uint8_t)n;
        *at++ = (uint8_t)(n >> 8);
        *at++ = (uint8_t)~n;
        *at++ = (uint8_t)(~n >> 8);
        memcpy(at, raw + done, n);
        at += n;
        done += n;
    }
    put_be32(at, adler32_of(raw, raw_bytes));
    return (size_t)(at + 4 - to);
}

static bool write_all(FILE *file, const uint8_t *raw, size_t raw_bytes, uint8_t *chunk,
                      uint32_t width_px, uint32_t height_px)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    if (fwrite(signature, 1, sizeof(signature), file) != sizeof(signature))
        return false;
    put_be32(chunk + 8, width_px);
    put_be32(chunk + 12, height_px);
    memcpy(chunk + 16, (const uint8_t[5]){8, 2, 0, 0, 0}, 5); // 8 bits, RGB
    return write_chunk(file, chunk, "IHDR", 13) &&
           write_chunk(file, chunk, "IDAT", store(chunk + 8, raw, raw_bytes)) &&
           write_chunk(file, chunk, "IEND", 0);
}

bool png_write(const char *path, const uint8_t *rgb, uint32_t width_px,
               uint32_t height_px)
{
    const size_t row_bytes = (size_t)width_px * 3,
                 raw_bytes = (row_bytes + 1) * height_px;
    const size_t blocks = raw_bytes / STORED_BLOCK_MAX + 1;
    uint8_t *raw = calloc(1, raw_bytes);
    uint8_t *chunk = calloc(1, raw_bytes + 5 * blocks + 64);
    FILE *file = fopen(path, "wb");
    bool good = false;

    if (raw && chunk && file) {
        for (uint32_t y = 0; y < height_px; y++)
            memcpy(raw + y * (row_bytes + 1) + 1, rgb + y * row_bytes, row_bytes);
        good = write_all(file, raw, raw_bytes, chunk, width_px, height_px);
    }
    if (file && fclose(file) != 0)
        good = false;
    free(chunk);
    free(raw);
    return good;
}
