// SPDX-License-Identifier: MIT
// Launches that go through more memory than all caches hold.
#ifndef TF_DEVICES_CPU_MOVE_CPU_STREAM_H
#define TF_DEVICES_CPU_MOVE_CPU_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/launch_fit.h"

// Whether TF_LAUNCH_STREAMS is to be among the flags of a launch of `global_size`
// work-items that runs code of this fit.
bool tf_launch_streams(const struct tf_fit *fit, const size_t global_size[3]);

#endif // TF_DEVICES_CPU_MOVE_CPU_STREAM_H
