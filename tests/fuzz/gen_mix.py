#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels of what other generators leave out.

    gen_mix.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py: unions, structs by value and in local
memory, generic pointers that lie in one address space or another, arrays of pointers, vectors in
arrays at indices of the run, loads and stores of vectors at odd places, of all lengths and of
halves, atomics of every order whose results are used, 64-bit ones too, state machines of `goto`,
switches in switches with barriers in loops, functions of work-groups and copies by a whole group."""
from kernel_writer import Choices, print_kernels

ITEMS = 203
HEADER = """
#define OVER __attribute__((overloadable))
union view { uint w[4]; uchar b[16]; ushort h[8]; ulong q[2]; uint4 v; uchar16 c; ushort8 s; float f[4]; };
struct inner { uchar x; uint y; uchar3 z; };
struct outer { ushort a; struct inner in[3]; union view u; ulong big; };
struct __attribute__((packed)) tight { uchar a; uint b; ulong c; ushort d[2]; uchar e; };
struct ways { uint *p; const uint *q; uint n; };
constant uint table[37] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 0, 2, 8, 8, 4};
constant struct inner inners[5] = {{1, 2, {3, 4, 5}}, {6, 7, {8, 9, 10}}, {.y = 11}, {12, 13, {14, 15, 16}}, {.z = {1, 2, 3}}};
constant ushort4 fours[7] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}, {65535, 0, 1, 2}, {3, 4, 5, 6}, {7, 7, 7, 7}};
OVER uint fold(uint x) { return x; }
OVER uint fold(ulong x) { return (uint)(x ^ x >> 32); }
OVER uint fold(uint2 v) { return v.x * 3 + v.y; }
OVER uint fold(uint3 v) { return v.x * 3 + v.y * 5 + v.z; }
OVER uint fold(uint4 v) { return fold(v.lo) * 7 + fold(v.hi); }
OVER uint fold(uint8 v) { return fold(v.lo) * 7 + fold(v.hi); }
OVER uint fold(uint16 v) { return fold(v.lo) * 7 + fold(v.hi); }
OVER uint fold(float x) { return isnan(x) ? 77u : as_uint(x); }
uint fold_view(union view u) { u.b[3] ^= 5; return u.w[0] + u.w[1] * 3 + u.w[2] * 5 + u.w[3] * 7; }
uint fold_inner(struct inner i) { return i.x + i.y * 3 + i.z.x * 5 + i.z.y * 7 + i.z.z * 11; }
uint fold_outer(struct outer o)
{
    uint r = o.a + fold(o.big) * 3 + fold_view(o.u);
    for (int i = 0; i < 3; i++)
        r = r * 5 + fold_inner(o.in[i]);
    return r;
}
uint fold_tight(struct tight t) { return t.a + t.b * 3 + fold(t.c) * 5 + t.d[0] * 7 + t.d[1] * 11 + t.e * 13; }
struct outer turn(struct outer o, uint k)
{
    struct inner i = o.in[k % 3];
    o.in[k % 3] = o.in[(k + 1) % 3];
    o.in[(k + 1) % 3] = i;
    o.u.b[k & 15] ^= (uchar)k;
    o.big = rotate(o.big, (ulong)k);
    return o;
}
union view mix(union view u, struct tight t, uint k)
{
    if (k & 1)
        u.h[k >> 1 & 7] = t.d[k & 1];
    else
        u.q[k >> 1 & 1] += t.c;
    return u;
}
void bump(uint *p, uint x) { *p = *p * 3 + x; }
uint walk(const uint *p, uint n) { uint r = 0; while (n--) r = r * 5 + *p++; return r; }
uint8 plain8(uint x) { return (uint8)(x, x + 1, x * 3, x ^ 5, x >> 3, x << 2, ~x, 7); }
"""
# Tables that lanes may look up in registers of words.
HEADER += f"""constant uchar bytes[201] = {{{', '.join(str((i * 37 + 11) % 256) for i in range(201))}}};
constant char few_bytes[64] = {{{', '.join(str(i * 5 % 128 - 64) for i in range(64))}}};
constant short words[77] = {{{', '.join(str(i * 773 % 65536 - 32768) for i in range(77))}}};
"""
FENCE = "barrier(CLK_LOCAL_MEM_FENCE);"
ORDERS = ["memory_order_relaxed", "memory_order_acquire", "memory_order_release", "memory_order_acq_rel", "memory_order_seq_cst"]
SCOPES = ["memory_scope_work_item", "memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices"]
VARIABLES = ["a", "b", "c", "d"]


class Kernel(Choices):
    def __init__(self, source):
        super().__init__(source)
        self.barriers = self.chance(.5)
        self.plane = self.chance(.4)
        self.group_functions = self.barriers and self.chance(.5)

    # ---- expressions of type uint

    def number(self, low, high):
        return str(self.random.randint(low, high))

    def leaf(self):
        text = self.pick(*VARIABLES, *VARIABLES, "n", "(uint)g", "(uint)l", self.number(0, 40), "(uint)(e >> 32)", "(uint)e", "(uint)s",
                         f"u.w[{self.number(0, 3)}]", f"u.b[{self.number(0, 15)}]", "u.h[5]", "o.a", "o.in[1].y", "o.u.w[2]",
                         "(uint)o.big", "t.b", "t.d[1]", "v.s3", "(uint)k.z", f"m.s{self.pick(*'0123456789abcdef')}")
        return text if text in "abcdn" or text.startswith("(uint)") else f"(uint){text}"

    def index(self, count):
        if self.chance(.3):
            return self.number(0, count - 1)
        return f"({self.expression(2)}) % {count}u"

    def read(self):
        return "(uint)" + self.pick(
            lambda: f"p[{self.index(12)}]", lambda: f"(uint)pv[{self.index(5)}].s{self.number(0, 2)}",
            lambda: f"table[{self.index(37)}]", lambda: f"bytes[{self.index(201)}]", lambda: f"few_bytes[{self.index(64)}]",
            lambda: f"words[{self.index(77)}]", lambda: f"inners[{self.index(5)}].y", lambda: f"inners[{self.index(5)}].z.y",
            lambda: f"fours[{self.index(7)}].z", lambda: f"u.b[{self.index(16)}]", lambda: f"u.h[{self.index(8)}]",
            lambda: f"o.in[{self.index(3)}].{self.pick('x', 'y', 'z.x', 'z.z')}", lambda: f"in[{self.index(256)}]",
            lambda: f"fold_inner(o.in[{self.index(3)}])", lambda: f"fold_view(mix(u, t, {self.expression(2)}))", lambda: "fold_tight(t)",
            lambda: f"fold_outer(turn(o, {self.expression(2)}))", lambda: f"(*way[{self.index(4)}])", lambda: "(*w.p)", lambda: "w.q[1]",
            lambda: f"lw[4 * l + {self.index(4)}]", lambda: f"ls[l].in[{self.index(3)}].y", lambda: f"ls[l].u.b[{self.index(16)}]",
            lambda: f"pq[{self.index(3)}][{self.index(4)}]", lambda: f"fold(as_uint3(as_float3((uint3)({self.leaf()}, 7, {self.leaf()}))))",
            lambda: f"walk({self.pick('p', 'in', '(const uint *)&lw[4 * l]')} + {self.index(3)}, {self.expression(2)} & 1)",
            self.loaded, self.converted)()

    def loaded(self):
        """Vectors of all lengths from odd places."""
        width = self.pick(2, 3, 4, 8, 16)
        kind = self.pick("uchar", "ushort", "uint", "ulong")
        size = {"uchar": 1, "ushort": 2, "uint": 4, "ulong": 8}[kind]
        place, space, room = self.pick(("in", "global const", 1024), ("p", "", 48), ("u.b", "", 16), ("table", "constant", 148), ("o.u.w", "", 16),
                                       ("in", "const", 1024))
        units = room // size
        if units < width:
            return f"((const uchar *)p)[{self.index(48)}]"
        index = self.index((units - width) // width + 1)
        start = ""
        if units > width + 1 and self.chance(.5):
            index, start = "0", f" + {self.index(units - width + 1)}"
        wide = "ulong" if kind == "ulong" else "uint"
        if kind == "ulong":
            return f"fold(vload{width}({index}, ({space} {kind} *){place}{start}).s{self.number(0, width - 1) if width < 11 else 'b'})"
        return f"fold(convert_{wide}{width}(vload{width}({index}, ({space} {kind} *){place}{start})))"

    def converted(self):
        x, y = self.expression(2), self.expression(2)
        k = self.random.randint(0, 12)
        rounding = self.pick("", "_rte", "_rtz", "_rtp", "_rtn")
        small = f"((float)(int)(({x}) & 0xffff) * 0.0625f - 900.0f)"
        return [f"(uint)convert_char_sat{rounding}({small})", f"(uint)convert_uchar_sat{rounding}({small})",
                f"(uint)convert_int_sat{rounding}({small} * 1e7f)", f"(uint)convert_ushort3_sat{rounding}((float3)({small}, 2.5f, -1.0f)).x",
                f"(uint)upsample((ushort)({x}), (ushort)({y}))", f"fold(upsample((uint)({x}), (uint)({y})))", f"fold(((ulong){x} << 32 | {y}) >> ({y} & 63))",
                f"fold((ulong)((long)((ulong){x} << 31) >> ({y} & 63)))", f"mad_hi((uint){x}, (uint){y}, n)", f"ctz((uint){x})", f"fold(as_uchar4({x}).wzy{self.pick('x', 'z')} == (uchar4)3)",
                f"fold((float)((float3)({small}, 1, 2) * 3.0f).{self.pick('x', 'y')})",
                f"fold(({x} < {y}) ? (uint3)({x}, 1, {y}) : (uint3)(2))"][k].replace(
                    "fold(as_uchar4", "(uint)any(as_uchar4" if k == 10 else "fold(as_uchar4")

    def expression(self, depth=0):
        r = self.random.random()
        if depth > 2 or r < .25:
            return self.leaf()
        if r < .45 and depth < 2:
            return self.read()
        x, y = f"(uint){self.expression(depth + 1)}", f"(uint){self.expression(depth + 1)}"
        return self.pick(f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"({x} ^ {y})", f"({x} & {y})", f"({x} | {y})",
                         f"({x} << ({y} & 31))", f"({x} >> ({y} & 31))", f"({x} / ({y} | 1))", f"({x} % (({y} & 255) + 1))", f"rotate({x}, {y})",
                         f"(uint)(uchar)({x})", f"(uint)(short)({x})", f"(uint)({self.condition(depth + 1)} ? {x} : {y})", f"min({x}, {y})",
                         f"mul_hi({x}, {y})", f"clz({x})", f"popcount({x})", f"abs_diff({x}, {y})", f"sub_sat({x}, {y})", f"hadd({x}, {y})",
                         f"(a += {x}, {y})" if depth == 0 else f"({x} ^ {y} * 3)", f"~{x}", f"!{x}", f"(uint)({x} < {y})")

    def condition(self, depth=0):
        x = self.expression(depth + 1)
        return self.pick(f"({x} & {self.number(1, 9)})", f"({x} % 5 == {self.number(0, 4)})", f"({x} < {self.expression(depth + 1)})",
                         f"((int){x} > {self.number(0, 999)})", f"({self.leaf()} & 1 && {x} > 7)", f"({self.leaf()} & 1 || b++ % 3)",
                         "(g & 1)", "(g > 100)", "(l == 3)", f"any(v < (uint8)({x}))", f"all(k == (ushort3)((ushort){x}))", f"!({x} & 3)")

    def together(self):
        """A uint that is the same for all of a group."""
        return self.pick("n", "size", "n + size", "r0", "n * 3 + r0", "table[n + 3]", "(uint)get_group_id(0)", "in[n]", "(n ^ r0)")

    # ---- statements

    def place(self):
        return self.pick(
            lambda: self.pick(*VARIABLES), lambda: self.pick(*VARIABLES), lambda: f"p[{self.index(12)}]", lambda: f"u.w[{self.index(4)}]",
            lambda: f"u.b[{self.index(16)}]", lambda: f"u.h[{self.index(8)}]", lambda: "o.a", lambda: f"o.in[{self.index(3)}].x",
            lambda: f"o.in[{self.index(3)}].y", lambda: f"o.u.b[{self.index(16)}]", lambda: "t.b", lambda: f"t.d[{self.index(2)}]", lambda: "t.e",
            lambda: f"v.s{self.number(0, 7)}", lambda: "k.y", lambda: f"m.s{self.pick(*'09afc4')}", lambda: f"(*way[{self.index(4)}])",
            lambda: "(*w.p)", lambda: f"lw[4 * l + {self.index(4)}]", lambda: f"ls[l].in[{self.index(3)}].y", lambda: f"ls[l].u.h[{self.index(8)}]",
            lambda: "ls[l].a", lambda: f"pq[{self.index(3)}][{self.index(4)}]", lambda: f"out[4 * g + {self.index(4)}]",
            lambda: f"pv[{self.index(5)}].{self.pick('x', 'y', 'z')}", lambda: f"((uchar *)p)[{self.index(48)}]", lambda: "s")()

    def change(self):
        return self.pick(lambda: f"{self.place()} {self.pick('=', '+=', '^=', '-=', '*=', '|=')} {self.expression()};",
                         lambda: f"{self.place()}{self.pick('++', '--')};", self.vectors, self.vectors, self.stored, self.structs,
                         self.pointers, self.pointers, self.atomics, self.atomics, self.halves, self.wide)()

    def wide(self):
        x, y = self.expression(1), self.expression(1)
        return self.pick(f"e = (e << ({x} & 63)) + {y};", f"e ^= (ulong){x} << 32 | {y};", f"e = (ulong)((long)e >> ({x} & 63));",
                         f"e = rotate(e, (ulong){x});", f"e = mul_hi(e, (ulong){x} * 0x123456789ul);", f"e += e / ((ulong){x} | 1);",
                         f"e = e % (((ulong){x} << 17) + 1);", f"e = abs_diff(e, (ulong){x});", "a += popcount(e) + clz(e);", f"e -= (ulong){x} * {y};",
                         "e = as_ulong(as_uint2(e).yx);", "e = as_ulong(as_uchar8(e).s70615243);")

    def vectors(self):
        x = self.expression(1)
        i = self.pick(*"01234567")
        return self.pick(
            f"v += plain8({x});", f"v = v.{self.pick('s76543210', 's01234567', 's00112233', 's13570246')} ^ {x};", f"v.lo = v.hi * {x};",
            f"v.even += v.odd;", f"v.s{i} = v.s{self.pick(*'01234567')} + {x};", f"v.s024 = v.s{self.pick('571', '753', '111')} + 1;",
            f"k += (ushort3)((ushort){x}, 3, (ushort)b);", "k = k.zxy;", "k.xz = k.yy;", f"pv[{self.index(5)}] += k;",
            f"k = pv[{self.index(5)}] * (ushort)3;", f"pv[{self.index(5)}] = pv[{self.index(5)}].yzx;", f"m ^= (uchar16)((uchar){x});",
            "m = m.s0123456789abcdef.s1032547698badcfe;", f"m = shuffle(m, m ^ (uchar16)((uchar){x}));", f"m = shuffle(m, order) + (uchar){x};",
            f"pq[{self.index(3)}] = shuffle2(pq[{self.index(3)}], pq[{self.index(3)}], order4) + {x};", "m = as_uchar16(as_uint4(m) * 3u);",
            "m.lo = as_uchar8(as_ulong(m.hi) + 7);", "m.s3a = m.sc0;", f"v = v < plain8({x}) ? v : v + 5;", f"v = select(v, plain8({x}), v > 1000u);",
            f"u.v += (uint4)({x}, 1, 2, 3);", "u.c = u.c.sfedcba9876543210;", "u.s.lo = u.s.hi + (ushort)1;", f"v >>= {x};", f"v = rotate(v, (uint8)({x}));",
            f"k <<= (ushort)({x});", "k = convert_ushort3_sat(as_int3(v.s123));", f"v = (uint8)(u.v, v.s{i}, v.s321);", f"*(uint4 *)&pq[0] ^= {x};",
            f"pq[{self.index(3)}] ^= pq[{self.index(3)}].wxyz;", f"v.s{i}++;", "--k.x;",
            f"pq[{self.index(3)}].{self.pick('xy', 'zw', 'odd', 'even')} += v.s{self.pick('01', '76')};")

    def stored(self):
        width = self.pick(2, 3, 4, 8)
        place, units = self.pick(("p", 12), ("((uint *)&u)", 4), ("(&lw[4 * l])", 4), ("(out + 4 * g)", 4), ("((uint *)p)", 12))
        if width > units:
            width = 3
        value = {2: "v.s51", 3: "v.s246", 4: "v.hi", 8: "v"}[width]
        if self.chance(.5):
            return f"vstore{width}({value}, {self.index(units // width)}, {place});"
        kind = self.pick("uchar", "ushort")
        parts = units * (4 if kind == "uchar" else 2) - width + 1
        local = "local " if "lw" in place else "global " if "out" in place else ""
        return f"vstore{width}(convert_{kind}{width}({value}), 0, ({local}{kind} *){place} + {self.index(parts)});"

    def structs(self):
        x = self.expression(1)
        return self.pick(f"o = turn(o, {x});", f"u = mix(u, t, {x});", f"o.in[{self.index(3)}] = inners[{self.index(5)}];",
                         f"o.in[{self.index(3)}] = (struct inner){{.x = (uchar)({x}), .y = b, .z = (uchar3)(1, (uchar)c, 3)}};", "o.u = u;", "u = o.u;",
                         "ls[l] = o;", "o = ls[l];", "ls[l].u = u;", f"ls[l].in[{self.index(3)}] = o.in[{self.index(3)}];",
                         f"t = (struct tight){{(uchar)a, {x}, e, {{1, (ushort)b}}, 5}};", f"t.c += (ulong){x} << 20;",
                         f"{{ struct tight ts[3] = {{t, {{1, 2, 3}}, t}}; ts[{self.index(3)}].b += {x}; t = ts[{self.index(3)}]; }}",
                         f"{{ union view us[2]; us[0] = u; us[1].v = u.v.wzyx; us[{self.index(2)}].b[{self.index(16)}] ^= 77; u = us[{self.index(2)}]; }}",
                         f"a ^= fold_outer(turn(({self.condition(1)}) ? o : ls[l], {x}));")

    def pointers(self):
        """Generic pointers, each of which lies here or there."""
        x, q = self.expression(1), self.name("q")
        one = self.pick(f"p + {self.index(12)}", f"&u.w[{self.index(4)}]", f"&lw[4 * l + {self.index(4)}]", "&b", f"&o.in[{self.index(3)}].y",
                        f"out + 4 * g + {self.index(4)}", f"&ls[l].in[{self.index(3)}].y", f"(uint *)&pq[{self.index(3)}]")
        two = self.pick(f"p + {self.index(12)}", f"&lw[4 * l + {self.index(4)}]", f"out + 4 * g + {self.index(4)}", "&c", f"&ls[l].u.w[{self.index(4)}]")
        return self.pick(
            f"{{ uint *{q} = {self.condition(1)} ? (uint *)({one}) : (uint *)({two}); *{q} += {x}; }}",
            f"bump({self.condition(1)} ? (uint *)({one}) : (uint *)({two}), {x});",
            f"{{ uint *{q} = {one}; for (uint i = 0; i < {self.pick('3', '(a & 3)', 'n')}; i++) {{ *{q} ^= {x}; if ({self.condition(1)}) {q} = {two}; }} *{q} += 1; }}",
            f"way[{self.index(4)}] = {one};", f"w.p = {one};", f"w.q = {self.pick('in + ' + self.index(250), 'p + ' + self.index(8))};",
            f"w.p = way[{self.index(4)}];", f"{{ uint *{q} = way[{self.index(4)}]; way[1] = way[{self.index(4)}]; way[2] = {q}; }}",
            f"{{ struct ways y = w; if ({self.condition(1)}) y.p = {two}; bump(y.p, y.q[0]); }}",
            f"{{ uint *{q} = {self.condition(1)} ? (uint *)({one}) : (uint *)({two}); a += to_local({q}) ? 3 : to_global({q}) ? 5 : to_private({q}) ? 7 : 11; }}",
            f"{{ uint **{q} = {self.condition(1)} ? &w.p : &way[{self.index(4)}]; **{q} -= {x}; *{q} = {two}; }}",
            f"{{ uchar *{q} = (uchar *)({one}); {q}[{self.index(4)}] ^= {x}; }}",
            f"c += (way[{self.index(4)}] == way[{self.index(4)}]) ? 1 : 2;")

    def atomics(self):
        """Of every order, on what only this work-item changes, or on `shared`, unused."""
        x, q = self.expression(1), self.name("q")
        order, scope = self.pick(*ORDERS), self.pick(*SCOPES[1:])
        name = self.pick("add", "sub", "xor", "or", "and", "min", "max")
        shared = {"add": 0, "sub": 0, "xor": 1, "or": 2, "and": 3, "min": 4, "max": 5}[name]
        at = self.pick(f"(local atomic_uint *)&lw[4 * l + {self.index(4)}]", f"(global atomic_uint *)(out + 4 * g + {self.index(4)})",
                       f"(atomic_uint *)({self.condition(1)} ? (uint *)&lw[4 * l + 1] : (uint *)(out + 4 * g + 2))")
        fence = self.pick("CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE")
        load, store = self.pick(ORDERS[0], ORDERS[1], ORDERS[4]), self.pick(ORDERS[0], ORDERS[2], ORDERS[4])
        return self.pick(
            f"atomic_fetch_{name}_explicit((global atomic_uint *)(shared + {shared}), {x}, {order}, {scope});",
            f"a {self.pick('+=', '^=', '=')} atomic_fetch_{name}_explicit({at}, {x}, {order}, {scope});",
            f"b ^= atomic_exchange_explicit({at}, {x}, {order}, {scope});", f"c += atomic_load_explicit({at}, {load}, {scope});",
            f"atomic_store_explicit({at}, {x}, {store}, {scope});",
            f"{{ uint {q} = {self.leaf()}; if (atomic_compare_exchange_{self.pick('strong', 'strong')}_explicit({at}, &{q}, {x}, {order}, {load.replace('seq_cst', 'relaxed') if order != ORDERS[4] else load}, {scope})) a++; else b += {q}; }}"
            if order not in (ORDERS[0], ORDERS[2]) else f"atomic_work_item_fence({fence}, {order}, {scope});",
            f"e ^= atom_add((volatile global ulong *)(out + 4 * g{self.pick('', ' + 2')}), (ulong){x} << 7);",
            f"e += atom_xchg((volatile local ulong *)(lw + 4 * l{self.pick('', ' + 2')}), e);",
            f"e += atomic_fetch_max_explicit((global atomic_ulong *)(out + 4 * g), e, {order}, {scope});",
            f"d ^= atomic_{self.pick('inc', 'dec')}(&lw[4 * l + {self.index(4)}]);", f"d += atomic_cmpxchg(out + 4 * g + {self.index(4)}, {self.leaf()}, {x});",
            f"f += atomic_xchg((local float *)&lf[l], (float)(({x}) & 255));")

    def halves(self):
        x = self.expression(1)
        rounding = self.pick("", "_rte", "_rtz", "_rtp", "_rtn")
        number = f"((float)(int)(({x}) & 0xffffff) * 0.00390625f)"
        return self.pick(f"vstore_half{rounding}({number}, {self.index(8)}, (half *)u.h);", f"f += vload_half({self.index(8)}, (half *)u.h);",
                         f"vstore_half4{rounding}((float4)({number}, 1.1f, f, -3), {self.index(2)}, (half *)u.h);",
                         f"vstorea_half2{rounding}((float2)({number}, f), {self.index(2)}, (half *)u.h);",
                         f"f = vload_half3({self.index(2)}, (half *)u.h).{self.pick('x', 'y', 'z')};", "f = f * 0.5f + u.f[1];",
                         f"f = fmin(fmax(f, -1000.0f), {number});", "f = isfinite(f) ? f : 3.0f;", f"u.f[{self.index(4)}] = f;",
                         "a ^= fold(ldexp(f, 3)) + fold(fmod(fmax(f, 1.0f), 3.5f));", "f = nextafter(f, 2.0f) + copysign(1.0f, f);",
                         "{ int q = 0; f = isfinite(f) ? frexp(f, &q) : 2; b += q; }", "a += ilogb(f) + signbit(f) + isnormal(f) * 3;",
                         "{ float q = modf(f, &f); a += fold(q); }", "f = floor(f) + remainder(f, 3.0f);")

    def statement(self, depth, together):
        r = self.random.random()
        if together and self.barriers and r < .25:
            return self.exchange()
        if depth > 3 or r < .55:
            return self.change()
        if together and self.barriers and r < .75:
            return self.together_flow(depth)
        return self.pick(self.branch, self.branch, self.loop, self.loop, self.switch, self.machine, self.duff)(depth)

    def block(self, depth, together=False, most=3):
        return " ".join(self.statement(depth + 1, together) for _ in range(self.random.randint(1, most)))

    def branch(self, depth):
        more = f" else {{ {self.block(depth)} }}" if self.chance(.5) else ""
        return f"if ({self.condition()}) {{ {self.block(depth)} }}{more}"

    def loop(self, depth):
        i = self.name("i")
        rounds = self.pick("3", "(a & 3)", "n", "(in[g] & 7)", "(b % 5)")
        leave = f"if ({self.condition(1)}) {self.pick('break;', 'continue;')}" if self.chance(.5) else ""
        body = f"{self.block(depth, most=2)} {leave} {self.change() if leave else ''}"
        return self.pick(f"for (uint {i} = 0; {i} < {rounds}; {i}++) {{ {body} }}",
                         f"do {{ {body} }} while (fuel-- > 0 && {self.condition(1)});",
                         f"for (uint {i} = 0, j{i} = 9; {i} < j{i} && fuel-- > 0; {i}++, j{i}--) {{ p[{i}] ^= j{i}; {body} }}",
                         f"while (fuel-- > 0) {{ if ({self.condition(1)}) break; {body} }}")

    def switch(self, depth):
        cases = " ".join(f"case {i}: {self.block(depth, most=2)} {self.pick('', '', 'break;')}"
                         for i in self.random.sample(range(12), self.random.randint(2, 6)))
        inner = f"switch (({self.expression(1)}) & 3) {{ case 0: {self.change()} case 1: {self.change()} break; default: {self.change()} case 3: {self.change()} }}"
        return f"switch (({self.expression(1)}) % {self.number(5, 14)}u) {{ {cases} default: {self.pick('', inner)} }}"

    def machine(self, depth):
        """States and jumps between them."""
        name, count = self.name("at"), self.random.randint(2, 4)
        states = " ".join(f"{name}_{i}: {self.change()} if (fuel-- <= 0) goto {name}_end; if ({self.condition(1)}) goto {name}_{self.random.randrange(count)};"
                          for i in range(count))
        return f"{{ {states} {name}_end: d += 1; }}"

    def duff(self, depth):
        i = self.name("i")
        return f"{{ uint {i} = ({self.leaf()} & 3); switch ({self.leaf()} & 3) {{ case 0: do {{ {self.change()} case 3: {self.change()} " \
               f"case 2: {self.change()} case 1: {self.change()} }} while ({i}-- > 0 && fuel-- > 0); }} }}"

    # ---- what a group does together

    def together_flow(self, depth):
        i, body = self.name("i"), lambda most=2: self.block(depth, True, most)
        t = self.together()
        return self.pick(
            lambda: f"for (uint {i} = 0; {i} < {self.pick('3', '(n & 3)', f'({t}) % 4')}; {i}++) {{ {body()} "
                    f"{self.pick('', f'if (({self.together()}) % 3 == {i}) break;', f'if ((({self.together()}) + {i}) % 3 == 1) continue;')} {body(1)} }}",
            lambda: f"switch (({t}) % 4) {{ case 0: {body()} case 1: {body()} {self.pick('', 'break;')} case 2: switch (({self.together()}) & 1) "
                    f"{{ case 1: {body(1)} default: {body(1)} }} {self.pick('', 'break;')} default: {body(1)} }}",
            lambda: f"if (({t}) % 3 {self.pick('==', '!=')} 1) {{ {body()} }} else {{ {body()} }}",
            lambda: f"{{ uint {i} = 0; {i}_again: {body()} if (++{i} < 2 + (n & 1)) goto {i}_again; }}",
            lambda: f"for (uint {i} = 0; {i} < 2; {i}++) switch (({t}) + {i} & 3) {{ case 0: {body(1)} case 2: {body(1)} break; case 3: {body(1)} continue; default: {body(1)} }}",
            lambda: f"{{ uint {i} = work_group_broadcast(a, 0{', 0' if self.plane else ''}{', 0' if self.plane else ''}) & 3; while ({i}--) {{ {body()} }} }}"
            if self.group_functions and not self.plane else self.change())()

    def exchange(self):
        x = self.expression(1)
        choices = [
            f"lx[l] = {x}; {FENCE} {self.pick(*VARIABLES)} ^= lx[{self.pick('(l + 1) % size', 'size - 1 - l', f'({self.expression(2)}) % size', '0', 'l ^ 1 < size ? 0 : l')}]; {FENCE}",
            f"ls[l] = o; {FENCE} a += fold_inner(ls[(l + {self.number(1, 5)}) % size].in[{self.index(3)}]); {FENCE}",
            f"lx[l] = {x}; {FENCE} {{ local uint *q = &lx[({self.expression(2)}) % size]; uint z = *(uint *)q; way[3] = &p[z % 12]; }} {FENCE}",
            f"if ({self.condition(1)}) lx[l] = {x}; else lx[l] = 5; {FENCE} r0 = lx[size / 2] & 7; {FENCE}",
            f"if (l == 0) for (uint i = 0; i < size; i++) lx[i] = i * {self.number(1, 9)}; {FENCE} c += lx[l]; {FENCE}",
            f"{FENCE} if (l == size - 1) lx[0] = {x}; {FENCE} r0 ^= lx[0] & 3; {FENCE}",
            f"lx[l] = 0; {FENCE} atomic_add(&lx[({self.expression(2)}) % size], 3); {FENCE} b += lx[l]; {FENCE}",
            f"{FENCE} {{ event_t ev = async_work_group_copy(lx, in + {self.pick('n', '7', 'r0')}, 32, 0); wait_group_events(1, &ev); }} {FENCE} a ^= lx[{self.index(32)}]; {FENCE}",
            f"{FENCE} {{ event_t ev = async_work_group_strided_copy(lx, in + {self.pick('n', '3')}, 20, 5, 0); wait_group_events(1, &ev); }} {FENCE} a ^= lx[{self.index(20)}]; {FENCE}",
            f"{FENCE} for (uint s = 1; s < size; s *= 2) {{ uint z = l >= s ? lx[l - s] : 0; {FENCE} lx[l] = (l < size ? z : 0) + (l & s); {FENCE} }}",
        ]
        if self.group_functions:
            kind = self.pick("uint", "ulong", "int")
            fix = "" if kind != "int" else " & 0xffff"
            name = self.pick("add", "min", "max")
            choices += [
                f"a ^= (uint)work_group_reduce_{name}(({kind})({x}{fix}));", f"b += (uint)work_group_scan_{self.pick('inclusive', 'exclusive')}_{name}(({kind})({x}{fix}));",
                f"r0 = work_group_{self.pick('any', 'all')}({self.condition(1)}) ? 1 : 2;", f"c = work_group_{self.pick('any', 'all')}({self.condition(1)}) ? c : {x};",
            ] * 2
        return self.pick(*choices)

    # ---- the frame of a kernel

    def text(self, number):
        body = "\n    ".join(self.statement(0, True) for _ in range(self.random.randint(3, 8)))
        name = f"plane{number}" if self.plane else f"k{number}"
        return f"""
