// SPDX-License-Identifier: MIT
// Queues on the device, of every device that has them.
#include "device/every_device.h"

START_TEST(queues_come_and_go)
{
    struct tf_devqueue *queues[3] = {NULL};
    struct tf_err err = {0};

    use(_i);
    ck_assert_int_eq(OPS->device_queue_new != NULL, rig.dev->caps->device_queues > 0);
    for (int i = 0; i < 3 && OPS->device_queue_new; i++) {
        ck_assert_int_eq(OPS->device_queue_new(&err, rig.dev,
                                               rig.dev->caps->device_queue_bytes, i > 0,
                                               &queues[i]),
                         CL_SUCCESS);
        ck_assert_ptr_nonnull(queues[i]);
        for (int k = 0; k < i; k++)
            ck_assert_ptr_ne(queues[k], queues[i]);
    }
    for (int i = 0; i < 3 && queues[i]; i++)
        OPS->device_queue_free(rig.dev, queues[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_queue");
    TCase *tcase = tcase_create("devices");

    FOR_DEVICES(queues_come_and_go);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
