// SPDX-License-Identifier: MIT
// Coordinates, layers and levels that an image does not have. What the sampler makes of a
// coordinate is no fault; of reads without one, of those with CLK_ADDRESS_NONE, and of
// writes OpenCL C (6.15.15) says that the result is undefined.
#ifndef TF_DEVICES_CPU_CHECK_CHECK_IMAGE_H
#define TF_DEVICES_CPU_CHECK_CHECK_IMAGE_H

#include "devices/cpu/check/check_state.h"

void tf_check_image(struct tf_check_question *q);

#endif // TF_DEVICES_CPU_CHECK_CHECK_IMAGE_H
