// SPDX-License-Identifier: MIT
// The device interface: all that a device implementation and core know of each other. It
// is specified, slot by slot (must / may, thread, lock, lifetime), in doc/devices.md; a
// device is done when tests/device passes on it.
//
// A device sees only commands that are ready to run, as plain data; never an event, a
// queue or a wait list.
#ifndef TF_CORE_PLATFORM_DEVICE_INTERFACE_H
#define TF_CORE_PLATFORM_DEVICE_INTERFACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#include "abi/kernel_info.h"
#include "abi/long16.h"
#include "base/attr.h"
#include "base/range.h"
#include "base/thread.h"
#include "core/object/notifier.h" // workers: callbacks without a switch of threads

struct tf_err;
struct tf_device;
struct tf_devmem;   // device memory behind one buffer; the device defines it
struct tf_devprog;  // a program on one device; the device defines it
struct tf_devqueue; // a command queue on the device; the device defines it
struct tf_prepared; // what a device makes of a batch; the device defines it

// ---- Facts: filled once by the driver, constant afterwards ----
enum { TF_BUILD_BYTES = 12 };

struct tf_device_info {
    char name[128];  // CPU brand string, trailing blanks trimmed
    char vendor[64]; // CPUID vendor string
    char isa[16];    // level that code is made for: "sse2", "sse4.2", "avx2", "avx512"
    char build[TF_BUILD_BYTES]; // of its compiler: binaries of others are refused; may be
                                // ""
    uint32_t vendor_id;
    uint32_t compute_units; // CPUs this process may use
    uint32_t clock_mhz;     // 0 when unknown
    uint32_t cache_line_bytes;
    uint64_t cache_bytes;         // largest cache
    uint64_t global_memory_bytes; // what this process may use
    uint64_t local_memory_bytes;  // of one work-group
    uint32_t vector_bits;         // native register width: 128, 256, 512
    bool has_fma;
    uint8_t uuid[16]; // of the device on this machine, for ever; sub-devices have it, too
    // mem_map() gives the memory itself, which the host and the device see alike: mapping
    // and unmapping need no command of the device.
    bool zero_copy;
};

// ---- Commands ----
enum tf_command_kind {
    TF_CMD_NONE, // marker, barrier, user event: never submitted
    TF_CMD_READ,
    TF_CMD_WRITE,
    TF_CMD_COPY,
    TF_CMD_FILL,
    TF_CMD_READ_RECT,
    TF_CMD_WRITE_RECT,
    TF_CMD_COPY_RECT,
    TF_CMD_FILL_RECT,
    TF_CMD_MAP,   // nothing to do where memory is zero-copy
    TF_CMD_UNMAP, //
    TF_CMD_KERNEL,
    TF_CMD_NATIVE,   // host function of clEnqueueNativeKernel
    TF_CMD_SVM_COPY, // memory that host and device address alike: host_src -> host
    TF_CMD_SVM_FILL, // pattern -> host
    TF_CMD_BATCH,    // a list of the kinds READ .. KERNEL and SVM_*, as one command
};

enum { TF_PIXEL_BYTES_MAX = 16 };

// Part of a device memory. All in bytes.
struct tf_devrange {
    struct tf_devmem *mem;
    size_t offset_bytes;
};

// Box in linear memory (OpenCL 3.1 §5.2.3): origin[0], region[0] in bytes, [1] in rows,
// [2] in slices; pitches in bytes, already defaulted.
struct tf_rect {
    size_t origin[3];
    size_t row_pitch_bytes;
    size_t slice_pitch_bytes;
};

// Offset of the box's first byte and of the byte after its last. No region is 0. False
// where that wraps.
static inline bool tf_rect_span(const struct tf_rect *rect, const size_t region[3],
                                size_t *first_bytes, size_t *end_bytes)
{
    *first_bytes = rect->origin[0];
    if (!tf_add_product(first_bytes, rect->origin[1], rect->row_pitch_bytes) ||
        !tf_add_product(first_bytes, rect->origin[2], rect->slice_pitch_bytes))
        return false;
    *end_bytes = *first_bytes;
    return tf_add_product(end_bytes, region[2] - 1, rect->slice_pitch_bytes) &&
           tf_add_product(end_bytes, region[1] - 1, rect->row_pitch_bytes) &&
           tf_add_product(end_bytes, region[0], 1);
}

