// SPDX-License-Identifier: MIT
// Tables of the inverse trigonometric functions.
#ifndef TF_BUILTINS_LIB_ARC_H
#define TF_BUILTINS_LIB_ARC_H

#include "lib/power.h"

__constant const double tfl_atan_centers[] = {TFK_ATAN_CENTERS};
__constant const double tfl_atan_angles[] = {TFK_ATAN_ANGLES};

#endif // TF_BUILTINS_LIB_ARC_H
