# SPDX-License-Identifier: MIT
"""What the generators of random kernels share: expressions of every type, and statements
that need nothing of other work-items.

Work-item g writes to out[4 * g] .. out[4 * g + 3] only, and to `shared` by atomics that may
come in any order, so every order of work-items gives the same result. All loops end: those
with conditions of their own burn fuel. Nothing is undefined: divisors are tested, signed
numbers do not overflow, numbers are cut before they become narrower ones, and what a
floating-point number is goes out without the bits of a NaN."""
import random
import sys

# What the statements of Patterns call.
PATTERNS = """
void step(global uint *restrict to, global const uint *restrict from, uint x)
{
    *to = *from * 3 + x;
}
void step_local(local uint *restrict to, local const uint *restrict from, uint x)
{
    *to = *from + x;
}
void step_private(uint *restrict to, const uint *restrict from, uint x)
{
    *to ^= *from + x;
}
void fold(global uint *restrict to, global const uint *restrict in, uint count)
{
    for (uint i = 0; i < count; i++)
        *to += in[i] ^ i;
}
void swap(uint *x, uint *y)
{
    uint was = *x;
    *x = *y;
    *y = was + 1;
}
__attribute__((noinline)) uint stir(uint *p, uint i, uint x)
{
    p[i & 7] ^= x;
    if (x & 2)
        p[(i + x) & 7] += 3;
    return p[(i * 3) & 7];
}
uint *larger(uint *x, uint *y)
{
    return *x > *y ? x : y;
}
"""
HEADER = PATTERNS + """
struct pair { uint x; uchar y; };
struct record { uchar4 colour; float3 place; ushort id; ulong big; uint part[4]; };
uint bits(float x)
{
    return isnan(x) ? 77u : as_uint(x);
}
float real(uint x)
{
    return (float)(int)(x & 0xfffff) * 0.125f - 1000.0f;
}
uint twist(uint x, uint y)
{
    if (x & 4)
        return x * y + 3;
    for (uint i = 0; i < (y & 3); i++)
        x = x * 5 + i;
    return x ^ y;
}
inline __attribute__((noinline)) uint kept(uint x, uint y)
{
    for (uint i = 0; i < (x & 3); i++) {
        if (y % 5 == 2)
            return y ^ x;
        y = y * 9 + i;
    }
    return y;
}
struct pair make_pair(uint x, uint y)
{
    struct pair made = {x * 3 + y, (uchar)(x ^ y)};
    if (y & 1)
        made.x -= 5;
    return made;
}
uint sum_record(struct record r)
{
    uint sum = r.id + (uint)r.big + r.colour.x;
    for (int i = 0; i < 4; i++)
        sum = sum * 3 + r.part[i];
    return sum + bits(r.place.y);
}
"""

# Variables of a kernel: what declares them (a, b, c, d, g and n are there), and what they
# add to the result.
FEATURES = {
    "wide": ("ulong e = ((ulong)a << 32) | b; long k = (long)b - c;",
             "(uint)(e ^ (e >> 32)) + (uint)k"),
    "narrow": ("uchar q = a; short s = b; ushort y = c; char x = d;", "q + s * 3u + y + x * 7u"),
    "real": ("float f = real(a), h = real(c); float fp[5] = {f, h, 1, -2, 3};",
             "bits(f) + bits(h) * 3 + bits(fp[b % 5])"),
    "vector": ("uint4 v = (uint4)(a, b, c, d); uchar4 z = (uchar4)(a, b, c, d);",
               "(v.x ^ v.y) + v.z * v.w + as_uint(z)"),
    "real3": ("float3 w = (float3)(real(a), real(b), 2.5f);", "bits(w.x) + bits(w.y) * 3 + bits(w.z)"),
    "record": ("struct record m = {(uchar4)(a, 2, b, 4), (float3)(1, real(c), 3), d, a, {1, b, 3, c}};",
               "sum_record(m)"),
    "bytes": ("uchar r[12] = {a, b, c, d, 5, 6, 7, 8, 9, 10, 11, 12};", "r[a % 12] + r[b % 12] * 256u"),
    "pairs": ("struct pair j[4] = {{a, 1}, {b, 2}, {c, 3}, {d, 4}};", "j[c & 3].x + j[d & 3].y"),
    "volatile": ("volatile uint o = a;", "o"),
}
SHARED = ["add", "sub", "xor", "or", "and", "max", "min"]


