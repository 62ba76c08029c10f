#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels whose accesses have strides, and depend on one dimension of the range or two.

    gen_memory.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Each work-item owns four words of
`out`, one struct or 16 bytes of elements, side by side or spread over planes; nobody else
touches them, and all accesses of a kernel have one type. Reads of `in` stay inside its 1024
bytes, often up to the last: an access too far ends in a page that nobody may touch. Some indices
are scaled as coordinates of images are, which loads of windows (plan/permute.h) serve. Some
kernels count: atomic changes of `shared` whose results nobody reads (item/delay.h). Some keep a
sum in `out` that grows in a loop over `in` (prepare/apart.h). Some own halves of blocks. Some read
what they then write where a condition says so (ir/memory/masked_loads.h), or
store to one place on several ways (ir/flow/merged_stores.h). Some have their argument space out what
they read and own. Some walk along rows of `in`, each work-item its own, or read neighbours at a place of its own (plan/strip.c);
some change rows of `out` between such loads, or store along long ones. Some read `in` around
their own place at constant distances (codegen/memory/neighbours.h), or ask of each neighbour whether it
lies inside (prepare/interior)."""
import random
import sys

from kernel_writer import PATTERNS, SHARED, Choices, Patterns, parameters

ITEMS = 203
IN_BYTES = 1024
FIELDS = [("uchar", 1), ("ushort", 2), ("uint", 4), ("ulong", 8), ("char", 1), ("short", 2), ("uchar4", 4), ("ushort2", 4),
          ("uint2", 8), ("ushort4", 8), ("uchar2", 2), ("char4", 4), ("float", 4), ("float2", 8), ("uint4", 16)]
ELEMENTS = [("uchar", 1), ("ushort", 2), ("uint", 4), ("ulong", 8), ("uchar4", 4), ("ushort2", 4), ("uint2", 8), ("uchar2", 2)]
HEADER = PATTERNS + """
uint bits(float x)
{
    return isnan(x) ? 77u : as_uint(x);
}
uint peek(global const uint *p, uint i)
{
    return p[i & 15];
}
typedef uchar any_uchar __attribute__((may_alias));
typedef ushort any_ushort __attribute__((may_alias));
typedef uint any_uint __attribute__((may_alias));
typedef ulong any_ulong __attribute__((may_alias));
struct __attribute__((packed, may_alias)) packed { uchar a; uint b, c, d; ushort e; };
void poke(uint *p, uint x)
{
    *p = *p * 3 + x;
}
"""


def words(kind, value):
    """An expression of type uint with what a value of a type of FIELDS holds."""
    last = kind[-1]
    if last in "24":
        return " ^ ".join(f"({words(kind[:-1], f'{value}.s{i}')}) * {2 * i + 1}u" for i in range(int(last)))
    return f"bits({value})" if kind == "float" else f"(uint)(({value}) ^ ({value}) >> 32)" if kind == "ulong" else f"(uint){value}"


def made(kind, value):
    """A value of a type from a uint."""
    if kind.startswith("float"):
        return f"({kind})((float)(int)(({value}) & 0xfffff) * 0.25f)"
    signed = kind.rstrip("24") in ("char", "short")
    return f"({kind})(({value}) & 127)" if signed else f"({kind})({value})"


class Kernel(Patterns):
    owns_words = False  # but accesses of one type

    def __init__(self, source, counting, summing, walking):
        super().__init__(source)
        self.plane = self.chance(.6)
        self.patterned = self.chance(.2)
        # Choices of their own: the kernels that count nothing are what they were.
        self.counting = counting
        self.summing = summing
        self.walking = walking
        self.counted = counting.randrange(len(SHARED)) if counting.random() < .5 else None

    # ---- where a work-item is

    def place(self):
        if not self.plane:
            return "int x = get_global_id(0), y = n, width = get_global_size(0), height = 1, g = x;"
        kind = self.pick("int", "int", "uint", "size_t")
        index = self.pick("y * width + x", "(int)get_global_linear_id()") if kind == "int" else "y * width + x"
        last = "y = get_global_size(1) * (get_global_id(2) - get_global_offset(2)) + get_global_id(1) - get_global_offset(1)"
        return f"{kind} x = get_global_id(0) - get_global_offset(0), {last}, " \
               f"width = get_global_size(0), height = get_global_size(1) * get_global_size(2), g = {index};"

    def own(self):
        """A number of the work-item, another for each: the place of what it owns."""
        return self.pick("g", "g", "g", f"({ITEMS - 1} - g)", "(x * height + y)" if self.plane else "g")

    # ---- reads of `in`

    def read(self):
        """An element at an index that is at most `limit` because of what ids can be."""
        kind, size = self.pick(*ELEMENTS)
        count = IN_BYTES // size
        choices = [(f"g * {k}", (ITEMS - 1) * k) for k in range(1, 6)] + [("g / 2", ITEMS // 2), ("g / 3", ITEMS // 3)]
        choices += [(f"({ITEMS - 1} - g) * {k}", (ITEMS - 1) * k) for k in (1, 2)] + [("(g >> 1)", ITEMS // 2)]
        choices += [("n", 5), ("(g & 3)", 3), ("g % 5", 4)]
        choices += [(f"(int)((float)g * {scale})", int((ITEMS - 1) * most)) for scale, most in
                    (("0.5f", .5), ("0.9375f", .9375), ("((float)n * 0.125f)", .625), ("((float)n * 0.1875f)", .9375))]
        choices += [(f"clamp((int)((float)g * ((float)n * 0.25f)) - 3, 0, {count - 1})", count - 1)]
        if self.plane:
            choices += [("y", 28), ("x", 28), ("y * 3", 84), ("x * 2", 56), ("(x * height + y)", ITEMS - 1), ("(x + y)", 56),
                        (self.border(), ITEMS - 1), (self.border(), ITEMS - 1), ("y * width", ITEMS - 1), ("x * height", ITEMS - 1)]
        index, limit = self.pick(*[choice for choice in choices if choice[1] < count])
        rest = count - 1 - limit
        offset = self.pick(0, rest, self.random.randint(0, rest), self.random.randint(0, min(3, rest)))
        if kind[-1] in "24" and rest > 0 and self.chance(.4):  # elements of two neighbours
            lanes, start = int(kind[-1]), self.random.randint(1, int(kind[-1]) - 1)
            behind = f"(global const {kind[:-1]} *)((global const {kind} *)in + {index} + {self.random.randint(0, rest - 1)}) + {start}"
            return words(kind, f"vload{lanes}(0, {behind})")
        return words(kind, f"((global const {kind} *)in)[{index} + {offset}]")

    def border(self):
        """The neighbour of a cell, inside the plane."""
        x, y = self.random.randint(-2, 2), self.random.randint(-1, 1)
        column = self.pick(f"clamp((int)x + {x}, 0, (int)width - 1)", f"min((int)x + {abs(x)}, (int)width - 1)",
                           f"max((int)x - {abs(x)}, 0)")
        row = self.pick("y", f"clamp((int)y + {y}, 0, (int)height - 1)")
        return f"({row} * width + {column})"

    def value(self):
        return self.weighted(
            (30, self.read), (12, lambda: f"sum * {self.random.randint(3, 99) | 1}u + {self.read()}"),
            (8, lambda: "(uint)x"), (8, lambda: "(uint)y"), (6, lambda: "n"), (8, lambda: "sum"),
            (5, lambda: f"peek(in + {self.pick('y' if self.plane else 'g', 'n', 'g')}, sum)"),
            (5, lambda: f"({self.condition()} ? {self.read()} : {self.pick('sum', '(uint)y', '7u')})"))

    def condition(self):
        y = self.pick("y < 3", "y % 2 == 0", "y == n", "x < y", "x + y > 9") if self.plane else "sum % 5 < 3"
        return self.pick("in[g] % 3 == 1", "x < n * 3", "x % 4 == 1", "sum & 1", "x > 0 && x < width - 1", "g < 190", y, y)

    # ---- what the work-item owns: a list of (how it is written, its type)

    def structure(self, number):
        left, fields, at, most = self.pick(2, 4, 8, 12, 16, 16), [], 0, 1
        size = left
        while left > 0:
            kind, length = self.pick(*[field for field in FIELDS if field[1] <= left and at % field[1] == 0])
            fields.append((kind, f"f{len(fields)}", self.chance(.15)))
            left, at, most = left - length, at + length, max(most, length)
        if size % most:
            return self.structure(number)
        if all(unused for _, _, unused in fields):
            fields[0] = (*fields[0][:2], False)
        declared = f"struct s{number} {{ {' '.join(f'{kind} {name};' for kind, name, _ in fields)} }};"
        cells = [(f"p->{name}", kind) for kind, name, unused in fields if not unused]
        return declared, f"global struct s{number} *p = (global struct s{number} *)out + {self.own()};", cells

    def elements(self):
        """16 bytes of elements, beside each other or each in its plane."""
        kind, size = self.pick(*ELEMENTS)
        own, count = self.own(), 16 // size
        chosen = self.random.sample(range(count), min(count, self.random.randint(1, 4)))
        apart = self.pick(f"{count} * {own} + {{}}", f"{own} + {{}} * {ITEMS}")
        return "", f"global {kind} *p = (global {kind} *)out;", [(f"p[{apart.format(i)}]", kind) for i in chosen]

    # ---- statements

    def change(self):
        cell, kind = self.pick(*self.cells)
        own = words(kind, cell)
        operator = self.pick("+=", "^=", "*=") if kind.rstrip("24") in ("uint", "ulong", "uchar", "ushort") else "="
        if operator == "*=" and kind == "ushort":
            operator = "^="  # as int the product could be too large
        return self.weighted(
            (30, lambda: f"sum = sum * {self.random.randint(3, 99) | 1} + ({own});"),
            (30, lambda: f"sum ^= {self.value()};"),
            (30, lambda: f"{cell} = {made(kind, self.value())};"),
            (10, lambda: f"{cell} {operator} {made(kind, 'sum')};"),
            (5, lambda: f"poke(&sum, {self.value()});"), (4, lambda: f"q[{self.pick('x', 'y', 'sum')} & 3] += {self.value()};"),
            (4, lambda: f"sum += q[{self.pick('x', 'y', 'sum')} & 3];"))

    def count(self):
        """A change of one of the words that all of the kernel's changes are for."""
        at = self.counting.choice([f"{self.counted}", f"({self.counted} + (sum >> 3 & 1) * {7 - self.counted})",
                                   "(sum & 1 ? 7 : 14)", "(x & 1 ? 14 : 7)"])
        by = self.counting.choice(["sum", "1", "(uint)x * 3", "(sum & 255)"])
        return f"atomic_{SHARED[self.counted]}(shared + {at}, {by});"

    def counts(self):
        if self.counted is None:
            return ""
        condition = self.counting.choice(["sum & 1", "x % 3 == 1", "sum % 7 < 3", "true", "x < n * 8"])
        return self.counting.choice([self.count(), f"if ({condition}) {{ {self.count()} }} else {{ {self.count()} }}",
                                     f"for (uint t = 0; t < (sum & 3); t++) {{ {self.count()} sum = sum * 7 + t; }}",
                                     f"for (uint t = 0; t < 3; t++) {{ if ({condition}) {self.count()} sum ^= in[t + n] << t; }}"])

    def sums(self):
        """Loops that change one place of `out` in each round, by what they read elsewhere."""
        if self.summing.random() < .6:
            return ""
        cell, kind = self.summing.choice(self.cells)
        taps = self.summing.choice(["in[t]", "in[g + t]", "in[(g & 31) * 4 + t]", "in[t * 8 + (g & 3)]", "(in[g + t] ^ in[t])"])
        last = self.summing.choice(["n", "(uint)(g & 7)", "5u", "n + 9", "(uint)(in[g] & 3)"])
        own = f"({words(kind, cell)}) * 3u + {taps} * t"
        rest = self.summing.choice(["", "", f"sum ^= {taps};", f"if ({taps} % 3 == 1) sum += t;", f"if (t > 6 && {taps} % 5 == 2) break;"])
        return f"for (uint t = 0; t < {last}; t++) {{ {cell} = {made(kind, own)}; {rest} }}"

    def walks(self):
        """A loop along a row of `in`, up or down; or as many neighbours as are loaded at once, and one more or less."""
        if self.walking.random() < .6:
            return ""
        pick = self.walking.choice
        kind, size = pick([choice for choice in ELEMENTS if choice[1] in (1, 2, 4, 8) and choice[0][-1] not in "24"])
        count = IN_BYTES // size
        row = pick(["(g & 3)", "(g * 5 & 3)", "(in[g] & 3)", "(g & 3)"])
        length = count // 4
        rest = f"sum = sum * {self.walking.randint(3, 99) | 1}u"
        element = f"((global const {kind} *)in)[{row} * {length} + {{}}]"
        if self.walking.random() < .3:
            start = self.walking.randint(0, length - 18)
            many = range(pick([2, 3, 4, 5, 8, 16, 17]))
            return " ".join(f"{rest} + {words(kind, element.format(start + i))};" for i in many)
        last = pick([f"min(n * 7, {length}u)", f"{min(length, 37)}u", f"{length}u", f"min(n + 15, {length}u)",
                     f"(in[n] % {length + 1})", f"(in[g] % {length + 1})"])
        taps = words(kind, element.format(pick(["t", "t", f"({length - 1} - (int)t)"])))
        store = pick(["", "", "", f"{self.cells[0][0]} = {made(self.cells[0][1], 'sum')};", "if (sum % 5 == 2) break;",
                      f"sum ^= ((global const {kind} *)in)[t];"])
        return f"for (uint t = 0; t < {last}; t++) {{ {rest} + {taps}; {store} }}"

    def loop(self, depth):
        i = self.name("i")
        limit = self.pick("(uint)(x & 3)", "(uint)(y & 3)", "(n & 3)", "3u", "(sum & 3)")
        taps = f"sum = sum * 3 + in[{self.pick('g', 'x', 'y' if self.plane else 'n')} + {i} * {self.pick(1, 4, 8)}];"
        return f"for (uint {i} = 0; {i} < {limit}; {i}++) {{ {taps} {self.statement(depth + 1)} }}"

    def statement(self, depth):
        if self.patterned and self.chance(.2):
            return self.pattern()
        if depth > 2 or self.chance(.65):
            return self.change()
        return self.weighted(
            (50, lambda: f"if ({self.condition()}) {{ {self.statement(depth + 1)} {self.statement(depth + 1)} }}"),
            (20, lambda: f"if ({self.condition()}) {{ {self.statement(depth + 1)} }} else {{ {self.statement(depth + 1)} }}"),
            (35, lambda: self.loop(depth)), (8, lambda: f"if ({self.condition()}) return;"))

    def text(self, number):
        declared, pointer, self.cells = self.structure(number) if self.chance(.5) else self.elements()
        early = self.pick("", "", "if (g >= 200) return;", "if (x >= width - n % 3) return;")
        body = "\n    ".join(self.statement(0) for _ in range(self.random.randint(2, 7)))
        cell, kind = self.pick(*self.cells)
        return f"""
{declared}
kernel void {'plane' if self.plane else 'k'}{number}({parameters(self.random)})
{{
    {self.place()}
    {pointer}
    uint sum = n, q[4] = {{n, 3, 5, 7}};
    {f"uint a = in[g], b = a * 7 + n, c = g; int fuel = 12; {self.frame()}" if self.patterned else ""}
    {early}
    {body}
    {self.sums()}
    {self.walks()}
    {"sum += a + b * 3 + c * 5 + u[5] + u[b & 15];" if self.patterned else ""}
    {self.counts() if self.counting.random() < .2 else ""}
    {cell} = {made(kind, 'sum')};
    {self.counts()}
    {self.counts()}
}}
"""


