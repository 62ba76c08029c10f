// SPDX-License-Identifier: MIT
#include "devices/cpu/helper/helper_rights.h"

#include <grp.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

enum { MOST_GROUPS = 1024 };

struct rights {
    uid_t user;
    gid_t group;
    dev_t root_device;
    ino_t root_number;
    struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
};

// Of more groups than those the number counts.
static struct tf_hash hash_of_groups(void)
{
    gid_t *const groups = tf_zalloc(MOST_GROUPS * sizeof(*groups));
    const int listed = groups ? getgroups(MOST_GROUPS, groups) : -1;
    const int count = listed < 0 ? getgroups(0, NULL) : listed;
    const struct tf_hash hash =
        listed < 0 ? tf_hash_bytes(&count, sizeof(count), 0)
                   : tf_hash_bytes(groups, (size_t)listed * sizeof(*groups), 0);

    tf_free(groups);
    return hash;
}

struct tf_hash tf_helper_rights(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct tf_hash groups = hash_of_groups();
    struct rights rights;
    struct stat root;

    memset(&rights, 0, sizeof(rights)); // the gaps are hashed, too
    rights.user = geteuid();
    rights.group = getegid();
    if (!stat("/", &root)) {
        rights.root_device = root.st_dev;
        rights.root_number = root.st_ino;
    }
    (void)syscall(SYS_capget, &head, rights.capabilities);
    return tf_hash_bytes(&rights, sizeof(rights), groups.lo ^ groups.hi);
}