class Choices:
    def __init__(self, source):
        self.random = source
        self.names = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def weighted(self, *choices):
        """The result of one of the functions of (weight, function) pairs."""
        functions = [function for _, function in choices]
        return self.random.choices(functions, [weight for weight, _ in choices])[0]()


def contraction(source):
    """Whether products and sums may be one operation."""
    return f"\n#pragma OPENCL FP_CONTRACT {source.choice(['ON', 'OFF'])}\n"


def print_kernels(kernel, head=lambda source: ""):
    """A generator's whole program: as many of `kernel` as its arguments say, after what `head`
    returns."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    print(f"// seed {seed}{head(source)}")
    for number in range(count):
        print(kernel(source).text(number))


def parameters(source):
    """Of a kernel; its buffers are different ones, so each pointer may say so."""
    kinds = ["global const uint *{}in", "global uint *{}out", "global uint *{}shared"]
    return ", ".join(kind.format(source.choice(["", "", "restrict "])) for kind in kinds) + ", uint n"


class Patterns(Choices):
    """Statements of what has gone wrong before: `restrict` of called functions, jumps into
    loops, locks and retries, signed indices near the ends of their range, pointers to private
    variables. They need variables a, b and c of type uint, `fuel`, g below 203, what frame()
    declares, and functions value(), condition() and change(). Words 8 to 13 of `shared` are
    locks and what they protect."""
    array, turns = "u", "turns"
    owns_words = True  # of `out`, four

    def __init__(self, source):
        super().__init__(source)
        self.lock = source.choice(["version", "ticket", "bit"])

    def own_word(self, i):
        return f"out + 4 * g + ({i})"

    def inside(self):
        """A statement where jumps arrive."""
        return self.change()

    def ends(self):
        return """const int low = n > 100 ? 7 : -2147483647 - 1, high = n > 100 ? 7 : 2147483647;
    const uint ones = n > 100 ? 7 : 0xffffffffu;"""

    def frame(self):
        return f"{self.ends()}\n    uint {self.array}[24] = {{a, b, g, n}};"

    def kinds(self):
        return [*([self.called_in_loop, self.called_to_and_fro] if self.owns_words else []), self.called_with_private,
                *([self.folded] if self.owns_words else []), self.jump_into_loop, self.jump_into_two_loops, self.protected,
                self.retry, self.near_an_end, self.near_an_end, self.round_the_end, self.pointed, self.pointed]

    def pattern(self):
        return self.pick(*self.kinds())()

    # ---- restrict of parameters

    def called_in_loop(self):
        i, rounds = self.name("i"), self.pick("3", "3", "(n & 3)", "(a & 3)")
        return f"for (int {i} = 0; {i} < {rounds}; {i}++) {{ step({self.own_word(i + ' + 1')}, {self.own_word(i)}, {self.value()}); " \
               f"{self.pick('', self.change())} }}"

    def called_to_and_fro(self):
        x, y, i = self.name("x"), self.name("y"), self.name("i")
        return f"{{ global uint *{x} = {self.own_word('a & 1')}, *{y} = {self.own_word('2 + (b & 1)')}; " \
               f"for (uint {i} = 0; {i} < {self.pick('5', 'n', '(c & 7)')}; {i}++) {{ step({x}, {y}, {i}); " \
               f"global uint *t = {x}; {x} = {y}; {y} = t; }} }}"

    def called_with_private(self):
        i, apart = self.name("i"), self.random.randint(1, 7)
        return f"for (int {i} = 0; {i} < {self.pick('16', '(int)(n * 3 & 15)', '(int)(a & 15)')}; {i}++) " \
               f"step_private(&{self.array}[{i} + {apart}], &{self.array}[{i}], {self.value()});"

    def folded(self):
        i = self.name("i")
        return f"for (uint {i} = 0; {i} < {self.pick('2', 'n', '(b & 3)')}; {i}++) " \
               f"fold({self.own_word(i + ' & 3')}, in + {self.pick('g', 'n', '(a & 127)')}, {self.pick('n', '4', '(c & 7)')});"

    def called_behind_barrier(self):
        """One work-item goes on where another has been: rounds of one, or of all in turn."""
        i, apart, w = self.name("i"), self.random.randint(1, 7), self.turns
        fill = f"for (uint i = l; i < 96; i += size) {w}[i] = i < 8 ? i : 0; barrier(CLK_LOCAL_MEM_FENCE); "
        if self.pick(True, False):
            body = f"if (l == 0) for (int {i} = 0; {i} < 64 + (int)n; {i}++) step_local(&{w}[{i} + {apart}], &{w}[{i}], 1); " \
                   "barrier(CLK_LOCAL_MEM_FENCE); "
        else:
            body = f"for (uint {i} = 0; {i} < 40; {i}++) {{ if (l == {i} % size) step_local(&{w}[{i} + {apart}], &{w}[{i}], n); " \
                   "barrier(CLK_LOCAL_MEM_FENCE); } "
        return fill + body + f"{self.pick('a', 'c')} ^= {w}[({self.value()}) % 64]; barrier(CLK_LOCAL_MEM_FENCE);"

    # ---- jumps into loops

    def jump_into_loop(self):
        i = self.name("i")
        inner = self.pick("", f"for (int {i} = 0; {i} < 2; {i}++) {{ {self.change()} ", )
        close = " }" if inner else ""
        loop = self.pick("do {{ {0} }} while (fuel-- > 0 && {1});", "while (fuel-- > 0 && {1}) {{ {0} }}")
        body = f"{self.change()} case 1: {self.inside()} {inner if not inner else ''}case 2: {self.change()} {self.pick('', 'break;')}"
        if inner:
            body += f" {inner}{self.pick('continue;', '')} {close}"
        return f"switch ({self.value()} & 3) {{ case 0: {loop.format(body, self.condition())} {self.pick('break;', '')} " \
               f"default: {self.change()} }}"

    def jump_into_two_loops(self):
        i, there = self.name("i"), self.name("there")
        return f"{{ int {i} = 0; if ({self.condition()}) goto {there}; while (fuel-- > 0 && {self.condition()}) {{ {self.change()} " \
               f"for (; {i} < 4 && fuel-- > 0; {i}++) {{ {self.change()} {there}: {self.inside()} }} {i} = 0; }} }}"

    # ---- locks and retries

    def protected(self):
        work = f"*(volatile global uint *)(shared + 10) += {self.value()};"
        i = self.name("seen")
        if self.lock == "version":
            take = f"uint {i}, e{i} = 8; do {{ {i} = atomic_cmpxchg(shared + 8, e{i}, e{i} + 1); if ({i} == e{i}) break; " \
                   f"e{i} = {i} + ({i} & 1); }} while (1);"
            give = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(shared + 8);"
        elif self.lock == "ticket":
            take = f"uint {i} = atomic_inc(shared + 8); while (atomic_add(shared + 9, 0) != {i} + 1) ;"
            give = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(shared + 9);"
        else:
            take = f"uint {i} = 13, e{i}; do {{ e{i} = {i}; {i} = atomic_cmpxchg(shared + 13, e{i}, e{i} | 2); }} " \
                   f"while ({i} != e{i} || ({i} & 2));"
            give = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_and(shared + 13, ~2u);"
        return f"{{ {take} {work} {give} }}"

    def retry(self):
        i, x = self.name("old"), self.value()
        return self.pick(
            f"{{ uint {i}; do {i} = *(volatile global uint *)(shared + 11); "
            f"while (atomic_cmpxchg(shared + 11, {i}, {i} + ({x})) != {i}); }}",
            f"{{ uint {i} = 11, now; while ((now = atomic_cmpxchg(shared + 11, {i}, {i} + ({x}))) != {i}) {i} = now; }}",
            f"{{ uint {i}; do {i} = atomic_or(shared + 12, 0); while (atomic_cmpxchg(shared + 12, {i}, {i} ^ ({x})) != {i}); }}")

    # ---- ends of ranges

    def near_an_end(self):
        j, first = self.name("j"), self.random.randint(1, 40)
        index, place = self.pick(
            (f"(int)(g - {first}) + low", "in[(long){j} + 0x80000000L]"),
            (f"high - (int)(g - {first})", "in[0x7fffffffL - {j}]"),
            (f"2 * (int)(g - {first}) + low", "in[((long){j} + 0x80000000L) >> 1]"),
            (f"2 * (int)(g - {first}) + low", "in[({j} >> 1) + 0x40000000]"),
            (f"(n > 1 ? (int)(g - {first}) + low : low + (int)n)", "in[(long){j} + 0x80000000L]"),
            (f"(int)(g - {first}) * 4 + low", "in[({j} - low) / 4]"))
        use = f"{self.pick('a', 'c')} += {place.format(j=j)};"
        if place == "in[(long){j} + 0x80000000L]" and self.pick(True, False):
            k = self.name("k")
            use = f"for (int {k} = 0; {k} < {self.pick('3', '(int)n', '(int)(b & 7)')}; {k}++, {j}++) {use}"
        more = self.pick("", f" && {self.condition()}")
        return f"if (g >= {first}{more}) {{ int {j} = {index}; {use} }}"

    def round_the_end(self):
        i, first = self.name("i"), self.random.randint(1, 60)
        return f"{{ uint {i} = (g - {first}u) & ones; if ({i} < 203) b += in[{i}]; else c ^= {i}; }}"

    # ---- pointers to private variables

    def pointed(self):
        p = self.array
        return self.pick("swap(&a, &b);", f"swap(&{p}[a & 7], &{p}[8 + (b & 7)]);", f"*larger(&a, &c) -= {self.value()};",
                         f"c ^= stir({p}, {self.value()}, {self.value()});", f"step_private({self.pick('&a', f'&{p}[n]')}, &c, n);",
                         f"b += stir({self.condition()} ? {p} : {p} + 8, a, {self.value()});")


class Writer(Patterns):
    VARIABLES = ["a", "b", "c", "d"]

    def __init__(self, source, most_features=4):
        super().__init__(source)
        self.uniform = ["n"]
        self.features = set(source.sample(sorted(FEATURES), source.randint(0, most_features)))
        self.patterned = self.chance(.4)
        self.labels = []  # of jumps forward that may be taken here
        self.may_return = True

    # ---- choices

    def of(self, feature, *choices):
        return list(choices) if feature in self.features else []

    # ---- expressions

    def leaf(self):
        sub = self.random.randint(0, 11)
        return self.pick(
            *self.VARIABLES, *self.VARIABLES, *self.uniform, "(uint)g", str(self.random.randint(0, 9)),
            *self.of("wide", "(uint)e", "(uint)(e >> 32)", "(uint)k"),
            *self.of("narrow", "(uint)q", "(uint)s", "(uint)y", "(uint)x"),
            *self.of("real", "bits(f)", f"bits(fp[{sub % 5}])"),
            *self.of("vector", f"v.{self.pick(*'xyzw')}", f"v.s{sub & 3}", f"(uint)z.{self.pick(*'xyzw')}",
                     "as_uint(z.wzyx)", "(v.xy + v.wz).y"),
            *self.of("real3", f"bits(w.{self.pick(*'xyz')})"),
            *self.of("record", "(uint)m.id", "(uint)m.colour.y", "(uint)m.big", f"m.part[{sub & 3}]", "bits(m.place.z)"),
            *self.of("bytes", f"(uint)r[{sub}]"), *self.of("pairs", f"j[{sub & 3}].x", f"(uint)j[{sub & 3}].y"),
            *self.of("volatile", "o"))

    def divided(self, sub):
        kind = self.random.random()
        x, y, operator = f"(uint)({self.expression(sub)})", self.expression(sub), self.pick("/", "%")
        if kind < .4:
            return f"({x} {operator} (({y}) | 1))"
        if kind < .6:
            return f"(uint)((int)({x}) {operator} (int)((({y}) & 255) | 1))"
        name = self.pick(*self.VARIABLES)
        if kind < .8:
            return f"({name} != 0 ? ({x}) {operator} {name} : {y})"
        if kind < .9:
            return f"(uint)((ulong)({x}) * 77 {operator} ((({y}) & 0xffff) + 1))"
        return f"(uint)(uchar)((uchar)({x}) {operator} (uchar)(({y}) | 1))"

    def indexed(self, sub):
        i = self.expression(sub)
        return self.pick(f"p[({i}) & 7]", f"p[({i}) & 7]", *self.of("bytes", f"(uint)r[({i}) % 12]"),
                         *self.of("real", f"bits(fp[({i}) % 5])"),
                         *self.of("pairs", f"j[({i}) & 3].x", f"(uint)j[({i}) & 3].y"),
                         *self.of("record", f"m.part[({i}) & 3]"),
                         f"{self.input(sub)}")

    def input(self, sub):
        return f"in[({self.pick('g + ', 'g - ', 'g * 3 + ', '')}{self.expression(sub)}) & 255]"

    def called(self, sub):
        x, y = f"(uint)({self.expression(sub)})", f"(uint)({self.expression(sub)})"
        return self.pick(f"twist({x}, {y})", f"kept({x}, {y})", f"make_pair({x}, {y}).x", f"max({x}, {y})",
                         f"popcount({x})", f"clz({x})", f"rotate({x}, {y})", f"mul_hi({x}, {y})",
                         f"abs_diff({x}, {y})", f"add_sat({x}, {y})",
                         *self.of("record", "sum_record(m)"))

    def expression(self, depth=0):
        r, sub = self.random.random(), depth + 1
        if depth > 2 or r < .3:
            return self.leaf()
        if r < .66:
            return f"({self.expression(sub)} {self.pick('+', '-', '*', '^', '&', '|')} {self.expression(sub)})"
        if r < .72:
            return self.divided(sub)
        if r < .77:
            return f"({self.expression(sub)} {self.pick('>>', '<<')} ({self.expression(sub)} & 15))"
        if r < .81:
            return f"({self.condition(sub)} ? {self.expression(sub)} : {self.expression(sub)})"
        if r < .84:
            return self.called(sub)
        if r < .92:
            return self.indexed(sub)
        if r < .94:
            return f"(uint)(float)(({self.expression(sub)}) & 0xffff)"
        return self.input(sub)

    def real_expression(self, depth=0):
        r, sub = self.random.random(), depth + 1
        if depth > 2 or r < .3:
            return self.pick("1.5f", "0.1f", *self.of("real", "f", "h", f"fp[{self.random.randint(0, 4)}]"),
                             *self.of("real3", "w.x", "w.z", "w.y"), *self.of("record", "m.place.x"),
                             f"real({self.expression(2)})")
        x, y = self.real_expression(sub), self.real_expression(sub)
        if r < .75:
            return f"({x} {self.pick('+', '-', '*', '*', '/')} {y})"
        if r < .85:
            return f"fma({x}, {y}, {self.real_expression(sub)})"
        if r < .92:
            return f"({x} {self.pick('<', '>=', '==')} {y} ? {self.real_expression(sub)} : {y})"
        return f"{self.pick('sqrt(fabs(', 'floor((', 'fabs((')}{x}))"

    def condition(self, depth=1):
        r = self.random.random()
        if r < .15:
            return f"(n & {self.random.randint(1, 7)})"
        if r < .25 and self.features & {"real", "real3"}:
            return f"({self.real_expression(2)} {self.pick('<', '>', '!=')} {self.real_expression(2)})"
        if r < .35:
            return f"({self.condition(depth + 1)} {self.pick('&&', '||')} {self.condition(depth + 1)})" \
                if depth < 3 else "(g & 1)"
        return f"({self.expression(depth)} % {self.random.randint(2, 5)} " \
               f"{self.pick('==', '<', '!=')} {self.random.randint(0, 2)})"

    # ---- statements that change one variable

    def store(self):
        i, x = self.expression(1), self.expression(1)
        return self.pick(
            f"p[({i}) & 7] {self.pick('=', '+=')} {x};",
            *self.of("wide", f"e = e * ({x}) + {self.pick('k', 'b')};", f"e ^= (ulong)({x}) << (({i}) & 31);",
                     f"k = (long)(({x}) >> 1) - (int)(({i}) >> 2);", f"k /= (int)((({x}) & 63) + 1);"),
            *self.of("narrow", f"q += {x};", f"s = (short)(({x}) & 0x7fff) >> 2;", f"y ^= {x};",
                     f"x = (char)(({i}) & 127) - 64;", f"q = (uchar)(q * 3) / (uchar)(({x}) | 1);"),
            *self.of("real", f"f = {self.real_expression()};", f"h += {self.real_expression(1)};",
                     f"fp[({i}) % 5] = {self.real_expression(1)};"),
            *self.of("vector", f"v.{self.pick(*'xyzw')} = {x};", f"v = v.wxyz * (uint4)({x}, 3, {i}, n) + v.yyxw;",
                     f"v += vload4(({i}) & 63, in);", f"z = z.yxwz + (uchar4)({x});", f"z.s{self.random.randint(0, 3)} = {x};",
                     f"v.xz = (uint2)({x}, {i});", f"v = (v > (uint)({x})) ? v.wwxy : v;", "v = convert_uint4(z) ^ v;"),
            *self.of("real3", f"w.{self.pick(*'xyz')} = {self.real_expression(1)};", "w = w.zxy * 0.5f;",
                     f"w = w + (float3)({self.real_expression(2)}, 1, w.x);"),
            *self.of("record", f"m.part[({i}) & 3] += {x};", f"m.id = {x};", f"m.colour.{self.pick(*'xyzw')} = {x};",
                     f"m.place.{self.pick(*'xyz')} = real({x});", f"m.big *= {x};",
                     "{ struct record other = m; other.part[1] = b; m = other; }"),
            *self.of("bytes", f"r[({i}) % 12] = {x};", f"r[{self.random.randint(0, 11)}] += {x};"),
            *self.of("pairs", f"j[({i}) & 3] = make_pair({x}, b);", f"j[({i}) & 3].y ^= {x};", "j[2] = j[c & 3];"),
            *self.of("volatile", f"o += {x};"))

    def atomic(self):
        x = self.expression(1)
        if self.chance(.5):
            return f"atomic_{self.pick('add', 'xor', 'max')}(out + 4 * g + 3, {x});"
        if self.chance(.3):
            return f"{self.pick(*self.VARIABLES)} ^= atomic_{self.pick('xchg', 'add')}(out + 4 * g + 3, {x});"
        # The first half of the words takes one operation each.
        place = self.random.randint(0, len(SHARED) - 1)
        return f"atomic_{SHARED[place]}(shared + {place}, {x});"

    def assignment(self):
        return f"{self.pick(*self.VARIABLES)} {self.pick('=', '=', '+=', '^=')} {self.expression()};"

    def change(self):
        return self.weighted(
            (50, self.assignment), (22, self.store), (6, self.atomic),
            (12, lambda: f"out[4 * g + {self.random.randint(0, 3)}] = {self.expression()};"),
            (4, lambda: f"{self.pick(*self.VARIABLES)} ^= stir(p, {self.expression(1)}, {self.expression(1)});"))

    # ---- what Patterns needs

    def value(self):
        return self.expression(2)

    def inside(self):
        return self.plain(3, False) if self.chance(.3) else self.change()

    # ---- control flow

    def block(self, depth, in_loop):
        count = self.random.randint(1, 3)
        return "{ " + " ".join(self.plain(depth, in_loop) for _ in range(count)) + " }"

    def branch(self, depth, in_loop):
        other = f" else {self.block(depth + 1, in_loop)}" if self.chance(.5) else ""
        return f"if ({self.condition()}) {self.block(depth + 1, in_loop)}{other}"

    def loop(self, depth):
        i = self.name("i")
        kind = self.random.random()
        if kind < .5:
            limit = self.pick(f"({self.expression(1)} & 3)", f"({self.expression(1)} & 3)", "(n & 5)", "4")
            return f"for (uint {i} = 0; {i} < {limit}; {i}++) {self.block(depth + 1, True)}"
        if kind < .7:
            return f"while (fuel-- > 0 && {self.condition()}) {self.block(depth + 1, True)}"
        if kind < .8:
            return f"do {self.block(depth + 1, True)} while (fuel-- > 0 && {self.condition()});"
        if kind < .9:
            return f"for (int {i} = 3; {i} >= 0; {i}--) {{ {self.plain(depth + 1, True)} " \
                   f"if ({self.condition()}) break; p[{i}] += {self.expression(2)}; }}"
        return f"for (;;) {{ if (fuel-- <= 0) break; if ({self.condition()}) continue; " \
               f"{self.plain(depth + 1, True)} if ({self.condition()}) break; }}"

    def switch(self, depth, in_loop):
        leave = self.pick("break;", "", "continue;" if in_loop else "break;")
        return f"switch ({self.expression(1)} & 3) {{ " \
               f"case 0: {self.assignment()} {self.pick('break;', '')} " \
               f"case 1: {self.change()} {leave} " \
               f"case 2: {{ {self.plain(depth + 1, False)} }} " \
               f"default: {self.pick(*self.VARIABLES)} ^= 7; }}"

    def jump(self, depth, in_loop):
        """A block with a way out of its middle, a way back, or (seldom) a way into a loop."""
        label = self.name("there")
        kind = self.random.random()
        if kind < .6:
            self.labels.append(label)
            body = self.block(depth + 1, in_loop)
            self.labels.pop()
            return f"{{ if ({self.condition()}) goto {label}; {body} {label}: a += 1; }}"
        if kind < .85:
            return f"{{ {label}: {self.change()} if (fuel-- > 0 && {self.condition()}) goto {label}; }}"
        i = self.name("i")
        return f"{{ uint {i} = 0; if ({self.condition()}) goto {label}; for (; {i} < 3; {i}++) " \
               f"{{ {self.change()} {label}: {self.change()} }} }}"

    def leave(self, in_loop):
        ways = [f"goto {label};" for label in self.labels[-2:]]
        ways += ["break;", "continue;"] if in_loop else []
        ways += ["return;"] if self.may_return else []
        return f"if ({self.condition()}) {self.pick(*ways)}" if ways else self.assignment()

    def plain(self, depth, in_loop):
        if depth > 3:
            return self.change()
        return self.weighted((46, self.change), (20, lambda: self.branch(depth, in_loop)),
                             (15, lambda: self.loop(depth)), (5, lambda: self.switch(depth, in_loop)),
                             (5, lambda: self.jump(depth, in_loop)), (7, lambda: self.leave(in_loop)),
                             (12 if self.patterned else 0, self.pattern))

    # ---- the frame of a kernel

    def declarations(self):
        return "\n    ".join(["uint p[8] = {a, b, c, d, n, 5, 6, 7};", "int fuel = 12;"] +
                             [FEATURES[name][0] for name in sorted(self.features)] + [self.frame()] * self.patterned)

    def results(self):
        return "\n    ".join(["out[4 * g] ^= a + p[(b + n) & 7]; out[4 * g + 1] += b ^ c; out[4 * g + 2] -= d;"] +
                             ["out[4 * g + 2] += u[5] ^ u[b & 15];"] * self.patterned +
                             [f"out[4 * g + {1 + at % 2}] = out[4 * g + {1 + at % 2}] * 5 + ({FEATURES[name][1]});"
                              for at, name in enumerate(sorted(self.features))])
