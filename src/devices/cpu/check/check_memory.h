// SPDX-License-Identifier: MIT
#ifndef TF_DEVICES_CPU_CHECK_CHECK_MEMORY_H
#define TF_DEVICES_CPU_CHECK_CHECK_MEMORY_H

#include "devices/cpu/check/check_state.h"

// Whether the access stays inside its object, and is one that may be made to it.
bool tf_check_memory(struct tf_check_question *q);

#endif // TF_DEVICES_CPU_CHECK_CHECK_MEMORY_H
