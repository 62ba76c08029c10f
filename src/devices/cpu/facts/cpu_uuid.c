// SPDX-License-Identifier: MIT
#include "devices/cpu/facts/cpu_uuid.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "core/platform/device_interface.h"

// What tells this machine from others of its kind; 0 where there is nothing. The
// machine's own number is meant to stay private: 64 bits of a hash do not give it back.
static uint64_t machine_number(const char *root)
{
    char path[512], text[64];
    struct tf_hash hash;
    size_t bytes;
    FILE *f;

    snprintf(path, sizeof(path), "%s/etc/machine-id", root);
    f = fopen(path, "re");
    if (!f)
        return 0;
    bytes = fread(text, 1, sizeof(text), f);
    fclose(f);
    hash = tf_hash_bytes(text, bytes, 0);
    return hash.lo ^ hash.hi;
}

void tf_cpu_uuid(const char *root, const struct tf_device_info *info, uint8_t out[16])
{
    enum { VERSION_BYTE = 6, VARIANT_BYTE = 8 };
    struct tf_hash hash = tf_hash_bytes(info->name, strlen(info->name), 0);

    hash = tf_hash_bytes(info->vendor, strlen(info->vendor), hash.lo ^ hash.hi);
    hash = tf_hash_bytes(&hash, sizeof(hash), machine_number(root));
    memcpy(out, &hash, sizeof(hash));
    // RFC 9562: version 8 is free for the maker's own scheme.
    out[VERSION_BYTE] = (uint8_t)((out[VERSION_BYTE] & 0x0f) | 0x80);
    out[VARIANT_BYTE] = (uint8_t)((out[VARIANT_BYTE] & 0x3f) | 0x80);
}
