// seed 711
struct state { uint sum; int fuel; uint seen[4]; };
struct pair { uint low, high; };

uint f0_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f0_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f0_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f0_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (x % 5 < 3) { t.high ^= (uint)d; } else { return x; }
    s->sum = f0_1(d - 1, a, t, &a, s, n, w) + t.low + a;
    for (int i1 = 0; i1 < 2; i1++) { p[d & 7] = n;  if (x % 5 < 3) { return s->seen[b & 3]; } else { return b ^ x; } }
    if (x % 5 < 3) { { const uint k = a; a ^= f0_2(d - 1, x, t, &b, s, n, w) + k; } } else { p[b & 7] += s->seen[b & 3]; }
    if (d % 2) { a = x >> 3; } else { if ((b & 5) != 0) { return b ^ x; } else { return (uint)d; } }
    return a * 3 + p[x & 7];
}
uint f0_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    s->seen[d & 3] ^= n;
    if (x % 5 < 3) { if (a % 3 == 1) { return b ^ x; } else { { const uint k = (uint)d; a ^= f0_0(d - 1, a, given, s->seen + (a & 3), s, n, w) + k; } } } else { *up ^= p[a & 7]; }
    if ((b & 5) != 0) { *up += (uint)d; } else { a += f0_1(d - 1, (uint)d, t, &t.low, s, n, w); }
    return a;
}
uint f0_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 2 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    a += f0_1(d - 1, x >> 3, t, &a, s, n, w);
    b = max(b, f0_0(d - 1, n, t, up, s, n, w));
    return a + b;
}
uint f0_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f0_1_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 1 + given.high;
}
uint f0_2_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 2 + given.high;
}
uint f0_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (x % 5 < 3) { t.high ^= (uint)d; } else { return x; }
    s->sum = f0_1_at_0(d - 1, a, t, &a, s, n, w) + t.low + a;
    for (int i1 = 0; i1 < 2; i1++) { p[d & 7] = n;  if (x % 5 < 3) { return s->seen[b & 3]; } else { return b ^ x; } }
    if (x % 5 < 3) { { const uint k = a; a ^= f0_2_at_0(d - 1, x, t, &b, s, n, w) + k; } } else { p[b & 7] += s->seen[b & 3]; }
    if (d % 2) { a = x >> 3; } else { if ((b & 5) != 0) { return b ^ x; } else { return (uint)d; } }
    return a * 3 + p[x & 7];
}
uint f0_1_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    s->seen[d & 3] ^= n;
    if (x % 5 < 3) { if (a % 3 == 1) { return b ^ x; } else { { const uint k = (uint)d; a ^= f0_0_at_0(d - 1, a, given, s->seen + (a & 3), s, n, w) + k; } } } else { *up ^= p[a & 7]; }
    if ((b & 5) != 0) { *up += (uint)d; } else { a += f0_1_at_0(d - 1, (uint)d, t, &t.low, s, n, w); }
    return a;
}
uint f0_2_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 2 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    a += f0_1_at_0(d - 1, x >> 3, t, &a, s, n, w);
    b = max(b, f0_0_at_0(d - 1, n, t, up, s, n, w));
    return a + b;
}
uint f0_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (x % 5 < 3) { t.high ^= (uint)d; } else { return x; }
    s->sum = f0_1_at_1(d - 1, a, t, &a, s, n, w) + t.low + a;
    for (int i1 = 0; i1 < 2; i1++) { p[d & 7] = n;  if (x % 5 < 3) { return s->seen[b & 3]; } else { return b ^ x; } }
    if (x % 5 < 3) { { const uint k = a; a ^= f0_2_at_1(d - 1, x, t, &b, s, n, w) + k; } } else { p[b & 7] += s->seen[b & 3]; }
    if (d % 2) { a = x >> 3; } else { if ((b & 5) != 0) { return b ^ x; } else { return (uint)d; } }
    return a * 3 + p[x & 7];
}
uint f0_1_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    s->seen[d & 3] ^= n;
    if (x % 5 < 3) { if (a % 3 == 1) { return b ^ x; } else { { const uint k = (uint)d; a ^= f0_0_at_1(d - 1, a, given, s->seen + (a & 3), s, n, w) + k; } } } else { *up ^= p[a & 7]; }
    if ((b & 5) != 0) { *up += (uint)d; } else { a += f0_1_at_1(d - 1, (uint)d, t, &t.low, s, n, w); }
    return a;
}
uint f0_2_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 2 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    a += f0_1_at_1(d - 1, x >> 3, t, &a, s, n, w);
    b = max(b, f0_0_at_1(d - 1, n, t, up, s, n, w));
    return a + b;
}

