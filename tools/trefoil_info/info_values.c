// SPDX-License-Identifier: MIT
#include "info_values.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

#include <CL/cl_trefoil.h>

#include "info_names.h"
#include "info_output.h"

// How the bytes of a value are read.
enum form {
    AS_BYTES, // hexadecimal
    AS_TEXT,
    AS_WORDS,
    AS_NUMBER,
    AS_BOOL,
    AS_VERSION,
    AS_NAME_VERSION,
    AS_POINTED_TEXT, // pointers to text
    AS_HANDLE,       // whether there is one
    AS_BITS,
    AS_ENUM,
};

// A list has any number of elements, and its type ends in [].
struct shape {
    const char *type;
    enum form form;
    unsigned bytes; // of one element
};

static const struct shape shapes[] = {
    {"char[]", AS_TEXT, 1},
    {"words", AS_WORDS, 1},
    {"cl_bool", AS_BOOL, sizeof(cl_bool)},
    {"cl_uint", AS_NUMBER, sizeof(cl_uint)},
    {"cl_ulong", AS_NUMBER, sizeof(cl_ulong)},
    {"size_t", AS_NUMBER, sizeof(size_t)},
    {"cl_version", AS_VERSION, sizeof(cl_version)},
    {"cl_name_version", AS_NAME_VERSION, sizeof(cl_name_version)},
    {"text pointer", AS_POINTED_TEXT, sizeof(char *)},
    {"cl_platform_id", AS_HANDLE, sizeof(void *)},
    {"cl_device_id", AS_HANDLE, sizeof(void *)},
    {"bytes", AS_BYTES, 1},
    {"cl_device_mem_cache_type", AS_ENUM, sizeof(cl_uint)},
    {"cl_device_local_mem_type", AS_ENUM, sizeof(cl_uint)},
    {"cl_semaphore_type_khr", AS_ENUM, sizeof(cl_uint)},
    {"cl_external_memory_handle_type_khr", AS_ENUM, sizeof(cl_uint)},
    {"cl_external_semaphore_handle_type_khr", AS_ENUM, sizeof(cl_uint)},
    {"cl_device_partition_property", AS_ENUM, sizeof(intptr_t)},
};

// What the table of the library leaves to the reader.
static const struct {
    const char *query;
    const char *type;
    bool is_list;
} types[] = {
    {"CL_DEVICE_VERSION", "char[]", false},
    {"CL_DRIVER_VERSION", "char[]", false},
    {"CL_DEVICE_IL_VERSION", "words", false},
    {"CL_DEVICE_SPIR_VERSIONS", "words", false},
    {"CL_DEVICE_EXTENSIONS", "words", false},
    {"CL_DEVICE_OPENCL_C_ALL_VERSIONS", "cl_name_version", true},
    {"CL_DEVICE_OPENCL_C_FEATURES", "cl_name_version", true},
    {"CL_DEVICE_EXTENSIONS_WITH_VERSION", "cl_name_version", true},
    {"CL_DEVICE_ILS_WITH_VERSION", "cl_name_version", true},
    {"CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION", "cl_name_version", true},
    {"CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR", "text pointer", true},
    {"CL_DEVICE_SPIRV_EXTENSIONS_KHR", "text pointer", true},
    {"CL_DEVICE_SPIRV_CAPABILITIES_KHR", "cl_uint", true},
    {"CL_DEVICE_UUID_KHR", "bytes", false},
    {"CL_DRIVER_UUID_KHR", "bytes", false},
    {"CL_DEVICE_LUID_KHR", "bytes", false},
    {"CL_DEVICE_MAX_WORK_ITEM_SIZES", "size_t", true},
    {"CL_DEVICE_SUB_GROUP_SIZES_INTEL", "size_t", true},
    {"CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR", "kernel clocks", false},
    {"CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR", "dot products", false},
    {"CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR", "cl_bool", true},
    {"CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR", "cl_bool",
     true},
    {"CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR", "cl_svm_capabilities_khr", true},
    {"CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT", "float atomics", false},
    {"CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT", "float atomics", false},
    {"CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT", "float atomics", false},
    {"CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR",
     "cl_external_memory_handle_type_khr", true},
    {"CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR",
     "cl_external_memory_handle_type_khr", true},
    {"CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR",
     "cl_external_semaphore_handle_type_khr", true},
    {"CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR",
     "cl_external_semaphore_handle_type_khr", true},
    {"CL_DEVICE_PARTITION_PROPERTIES", "cl_device_partition_property", true},
    {"CL_DEVICE_PARTITION_TYPE", "cl_device_partition_property", true},
};

