// SPDX-License-Identifier: MIT
// hashcat/hashcat#2398, #3662 and #4831, scottcrosby-securebine/kali-mcp-server#45,
// pocl/pocl#290, #333 and #1213: kernels that hash passwords crash or are wrong. As they
// do, all work-items of a group fetch a table into local memory, those without work
// return behind the barrier, and the others hash messages of different lengths (SHA-512,
// FIPS 180-4), padded byte by byte at places of their own, a different number of times.
// RUN: hash global=48 local=16
// ARG: count uint = 40
// ARG: out ulong[40]
// EXPECT: out = {0xcf83e1357eefb8bd, 0xcd910ad0f9b51c56, 0x26f0a9a767d569ba, 0x7f96d1070e4288b9, 0x676537bbecb5ab40, 0xd789f201a2c2d0fb, 0xa2130af95f7819c4, 0x95fe70a2a5849d7b, 0xad12cd7efadd6f33, 0x326ad9a99bce7f48, 0xce46fbd11503afbd, 0x8d40e75da14fd175, 0xca928c062cd5467e, 0x6adf80913851a01a, 0xb512147ee123bdd3, 0x8b80675d25bf1656, 0x3e996881d5041c27, 0xdd92663ea6116951, 0x42beaa66576ab1c3, 0xf9db1f9b5bd20b9b, 0x1608d8977f75ef4f, 0x7618ab8f67918677, 0x72fb0d9ab985757a, 0x68e276a91442e068, 0x410d5170fc69389a, 0xc7d4977d50813719, 0xd4f5e7216d2a3b4d, 0x75e3873ea354ca53, 0x2b7f7c4c7b06b874, 0x7074cad316543eca, 0x933729713567fb6a, 0xcb33abe50983cca1, 0x54755dcaea5f5ccc, 0xe4ba494e64dafada, 0x90297767779e2aff, 0xc87d05c8c47cdb7e, 0x47bf90d7cf7620cc, 0x778965e6f1c204af, 0xe30860c75938e633, 0xc3f1f263a9c78da1}
constant ulong table[80] = {
    0x428a2f98d728ae22ul, 0x7137449123ef65cdul, 0xb5c0fbcfec4d3b2ful, 0xe9b5dba58189dbbcul,
    0x3956c25bf348b538ul, 0x59f111f1b605d019ul, 0x923f82a4af194f9bul, 0xab1c5ed5da6d8118ul,
    0xd807aa98a3030242ul, 0x12835b0145706fbeul, 0x243185be4ee4b28cul, 0x550c7dc3d5ffb4e2ul,
    0x72be5d74f27b896ful, 0x80deb1fe3b1696b1ul, 0x9bdc06a725c71235ul, 0xc19bf174cf692694ul,
    0xe49b69c19ef14ad2ul, 0xefbe4786384f25e3ul, 0x0fc19dc68b8cd5b5ul, 0x240ca1cc77ac9c65ul,
    0x2de92c6f592b0275ul, 0x4a7484aa6ea6e483ul, 0x5cb0a9dcbd41fbd4ul, 0x76f988da831153b5ul,
    0x983e5152ee66dfabul, 0xa831c66d2db43210ul, 0xb00327c898fb213ful, 0xbf597fc7beef0ee4ul,
    0xc6e00bf33da88fc2ul, 0xd5a79147930aa725ul, 0x06ca6351e003826ful, 0x142929670a0e6e70ul,
    0x27b70a8546d22ffcul, 0x2e1b21385c26c926ul, 0x4d2c6dfc5ac42aedul, 0x53380d139d95b3dful,
    0x650a73548baf63deul, 0x766a0abb3c77b2a8ul, 0x81c2c92e47edaee6ul, 0x92722c851482353bul,
    0xa2bfe8a14cf10364ul, 0xa81a664bbc423001ul, 0xc24b8b70d0f89791ul, 0xc76c51a30654be30ul,
    0xd192e819d6ef5218ul, 0xd69906245565a910ul, 0xf40e35855771202aul, 0x106aa07032bbd1b8ul,
    0x19a4c116b8d2d0c8ul, 0x1e376c085141ab53ul, 0x2748774cdf8eeb99ul, 0x34b0bcb5e19b48a8ul,
    0x391c0cb3c5c95a63ul, 0x4ed8aa4ae3418acbul, 0x5b9cca4f7763e373ul, 0x682e6ff3d6b2b8a3ul,
    0x748f82ee5defb2fcul, 0x78a5636f43172f60ul, 0x84c87814a1f0ab72ul, 0x8cc702081a6439ecul,
    0x90befffa23631e28ul, 0xa4506cebde82bde9ul, 0xbef9a3f7b2c67915ul, 0xc67178f2e372532bul,
    0xca273eceea26619cul, 0xd186b8c721c0c207ul, 0xeada7dd6cde0eb1eul, 0xf57d4f7fee6ed178ul,
    0x06f067aa72176fbaul, 0x0a637dc5a2c898a6ul, 0x113f9804bef90daeul, 0x1b710b35131c471bul,
    0x28db77f523047d84ul, 0x32caab7b40c72493ul, 0x3c9ebe0a15c9bebcul, 0x431d67c49c100d4cul,
    0x4cc5d4becb3e42b6ul, 0x597f299cfc657e2aul, 0x5fcb6fab3ad6faecul, 0x6c44198c4a475817ul,
};

