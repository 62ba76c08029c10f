// SPDX-License-Identifier: MIT
// What this thread may do, and which folder is its root: a helper keeps those that it was
// started with, and must not use them for an application that has given them up.
#ifndef TF_DEVICES_CPU_HELPER_HELPER_RIGHTS_H
#define TF_DEVICES_CPU_HELPER_HELPER_RIGHTS_H

#include "base/hash.h"

// Equal for equal rights: user, groups, capabilities, root folder.
struct tf_hash tf_helper_rights(void);

#endif // TF_DEVICES_CPU_HELPER_HELPER_RIGHTS_H
