// SPDX-License-Identifier: MIT
// Mappings of buffers that were released, for those that come: a map and an unmap cost
// ten times what all else of a large buffer's making and release does. A spare mapping is
// zeros and holds no pages; it is address space. No lock: any thread, also of a forked
// child.
#ifndef TF_DEVICES_CPU_MOVE_CPU_SPARE_MAPS_H
#define TF_DEVICES_CPU_MOVE_CPU_SPARE_MAPS_H

#include <stdbool.h>
#include <stddef.h>

// What the length of a mapping that can be kept is a multiple of.
#define TF_SPARE_MAP_STEP_BYTES ((size_t)2 << 20)

// A spare mapping of just so many bytes, the caller's from now on; NULL: there is none.
void *tf_spare_map_take(size_t bytes);

// Keeps a private anonymous mapping or unmaps it. `is_touched`: it may hold pages, which
// are given back.
void tf_spare_map_give(void *block, size_t bytes, bool is_touched);

// Unmaps what is kept, for want of memory. False: nothing was.
bool tf_spare_maps_drop(void);

#endif // TF_DEVICES_CPU_MOVE_CPU_SPARE_MAPS_H
