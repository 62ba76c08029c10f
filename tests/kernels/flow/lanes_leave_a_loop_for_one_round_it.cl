// SPDX-License-Identifier: MIT
// The inner loop is left for the next round of the outer one, and the kernel's end lies
// behind the inner one alone: work-items that leave it come back to the same place.
// RUN: k global=64
// ARG: out int[64] = 0
// EXPECT: out[0] = 11719
// EXPECT: out[1] = 12580
// EXPECT: out[2] = 20701
// EXPECT: out[3] = 19503
// EXPECT: out[4] = 21141
// EXPECT: out[5] = 21764
// EXPECT: out[6] = 18509
// EXPECT: out[7] = 20416
// EXPECT: out[8] = 17836
// EXPECT: out[9] = 19967
// EXPECT: out[10] = 18216
// EXPECT: out[11] = 21317
// EXPECT: out[40] = 18544
// EXPECT: out[63] = 24583
kernel void k(global int *out)
{
    int i = get_global_id(0), s = 0, n = 0, m = i;
    for (;;) {
        s = s * 3 + m;
        for (;;) {
            m = m * 5 + 1;
            n++;
            if ((m >> 2) % 3 == 1 && n < 40)
                break;
            s ^= m + n;
            out[i] += 1;
            if (n > 20 + (i & 7))
                goto end;
        }
    }
end:
    out[i] = out[i] * 1000 + (s & 1023) % 1000;
}