kernel void k0(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(n % 2);
    x = f0_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f0_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f0_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f0_2(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f1_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f1_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f1_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    p[d & 7] += a * 5 + b;
    t.high -= t.high;
    if (d % 2) { p[d & 7] = p[a & 7]; } else { b = max(b, f1_1(d - 1, (uint)d, given, &t.low, s, n, w)); }
    return a + b;
}
uint f1_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    f1_0(d - 1, a, t, &b, s, n, w);
    s->sum += (uint)d;
    if (s->seen[1] & 1) { b ^= x >> 3; } else { if ((b & 5) != 0) { t.low ^= x; } else { return x >> 3; } }
    if (s->seen[1] & 1) { s->sum = b ^ x; } else { a += f1_0(d - 1, n, given, s->seen + (a & 3), s, n, w); }
    if (p[b & 7] > 100) { if (a % 3 == 1) { return t.high; } else { return b; } } else { s->seen[d & 3] = (uint)d; }
    return a * 3 + p[x & 7];
}
uint f1_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f1_1_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 1 + given.high;
}
uint f1_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    p[d & 7] += a * 5 + b;
    t.high -= t.high;
    if (d % 2) { p[d & 7] = p[a & 7]; } else { b = max(b, f1_1_at_0(d - 1, (uint)d, given, &t.low, s, n, w)); }
    return a + b;
}
uint f1_1_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    f1_0_at_0(d - 1, a, t, &b, s, n, w);
    s->sum += (uint)d;
    if (s->seen[1] & 1) { b ^= x >> 3; } else { if ((b & 5) != 0) { t.low ^= x; } else { return x >> 3; } }
    if (s->seen[1] & 1) { s->sum = b ^ x; } else { a += f1_0_at_0(d - 1, n, given, s->seen + (a & 3), s, n, w); }
    if (p[b & 7] > 100) { if (a % 3 == 1) { return t.high; } else { return b; } } else { s->seen[d & 3] = (uint)d; }
    return a * 3 + p[x & 7];
}
uint f1_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    p[d & 7] += a * 5 + b;
    t.high -= t.high;
    if (d % 2) { p[d & 7] = p[a & 7]; } else { b = max(b, f1_1_at_1(d - 1, (uint)d, given, &t.low, s, n, w)); }
    return a + b;
}
uint f1_1_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    f1_0_at_1(d - 1, a, t, &b, s, n, w);
    s->sum += (uint)d;
    if (s->seen[1] & 1) { b ^= x >> 3; } else { if ((b & 5) != 0) { t.low ^= x; } else { return x >> 3; } }
    if (s->seen[1] & 1) { s->sum = b ^ x; } else { a += f1_0_at_1(d - 1, n, given, s->seen + (a & 3), s, n, w); }
    if (p[b & 7] > 100) { if (a % 3 == 1) { return t.high; } else { return b; } } else { s->seen[d & 3] = (uint)d; }
    return a * 3 + p[x & 7];
}

kernel void k1(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(g % 2);
    x = f1_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f1_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f1_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f1_1(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f2_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f2_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (s->fuel & 1) { t.high += (uint)d; } else { s->sum = f2_0(d - 1, t.high, t, p + (b & 7), s, n, w) + b ^ x; }
    f2_0(d - 1, p[a & 7], t, s->seen + (a & 3), s, n, w);
    for (int i1 = 0; i1 < 2; i1++) { t.high += s->seen[b & 3];  s->seen[d & 3] = x >> 3; }
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 7) % get_local_size(0)];
    if ((n + d) % 3) { p[b & 7] = s->seen[b & 3]; } else { t.high ^= b; }
    if (d % 2) { p[d & 7] ^= a; } else { a += t.low + a; }
    return a + b;
}
uint f2_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f2_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (s->fuel & 1) { t.high += (uint)d; } else { s->sum = f2_0_at_0(d - 1, t.high, t, p + (b & 7), s, n, w) + b ^ x; }
    f2_0_at_0(d - 1, p[a & 7], t, s->seen + (a & 3), s, n, w);
    for (int i1 = 0; i1 < 2; i1++) { t.high += s->seen[b & 3];  s->seen[d & 3] = x >> 3; }
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 7) % get_local_size(0)];
    if ((n + d) % 3) { p[b & 7] = s->seen[b & 3]; } else { t.high ^= b; }
    if (d % 2) { p[d & 7] ^= a; } else { a += t.low + a; }
    return a + b;
}
uint f2_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (s->fuel & 1) { t.high += (uint)d; } else { s->sum = f2_0_at_1(d - 1, t.high, t, p + (b & 7), s, n, w) + b ^ x; }
    f2_0_at_1(d - 1, p[a & 7], t, s->seen + (a & 3), s, n, w);
    for (int i1 = 0; i1 < 2; i1++) { t.high += s->seen[b & 3];  s->seen[d & 3] = x >> 3; }
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 7) % get_local_size(0)];
    if ((n + d) % 3) { p[b & 7] = s->seen[b & 3]; } else { t.high ^= b; }
    if (d % 2) { p[d & 7] ^= a; } else { a += t.low + a; }
    return a + b;
}

