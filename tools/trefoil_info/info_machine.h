// SPDX-License-Identifier: MIT
// What this machine and the system offer to this process, as the CPU device reads it.
#ifndef TREFOIL_INFO_MACHINE_H
#define TREFOIL_INFO_MACHINE_H

#include <stddef.h>

void print_machine(void);
// Names of the levels of instructions that the processor has, lowest first, capped by
// TREFOIL_ISA; returns how many were stored.
size_t machine_levels(const char **names, size_t room);

#endif // TREFOIL_INFO_MACHINE_H
