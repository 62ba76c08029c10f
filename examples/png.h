// SPDX-License-Identifier: MIT
// Pictures of 8-bit RGB as PNG files: written uncompressed, a few hundred lines of zlib
// less, and read.
#ifndef TF_EXAMPLES_PNG_H
#define TF_EXAMPLES_PNG_H

#include <stdbool.h>
#include <stdint.h>

// rgb: 3 bytes a pixel, rows from the top, no padding. False if the file cannot be
// written.
bool png_write(const char *path, const uint8_t *rgb, uint32_t width_px,
               uint32_t height_px);

// Reads a PNG of 8 bits a channel, gray, RGB or RGBA, not interlaced. The pixels as of
// png_write(), to be freed with free(); NULL if that cannot be.
uint8_t *png_read(const char *path, uint32_t *width_px, uint32_t *height_px);

#endif // TF_EXAMPLES_PNG_H