// An address to be written into the argument block before the kernel starts:
// block[block_offset] = address of mem + delta_bytes. The last two are for messages.
struct tf_arg_patch {
    uint32_t block_offset_bytes;
    bool is_read_only; // kernels must not write there (CL_MEM_READ_ONLY)
    struct tf_devmem *mem;
    size_t delta_bytes;
    size_t size_bytes; // of the memory object
};

struct tf_command_kernel {
    struct tf_devprog *program;
    uint32_t kernel_index; // into tf_program_info.kernels
    uint32_t work_dim;
    size_t global_offset[3];
    size_t global_size[3]; // any may be 0: the command does nothing
    size_t local_size[3];  // decided by core, never 0; need not divide the global size
    void *arg_block;       // aligned to TF_LONG16_BYTES; the device may write it
    size_t arg_block_bytes;
    const struct tf_arg_patch *patches;
    size_t patch_count;
    size_t local_bytes; // static and argument local memory of a group
    bool zero_local;    // which is to be zeros where a group begins
    bool is_concurrent; // all groups at the same time; max_concurrent_groups at most
    // Of kernels with TF_KERNEL_ENQUEUES: where get_default_queue() leads, or NULL, and
    // the device that runs it.
    struct tf_devqueue *default_queue;
    struct tf_device *dev;
    void *progress; // NULL at submit, then the device's
    // The device's: the batch of whose replay this launch is a part, or NULL.
    struct tf_command *batch;
};

// Commands that are replayed as one, any number of times, also several times at once:
// what core makes of a command buffer. The commands of a stage do not wait for each
// other, and all of them for those of the stages before.
struct tf_batch {
    struct tf_command *commands; // of all stages, in their order
    size_t command_count;
    const uint32_t *stage_ends; // per stage: the place behind its last command
    size_t stage_count;
    // What core has changed since the device last looked; only while nobody replays
    // it. The device sets all of it to 0 under the lock, when it looks.
    struct tf_mutex lock;
    uint8_t *changes;          // per command: TF_CHANGED_*
    uint32_t *changed;         // places of those that are not 0
    atomic_uint changed_count; // stored last
    // Per command: the device's, true where it wants to be told of new values, too: they
    // decide what runs.
    bool *watched;
    // The device's: what it made of the commands, and how it is freed; NULL as long as it
    // has made nothing.
    _Atomic(struct tf_prepared *) prepared;
    void (*free_prepared)(struct tf_prepared *prepared);
};

enum {
    TF_CHANGED_ADDRESSES = 1, // of kernel.patches
    TF_CHANGED_RANGE = 2,     // sizes, offsets, local memory of the kernel
    TF_CHANGED_VALUES = 4,    // arguments that are no addresses, where that is watched
};

// How far one replay of a batch has come. Zeros but for `batch` at submit; then the
// device's.
struct tf_batch_replay {
    struct tf_batch *batch;
    size_t next_step;
    bool begun;
    cl_int status;
    uint64_t checks_since; // the device's, where kernels are checked
};

