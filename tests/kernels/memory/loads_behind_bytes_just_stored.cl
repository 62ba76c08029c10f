// A byte of a row is stored, and the word around it read after other words of that row:
// stores of rows wait for each other, and loads of rows must not go up past one that waits.
// RUN: byte_of_a_word global=192 local=64
// ARG: in uint[192] = i * 77
// ARG: out uint[768] = i * 3
// EXPECT: out[0] = 0
// EXPECT: out[1] = 3
// EXPECT: out[2] = 6
// EXPECT: out[5] = 15 + 77
// EXPECT: out[6] = (18 & 0xff00ffff) + (77 << 16) + 77
// EXPECT: out[7] = 21
// EXPECT: out[766] = (2298 & 0xff00ffff) + ((191 * 77 & 255) << 16) + 191 * 77
kernel void byte_of_a_word(global const uint *restrict in, global uint *restrict out)
{
    const size_t g = get_global_id(0);
    const uint a = in[g];
    global uint *o = out + 4 * g;

    ((global uchar *)o)[10] = a;
    o[1] += a;
    o[2] += a;
}
