// SPDX-License-Identifier: MIT
// Work-items of a group that a thread runs, and their barriers: all of them have to come
// to each, and to the same. Those who wait for others that never come go on
// (cpu_items.h), so it is told instead of a kernel that hangs.
#ifndef TF_DEVICES_CPU_CHECK_CHECK_GROUP_H
#define TF_DEVICES_CPU_CHECK_CHECK_GROUP_H

#include "devices/cpu/check/check_state.h"

void tf_check_group_begin(struct tf_check_question *q);
void tf_check_group_end(struct tf_check_question *q);
void tf_check_barrier(struct tf_check_question *q);
void tf_check_barrier_left(struct tf_check_question *q);
void tf_check_group_finish(struct tf_check_group *group);

#endif // TF_DEVICES_CPU_CHECK_CHECK_GROUP_H