kernel void {name}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    local uint lx[64], lw[256];
    local struct outer ls[64];
    local float lf[64];
    const {self.pick('uint', 'size_t', 'int')} g = get_global_linear_id();
    const {self.pick('uint', 'size_t')} l = get_local_linear_id();
    const uint size = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint a = in[g], b = a * 7 + n, c = g, d = l, r0 = n & 3;
    ushort s = (ushort)a;
    int fuel = 12;
    ulong e = (ulong)a << 32 | b;
    float f = (float)(a & 0xfff);
    uint p[12] = {{a, b, c, d, n, 5, 6, 7, 8, 9, 10, 11}};
    ushort3 k = (ushort3)((ushort)a, 2, 3), pv[5] = {{k, k.zyx, k + (ushort)1, 7, 9}};
    uint8 v = plain8(a);
    uint4 pq[3] = {{(uint4)(a, b, c, d), 1, v.hi}};
    uchar16 m = as_uchar16(v.lo);
    const uchar16 order = m;
    const uint4 order4 = v.hi;
    union view u = {{.w = {{a, b, c, 4}}}};
    struct outer o = {{1, {{{{2, a, 3}}, inners[a % 5], {{4, b, 5}}}}, u, e}};
    struct tight t = {{1, b, e, {{2, 3}}, 4}};
    uint *way[4] = {{p, &b, &lw[4 * l], out + 4 * g}};
    struct ways w = {{p + 3, in + (a & 63), 5}};
    vstore4(v.lo, l, lw);
    lx[l] = l; lf[l] = 1; ls[l] = o;
    {FENCE if self.barriers else ''}
    {body}
    if (!(f == f)) f = 3;
    out[4 * g] ^= a + b * 3 + c * 5 + d * 7 + s + r0;
    out[4 * g + 1] += fold(e) + fold(f) * 3 + fold(v) * 5 + k.x + k.y * 3 + k.z * 5 + fold(as_uint4(m));
    out[4 * g + 2] -= fold_view(u) + fold_outer(o) * 3 + fold_tight(t) + *w.p + *way[0] * 3 + *way[1] * 5 + *way[2] * 7 + *way[3];
    for (int i = 0; i < 12; i++) out[4 * g + 3] = out[4 * g + 3] * 5 + p[i];
    for (int i = 0; i < 5; i++) out[4 * g + 3] = out[4 * g + 3] * 5 + fold(convert_uint3(pv[i]));
    for (int i = 0; i < 4; i++) out[4 * g + 3] = out[4 * g + 3] * 5 + lw[4 * l + i] + fold(pq[i % 3]);
    out[4 * g + 1] ^= fold_outer(ls[l]) + fold(lf[l]);
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda source: "\n#pragma OPENCL FP_CONTRACT OFF\n" + HEADER)
