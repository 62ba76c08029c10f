#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with private arrays in loops of known numbers of rounds.

    gen_arrays.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Indices are made of the counters of
loops, of tables of constants and of values that go from round to round, so that arrays become
values where the compiler unrolls these loops (prepare/arrays.h); some loops end early, some
indices are the item's own, some loops say themselves how they are to be unrolled, and in some
kernels a barrier stands in them."""
from kernel_writer import Choices, print_kernels

ITEMS = 203
TYPES = ["uint", "uint", "uint", "ulong", "ushort", "uchar", "float"]
SIZES = [3, 4, 5, 8, 9, 12, 16, 25, 32, 40]


class Kernel(Choices):
    def __init__(self, source):
        super().__init__(source)
        self.arrays = {f"a{i}": (self.pick(*TYPES), self.pick(*SIZES)) for i in range(self.random.randint(1, 3))}
        self.tables = {f"t{i}": [self.random.randint(0, 63) for _ in range(self.pick(8, 24, 25))] for i in range(2)}
        self.barriers = self.chance(.15)
        self.counters = []
        self.own = 0.04 if self.chance(.4) else 0  # indices that nobody knows

    # ---- indices

    def index(self, size):
        if not self.counters or self.chance(.1):
            return str(self.random.randrange(size))
        if self.chance(self.own):
            return f"(x + {self.pick(*self.counters)}) % {size}u"
        i, j = self.pick(*self.counters), self.pick(*self.counters)
        table = self.pick(*self.tables)
        length = len(self.tables[table])
        return self.pick(f"{i} % {size}", f"{i} % {size}", f"({i} + {self.random.randint(1, 9)}) % {size}",
                         f"({i} * {self.random.randint(2, 7)} + {j}) % {size}", f"{table}[{i} % {length}] % {size}",
                         f"({i} < {self.random.randint(1, 4)} ? {i} : {j}) % {size}", f"({i} ^ {j}) % {size}",
                         f"({i} < {size} ? {i} : {size - 1})")

    def element(self):
        name = self.pick(*self.arrays)
        return name, f"{name}[{self.index(self.arrays[name][1])}]"

    def value(self):
        name, element = self.element()
        read = f"bits({element})" if self.arrays[name][0] == "float" else f"(uint){element}"
        return self.weighted((50, lambda: read), (10, lambda: "x"), (8, lambda: "y"), (6, lambda: "n"), (5, lambda: "in[g]"),
                             (8, lambda: self.pick(*(self.counters or ["3u"]))), (6, lambda: f"rotate({read}, (uint){self.random.randint(1, 31)})"),
                             (6, lambda: f"({read} * 5u + x)"), (4, lambda: f"{self.pick(*self.tables)}[{self.pick('3', '5')}]"))

    # ---- statements

    def change(self):
        name, element = self.element()
        kind = self.arrays[name][0]
        if kind == "float":
            return f"{element} = real({self.value()});"
        operator = self.pick("=", "+=", "^=")
        return self.weighted((60, lambda: f"{element} {operator} ({kind})({self.value()} {self.pick('+', '^', '*')} {self.value()});"),
                             (15, lambda: f"x = x * 7 + {self.value()};"), (10, lambda: f"y ^= {self.value()};"),
                             (10, lambda: f"{{ {kind} was = {element}; {element} = ({kind})x; x {self.pick('^=', '*=', '&=', '+=')} (uint)was; }}"))

    def conditional(self, depth):
        condition = self.pick("x & 1", "y % 3 == 1", "n == 3", f"{self.value()} < {self.value()}", "g < 100",
                              *[f"{i} == {self.random.randint(0, 3)}" for i in self.counters])
        other = f" else {{ {self.change()} }}" if self.chance(.4) else ""
        return f"if ({condition}) {{ {self.block(depth)} }}{other}"

    def loop(self, depth):
        i = self.name("i")
        hint = self.pick("", "", "", "", "", "", "\n#pragma unroll\n", "\n#pragma unroll 2\n", "\n#pragma nounroll\n")
        rounds, step = self.pick(2, 3, 4, 5, 8, 9, 16, 24, 25), self.pick(1, 1, 1, 2, 5)
        outer = self.pick(*self.counters) if self.counters else None
        start = f"{outer} + 1" if outer and self.chance(.15) else str(self.pick(0, 0, 0, 1, 2))
        head = f"for (uint {i} = {start}; {i} < {rounds}; {i} += {step})"
        if self.chance(.15):
            head = f"for (int {i} = {rounds - 1}; {i} >= 0; {i}--)"
        elif self.chance(.1):
            head = f"for (uint {i} = {self.pick(1, 2)}; {i} < {self.pick(16, 32, 64)}; {i} <<= 1)"
        elif self.chance(.06):
            head = f"for (uint {i} = 0; {i} < n + {self.random.randint(0, 4)}; {i}++)"
        self.counters.append(i)
        body = self.block(depth + 1)
        leave = self.pick("", "", "", "", "if (x % 7 == 3) break;", "if (y % 5 == 2) continue;", f"if ({self.value()} == 9) break;")
        barrier = "barrier(CLK_LOCAL_MEM_FENCE);" if self.barriers and not leave and depth == 0 and "n +" not in head and self.chance(.5) else ""
        self.counters.pop()
        return f"{hint}{head} {{ {body} {leave} {barrier} }}"

    def block(self, depth):
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, 3)))

    def statement(self, depth):
        kind = self.random.random()
        if depth < 3 and kind < (.8 if depth == 0 else .3):
            return self.loop(depth)
        if depth < 3 and kind < .85 and self.counters:
            return self.conditional(3)
        return self.change()

    def text(self, number):
        body = "\n    ".join(self.statement(0) for _ in range(self.random.randint(1, 4)))
        tables = "\n".join(f"constant uint {name}_{number}[{len(values)}] = {{{', '.join(map(str, values))}}};"
                           for name, values in self.tables.items())
        for name in self.tables:
            body = body.replace(f"{name}[", f"{name}_{number}[")
        arrays = "\n    ".join(f"{kind} {name}[{size}]; for (uint k = 0; k < {size}; k++) {name}[k] = ({kind})(k * {self.pick(3, 5)} + (x & 255));"
                               for name, (kind, size) in self.arrays.items())
        ends = " ".join(f"for (uint k = 0; k < {size}; k++) y = y * 3 + {'bits' if kind == 'float' else '(uint)'}({name}[k]);"
                        for name, (kind, size) in self.arrays.items())
        return f"""
{tables}
kernel void k{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    uint g = get_global_id(0) - get_global_offset(0) + get_global_size(0) * (get_global_id(1) - get_global_offset(1)
        + get_global_size(1) * (get_global_id(2) - get_global_offset(2)));
    uint x = in[g & 255], y = x * 7 + n;
    {arrays}
    {body}
    {ends}
    out[4 * g] = x;
    out[4 * g + 1] = y;
}}
"""


HEADER = """
uint bits(float x)
{
    return isnan(x) ? 77u : as_uint(x);
}
float real(uint x)
{
    return (float)(int)(x & 0xfffff) * 0.125f - 1000.0f;
}
"""

if __name__ == "__main__":
    print_kernels(Kernel, lambda source: HEADER)