struct tf_command {
    struct tf_command *dev_next; // the device's between submit and finished
    enum tf_command_kind kind;
    size_t size_bytes;      // READ, WRITE, COPY, FILL, MAP, SVM_*
    struct tf_devrange src; // READ, COPY; MAP, UNMAP: the memory
    struct tf_devrange dst; // WRITE, COPY, FILL, FILL_RECT
    void *host;             // READ, SVM_*: destination; MAP: the mapped pointer
    const void *host_src;   // WRITE, SVM_COPY: source
    union {                 // by kind: most of a command's bytes would lie idle otherwise
        struct {
            uint8_t pattern[TF_LONG16_BYTES]; // FILL, SVM_FILL
            size_t pattern_bytes;             // 1, 2, 4 ... 128
        };
        struct {
            size_t region[3];        // *_RECT
            struct tf_rect dst_rect; // *_RECT; of READ_RECT the host side
            union {
                struct tf_rect src_rect; // *_RECT; of WRITE_RECT the host side
                struct {
                    uint8_t pixel[TF_PIXEL_BYTES_MAX]; // FILL_RECT
                    size_t pixel_bytes; // 1, 2, 4, 8, 16; divides region[0]
                };
            };
        };
        struct tf_command_kernel kernel; // KERNEL
        struct tf_batch_replay replay;   // BATCH
        struct {
            void(CL_CALLBACK *native_fn)(void *); // NATIVE
            void *native_args;
        };
    };
    struct tf_command *dev_next_run; // the device's between submit and finished
    // NULL, or a status that becomes negative when the command is to end, with that
    // status, without doing what it has not done yet.
    const atomic_int *stop;
    // NULL, or the only thread (tf_thread_self()) that may work on the command: it is
    // about to wait for it, and asks for it by help().
    const void *thread;
    // Which commands come before which, for help(): every command of the same stream
    // whose order is below `after` comes before this one. Stream NULL: not known.
    const void *stream; // only to be compared
    uint64_t order;
    uint64_t after;
    // In a trace: the command's number, and the kernel's name, which lasts.
    uint64_t trace_id;
    const char *trace_name;
};

// CL_COMPLETE, or the status that the command is to end with.
static inline cl_int tf_command_stopped(const struct tf_command *cmd)
{
    return cmd->stop ? atomic_load_explicit(cmd->stop, memory_order_acquire)
                     : CL_COMPLETE;
}

// Bytes of a row, rows and planes that a copy or fill of bytes moves. False, and zeros,
// of all other commands.
static inline bool tf_command_box(const struct tf_command *cmd, size_t box[3])
{
    box[0] = box[1] = box[2] = 0;
    switch (cmd->kind) {
    case TF_CMD_READ:
    case TF_CMD_WRITE:
    case TF_CMD_COPY:
    case TF_CMD_FILL:
    case TF_CMD_SVM_COPY:
    case TF_CMD_SVM_FILL:
        box[0] = cmd->size_bytes;
        box[1] = box[2] = 1;
        return true;
    case TF_CMD_READ_RECT:
    case TF_CMD_WRITE_RECT:
    case TF_CMD_COPY_RECT:
    case TF_CMD_FILL_RECT:
        for (int i = 0; i < 3; i++)
            box[i] = cmd->region[i];
        return true;
    case TF_CMD_NONE:
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
    case TF_CMD_BATCH:
        break;
    }
    return false;
}

// ---- Memory ----
struct tf_mem_desc {
    cl_mem_flags flags;
    size_t size_bytes;
    size_t align_bytes; // at least this; TF_LONG16_BYTES for buffers
    void *host_ptr;     // with CL_MEM_USE_HOST_PTR: storage to be used in place
};

// ---- Programs ----
struct tf_build_header {
    const char *name;
    const char *text;
    size_t text_bytes;
};

// The value of a specialization constant of a SPIR-V module.
struct tf_spec_constant {
    uint32_t id;    // SpecId
    uint32_t bytes; // 1 (also of bool: 0 or 1), 2, 4, 8
    unsigned char value[8];
};

enum tf_build_kind {
    TF_BUILD_WHOLE,   // source -> executable (clBuildProgram)
    TF_BUILD_COMPILE, // source -> compiled object (clCompileProgram)
    TF_BUILD_LINK,    // objects -> executable (clLinkProgram)
    TF_BUILD_LIBRARY, // objects -> library (clLinkProgram with -create-library)
};

// What says that a build of the kind failed: CL_{BUILD,COMPILE,LINK}_PROGRAM_FAILURE.
static inline cl_int tf_build_failure(enum tf_build_kind kind)
{
    switch (kind) {
    case TF_BUILD_WHOLE:
        return CL_BUILD_PROGRAM_FAILURE;
    case TF_BUILD_COMPILE:
        return CL_COMPILE_PROGRAM_FAILURE;
    case TF_BUILD_LINK:
    case TF_BUILD_LIBRARY:
        break;
    }
    return CL_LINK_PROGRAM_FAILURE;
}