class Halves(Choices):
    """Each work-item owns a word of the lower half of a block and the same of the upper one, as in
    sorting networks; what lanes own rises from one to the next where blocks are small
    (plan/permute.h). The last words of `in` are read where they are the last in reach."""

    def change(self):
        mine, other = self.pick(("low", "high"), ("high", "low"))
        value = self.pick("b", "a + 1", "a ^ b * 3", "b - g", "in[g]", f"out[{other}] + n", "c")
        store = f"out[{mine}] = {value};"
        test = self.pick("a > b", "((a ^ b) & 4) == 0", "(g & n) != 0", "g % 3 == n % 3", "a % 5 < 2", "g < 150")
        return self.weighted((4, lambda: store), (6, lambda: f"if ({test}) {{ {store} {self.pick('', f'out[{other}] = a;')} }}"),
                             (2, lambda: f"if ({test}) {{ a = out[{other}] * 5; }} else {{ {store} }}"))

    def text(self, number):
        size = self.pick("1", "2", "4", "8", "16", "32", "64", "1u << (n & 3)", "1u << n", "(n & 4) + 4")
        at = self.pick("0", "0", "0", "1", "5", "16", "n")
        kind, id_type = self.pick("uint", "size_t", "int"), self.pick("uint", "size_t", "int")
        early = self.pick("", "", "if (g >= 200 - n) return;")
        read = self.pick("in[g]", "in[(g & 63) + (g & (d - 1) & 63)]", "in[(2 * g - (g & (d - 1) & 31)) % 256]")
        body = "\n    ".join(self.change() for _ in range(self.random.randint(1, 4)))
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    {id_type} g = get_global_id(0);
    uint d = {size};
    {kind} low = 2 * g - (g & (d - 1)) + {at}, high = low + d;
    uint a = out[low], b = out[high], c = {read};
    {early}
    {body}
}}
"""


class Swaps(Choices):
    """Each work-item owns elements of `out`, each beside those of its neighbours, reads them and then
    changes them where a condition says so: loads under masks stay before the stores
    (ir/memory/masked_loads.h)."""

    def cell(self):
        return f"p[g + {self.random.randrange(self.cells)} * {ITEMS}]"

    def value(self):
        return self.pick("a", "b", "c", "in[g]", "(uint)g", "n", "a * 3 + b", f"{self.cell()}", f"{self.cell()} + c")

    def take(self):
        cell = self.cell()
        operator = self.pick("*=", "*=", "+=", "&=", "|=", "^=", "-=", "=")
        into = self.pick(f"a {operator} {cell};", f"b {operator} {cell} + c;", f"c {operator} {cell};", f"b = {cell} * c;",
                         f"f {self.pick('+=', '*=', '-=')} (float)({cell} & 15);")
        return f"{into} {self.pick('', '', 'c ^= 5u;')} {cell} = ({self.kind})({self.value()});"

    def choice(self):
        cell, value = self.cell(), self.pick("a", "in[g]", "b", "5u")
        return f"uint r = {value}; if ({self.test()}) r = {cell}{self.pick('', ' + 3u', f' * {value}')}; {cell} = ({self.kind})({self.value()}); " \
               f"if ({self.pick('n == 3', 'n > 0', self.test())}) {self.pick('a', 'b')} {self.pick('^=', '*=')} r;"

    def test(self):
        return self.pick("in[g] % 3 == 1", "g % 4 < 3", "a & 1", "b & 2", "a > c", "g < 150")

    def change(self, depth=0):
        if depth < 2 and self.chance(.2):
            head = self.pick(f"if ({self.test()})", "if (n != 3)", "for (uint t = 0; t < 3; t++)", "for (uint t = 0; t < n; t++)",
                             "for (uint t = 0; t < (in[g] & 3); t++)")
            return f"{head} {{ {self.change(depth + 1)} {self.change(depth + 1)} }}"
        return self.weighted((8, lambda: f"if ({self.test()}) {{ {self.take()} }}"), (3, self.take),
                             (4, lambda: f"if ({self.test()}) {{ {self.take()} {self.take()} }} else {{ {self.take()} }}"),
                             (4, lambda: f"{{ {self.choice()} }}"))

    def text(self, number):
        self.kind, size = self.pick(("uint", 4), ("uint", 4), ("int", 4), ("ushort", 2), ("uchar", 1), ("ulong", 8))
        self.cells = min(4, 16 // size)
        body = "\n    ".join(self.change() for _ in range(self.random.randint(1, 5)))
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    {self.pick("uint", "size_t", "int")} g = get_global_id(0);
    global {self.kind} *p = (global {self.kind} *)out;
    uint a = in[g] + n, b = g * 7, c = n * 3 + 1;
    float f = (float)(int)(g & 63);
    {body}
    p[g] ^= ({self.kind})(a + b * 3 + c * 5 + bits(f));
}}
"""


