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

// The number of the work-item in its group.
size_t tf_check_item_number(const struct tf_check_item *item);

#endif // TF_DEVICES_CPU_CHECK_CHECK_GROUP_H
