// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_cache.h"

#include "abi/compiler.h"
#include "abi/cpu_abi.h"
#include "base/env.h"

enum { FORMAT = 1 };

const struct tf_cache *tf_cpu_cache(void)
{
    // Who wants to see the compiler's work wants it done.
    if (tf_env_text(TF_ENV_DUMP) || tf_env_text(TF_ENV_CHECK_LANES) ||
        tf_env_text(TF_ENV_CALLS))
        return NULL;
    return tf_cache_own();
}

void tf_cpu_cache_start_key(struct tf_digester *d, const char *what,
                            const char *compiler_id)
{
    tf_digest_start(d);
    tf_digest_add_text(d, what);
    tf_digest_add_number(d, FORMAT);
    tf_digest_add_number(d, TF_COMPILER_ABI);
    tf_digest_add_number(d, TF_CPU_ABI_VERSION);
    tf_digest_add_text(d, compiler_id);
}