class Ways(Choices):
    """Each work-item owns elements of `out` and stores to the same of them on several ways that part and
    meet again (ir/flow/merged_stores.h)."""

    def place(self):
        at = self.random.randrange(self.cells)
        return self.pick(f"p[g + {at} * {ITEMS}]", f"p[g + {at} * {ITEMS}]", f"p[{at} * {ITEMS} + g]")

    def store(self, place):
        value = self.pick("a", "b", "c", "in[g]", "5u", "7u", "a * 3 + b", f"{place} + c", f"in[(g + n) & 255]")
        before = self.pick("", "", "", "a += 3u;", f"{self.place()} = ({self.kind})b;", f"b ^= {self.place()};")
        behind = self.pick("", "", "", "c ^= a;", f"c += {self.place()};", "a = b * 5;")
        return f"{before} {place} = ({self.kind})({value}); {behind}"

    def test(self):
        return self.pick("in[g] % 3 == 1", "g % 4 < 3", "a & 1", "b & 2", "a > c", "g < 150", "n == 3")

    def ways(self, depth):
        places = [self.place()] * 3 + [self.place()]
        inner = [self.store(self.pick(*places)) + self.pick("", "", self.store(self.pick(*places))) for _ in range(5)]
        inner = [self.ways(depth + 1) if depth < 2 and self.chance(.15) else way for way in inner]
        chain = f"if ({self.test()}) {{ {inner[0]} }} else if ({self.test()}) {{ {inner[1]} }}"
        return self.weighted(
            (5, lambda: f"if ({self.test()}) {{ {inner[0]} }} else {{ {inner[1]} }}"),
            (4, lambda: f"{chain} else {{ {inner[2]} }}"), (2, lambda: chain),
            (2, lambda: f"if ({self.test()}) {{ {chain} else {{ {inner[3]} }} }}"),
            (3, lambda: f"switch (b & {self.pick(3, 7)}) {{ case 0: {inner[0]} break; case 1: {inner[1]} {self.pick('break;', '')} "
                        f"case 2: {inner[2]} break; {self.pick('', 'default:', 'case 5:')} {inner[3]} }}"),
            (2, lambda: f"for (uint t = 0; t < {self.pick('3', 'n', '(in[g] & 3)')}; t++) {{ {chain} else {{ {inner[2]} }} "
                        f"{self.pick('', f'if ({self.test()}) break;', f'if ({self.test()}) continue;')} {inner[3]} }}"))

    def text(self, number):
        self.kind, size = self.pick(("uint", 4), ("uchar", 1), ("ushort", 2), ("uchar", 1), ("ulong", 8))
        self.cells = min(4, 16 // size)
        body = "\n    ".join(self.ways(0) for _ in range(self.random.randint(1, 4)))
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    {self.pick("uint", "size_t", "int")} g = get_global_id(0);
    global {self.kind} *p = (global {self.kind} *)out;
    uint a = in[g] + n, b = g * 7, c = n * 3 + 1;
    {self.pick("", "", "if (g >= 200 - n) return;")}
    {body}
    p[g] ^= ({self.kind})(a + b * 3 + c * 5);
}}
"""


class Spaced(Choices):
    """The argument is nothing but the distance of what work-items read and own: 1, 3 or 5
    (analysis/index.h). The kernels are named spaced<i>, by which fuzz_forms.c knows them."""

    def index(self):
        i = self.pick("g", "g", "g", "(202 - g)", "t", "t")
        spaced = f"{i} * {self.pick('n', 'n', '(int)n', '(size_t)n', '(int)get_work_dim()')}"
        return self.pick(f"{spaced} + {self.random.randint(0, 13)}", f"{spaced} + {self.random.randint(0, 13)}", spaced,
                         f"({spaced} + g)" if i == "g" and self.chance(.3) else spaced)

    def read(self, index):
        kind = self.pick("uchar", "uchar", "char")
        return f"(uint)((global const {kind} *)in)[min((uint)({index}), 1023u)]" if "+ g" in index else \
               f"(uint)((global const {kind} *)in)[{index}]"

    def text(self, number):
        kind = self.pick("uchar", "ushort")
        own = f"((global {kind} *)out)[g * n + {self.random.randint(0, 13)}]"
        index = self.pick("int", "uint", "size_t", "int")
        limit = self.pick("203", "203", "200 - (in[5] & 7)", "101")
        loop = self.pick("", f"for ({index} t = g; t < {limit}; t += {self.pick(17, 64, 203)})", f"if (g < {limit})",
                         "if (in[g] & 1)", f"for ({index} t = g & 15; t < {limit}; t += {self.pick(8, 50)})")
        body = " ".join(f"sum = sum * {self.random.randint(3, 99) | 1}u + {self.read(self.index())};" for _ in range(self.pick(1, 2, 3)))
        body = body if "t =" in loop else body.replace("t * ", "g * ")
        store = self.pick(f"{own} = ({kind})sum;", f"{own} += ({kind})sum;", f"if (sum & 1) {own} = ({kind})sum;",
                          "((global ushort *)out)[g] = (ushort)sum;")
        return f"""
