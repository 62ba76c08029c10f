// SPDX-License-Identifier: MIT
// Words that neighbours share, all of them, some, or none; and exchanges of some of the
// items: nothing that was left is lost, whoever comes first.
// RUN: bits global=1000
// ARG: words uint[32] = 0
// ARG: wrong int[1000] = 0
// EXPECT: words = i < 31 ? 4294967295 : 255
// EXPECT: wrong = 0
// RUN: chain global=1000
// ARG: every int = 1
// ARG: slot int[1] = 1000
// ARG: out int[1000] = -1
// EXPECT: slot where it + sum(k, 0, 1000, after(out[k])) == 1000 * 1001 / 2
// RUN: chain global=1000
// ARG: every int = 3
// ARG: slot int[1] = 1000
// ARG: out int[1000] = 0
// EXPECT: out where it == (i % 3 ? 0 : it)
// EXPECT: slot where it + sum(k, 0, 1000, after(out[k])) == 1000 + 3 * 333 * 334 / 2
// RUN: rounds global=512
// ARG: shift int = 0
// ARG: slots ulong[512] = i
// ARG: out ulong[512]
// EXPECT: slots = i
// EXPECT: out = i
// RUN: rounds global=512
// ARG: shift int = 9
// ARG: slots ulong[512] = 512
// ARG: out ulong[512]
// EXPECT: slots where it + sum(k, 0, 512, after(out[k])) == (i ? it + sum(k, 0, 512, after(out[k])) : 512 * 513 / 2)
// RUN: tickets global=777
// ARG: bins uint[3] = 0
// ARG: taken uint[2331] = 0
// EXPECT: bins = {700, 77, 777}
// EXPECT: taken = i < 700 || (i >= 777 && i < 854) || i >= 1554 ? 1 : 0
kernel void bits(global volatile uint *words, global int *wrong)
{
    uint i = get_global_id(0), mine = 1u << (i % 32);

    for (int round = 0; round < 5; round++) {
        wrong[i] += (atomic_or(words + i / 32, mine) & mine) != 0;
        wrong[i] += (atomic_and(words + i / 32, ~mine) & mine) == 0;
    }
    wrong[i] += (atomic_xor(words + i / 32, mine) & mine) != 0;
}

kernel void chain(int every, global volatile int *slot, global int *out)
{
    int i = get_global_id(0);

    if (i % every == 0)
        out[i] = atomic_xchg(slot, i);
}

// An even number of exchanges: each word has again what it had, or one of those that share it.
kernel void rounds(int shift, global volatile ulong *slots, global ulong *out)
{
    ulong i = get_global_id(0), mine = i;

    for (int round = 0; round < 6; round++)
        mine = atom_xchg(slots + (i >> shift), mine);
    out[i] = mine;
}

kernel void tickets(global volatile uint *bins, global uint *taken)
{
    uint i = get_global_id(0), bin = i >= 700;

    taken[bin * 777 + atomic_inc(bins + bin)] += 1;
    taken[1554 + atomic_add(bins + (i < 5000 ? 2 : 0), 1)] += 1;
}