kernel void k2(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(n % 2);
    x = f2_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f2_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f2_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f2_0(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f3_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f3_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    p[d & 7] += b;
    if (s->fuel & 1) { s->sum -= b ^ x; } else { p[d & 7] -= x >> 3; }
    a += f3_0(d - 1, s->seen[b & 3], t, &t.low, s, n, w);
    return a * 3 + p[x & 7];
}
uint f3_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f3_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    p[d & 7] += b;
    if (s->fuel & 1) { s->sum -= b ^ x; } else { p[d & 7] -= x >> 3; }
    a += f3_0_at_0(d - 1, s->seen[b & 3], t, &t.low, s, n, w);
    return a * 3 + p[x & 7];
}
uint f3_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    p[d & 7] += b;
    if (s->fuel & 1) { s->sum -= b ^ x; } else { p[d & 7] -= x >> 3; }
    a += f3_0_at_1(d - 1, s->seen[b & 3], t, &t.low, s, n, w);
    return a * 3 + p[x & 7];
}

kernel void k3(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(n % 2);
    x = f3_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f3_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f3_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f3_0(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f4_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f4_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    a += f4_0(d - 1, x >> 3, t, p + (b & 7), s, n, w);
    f4_0(d - 1, x >> 3, given, &b, s, n, w);
    p[b & 7] ^= a * 5 + b;
    return a;
}
uint f4_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f4_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    a += f4_0_at_0(d - 1, x >> 3, t, p + (b & 7), s, n, w);
    f4_0_at_0(d - 1, x >> 3, given, &b, s, n, w);
    p[b & 7] ^= a * 5 + b;
    return a;
}
uint f4_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    a += f4_0_at_1(d - 1, x >> 3, t, p + (b & 7), s, n, w);
    f4_0_at_1(d - 1, x >> 3, given, &b, s, n, w);
    p[b & 7] ^= a * 5 + b;
    return a;
}

kernel void k4(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(g % 2);
    x = f4_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f4_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f4_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f4_0(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f5_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f5_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    for (int i1 = 0; i1 < 2; i1++) { if ((n + d) % 3) { a += f5_0(d - 1, t.high, t, s->seen + (a & 3), s, n, w); } else { *up += x >> 3; } if (d % 2) continue; *up = t.low + a; }
    if (n % 3 == 1) { b = max(b, f5_0(d - 1, p[a & 7], t, up, s, n, w)); } else { if (n % 3 == 1) { return s->seen[b & 3]; } else { *up ^= x; } }
    return a;
}
uint f5_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f5_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    for (int i1 = 0; i1 < 2; i1++) { if ((n + d) % 3) { a += f5_0_at_0(d - 1, t.high, t, s->seen + (a & 3), s, n, w); } else { *up += x >> 3; } if (d % 2) continue; *up = t.low + a; }
    if (n % 3 == 1) { b = max(b, f5_0_at_0(d - 1, p[a & 7], t, up, s, n, w)); } else { if (n % 3 == 1) { return s->seen[b & 3]; } else { *up ^= x; } }
    return a;
}
uint f5_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    for (int i1 = 0; i1 < 2; i1++) { if ((n + d) % 3) { a += f5_0_at_1(d - 1, t.high, t, s->seen + (a & 3), s, n, w); } else { *up += x >> 3; } if (d % 2) continue; *up = t.low + a; }
    if (n % 3 == 1) { b = max(b, f5_0_at_1(d - 1, p[a & 7], t, up, s, n, w)); } else { if (n % 3 == 1) { return s->seen[b & 3]; } else { *up ^= x; } }
    return a;
}

