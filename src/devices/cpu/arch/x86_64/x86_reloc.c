// SPDX-License-Identifier: MIT
// Relocations of x86-64 ELF objects made for the small code model, position independent.
// @src System V ABI, AMD64 supplement, table "Relocation Types".
#include <elf.h>
#include <string.h>

#include "devices/cpu/arch/cpu_arch.h"

const uint16_t tf_arch_elf_machine = EM_X86_64;

void tf_arch_write_stub(uint8_t *stub, uint64_t target)
{
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0}; // jmp *0(%rip)

    memcpy(stub, jump, sizeof jump);
    memcpy(stub + sizeof jump, &target, sizeof target);
    memset(stub + sizeof jump + sizeof target, 0xcc, // int3
           TF_ARCH_STUB_BYTES - sizeof jump - sizeof target);
}

// Address arithmetic of the ABI is modulo 2^64.
static uint64_t distance(const struct tf_arch_reloc *r, uint64_t target)
{
    return target + (uint64_t)r->addend - (uint64_t)(uintptr_t)r->place;
}

static bool fits_32(uint64_t value)
{
    return value + UINT64_C(0x80000000) <= UINT64_C(0xffffffff);
}

static const char *store_32(const struct tf_arch_reloc *r, uint64_t value)
{
    const uint32_t low = (uint32_t)value;

    if (r->room_bytes < sizeof low)
        return "relocation outside its section";
    if (!fits_32(value))
        return "relocation target out of reach";
    memcpy(r->place, &low, sizeof low);
    return NULL;
}

static const char *store_64(const struct tf_arch_reloc *r, uint64_t value)
{
    if (r->room_bytes < sizeof value)
        return "relocation outside its section";
    memcpy(r->place, &value, sizeof value);
    return NULL;
}

const char *tf_arch_relocate(const struct tf_arch_reloc *r)
{
    switch (r->type) {
    case R_X86_64_NONE:
        return NULL;
    case R_X86_64_64:
        return store_64(r, r->symbol + (uint64_t)r->addend);
    case R_X86_64_PC64:
        return store_64(r, distance(r, r->symbol));
    case R_X86_64_PC32:
        return store_32(r, distance(r, r->symbol));
    case R_X86_64_PLT32:
        if (fits_32(distance(r, r->symbol)))
            return store_32(r, distance(r, r->symbol));
        return store_32(r, distance(r, r->stub));
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return store_32(r, distance(r, r->slot));
    case R_X86_64_32:
    case R_X86_64_32S:
        return "32-bit absolute relocation";
    default:
        return "unknown relocation type";
    }
}