void compress(ulong *h, const ulong *block, local const ulong *k)
{
    ulong w[16], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    for (int i = 0; i < 8; i++)
        s[i] = h[i];
    for (int i = 0; i < 80; i++) {
        if (i >= 16) {
            ulong a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            a = rotate(a, 63ul) ^ rotate(a, 56ul) ^ (a >> 7);
            b = rotate(b, 45ul) ^ rotate(b, 3ul) ^ (b >> 6);
            w[i & 15] += a + b + w[(i + 9) & 15];
        }
        ulong one = rotate(s[4], 50ul) ^ rotate(s[4], 46ul) ^ rotate(s[4], 23ul);
        ulong two = rotate(s[0], 36ul) ^ rotate(s[0], 30ul) ^ rotate(s[0], 25ul);
        one += s[7] + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i & 15];
        two += (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        for (int n = 7; n > 0; n--)
            s[n] = s[n - 1];
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

void put(ulong *block, uint at, uint byte)
{
    uint shift = 56 - 8 * (at & 7);
    block[at >> 3] = (block[at >> 3] & ~(0xfful << shift)) | ((ulong)byte << shift);
}

kernel void hash(uint count, global ulong *out)
{
    local ulong k[80];
    uint g = get_global_id(0);
    for (uint i = get_local_id(0); i < 80; i += get_local_size(0))
        k[i] = table[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g >= count)
        return;
    ulong h[8], message[8];
    uint bytes = g * 37 % 200;
    for (uint round = 0; round < 1 + g % 3; round++) {
        ulong block[16] = {0};
        uint used = 0;
        ulong first[8] = {
            0x6a09e667f3bcc908ul, 0xbb67ae8584caa73bul, 0x3c6ef372fe94f82bul,
            0xa54ff53a5f1d36f1ul, 0x510e527fade682d1ul, 0x9b05688c2b3e6c1ful,
            0x1f83d9abfb41bd6bul, 0x5be0cd19137e2179ul
        };
        for (int i = 0; i < 8; i++)
            h[i] = first[i];
        for (uint at = 0; at < bytes; at++) {
            uint byte = round ? (uint)(message[at >> 3] >> (56 - 8 * (at & 7))) & 255 : (g * 7 + at) & 255;
            put(block, used++, byte);
            if (used == 128) {
                compress(h, block, k);
                used = 0;
            }
        }
        put(block, used++, 0x80);
        while (used != 112) {
            if (used == 128) {
                compress(h, block, k);
                used = 0;
            } else {
                put(block, used++, 0);
            }
        }
        block[14] = 0;
        block[15] = bytes * 8;
        compress(h, block, k);
        for (int i = 0; i < 8; i++)
            message[i] = h[i];
        bytes = 64;
    }
    out[g] = h[0];
}
