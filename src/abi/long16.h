// SPDX-License-Identifier: MIT
// The largest type of OpenCL C that is no structure is long16 (double16, ulong16): what
// kernels see is aligned for it, and no pattern of a fill is larger.
#ifndef TF_ABI_LONG16_H
#define TF_ABI_LONG16_H

enum { TF_LONG16_BYTES = 128 };

#endif // TF_ABI_LONG16_H