static uint64_t number_at(const void *value, unsigned bytes)
{
    uint64_t number = 0;

    memcpy(&number, value, bytes < sizeof(number) ? bytes : sizeof(number));
    return number; // little endian
}

static void print_bytes(const char *key, const unsigned char *value, size_t bytes)
{
    char text[256] = "";

    for (size_t i = 0; i < bytes && 2 * i + 3 < sizeof(text); i++)
        snprintf(text + 2 * i, 3, "%02x", value[i]);
    out_text(key, text);
}

static void print_words(const char *key, const char *text)
{
    char word[256];

    out_list(key);
    while (*text) {
        const size_t bytes = strcspn(text, " ");

        if (bytes > 0 && bytes < sizeof(word)) {
            memcpy(word, text, bytes);
            word[bytes] = '\0';
            out_text(NULL, word);
        }
        text += bytes + (text[bytes] == ' ');
    }
    out_list_end();
}

static void print_version(const char *key, const char *name, cl_version version)
{
    char text[CL_NAME_VERSION_MAX_NAME_SIZE + 64];

    snprintf(text, sizeof(text), "%s%s%u.%u.%u", name, *name ? " " : "",
             CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version),
             CL_VERSION_PATCH(version));
    out_text(key, text);
}

static void print_bits(const char *key, const char *type, uint64_t bits)
{
    char rest[32];
    const char *name;

    out_list(key);
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t bit = (uint64_t)1 << i;

        if (!(bits & bit))
            continue;
        name = name_of(type, bit);
        snprintf(rest, sizeof(rest), "0x%llx", (unsigned long long)bit);
        out_text(NULL, name ? name : rest);
    }
    out_list_end();
}

static void print_enum(const char *key, const char *type, uint64_t number)
{
    const char *name = name_of(type, number);
    char rest[32];

    snprintf(rest, sizeof(rest), "0x%llx", (unsigned long long)number);
    out_text(key, name ? name : rest);
}

static void print_name_version(const char *key, const void *value)
{
    cl_name_version entry;

    memcpy(&entry, value, sizeof(entry));
    entry.name[sizeof(entry.name) - 1] = '\0';
    print_version(key, entry.name, entry.version);
}

static void print_element(const char *key, const struct shape *shape, const void *value)
{
    const uint64_t number = number_at(value, shape->bytes);

    switch (shape->form) {
    case AS_NUMBER:
        out_number(key, number, NULL);
        break;
    case AS_BOOL:
        out_bool(key, number != 0);
        break;
    case AS_VERSION:
        print_version(key, "", (cl_version)number);
        break;
    case AS_NAME_VERSION:
        print_name_version(key, value);
        break;
    case AS_POINTED_TEXT:
        out_text(key, (const char *)(uintptr_t)number);
        break;
    case AS_HANDLE:
        out_bool(key, number != 0);
        break;
    case AS_ENUM:
        print_enum(key, shape->type, number);
        break;
    case AS_BITS:
        print_bits(key, shape->type, number);
        break;
    case AS_BYTES:
    case AS_TEXT:
    case AS_WORDS:
        break; // of all bytes together
    }
}

// Types without a line above are sets of bits where names of such bits are known.
static struct shape shape_of(const char *type, size_t bytes)
{
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        if (!strcmp(shapes[i].type, type))
            return shapes[i];
    if (has_names(type))
        return (struct shape){type, AS_BITS, (unsigned)(bytes < 8 ? bytes : 8)};
    return (struct shape){type, AS_BYTES, 1};
}

void print_value(const char *query, const char *type, const void *value, size_t bytes)
{
    struct shape shape;
    bool is_list = false;

    for (size_t i = 0; !*type && i < sizeof(types) / sizeof(*types); i++) {
        if (strcmp(types[i].query, query) != 0)
            continue;
        type = types[i].type;
        is_list = types[i].is_list;
    }
    shape = shape_of(type, bytes);
    if (shape.form == AS_TEXT) {
        out_text(query, value);
    } else if (shape.form == AS_WORDS) {
        print_words(query, value);
    } else if (shape.form == AS_BYTES) {
        print_bytes(query, value, bytes);
    } else if (!is_list) {
        print_element(query, &shape, value);
    } else {
        out_list(query);
        for (size_t at = 0; at + shape.bytes <= bytes; at += shape.bytes)
            print_element(NULL, &shape, (const char *)value + at);
        out_list_end();
    }
}
