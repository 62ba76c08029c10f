// SPDX-License-Identifier: MIT
// Small launches: those in which every global id fits in 32 bits with its sign. Lanes are
// made for them alone, because there `int i = get_global_id(0)` counts up with the lanes;
// the entry function looks at the launch once and takes the other form for the rest.
#ifndef TF_DEVICES_CPU_WG_SMALL_H
#define TF_DEVICES_CPU_WG_SMALL_H

// A launch is small if global_offset + global_size <= TF_SMALL_LIMIT, without overflow,
// in each dimension. Lanes past the end of a row have ids, too: up to TF_SMALL_END.
#define TF_SMALL_END 0x7fffffc0u
#define TF_SMALL_LIMIT (TF_SMALL_END - 64)

#endif // TF_DEVICES_CPU_WG_SMALL_H
