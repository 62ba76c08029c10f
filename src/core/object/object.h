// SPDX-License-Identifier: MIT
// The header shared by every OpenCL object, its two reference counts and its checks.
//
// refs       owners inside the library. The user's handles count together as one owner.
// refs_user  what clRetain*/clRelease* change and CL_*_REFERENCE_COUNT reports.
//
// A handle is valid for every call but clRelease* while refs > 0 (STYLE: an application
// may use the CL_QUEUE_CONTEXT of a released context). clRelease* at refs_user 0 is the
// class's error; clRetain* at refs_user 0 while refs > 0 takes a new reference.
//
// Memory of headers comes from per-class slabs that are never given back: a dead object
// keeps its `dispatch` word (the ICD loader reads it before we can check anything), so a
// second release is an error code in every build.
#ifndef TF_CORE_OBJECT_OBJECT_H
#define TF_CORE_OBJECT_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "base/attr.h"

struct tf_err;
struct tf_dispatch; // api/dispatch.h
struct tf_object;
struct tf_slab; // core/object/object.c

struct tf_class {
    const char *name;
    uint32_t magic; // differs from every other class magic, and from TF_MAGIC_DEAD
    cl_int invalid; // error for a bad handle of this class
    size_t size_bytes;
    void (*destroy)(struct tf_object *obj); // must accept a zeroed, half-built object
    struct tf_slab *slab;                   // of this class alone: &tf_slab_<class>
};

extern struct tf_slab tf_slab_device;
extern struct tf_slab tf_slab_context;
extern struct tf_slab tf_slab_queue;
extern struct tf_slab tf_slab_event;
extern struct tf_slab tf_slab_mem;
extern struct tf_slab tf_slab_program;
extern struct tf_slab tf_slab_kernel;
extern struct tf_slab tf_slab_sampler;
extern struct tf_slab tf_slab_command_buffer;
extern struct tf_slab tf_slab_mutable_command;
extern struct tf_slab tf_slab_semaphore;

struct tf_object {
    const struct tf_dispatch *dispatch; // must be first: the ICD loader reads it
    void *disp_data;                    // must be second: set by ICD 2 loaders
    // These are atomic because stale handles are looked at whatever becomes of the
    // object.
    atomic_uint magic;      // the class's from tf_give_user() to the object's death
    atomic_uint generation; // lives of this piece of memory so far; survives death
    atomic_uint refs;
    atomic_uint refs_user;
    const struct tf_class *cls;
    struct _cl_context *ctx;     // owned reference; NULL for platform, device, context
    struct tf_object *dead_next; // private to core/object/object.c
    uint32_t slab_bucket;        // private to core/object/object.c
    uint32_t fork_epoch;         // private to core/object/object.c
};

#define TF_MAGIC_DEAD 0xdead0bedu

extern const struct tf_class tf_class_platform;
extern const struct tf_class tf_class_device;
extern const struct tf_class tf_class_context;
extern const struct tf_class tf_class_queue;
extern const struct tf_class tf_class_event;
extern const struct tf_class tf_class_mem;
extern const struct tf_class tf_class_program;
extern const struct tf_class tf_class_kernel;
extern const struct tf_class tf_class_sampler;
extern const struct tf_class tf_class_command_buffer;
extern const struct tf_class tf_class_mutable_command;
extern const struct tf_class tf_class_semaphore;

// The dispatch table put into every object; set once by api/icd.c (NULL in unit tests).
void tf_object_set_dispatch(const struct tf_dispatch *dispatch);
// The word that an ICD 2 loader wants in every object from now on.
void tf_object_set_disp_data(void *disp_data);

// Makes a live object (refs 1), with a handle, of zeroed memory that no slab owns and
// that is never freed.
void tf_object_init_static(struct tf_object *obj, const struct tf_class *cls);

// New zeroed object followed by `extra_bytes`, owned by the caller (refs 1, refs_user 0),
// or NULL. Reports nothing: it may be called under a lock.
void *tf_object_new(const struct tf_class *cls, struct _cl_context *ctx,
                    size_t extra_bytes) TF_NODISCARD;

// Turns the caller's reference into the user's handle; nobody takes the object's address
// for one before. Its creation is complete, but for what locks or atomics guard.
void *tf_give_user(void *obj);

void *tf_ref(void *obj); // NULL is allowed; returns obj
// The same as many times, of a live object.
void tf_ref_times(void *obj, unsigned times);
// The same for an object that somebody else may just be dropping, and whose destroy
// function the caller keeps from ending: false if it is dying.
bool tf_ref_if_alive(void *obj) TF_NODISCARD;
// NULL is allowed; no lock may be held. The object dies before this returns, unless the
// call comes from the destroy function of another one: then right after that.
void tf_unref(void *obj);

// As many calls of tf_unref(), at least one.
void tf_unref_times(void *obj, unsigned times);

// Drops the reference in a field and clears it.
#define TF_CLEAR(field)            \
    do {                           \
        void *tf_clear_ = (field); \
        (field) = NULL;            \
        tf_unref(tf_clear_);       \
    } while (0)

// True if `handle` is that of an object of class `cls` that lives (refs > 0). It may be
// dead by the time the caller looks at it, unless something owns it.
bool tf_object_ok(const void *handle, const struct tf_class *cls);
// The same, with a reference for the caller: whatever other threads release meanwhile,
// the object lives until tf_unref(). Any handle that ever was one may be given.
bool tf_object_take(void *handle, const struct tf_class *cls) TF_NODISCARD;

// CL_*_REFERENCE_COUNT.
cl_uint tf_object_user_refs(const void *obj);

// clRetain* and clRelease*. In a forked child, objects of the parent: retaining is
// CL_OUT_OF_RESOURCES, releasing does nothing and succeeds.
cl_int tf_object_retain(struct tf_err *err, void *handle, const struct tf_class *cls);
cl_int tf_object_release(struct tf_err *err, void *handle, const struct tf_class *cls);

// True if the object (of a live handle) was made before this process was forked.
bool tf_object_before_fork(const void *obj);

// The object will live as long as the process and its forked children, who use it as
// theirs: tf_object_live() leaves it out, tf_object_before_fork() is false.
void tf_object_keep(void *obj);

// Tests only: objects that are alive; always 0 without TF_DEBUG.
long tf_object_live(void);

// In a forked child: makes the slabs usable again; all but what is kept is the parent's.
void tf_object_forked(void);

#endif // TF_CORE_OBJECT_OBJECT_H
