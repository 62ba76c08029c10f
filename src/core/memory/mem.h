// SPDX-License-Identifier: MIT
// Memory objects: what buffers, sub-buffers, images and pipes have in common.
// One class; `kind` says which one it is.
//
// Storage is one tf_devmem, made when the object is created and shared by every device of
// the context. That is right as long as all of them belong to one driver with zero-copy
// memory; tf_mem_range() is the only place that has to change when copies of an object
// start to live on several devices.
//
// Lock: mem (rank TF_RANK_MEM), for the list of mappings.
#ifndef TF_CORE_MEMORY_MEM_H
#define TF_CORE_MEMORY_MEM_H

#include <CL/cl_trefoil.h>

#include "base/thread.h"
#include "core/memory/external.h"
#include "core/object/destructor.h"
#include "core/object/object.h"
#include "core/object/props.h"
#include "core/platform/device_interface.h"

struct tf_map;   // core/memory/map.c
struct tf_image; // core/memory/image.h

enum tf_mem_kind {
    TF_MEM_BUFFER,
    TF_MEM_SUB_BUFFER,
    TF_MEM_PIPE,
    TF_MEM_IMAGE,
};

struct _cl_mem {
    struct tf_object obj;
    enum tf_mem_kind kind;
    cl_mem_flags flags; // as given; a sub-buffer's with what it inherits
    size_t size_bytes;
    void *host_ptr; // CL_MEM_USE_HOST_PTR only: start of this object's bytes
    // What a sub-buffer, or an image that lies in another object, was made from: owned
    // reference. NULL in others.
    struct _cl_mem *parent;
    struct _cl_mem *storage;  // whose devmem it uses: the end of its parents, or itself
    size_t origin_bytes;      // its place in the storage
    struct tf_device *dev;    // of devmem
    struct tf_devmem *devmem; // owned; NULL in an object with a parent
    cl_uint packet_bytes, max_packets; // pipe
    struct tf_image *image;            // image: owned
    struct tf_props props;
    bool fixes_address;              // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
    struct tf_external_map external; // memory of others that devmem lies in
    bool uses_svm;                   // host_ptr lies in an allocation of clSVMAlloc

    struct tf_mutex lock;
    // core/memory/map.c: of all that lies in this storage; empty in objects with a parent
    struct tf_map *maps TF_GUARDED_BY(&lock);
    uint64_t map_serial TF_GUARDED_BY(&lock);
    struct tf_destructors destructors;
};

// A zeroed object of that kind with its lock ready, or NULL. Reports nothing.
cl_mem tf_mem_new(cl_context ctx, enum tf_mem_kind kind) TF_NODISCARD;

// Gets memory of mem->size_bytes for an object without a parent, at `host_ptr` with
// CL_MEM_USE_HOST_PTR. CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_mem_allocate(struct tf_err *err, cl_mem mem, void *host_ptr);

// The same in memory of others, with mem->size_bytes bytes of it. Does not take the
// descriptor. As tf_external_open().
cl_int tf_mem_import(struct tf_err *err, cl_mem mem, const struct tf_external *external,
                     cl_int too_small);

// Makes `mem` use the memory of `parent`, which it holds from now on.
void tf_mem_share(cl_mem mem, cl_mem parent);

// The flags of a sub-buffer, or of an image that lies in another object: what `flags`
// leaves open is the parent's.
cl_mem_flags tf_mem_child_flags(cl_mem parent, cl_mem_flags flags);

static inline bool tf_mem_is_buffer(cl_mem mem)
{
    return mem->kind == TF_MEM_BUFFER || mem->kind == TF_MEM_SUB_BUFFER;
}

// Where byte `offset_bytes` of `mem` lies in the memory of `dev`. Borrowed: valid while
// mem lives.
struct tf_devrange tf_mem_range(cl_mem mem, struct tf_device *dev, size_t offset_bytes);

// True if the origin of a sub-buffer, or of an image in one, suits the device
// (CL_DEVICE_MEM_BASE_ADDR_ALIGN); that of other objects, 0, always does.
bool tf_mem_origin_suits(size_t origin_bytes, const struct tf_device *dev);

// What the host may do with the object (CL_MEM_HOST_* flags).
bool tf_mem_host_reads(cl_mem mem);
bool tf_mem_host_writes(cl_mem mem);
// Nobody changes what is in it, nor in what lies in it.
static inline bool tf_mem_is_immutable(cl_mem mem)
{
    return mem->flags & CL_MEM_IMMUTABLE_EXT;
}

// clGetMemObjectInfo (OpenCL 3.1 §5.5.6). CL_INVALID_VALUE.
cl_int tf_mem_get_info(struct tf_err *err, cl_mem mem, cl_mem_info param, size_t size,
                       void *value, size_t *size_ret) TF_EXCLUDES(&mem->storage->lock);

#endif // TF_CORE_MEMORY_MEM_H
