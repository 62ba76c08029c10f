// SPDX-License-Identifier: MIT
// Writes 8-bit RGB pictures as PNG files, uncompressed: a few hundred lines of zlib less.
#ifndef TF_EXAMPLES_PNG_H
#define TF_EXAMPLES_PNG_H

#include <stdbool.h>
#include <stdint.h>

// rgb: 3 bytes a pixel, rows from the top, no padding. False if the file cannot be
// written.
bool png_write(const char *path, const uint8_t *rgb, uint32_t width_px,
               uint32_t height_px);

#endif // TF_EXAMPLES_PNG_H
