// SPDX-License-Identifier: MIT
// A word that lanes share is changed in a loop, by lanes that are the same in each of its
// rounds: LLVM asks which of them is the last before the loop, and before it is known that
// there is one. Here there never is; once it read far beyond the stack.
// RUN: stores global=768 local=256
// ARG: in uint[4096] = i
// ARG: n uint = 4
// ARG: places uint[3072] = 0
// ARG: shared uint[8] = 0
// ARG: out uint[768] = 0
// EXPECT: shared = 0
// EXPECT: out = i % 256 < 8 ? i : 0
// RUN: exchanges global=768 local=256
// ARG: in uint[4096] = i
// ARG: n uint = 4
// ARG: places uint[3072] = 0
// ARG: shared uint[8] = 0
// ARG: out uint[768] = 0
// EXPECT: shared = 0
// EXPECT: out = i % 256 < 8 ? i : 0
// RUN: sums global=768 local=256
// ARG: in uint[4096] = i
// ARG: n uint = 4
// ARG: places uint[3072] = 0
// ARG: shared uint[8] = 0
// ARG: out uint[768] = 0
// EXPECT: shared = 0
// EXPECT: out = i % 256 < 8 ? i : 0

#define KERNEL(name, change)                                                               \
    kernel void name(global const uint *in, uint n, global uint *places,                   \
                     global uint *shared, global uint *out)                                \
    {                                                                                      \
        uint l = get_local_id(0), g = get_global_id(0), a = in[g & 4095], c = 0;           \
        global uint *own = places + g * 4;                                                 \
                                                                                           \
        if (l < 8) {                                                                       \
            for (uint i = 0; i < 16; i++) {                                                \
                for (uint k = 0; k < 16; k++) {                                            \
                    if ((int)(uint)(uchar)g - 8 < 0) {                                     \
                        own[l & 3] = in[(g * 2 + c) & 4095];                               \
                        c = in[a & 4095];                                                  \
                    } else {                                                               \
                        change;                                                            \
                        c += k;                                                            \
                    }                                                                      \
                }                                                                          \
                for (uint k = (l ^ 7) & 1; k < (n & 7); k++)                               \
                    own[0] += c;                                                           \
            }                                                                              \
        }                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                      \
        out[g] = c;                                                                        \
    }

KERNEL(stores, shared[0] = a)
KERNEL(exchanges, atomic_xchg(shared + 3, a))
KERNEL(sums, atomic_add(shared + ((l >> 2) & 7), 0 - c))
