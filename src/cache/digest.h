// SPDX-License-Identifier: MIT
// 256-bit digests (BLAKE2b, RFC 7693): two contents that differ never have the same one,
// whoever chose them. For names of things that are trusted later; tf_hash_bytes(), which
// is faster, only tells accidents.
#ifndef TF_CACHE_DIGEST_H
#define TF_CACHE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TF_DIGEST_BYTES = 32, TF_DIGEST_BLOCK_BYTES = 128 };

struct tf_digest {
    uint8_t bytes[TF_DIGEST_BYTES];
};

struct tf_digester {
    uint64_t state[8];
    uint64_t count; // of bytes mixed in
    uint8_t block[TF_DIGEST_BLOCK_BYTES];
    size_t filled;
};

void tf_digest_start(struct tf_digester *d);
void tf_digest_add(struct tf_digester *d, const void *data, size_t bytes);
// With its length before it: parts that follow each other cannot be cut otherwise.
void tf_digest_add_part(struct tf_digester *d, const void *data, size_t bytes);
void tf_digest_add_number(struct tf_digester *d, uint64_t number);
void tf_digest_add_text(struct tf_digester *d, const char *text); // NULL: none
struct tf_digest tf_digest_end(struct tf_digester *d);

struct tf_digest tf_digest_of(const void *data, size_t bytes);
bool tf_digest_equal(const struct tf_digest *a, const struct tf_digest *b);
// Two digits a byte, and the 0.
void tf_digest_text(const struct tf_digest *digest, char text[2 * TF_DIGEST_BYTES + 1]);

#endif // TF_CACHE_DIGEST_H
