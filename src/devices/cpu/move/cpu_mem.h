// SPDX-License-Identifier: MIT
// Device memory of the CPU: the host's own, used in place.
#ifndef TF_DEVICES_CPU_MOVE_CPU_MEM_H
#define TF_DEVICES_CPU_MOVE_CPU_MEM_H

#include "core/platform/device_interface.h"

// Slots of struct tf_device_ops.
cl_int tf_cpu_mem_alloc(struct tf_err *err, struct tf_device *dev,
                        const struct tf_mem_desc *desc, struct tf_devmem **out);
void tf_cpu_mem_free(struct tf_device *dev, struct tf_devmem *mem);
cl_int tf_cpu_mem_map(struct tf_err *err, struct tf_device *dev, struct tf_devmem *mem,
                      size_t offset_bytes, size_t size_bytes, cl_map_flags flags,
                      void **host);
void tf_cpu_mem_unmap(struct tf_device *dev, struct tf_devmem *mem, void *host);

// First byte of the memory.
void *tf_cpu_mem_data(struct tf_devmem *mem);
// Address of a range in the memory; NULL when it does not lie inside or there is no
// memory.
void *tf_cpu_mem_range(struct tf_devmem *mem, size_t offset_bytes, size_t size_bytes);
size_t tf_cpu_mem_bytes(const struct tf_devmem *mem);

#endif // TF_DEVICES_CPU_MOVE_CPU_MEM_H