struct tf_build_in {
    enum tf_build_kind kind;
    const char *source; // WHOLE, COMPILE; all strings concatenated, or a SPIR-V module
    size_t source_bytes;
    bool is_il; // it is a module, of a device that has cl_khr_il_program
    const struct tf_spec_constant *constants; // of the module; each id once
    size_t constant_count;
    const char *options; // never NULL
    const struct tf_build_header *headers;
    size_t header_count;
    struct tf_devprog *const *objects; // LINK, LIBRARY
    size_t object_count;
};

struct tf_build_out {
    struct tf_devprog *program; // owned by the caller (program_free); NULL on failure
    char *log;                  // owned (tf_free), "" when there is nothing to say
};

// What core has to know of a program.
struct tf_program_info {
    cl_uint type; // CL_PROGRAM_BINARY_TYPE_*
    // Borrowed, constant while the program lives; none in objects and libraries.
    const struct tf_kernel_info *kernels;
    size_t kernel_count;
    // Variables in program scope: each program has its own, with their initial values
    // from its build or load on.
    size_t variable_bytes;
    bool has_constructors, has_destructors; // of those, which the device calls by itself
    // What is to be added to the log of the build since then: whole lines, owned by who
    // asked, or NULL.
    char *report;
};

struct tf_device_caps;

// ---- Operations ----
// Core asserts at registration that every slot not marked optional is set. Operations
// with an err return CL_SUCCESS or the code that they recorded with tf_fail().
struct tf_device_ops {
    // First context on the device; may start threads. close: after the last one; never
    // joins or frees what a running worker uses.
    cl_int (*open)(struct tf_err *err, struct tf_device *dev);
    void (*close)(struct tf_device *dev);

    cl_int (*mem_alloc)(struct tf_err *err, struct tf_device *dev,
                        const struct tf_mem_desc *desc, struct tf_devmem **out);
    void (*mem_free)(struct tf_device *dev, struct tf_devmem *mem);
    // Host address of a range; for zero-copy devices the memory itself. Called by the
    // thread that enqueues, before the map command runs.
    cl_int (*mem_map)(struct tf_err *err, struct tf_device *dev, struct tf_devmem *mem,
                      size_t offset_bytes, size_t size_bytes, cl_map_flags flags,
                      void **host);
    void (*mem_unmap)(struct tf_device *dev, struct tf_devmem *mem, void *host);

    // Builds; called without locks on any thread, many at a time. Fails with
    // CL_INVALID_BUILD_OPTIONS / COMPILER / LINKER_OPTIONS, CL_BUILD_PROGRAM_FAILURE /
    // COMPILE / LINK, CL_OUT_OF_*, CL_{COMPILER,LINKER}_NOT_AVAILABLE; out->log is set in
    // every case.
    cl_int (*program_build)(struct tf_err *err, struct tf_device *dev,
                            const struct tf_build_in *in, struct tf_build_out *out);
    // A blob of program_save(). CL_INVALID_BINARY when it is damaged or for another CPU.
    cl_int (*program_load)(struct tf_err *err, struct tf_device *dev, const void *blob,
                           size_t bytes, struct tf_devprog **out);
    cl_int (*program_save)(struct tf_err *err, struct tf_device *dev,
                           struct tf_devprog *prog, void **blob, size_t *bytes);
    void (*program_free)(struct tf_device *dev, struct tf_devprog *prog);
    void (*program_info)(struct tf_devprog *prog, struct tf_program_info *out);
    // Optional. The application has made a kernel object of one of the program's kernels
    // (all of them at once do not count): it is likely to be launched soon.
    void (*kernel_expected)(struct tf_device *dev, struct tf_devprog *prog,
                            uint32_t kernel_index);

    // Returns the largest work-group that the kernel may have. With `local`, also stores
    // the size for a range without a local_work_size (`work_dim` and `global_size` are
    // read for nothing else): deterministic; divides the global size where groups must be
    // uniform, because the kernel or caps->non_uniform_groups says so.
    size_t (*group_size)(struct tf_device *dev, const struct tf_kernel_info *kernel,
                         cl_uint work_dim, const size_t global_size[3], size_t local[3]);

