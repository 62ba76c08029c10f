// SPDX-License-Identifier: MIT
#include "core/semaphore/semaphore.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "base/thread.h"
#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/context.h"
#include "core/semaphore/semaphore_command.h"

static void semaphore_destroy(struct tf_object *obj)
{
    TF_UNCANCELLED;
    cl_semaphore_khr sema = (cl_semaphore_khr)obj;

    tf_context_drop_stopper(obj->ctx, &sema->stopper);
    tf_semaphore_drop_commands(sema);
    if (sema->payload_fd != TF_NO_FD)
        close(sema->payload_fd);
    tf_props_drop(&sema->props);
}

const struct tf_class tf_class_semaphore = {
    .name = "semaphore",
    .magic = 0x5e3a9b27u,
    .invalid = CL_INVALID_SEMAPHORE_KHR,
    .size_bytes = sizeof(struct _cl_semaphore_khr),
    .destroy = semaphore_destroy,
    .slab = &tf_slab_semaphore,
};

bool tf_semaphore_fd_is_opaque(int fd)
{
    static const char wanted[] = "anon_inode:[eventfd]";
    char path[40], target[sizeof(wanted)];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return readlink(path, target, sizeof(target)) == (ssize_t)strlen(wanted) &&
           !memcmp(target, wanted, strlen(wanted));
}

bool tf_semaphore_fd_is_sync(int fd)
{
    struct sync_file_info info = {0}; // without its fences

    return ioctl(fd, SYNC_IOC_FILE_INFO, &info) == 0;
}

// An eventfd whose reads take one and never block.
static cl_int make_payload(struct tf_err *err, cl_semaphore_khr sema)
{
    sema->payload_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    if (sema->payload_fd == TF_NO_FD)
        return tf_fail(err, CL_OUT_OF_RESOURCES, "no descriptor for a semaphore: %m");
    return CL_SUCCESS;
}

static void import(cl_semaphore_khr sema, const struct tf_semaphore_desc *desc)
{
    sema->imports_sync = desc->imports_sync;
    if (desc->imports_sync) {
        tf_semaphore_import_sync(sema, desc->fd);
        return;
    }
    sema->payload_fd = desc->fd;
    fcntl(desc->fd, F_SETFL, fcntl(desc->fd, F_GETFL) | O_NONBLOCK);
}

cl_int tf_semaphore_create(struct tf_err *err, cl_context ctx,
                           const struct tf_semaphore_desc *desc, cl_semaphore_khr *out)
{
    cl_semaphore_khr sema = tf_object_new(&tf_class_semaphore, ctx, 0);

    if (!sema)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "semaphore");
    sema->device = desc->device;
    sema->is_exportable = desc->is_exportable;
    sema->payload_fd = sema->sync_fd = TF_NO_FD;
    if (tf_props_keep(err, &sema->props, desc->properties, desc->property_count) ||
        (desc->is_exportable && make_payload(err, sema))) {
        tf_unref(sema);
        return err->code;
    }
    if (desc->imports_opaque || desc->imports_sync)
        import(sema, desc);
    sema->stopper = (struct tf_context_stopper){.stop = tf_semaphore_stop, .obj = sema};
    tf_context_add_stopper(ctx, &sema->stopper);
    *out = tf_give_user(sema);
    return CL_SUCCESS;
}

cl_int tf_semaphore_export(struct tf_err *err, cl_semaphore_khr sema, int *fd)
{
    *fd = fcntl(sema->payload_fd, F_DUPFD_CLOEXEC, 0);
    if (*fd == TF_NO_FD)
        return tf_fail(err, CL_OUT_OF_RESOURCES, "no descriptor for an export: %m");
    return CL_SUCCESS;
}

cl_int tf_semaphore_get_info(struct tf_err *err, cl_semaphore_khr sema,
                             cl_semaphore_info_khr param, size_t size, void *value,
                             size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    const cl_external_semaphore_handle_type_khr opaque =
        CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;

    switch (param) {
    case CL_SEMAPHORE_CONTEXT_KHR:
        return tf_info_scalar(err, &info, cl_context, sema->obj.ctx);
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(sema));
    case CL_SEMAPHORE_PROPERTIES_KHR:
        return tf_props_put(err, &info, &sema->props);
    case CL_SEMAPHORE_TYPE_KHR:
        return tf_info_scalar(err, &info, cl_semaphore_type_khr,
                              CL_SEMAPHORE_TYPE_BINARY_KHR);
    case CL_SEMAPHORE_PAYLOAD_KHR:
        return tf_info_scalar(err, &info, cl_semaphore_payload_khr,
                              tf_semaphore_is_signaled(sema));
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
        return tf_info_scalar(err, &info, cl_device_id, sema->device);
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
        return tf_info_value(err, &info, &opaque,
                             sema->is_exportable ? sizeof(opaque) : 0);
    case CL_SEMAPHORE_EXPORTABLE_KHR:
        return tf_info_scalar(err, &info, cl_bool, sema->is_exportable);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "semaphore info 0x%x", param);
    }
}
