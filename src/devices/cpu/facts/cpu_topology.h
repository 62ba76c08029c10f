// SPDX-License-Identifier: MIT
// Which CPUs this process may use, and which of them share caches and memory. Reads /sys;
// without it everything but the CPUs' numbers is unknown.
#ifndef TF_DEVICES_CPU_FACTS_CPU_TOPOLOGY_H
#define TF_DEVICES_CPU_FACTS_CPU_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

enum { TF_CPU_MAX = 8192, TF_CPU_SET_BYTES = TF_CPU_MAX / 8 };

// A set of CPUs, for the CPU_*_S() macros with TF_CPU_SET_BYTES and for the system.
union tf_cpu_set {
    cpu_set_t set;
    unsigned long words[TF_CPU_SET_BYTES / sizeof(unsigned long)];
};

enum tf_cpu_level {
    TF_CPU_NODE, // NUMA node
    TF_CPU_L4,
    TF_CPU_L3,
    TF_CPU_L2,
    TF_CPU_L1, // data
    TF_CPU_LEVELS,
};

// One compute unit. Two units are in the same domain of a level if its numbers are equal.
struct tf_cpu_unit {
    uint32_t cpu;
    int64_t domain[TF_CPU_LEVELS]; // lowest CPU in it, or node; -1: not known
};

// The CPUs in the calling thread's affinity mask; false where the system does not say.
bool tf_cpu_topology_mask(union tf_cpu_set *mask);

// Leaves one CPU of the set, by turns for the numbers from 0 on.
void tf_cpu_set_keep_one(union tf_cpu_set *cpus, unsigned number);

// Fills units[0..count) with the CPUs of `mask`, sorted so that neighbours share as much
// as possible. With more units than CPUs, units share CPUs; with fewer, the last CPUs are
// left out. `root` is put before every path ("" in earnest). False when memory ran out.
bool tf_cpu_topology_units(const char *root, const union tf_cpu_set *mask,
                           struct tf_cpu_unit *units, uint32_t count) TF_NODISCARD;

// Whether the CPUs of `mask` are of more than one core: threads of one share what moves
// its bytes. One file of the first CPU's; false where the system does not say.
bool tf_cpu_topology_has_cores(const char *root, const union tf_cpu_set *mask);

// Numbers the domains of a level from 0 in the order of their first units; returns how
// many there are. 0 if the domain of any unit is not known.
uint32_t tf_cpu_topology_domains(const struct tf_cpu_unit *units, uint32_t count,
                                 enum tf_cpu_level level, uint32_t *domain_of_unit);

#endif // TF_DEVICES_CPU_FACTS_CPU_TOPOLOGY_H