kernel void spaced{number}({parameters(self.random)})
{{
    {index} g = get_global_id(0);
    uint sum = 7;
    {loop} {{ {body} }}
    {store}
}}
"""


class Rows(Choices):
    """Each work-item owns a row of 16 bytes anywhere in `out`, reads it and changes it by turns as
    elements of several sizes, and reads neighbours of `in` at places that are not aligned or end where
    `in` does (plan/strip.c)."""

    def step(self):
        size, kind = self.pick((1, "uchar"), (2, "ushort"), (4, "uint"), (8, "ulong"))
        last = 16 // size - 1
        some = [self.random.randint(0, last) for _ in range(self.pick(1, 2, 4))]
        far = self.pick("(a % 61)", "(c % 61)", "(60 - g % 3)")
        where = f"((global const struct packed *)in)[{far}]"
        row = f"((global any_{kind} *)row)"
        return self.weighted(
            (6, lambda: " ".join(f"sum = sum * 3 + (uint){row}[{i}];" for i in some)),
            (4, lambda: " ".join(f"sum = sum * 5 + (uint){row}[{i}];" for i in range(last + 1))),
            (6, lambda: f"{row}[{some[0]}] = ({kind})(sum ^ a);"),
            (3, lambda: f"if (sum & 1) {row}[{some[0]}] = ({kind})(sum + {row}[{last}]);"),
            (3, lambda: " ".join(f"sum = sum * 7 + {where}.{member};" for member in self.pick("bcde", "ebcd", "bdce", "abcde", "cde"))),
            (2, lambda: f"for (uint t = 0; t < {self.pick(last + 1, f'(sum & {last})', f'(n & {last})')}; t++) "
                        f"{{ sum = sum * 9 + (uint){row}[t]; {self.pick('', f'{row}[{some[0]}] = ({kind})sum;')} }}"),
            (4, self.part_of_vector),
            (1, lambda: f"sum += *(volatile global any_{kind} *)({row} + {some[0]});"))

    def part_of_vector(self):
        """Some of four numbers at a place of the item's own, or in its row, now and then in a loop that items leave one by one."""
        kind, bits = self.pick(("uint", "{}"), ("int", "(uint){}"), ("float", "bits({})"))
        at = self.pick(f"((global const {kind}4 *)in)[{self.pick('a & 63', 'sum & 63', '63 - (a & 3)', '(c + t) & 63')}]",
                       f"((global const {kind}4 *)in)[(sum ^ t) & 63]", f"*(global const {kind}4 *)row")
        parts = self.random.sample("xyzw", self.pick(2, 3, 3))
        taken = " ".join(f"sum = sum * {self.random.randint(3, 99) | 1}u + {bits.format(f'v.{part}')};" for part in parts)
        store = self.pick("", "", f"row[{self.random.randint(0, 3)}] = sum;")
        head = self.pick("for (uint t = 0; t < (a & 7); t++)", "for (uint t = c & 3; t < 3; t++)", "if (sum & 1)", "")
        return f"{{ uint t = a >> 3; {head} {{ {kind}4 v = {at}; {store} {taken} }} }}"

    def text(self, number):
        body = "\n    ".join(self.step() for _ in range(self.random.randint(3, 9)))
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    uint g = get_global_id(0), a = in[g], c = in[(g + n) & 255], sum = a;
    global any_uint *row = (global any_uint *)out + {self.pick("g * 37 % 203", "(202 - g)", "g")} * 4;
    {body}
    row[{self.random.randint(0, 3)}] = sum;
}}
"""


class LongRows(Choices):
    """Some work-items own long rows of `out` and walk along them, up or down: they store what they have summed
    up, or what the next round loads again, between rows of `in` and other parts of their own (prepare/strips.c,
    prepare/rounds/carry.c). Some counters come to the end of their type and begin again."""

    def wrapping(self):
        """Rounds over rows of 256 bytes."""
        kind, start = self.pick(("uchar", ""), ("char", "128 + "))
        source = f"((global const any_uchar *)in)[({self.pick('g & 1', 'a & 1', 'g * 5 & 1')}) * 256 + {start}k{self.pick('', '', ' + 1', ' + 2')}]"
        begin, end = self.random.randrange(256), self.random.randrange(256)
        here, near = f"row[{start}k]", f"row[{start}({kind})(k {self.pick('+', '-')} {self.random.randint(1, 5)})]"
        step = self.pick(f"sum = sum * 3 + {source}; {here} = (uchar)sum;", f"sum = sum * 5 + {here} + {source};",
                         f"sum = sum * 3 + {source} + ((global const any_uchar *)in)[{start}k + 1]; {here} ^= (uchar)sum;",
                         f"sum = sum * 3 + {here}; {here} = (uchar)(sum >> 2);", f"{here} = {self.pick('7', '(uchar)n')};",
                         f"{here} = 1; {near} = {self.pick('2', '(uchar)sum')};", f"sum = sum * 7 + ({here} | (uint){near} << 8);")
        return f"{{ {kind} k = ({kind}){self.pick(begin, f'({begin} + n & 255)')}; do {{ {step} }} while ({self.pick('++', '++', '--')}k != ({kind}){end}); }}"

    def vectors(self, kind, length):
        """What goes on by an element overlaps what the round before has stored."""
        count = self.pick(2, 4)
        steps = [f"vstore{count}(v, 0, at + k + {self.pick(0, 1, 1, 2)});", f"v {self.pick('=', '^=', '+=')} vload{count}(0, at + k);",
                 f"sum = sum * 3 + at[k + {self.random.randint(0, 6)}];"]
        self.random.shuffle(steps)
        return f"{{ global {kind} *at = (global {kind} *)row; {kind}{count} v = ({kind})sum; " \
               f"for (int k = 0; k < {length - 7}; k++) {{ {' '.join(steps)} v = v * ({kind})3 + ({kind})1; }} }}"

    def step(self, kind, length):
        if kind == "any_uchar" and length == 256 and self.chance(.5):
            return self.wrapping()
        if length > 16 and self.chance(.2):
            return self.vectors(kind.removeprefix("any_"), length)
        half = length // 2
        first, last = self.pick((0, half), (1, half), (2, half), (0, length), (1, length - 1))
        end = self.pick(str(last), f"{last - 5} + (int)(n & 3)", f"(int)min(sum % 64, {last}u)")
        k = self.pick("k", "k", "k", f"{first} + {last} - 1 - k")
        here, near = f"row[{k}]", f"row[{k} {self.pick('+', '-')} {self.pick(0, 1, 1, 2)} & {length - 1}]"
        beside = f"row[k - {first} + {self.random.randint(0, length - last)}]"
        source = f"((global const {kind} *)in)[({self.pick('g & 3', 'a & 3', 'g * 5 & 3')}) * {length} + {k}]"
        step = self.weighted(
            (4, lambda: f"sum = sum * 3 + {source}; {here} = ({kind})sum;"),
            (4, lambda: f"{here} = ({kind})({near} * 3 + {source});"),
            (4, lambda: f"row[{k}] = ({kind})(row[{k} - {min(first, self.pick(1, 1, 2))}] * 3 + {source});"),
            (2, lambda: f"{here} = ({kind})({source} ^ {beside});"),
            (2, lambda: f"{beside} = ({kind})(sum += {here});"),
            (2, lambda: f"sum = sum * 5 + {here}; {beside} = ({kind})sum; {here} = ({kind})({source} + 1);"),
            (1, lambda: f"if (sum & 1) {here} = ({kind})(sum += {source});"))
        return f"for (int k = {first}; k < {end}; k++) {{ {step} }}"

    def text(self, number):
        kind, size = self.pick(("uchar", 1), ("uchar", 1), ("ushort", 2), ("uint", 4), ("ulong", 8))
        row_bytes = self.pick(64, 128, 256, 256)
        body = "\n        ".join(self.step("any_" + kind, row_bytes // size) for _ in range(self.random.randint(1, 3)))
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    uint g = get_global_id(0), a = in[g & 255], sum = a;
    if (g < {ITEMS * 16 // row_bytes}) {{
        global any_{kind} *row = (global any_{kind} *)out + (int)g * {row_bytes // size};
        {body}
        row[0] ^= ({kind})sum;
    }}
}}
"""