kernel void k5(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(n % 2);
    x = f5_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f5_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f5_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f5_0(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f6_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f6_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f6_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f6_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    *up = a;
    t.low = t.high;
    t.low = b ^ x;
    t.low += b ^ x;
    p[b & 7] -= p[a & 7];
    a += f6_2(d - 1, b, t, &t.low, s, n, w);
    return a + b;
}
uint f6_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (x % 5 < 3) { a += f6_0(d - 1, t.high, t, s->seen + (a & 3), s, n, w); } else { s->sum -= s->seen[b & 3]; }
    s->seen[d & 3] ^= x;
    return a;
}
uint f6_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 2 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    t.high = t.high;
    t.low ^= x;
    a += f6_1(d - 1, t.low + a, t, p + (b & 7), s, n, w);
    return a * 3 + p[x & 7];
}
uint f6_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f6_1_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 1 + given.high;
}
uint f6_2_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 2 + given.high;
}
uint f6_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    *up = a;
    t.low = t.high;
    t.low = b ^ x;
    t.low += b ^ x;
    p[b & 7] -= p[a & 7];
    a += f6_2_at_0(d - 1, b, t, &t.low, s, n, w);
    return a + b;
}
uint f6_1_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (x % 5 < 3) { a += f6_0_at_0(d - 1, t.high, t, s->seen + (a & 3), s, n, w); } else { s->sum -= s->seen[b & 3]; }
    s->seen[d & 3] ^= x;
    return a;
}
uint f6_2_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 2 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    t.high = t.high;
    t.low ^= x;
    a += f6_1_at_0(d - 1, t.low + a, t, p + (b & 7), s, n, w);
    return a * 3 + p[x & 7];
}
uint f6_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    *up = a;
    t.low = t.high;
    t.low = b ^ x;
    t.low += b ^ x;
    p[b & 7] -= p[a & 7];
    a += f6_2_at_1(d - 1, b, t, &t.low, s, n, w);
    return a + b;
}
uint f6_1_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 1 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    if (x % 5 < 3) { a += f6_0_at_1(d - 1, t.high, t, s->seen + (a & 3), s, n, w); } else { s->sum -= s->seen[b & 3]; }
    s->seen[d & 3] ^= x;
    return a;
}
uint f6_2_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 2 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    t.high = t.high;
    t.low ^= x;
    a += f6_1_at_1(d - 1, t.low + a, t, p + (b & 7), s, n, w);
    return a * 3 + p[x & 7];
}

kernel void k6(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(g % 2);
    x = f6_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f6_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f6_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f6_2(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

uint f7_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w);
uint f7_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 7) % get_local_size(0)];
    b = max(b, f7_0(d - 1, n, t, &a, s, n, w));
    a += f7_0(d - 1, x >> 3, t, &a, s, n, w);
    p[d & 7] = s->seen[b & 3];
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = t.high; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 0) % get_local_size(0)];
    if (s->fuel & 1) { if (d > 1) { return p[a & 7]; } else { return s->seen[b & 3]; } } else { p[b & 7] ^= n; }
    return a;
}
uint f7_0_at_0(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    return x * 3 + 0 + given.high;
}
uint f7_0_at_1(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 7) % get_local_size(0)];
    b = max(b, f7_0_at_0(d - 1, n, t, &a, s, n, w));
    a += f7_0_at_0(d - 1, x >> 3, t, &a, s, n, w);
    p[d & 7] = s->seen[b & 3];
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = t.high; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 0) % get_local_size(0)];
    if (s->fuel & 1) { if (d > 1) { return p[a & 7]; } else { return s->seen[b & 3]; } } else { p[b & 7] ^= n; }
    return a;
}
uint f7_0_at_2(int d, uint x, struct pair given, uint *up, struct state *s, uint n, local uint *w)
{
    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + 0 + given.high;
    uint a = x + 1, b = x ^ 0x55; uint p[8] = {x, a, b, n}; struct pair t = given; t.low += a; s->sum = s->sum * 3 + x; *up += x & 15;
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 7) % get_local_size(0)];
    b = max(b, f7_0_at_1(d - 1, n, t, &a, s, n, w));
    a += f7_0_at_1(d - 1, x >> 3, t, &a, s, n, w);
    p[d & 7] = s->seen[b & 3];
    barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = t.high; barrier(CLK_LOCAL_MEM_FENCE); a += w[(get_local_id(0) + 0) % get_local_size(0)];
    if (s->fuel & 1) { if (d > 1) { return p[a & 7]; } else { return s->seen[b & 3]; } } else { p[b & 7] ^= n; }
    return a;
}

kernel void k7(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{1, 40, {a, n}}, {1, 40, {a, n}}, {1, 200, {n, a}}};
    struct pair t = {a + 2, n};
    uint up[3] = {a, a, n}, x, y = 0;
    const int depth = 1 + (int)(n % 2);
    x = f7_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {
    case 1:
        y = f7_0_at_1(1, a, t, &up[1], &s[1], n, w);
        break;
    case 2:
        y = f7_0_at_2(2, a, t, &up[1], &s[1], n, w);
        break;
    }
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f7_0(4 + n, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}