    // Takes a list (dev_next) of ready commands of one queue; each may depend on the one
    // before it, on nothing else. Returns at once, cannot fail, runs no kernel in the
    // caller. For each command the device calls tf_command_started(), then
    // tf_command_finished(), each once, from any thread, with no lock held. NULL: the
    // `stop` of some commands has become negative, and those that sleep are to be looked
    // at.
    void (*submit)(struct tf_device *dev, struct tf_command *run);
    // Device clock of profiling, ns, monotonic.
    uint64_t (*now_ns)(struct tf_device *dev);

    // Optional. A host thread is about to wait for `cmd` (submitted or not, perhaps
    // finished meanwhile: its stream, order and after may be read, nothing else): runs
    // parts of it, or of what comes before it, in the caller, as long as there are some,
    // and returns.
    void (*help)(struct tf_device *dev, struct tf_command *cmd);
    // Optional. In a forked child: forget threads and locks of the parent.
    void (*forked)(struct tf_device *dev);

    // Optional. Runs a ready command of a kind that only moves memory (READ .. UNMAP,
    // SVM_*) in the caller and returns its status. Calls neither tf_command_started() nor
    // tf_command_finished(): the caller does.
    cl_int (*run_here)(struct tf_device *dev, struct tf_command *cmd);

    // Command queues on the device, with room for `size_bytes` of what kernels enqueue;
    // both or none, of devices with caps->device_queues. CL_OUT_OF_*. Freed when no
    // command uses it any more. Kernels know it by its address.
    cl_int (*device_queue_new)(struct tf_err *err, struct tf_device *dev,
                               size_t size_bytes, bool profiles,
                               struct tf_devqueue **out);
    void (*device_queue_free)(struct tf_device *dev, struct tf_devqueue *queue);

    // Sub-devices (OpenCL 3.1 section 4.3); all three or none. Compute units of a device
    // are numbered from 0 to info->compute_units - 1, neighbours share caches.
    //
    // Stores for every compute unit of `dev` the number of its domain (from 0, in the
    // order of the first unit) at one CL_DEVICE_AFFINITY_DOMAIN_* level; returns the
    // number of domains, 0 when the machine does not tell.
    uint32_t (*affinity)(struct tf_device *dev, cl_device_affinity_domain level,
                         uint32_t *domain_of_unit);
    // A device of the compute units units[0..count) of `dev` (ascending, each once):
    // its commands run on these only. Shares memory and programs with `dev`, which
    // outlives it.
    cl_int (*sub_device_new)(struct tf_err *err, struct tf_device *dev,
                             const uint32_t *units, uint32_t count,
                             struct tf_device **out);
    // Once no context uses it and no command is left on it; may come from a worker of the
    // sub-device that has just finished the last one.
    void (*sub_device_free)(struct tf_device *sub);
};

struct tf_device {
    const struct tf_device_ops *ops;
    const struct tf_device_info *info; // constant after the driver's probe
    const struct tf_device_caps *caps; // like info
};

// The answers to submit(), implemented by core/schedule. `status` is CL_COMPLETE or a
// negative error code.
void tf_command_started(struct tf_command *cmd);
void tf_command_finished(struct tf_command *cmd, cl_int status);

// While it runs: a message for whoever has asked the context for them (pfn_notify).
// Copied; the callback runs as all others do.
void tf_command_said(struct tf_command *cmd, const char *text);

// Wakes the thread of a command with `thread`, which the device has kept for it: once
// help() would find it. The command may be gone.
void tf_command_kept(struct tf_command *cmd);

// ---- Drivers ----
struct tf_driver {
    const char *name; // "cpu"
    // Stores up to `max` devices that live as long as the process, returns their number.
    // Called once, under no lock, before anything else; loads nothing, starts nothing.
    size_t (*probe)(struct tf_device **out, size_t max);
};

// Defined in devices/registry.c; ends with NULL.
extern const struct tf_driver *const tf_drivers[];

#endif // TF_CORE_PLATFORM_DEVICE_INTERFACE_H