class Neighbours(Choices):
    """Each work-item reads `in` at constant distances from its own place, on both sides, as its neighbours do
    (codegen/memory/neighbours.h)."""

    def text(self, number):
        kind, size, bits = self.pick(("uchar", 1, "(uint)"), ("uchar", 1, "(uint)"), ("ushort", 2, "(uint)"), ("ushort", 2, "(uint)"),
                                     ("uint", 4, ""), ("float", 4, "as_uint"), ("uchar4", 4, "as_uint"), ("ushort2", 4, "as_uint"))
        room = IN_BYTES // size - ITEMS
        begin = self.random.randint(0, room)
        step, reach = self.pick(1, 2, 4), self.pick(4, 20, 70)
        first = self.random.randrange(step)
        places = [step * self.random.randint(-reach, reach) + first for _ in range(self.random.randint(2, 8))]
        places = [place for place in places if 0 <= begin + place <= room] or [0, 1 - 2 * (begin == room)]
        terms = enumerate(places)
        if kind != "float" and self.random.random() < .6:  # as wide as what is loaded, all the way
            lines = [f"{kind} sum = ({kind})n;", *(f"sum = ({kind})(sum {self.pick('^', '+')} at[g + {place}]);" for _, place in terms)]
            lines.append(f"((global {kind} *)out)[g{self.pick('', '', f' + {size}')}] = sum;")
        else:
            lines = ["uint sum = n;", *(f"sum {self.pick('^', '+')}= {bits}(at[g + {place}]) * {3 + 2 * i}u;" for i, place in terms)]
            lines.append(f"((global any_uint *)out)[g * 4 + {self.random.randint(0, 3)}] = sum;")
        body = "\n    ".join(lines)
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    {self.pick("size_t", "size_t", "int")} g = get_global_id(0);
    global const {kind} *at = (global const {kind} *)in + {begin};
    {body}
}}
"""


class Borders(Choices):
    """Each work-item asks of its neighbours one by one whether they lie inside: in a plane or a row, by
    numbers with and without a sign, of positions that may wrap (prepare/interior)."""

    def limits(self):
        """What columns and rows end at; how an index is kept in `in` where these may be anything."""
        if self.chance(.6):
            return "width", "height", "{}"
        odd = ["n * 7", f"n * {self.pick(1, 3)} + {self.pick('width', '0x7ffffff0u', '0xfffffff0u')}", "(in[3] & 31)", "width - n", "17"]
        return self.pick(*odd), self.pick(*odd, "height"), "(({}) & 255)"

    def inside(self, columns, rows, signed):
        least = self.pick(0, 0, 0, 1)
        tests = [f"nx < {columns}", f"ny < {rows}"]
        if signed:
            tests = [f"nx < (int)({columns})", f"ny < (int)({rows})", f"nx >= {least}", f"ny > {least - 1}"]
        elif least:
            tests += ["nx != 0", "ny > 0"]
        self.random.shuffle(tests)
        return " && ".join(tests)

    def tap(self, signed, weight, safe):
        columns, rows, keep = self.limits()
        at = f"in[{keep.format('ny * width + nx')}]"
        test, loose = self.inside(columns, rows, signed), "in[(ny * width + nx) & 255]"
        edge = "(int)width - 1", "(int)height - 1"
        return self.weighted(
            (8, lambda: f"if ({test}) sum = sum * 3u + {at} * {weight};"),
            (4, lambda: f"sum += {test} ? {at} * {weight} : 7u;"),
            (2, lambda: f"if (!({test})) sum ^= {weight}; else sum += {at};"),
            (3, lambda: f"sum = sum * 3u + in[clamp((int)ny, 0, {edge[1]}) * (int)width + clamp((int)nx, 0, {edge[0]})];"),
            (2 if safe else 0, lambda: f"nx = (int)nx < 0 ? -nx : nx; nx = (int)nx > {edge[0]} ? 2 * {edge[0]} - nx : nx; sum = sum * 5u + {loose};"),
            (2, lambda: f"nx = min((int)nx, {edge[0]}); ny = max((int)ny, {self.pick(0, 1)}); sum = sum * 5u + {loose};"),
            (1, lambda: f"if ((ulong)((long)(int)nx + {self.pick(100, 40, 3)}) > {self.pick(64, 2, 50)}ul) sum += {loose};"),
            (1, lambda: f"if (nx == {columns} || ny == {self.pick(0, 1)}) {self.pick('sum += 5u', 'return', 'sum ^= in[3]')}; sum += {loose};"))

    def text(self, number):
        kind, reach = self.pick("int", "int", "uint", "size_t"), self.pick(1, 1, 2, 3)
        signed, plane = kind == "int", self.chance(.8)
        shift = self.pick("", "", "", "", " + n", " - 2", f" + {self.pick('0x7ffffff8u', '0xfffffff8u', 'n * 0x40000000u')}")
        body = " ".join(self.tap(signed, f"({self.pick('dx', 'dy', 'n')} + {self.random.randint(3, 9)})", not shift)
                        for _ in range(self.pick(1, 1, 1, 2)))
        body = f"{kind} nx = ({kind})(x + ({'uint' if kind == 'int' else kind})dx), ny = y + ({kind})dy; {body}" if shift else \
               f"{kind} nx = x + dx, ny = y + dy; {body}"
        if shift:  # nothing overflows with a sign
            body = body.replace("in[(ny * width + nx) & 255]", "in[((uint)ny * 29u + (uint)nx) & 255]")
            body = body.replace("in[ny * width + nx]", "in[((uint)ny * 29u + (uint)nx) & 255]")
        across = self.pick(f"for (int dx = -{reach}; dx <= {reach}; dx++)", f"for (int dx = {reach}; dx >= -{reach}; dx--)",
                           f"for (int dx = 0; dx < {reach + 1}; dx++)", f"for (int dx = -{reach}; dx <= (int)n - 1; dx++)")
        down = f"for (int dy = -{reach}; dy <= {reach}; dy++)" if plane else "for (int dy = 0; dy < 1; dy++)"
        place = f"{kind} x = i % 29, y = i / 29, width = 29, height = 7" if not plane or self.chance(.2) else \
                f"{kind} x = get_global_id(0) - get_global_offset(0), y = get_global_size(1) * (get_global_id(2) - get_global_offset(2)) + " \
                "get_global_id(1) - get_global_offset(1), width = get_global_size(0), height = get_global_size(1) * get_global_size(2)"
        plane = "get_global_size" in place
        early = self.pick("", "", "if (x >= width - n % 3) return;", "if (y > 5) return;")
        return f"""
kernel void {'plane' if plane else 'k'}{number}({parameters(self.random)})
{{
    uint i = get_global_linear_id(), sum = n;
    {place};
    {early}
    x = ({kind})(x{shift});
    {across} {down} {{ {body} }}
    out[i * 4 + {self.random.randint(0, 3)}] = sum;
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    print(f"// seed {seed}\n{HEADER}")
    for number in range(count):
        choice = random.Random(1000 * seed + number + 700)
        if choice.random() < .15:
            print(Halves(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 800)
        if choice.random() < .15:
            print(Swaps(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 600)
        if choice.random() < .15:
            print(Ways(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 650)
        if choice.random() < .12:
            print(Spaced(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 900)
        if choice.random() < .15:
            print(Rows(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 930)
        if choice.random() < .12:
            print(LongRows(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 950)
        if choice.random() < .12:
            print(Neighbours(choice).text(number))
            continue
        choice = random.Random(1000 * seed + number + 970)
        if choice.random() < .15:
            print(Borders(choice).text(number))
            continue
        print(Kernel(source, random.Random(1000 * seed + number),
                     random.Random(1000 * seed + number + 500), random.Random(1000 * seed + number + 250)).text(number))


if __name__ == "__main__":
    main()
