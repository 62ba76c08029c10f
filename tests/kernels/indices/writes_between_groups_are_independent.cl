// SPDX-License-Identifier: MIT
// Bytes next to each other, written by different work-items and groups.
// RUN: write global=1024 local=2
// ARG: out uchar[1024] = 255
// EXPECT: out = i % 251
kernel void write(global uchar *out)
{
    out[get_global_id(0)] = get_global_id(0) % 251;
}
