// SPDX-License-Identifier: MIT
// Facts of an x86-64 processor, by CPUID, and the levels of instructions of the x86-64
// psABI.
#include <cpuid.h>
#include <string.h>

#include "devices/cpu/arch/cpu_arch.h"

#define EXTENDED 0x80000000u // leaves of another range

enum { LEVEL_SSE2, LEVEL_SSE42, LEVEL_AVX2, LEVEL_AVX512, LEVEL_COUNT };

static const struct tf_arch_level levels[LEVEL_COUNT] = {
    {"sse2", "x86_64-unknown-linux-gnu", "x86-64", "", 128, false},
    {"sse4.2", "x86_64-unknown-linux-gnu", "x86-64-v2", "", 128, false},
    {"avx2", "x86_64-unknown-linux-gnu", "x86-64-v3", "", 256, true},
    {"avx512", "x86_64-unknown-linux-gnu", "x86-64-v4", "", 512, true},
};

struct regs {
    unsigned eax, ebx, ecx, edx;
};

const struct tf_arch_level *tf_arch_levels(size_t *count)
{
    *count = LEVEL_COUNT;
    return levels;
}

// What is asked for more than once: each question leaves a virtual machine, which takes
// some microseconds.
struct processor {
    struct regs leaf0, ext0; // eax: the last leaf of the range
    struct regs leaf1;
};

static struct regs ask(unsigned leaf, unsigned subleaf)
{
    struct regs r;

    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    return r;
}

// Zero where the processor has no such leaf.
static struct regs cpuid(const struct processor *p, unsigned leaf, unsigned subleaf)
{
    const unsigned last = leaf & EXTENDED ? p->ext0.eax : p->leaf0.eax;

    return leaf <= last ? ask(leaf, subleaf) : (struct regs){0};
}

static struct processor get_processor(void)
{
    struct processor p = {.leaf0 = ask(0, 0), .ext0 = ask(EXTENDED, 0)};

    p.leaf1 = cpuid(&p, 1, 0);
    return p;
}

static bool has_all(unsigned reg, unsigned bits)
{
    return (reg & bits) == bits;
}

// Register files that the operating system saves (XCR0).
static uint64_t saved_state(const struct regs *leaf1)
{
    uint32_t low, high;

    if (!(leaf1->ecx & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static unsigned probe_level(const struct processor *p)
{
    const struct regs leaf1 = p->leaf1;
    const struct regs leaf7 = cpuid(p, 7, 0);
    const struct regs ext1 = cpuid(p, EXTENDED + 1, 0);
    const uint64_t saved = saved_state(&leaf1);
    const uint64_t ymm = 0x6;  // XMM and YMM halves
    const uint64_t zmm = 0xe6; // and mask registers, ZMM halves, ZMM16..31
    const unsigned lahf = 1u << 0;
    const unsigned lzcnt = 1u << 5;

    if (!has_all(leaf1.ecx, bit_CMPXCHG16B | bit_POPCNT | bit_SSE3 | bit_SSSE3 |
                                bit_SSE4_1 | bit_SSE4_2) ||
        !has_all(ext1.ecx, lahf))
        return LEVEL_SSE2;
    if (!has_all(leaf1.ecx, bit_AVX | bit_FMA | bit_F16C | bit_MOVBE) ||
        !has_all(leaf7.ebx, bit_AVX2 | bit_BMI | bit_BMI2) || !has_all(ext1.ecx, lzcnt) ||
        (saved & ymm) != ymm)
        return LEVEL_SSE42;
    if (!has_all(leaf7.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ |
                                bit_AVX512VL) ||
        (saved & zmm) != zmm)
        return LEVEL_AVX2;
    return LEVEL_AVX512;
}

static void probe_names(const struct processor *p, struct tf_arch_facts *out)
{
    const struct regs leaf0 = p->leaf0;
    char text[49] = "";
    const char *start = text;
    size_t n;

    out->signature = p->leaf1.eax;
    memcpy(out->vendor, &leaf0.ebx, 4);
    memcpy(out->vendor + 4, &leaf0.edx, 4);
    memcpy(out->vendor + 8, &leaf0.ecx, 4);
    out->vendor[12] = '\0';

    if (p->ext0.eax >= EXTENDED + 4) {
        for (unsigned i = 0; i < 3; i++) {
            const struct regs r = cpuid(p, EXTENDED + 2 + i, 0);

            memcpy(text + 16 * i, &r, sizeof r);
        }
    }
    while (*start == ' ')
        start++;
    n = strlen(start);
    while (n > 0 && start[n - 1] == ' ')
        n--;
    memcpy(out->brand, start, n);
    out->brand[n] = '\0';
}

// Intel's leaf 4 and AMD's 0x8000001d describe one cache per subleaf in the same form.
static void probe_caches(const struct processor *p, struct tf_arch_facts *out,
                         unsigned leaf)
{
    for (unsigned i = 0; i < 16; i++) {
        const struct regs r = cpuid(p, leaf, i);
        const unsigned type = r.eax & 0x1f; // 0: no more, 1: data, 2: code, 3: unified
        const unsigned level = r.eax >> 5 & 7;
        const uint64_t line = (r.ebx & 0xfff) + 1;
        const uint64_t parts = (r.ebx >> 12 & 0x3ff) + 1;
        const uint64_t ways = (r.ebx >> 22) + 1;
        const uint64_t bytes = line * parts * ways * ((uint64_t)r.ecx + 1);

        if (type == 0)
            break;
        if (type == 2)
            continue;
        if (level == 1)
            out->line_bytes = (uint32_t)line;
        if (level == 2)
            out->l2_bytes = bytes;
        if (bytes > out->largest_bytes)
            out->largest_bytes = bytes;
    }
}

void tf_arch_probe(struct tf_arch_facts *out)
{
    const struct processor p = get_processor();

    memset(out, 0, sizeof *out);
    probe_names(&p, out);
    out->level = probe_level(&p);
    out->clock_mhz = cpuid(&p, 0x16, 0).ebx & 0xffff; // highest; Intel only
    probe_caches(&p, out, 4);
    if (out->largest_bytes == 0)
        probe_caches(&p, out, EXTENDED + 0x1d);
}
