// SPDX-License-Identifier: MIT
// Values that nobody has made: compiler/check/check_values.h follows them through a
// work-item, here is what is known of memory.
#ifndef TF_DEVICES_CPU_CHECK_CHECK_VALUE_H
#define TF_DEVICES_CPU_CHECK_CHECK_VALUE_H

#include "devices/cpu/check/check_state.h"

// A group begins: nobody has written its local memory.
void tf_check_local_begin(struct tf_check_question *q);
// A private variable, whose bytes are followed from here on.
void tf_check_private_begin(struct tf_check_question *q);
// The last `bytes` of them are gone.
void tf_check_private_end(struct tf_check_question *q);

void tf_check_written(struct tf_check_question *q);
// TF_CHECK_INIT, TF_CHECK_SET, TF_CHECK_COPY, TF_CHECK_VALUE (abi/check_record.h).
uint64_t tf_check_missing(const struct tf_check_question *q);
void tf_check_set(struct tf_check_question *q);
void tf_check_copy(struct tf_check_question *q);
void tf_check_value(struct tf_check_question *q);

#endif // TF_DEVICES_CPU_CHECK_CHECK_VALUE_H
