// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_stream.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/env.h"
#include "devices/cpu/facts/cpu_info.h"

// What was stored first is gone from the caches when the launch ends, and the launch
// after it, which begins there again, finds nothing. Up to about as much as the caches
// hold, stores past them are up to twice as slow (two cores of Zen 5, 32 MiB: 8 + 8 MiB
// 0.5 to 0.7, 16 + 16 MiB 0.7 to 1.1, 32 + 32 MiB 1.15 to 1.3, 64 + 64 MiB 1.15 to 1.35).
enum { TIMES_CACHES = 2 };

// Groups of CPUs that share a last cache. Where the system does not say, every unit might
// have one of its own.
static uint32_t count_caches(void)
{
    const uint32_t count = tf_cpu_info_units();
    struct tf_cpu_unit *units = tf_zalloc(count * sizeof(*units));
    uint32_t *domains = tf_zalloc(count * sizeof(*domains)), caches = 0;

    if (units && domains && tf_cpu_topology_units("", tf_cpu_info_mask(), units, count))
        caches = tf_cpu_topology_domains(units, count, TF_CPU_L3, domains);
    tf_free(units);
    tf_free(domains);
    return caches ? caches : count;
}

// What a launch must move where there is one last cache; UINT64_MAX where nobody says how
// large it is.
static uint64_t find_with_one_cache(void)
{
    const long mib = tf_env_number(TF_ENV_STREAM, -1);

    if (mib >= 0)
        return (uint64_t)mib << 20;
    return tf_cpu_info_cache_bytes() ? TIMES_CACHES * tf_cpu_info_cache_bytes()
                                     : UINT64_MAX;
}

// The same where there are as many as the system says, which is a dozen files for each
// CPU: read when a launch is large enough for it to matter.
static uint64_t find_with_all_caches(void)
{
    const uint64_t one = find_with_one_cache();

    if (tf_env_number(TF_ENV_STREAM, -1) >= 0 || one == UINT64_MAX)
        return one;
    return one * count_caches();
}

static bool reaches(double bytes, _Atomic uint64_t *kept, uint64_t (*find)(void))
{
    uint64_t least = atomic_load_explicit(kept, memory_order_relaxed); // and 1

    if (least == 0) {
        least = find() | 1;
        atomic_store_explicit(kept, least, memory_order_relaxed);
    }
    return bytes >= (double)(least & ~(uint64_t)1);
}

bool tf_launch_streams(const struct tf_fit *fit, const size_t global_size[3])
{
    static _Atomic uint64_t with_one_cache, with_all_caches;
    double bytes = fit->streamed_bytes;

    for (int d = 0; d < 3; d++)
        bytes *= (double)global_size[d];
    return bytes > 0 && reaches(bytes, &with_one_cache, find_with_one_cache) &&
           reaches(bytes, &with_all_caches, find_with_all_caches);
}
