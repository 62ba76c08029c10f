// SPDX-License-Identifier: MIT
// Tables of the inverse trigonometric functions.
#ifndef TF_BUILTINS_LIB_ARC_H
#define TF_BUILTINS_LIB_ARC_H

#include "lib/power.h"

// Where products are fused, one operation takes elements out of 8 floats, too.
__constant const float tfl_atan_octaves[] = {TFK_ATAN_OCTAVES_float};
__constant const float tfl_atan_octaves_angles[] = {TFK_ATAN_OCTAVES_float_ANGLES};
__constant const float tfl_atan_centers_float[] = {TFK_ATAN_CENTERS_float};
__constant const float tfl_atan_angles_float[] = {TFK_ATAN_CENTERS_float_ANGLES};
__constant const double tfl_atan_centers_double[] = {TFK_ATAN_CENTERS_double};
__constant const double tfl_atan_angles_double[] = {TFK_ATAN_CENTERS_double_ANGLES};

#endif // TF_BUILTINS_LIB_ARC_H
