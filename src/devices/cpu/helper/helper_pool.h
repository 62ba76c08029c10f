// SPDX-License-Identifier: MIT
// Helper processes that compile: started when a job finds none idle, kept warm between
// jobs, one for each job at a time. A helper ends by itself after some idle seconds, and
// with the application.
#ifndef TF_DEVICES_CPU_HELPER_HELPER_POOL_H
#define TF_DEVICES_CPU_HELPER_HELPER_POOL_H

#include <stdbool.h>
#include <stddef.h>

#define TF_HELPER_PROGRAM "trefoil-helper"
#define TF_HELPER_WHOLE \
    "trefoil-helper-whole" // with the compiler in it, where it is installed

struct tf_helper;
struct tf_kept_fd;

// What all helpers must agree on: they run the same library. Static texts.
struct tf_helper_facts {
    char llvm_version[32], build_id[64];
};

// Where they come from; before the first use. Copied.
void tf_helper_pool_set(const char *program, const char *library);

// Waits while there are as many as may be. `fresh`: one that has done nothing yet. NULL,
// with the reason, if none can be started.
struct tf_helper *tf_helper_take(bool fresh, char *reason, size_t reason_bytes);
const struct tf_kept_fd *tf_helper_link(const struct tf_helper *helper);
void tf_helper_give(struct tf_helper *helper); // it can do another job
void tf_helper_drop(struct tf_helper *helper); // it cannot

// Of the first helper that started.
struct tf_helper_facts tf_helper_pool_facts(void);
// The last helper that was started ended, or hung, when it opened the library: whoever
// opens it in this process would do the same.
bool tf_helper_library_is_damaged(void);
// Helpers that live, idle ones that ended unnoticed included.
unsigned tf_helper_pool_count(void);

// In a forked child: the parent's helpers are not its own.
void tf_helper_pool_forked(void);

#endif // TF_DEVICES_CPU_HELPER_HELPER_POOL_H
