// SPDX-License-Identifier: MIT
// What this machine offers to this process. Reads only; survives without /proc and /sys.
#ifndef TF_DEVICES_CPU_FACTS_CPU_INFO_H
#define TF_DEVICES_CPU_FACTS_CPU_INFO_H

#include <stdint.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/facts/cpu_topology.h"

// Fills *info. Called once, before anything else of the device.
void tf_cpu_info_init(struct tf_device_info *info);
// The level that code is made for: what the CPU has, capped by TREFOIL_ISA.
const struct tf_arch_level *tf_cpu_info_level(void);
// All that the processor says of what it is; not for reading.
const char *tf_cpu_info_model(void);

// The CPUs that this process might use when *info was filled; never empty.
const union tf_cpu_set *tf_cpu_info_mask(void);

// Compute units of the whole device, when *info was filled.
unsigned tf_cpu_info_units(void);

// The largest cache; 0: unknown, or *info was not filled.
uint64_t tf_cpu_info_cache_bytes(void);

// Threads of the system that run or want to, this one included; 0: it does not say. A
// small file. `root` as below.
unsigned long tf_cpu_info_running(const char *root);

// The pieces, for tests. `root` is put before every path of the file system; "" in
// earnest.

// CPU time that the control groups of this process allow, in whole CPUs rounded up; 0
// when there is no limit.
unsigned tf_cpu_info_quota(const char *root);
// Memory in bytes that the control groups allow; UINT64_MAX when there is no limit.
uint64_t tf_cpu_info_memory_limit(const char *root);
// Index of the level to use out of 0..highest: `wanted` (a name or NULL) caps it; an
// unknown name and one above what there is change nothing.
unsigned tf_cpu_info_pick_level(unsigned highest, const char *wanted);

#endif // TF_DEVICES_CPU_FACTS_CPU_INFO_H
