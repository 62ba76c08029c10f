// SPDX-License-Identifier: MIT
// Set-up of the tests of what every device must do (doc/devices.md). They run on the CPU
// device and on the mock device; the CPU device gets a compiler that turns the mock
// device's programs into native code. Included by one source file of each test program.
#ifndef TF_TESTS_DEVICE_EVERY_DEVICE_H
#define TF_TESTS_DEVICE_EVERY_DEVICE_H

#include "device/rig.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/mock/mock.h"
#include "support/suite.h"

static const struct fake_kernel kernels[] = {
    {.name = "add", .entry = rig_add, .form = TF_WG_LOOPS, .stack_bytes = 4096},
    {.name = "other", .entry = rig_add, .form = TF_WG_LOOPS, .stack_bytes = 4096},
};

enum { DEVICE_CPU, DEVICE_MOCK, DEVICE_COUNT };

static inline void use(int which)
{
    struct tf_device *dev = NULL;

    if (which == DEVICE_MOCK) {
        // One thread: with more it does not keep the order of a run.
        struct tf_mock *mock = tf_mock_create(1);

        ck_assert_ptr_nonnull(mock);
        tf_mock_enable_run_here(mock);
        dev = &mock->dev;
    } else {
        fake_compiler_define(kernels, 2);
        tf_cpu_compiler_override(fake_compiler_table());
        for (size_t i = 0; tf_drivers[i] && !dev; i++) {
            if (!strcmp(tf_drivers[i]->name, "cpu"))
                ck_assert_uint_eq(tf_drivers[i]->probe(&dev, 1), 1);
        }
    }
    ck_assert_ptr_nonnull(dev);
    rig_use(dev);
}

// A loop test over the devices: _i is the device.
#define FOR_DEVICES(test) tcase_add_loop_test(tcase, test, 0, DEVICE_COUNT)

#endif // TF_TESTS_DEVICE_EVERY_DEVICE_H
