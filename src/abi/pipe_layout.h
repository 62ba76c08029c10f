// SPDX-License-Identifier: MIT
// What lies in the memory of a pipe. Shared by core, which makes pipes, and the built-ins
// library (OpenCL C), whose functions work on them.
//
//     struct tf_pipe_header
//     tf_pipe_u64 turn[max_packets]      one for each slot
//     the packets, packet_bytes each, from a multiple of 128 bytes on
//
// Positions count packets since the pipe was made and never go back; position p lies in
// slot p % max_packets. The turn of a slot says whose it is:
//     p                  free for the writer of position p
//     p + 1              filled: for the reader of position p
//     p + max_packets    free again: for the next writer of the slot
// So a reservation, a run of positions that one compare-and-exchange takes, needs nobody
// to wait for anybody, in whatever order reservations are committed.
#ifndef TF_ABI_PIPE_LAYOUT_H
#define TF_ABI_PIPE_LAYOUT_H

#ifdef __OPENCL_C_VERSION__
typedef ulong tf_pipe_u64;
#else
#include <stdint.h>
typedef uint64_t tf_pipe_u64;
#endif

struct tf_pipe_header {
    tf_pipe_u64 max_packets;
    tf_pipe_u64 packet_bytes;
    tf_pipe_u64 data_offset_bytes; // of the packets, from the header
    tf_pipe_u64 unused[5];
    tf_pipe_u64 write_position; // next to be reserved; a cache line of its own
    tf_pipe_u64 unused_write[7];
    tf_pipe_u64 read_position; // the same
    tf_pipe_u64 unused_read[7];
};

// A reservation is a number: how many packets, and the low bits of the first position.
// The other bits are those of the pipe's own position, which is never that far ahead. No
// packets: not a valid reservation.
#define TF_PIPE_COUNT_BITS 28
#define TF_PIPE_POSITION_BITS 36

// Larger reservations fail, larger pipes cannot be made.
#define TF_PIPE_MAX_PACKETS ((1u << TF_PIPE_COUNT_BITS) - 1)

#endif // TF_ABI_PIPE_LAYOUT_H
