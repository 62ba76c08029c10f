// SPDX-License-Identifier: MIT
// Every query that clGetDeviceInfo answers, as the loader passes it on.
#ifndef TREFOIL_INFO_DEVICE_H
#define TREFOIL_INFO_DEVICE_H

#include <CL/cl.h>

// One section a device.
void print_device(cl_device_id device);
// One line for people, nothing that needs the compiler.
void print_device_line(cl_device_id device);

#endif // TREFOIL_INFO_DEVICE_H
