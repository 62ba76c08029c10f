#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with many sums in one loop, as products of small matrices in registers.

    gen_sums.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Loops hand on from 8 to 64 numbers from round to round, as
scalars or as arrays of private memory whose loops are unrolled, made of rows and columns of memory, of tiles of local
memory, of counters and of each other; some are used behind the loop, and so is what else the last round has made. Divisions
of what the loop does not change stand behind conditions in it."""
from kernel_writer import Choices, parameters, print_kernels

TYPES = ("uint", "uint", "uint", "ulong", "ushort", "uint2", "uint4")


class Kernel(Choices):
    def source(self, at):
        """A number of memory, or of the group's tile."""
        place = f"({at}) & 63" if self.tiled and self.chance(.6) else f"({at}) & 255"
        return f"tile[{place}]" if place.endswith("63") else f"in[{place}]"

    def row(self, i):
        return self.source(self.pick(f"{i} * 16 + k", f"{i} + 4 * k", f"n + {i} * 8 + k", f"k * k + {i}"))

    def column(self, j):
        return self.source(self.pick(f"k * 16 + {j} + l", f"l * 4 + {j} + k", f"{j} * 8 + l", f"(l + k) * {j + 1}", "l"))

    def term(self, i, j):
        kind = self.random.random()
        if kind < .6:
            return f"({self.wide}a{i} * b{j})"
        if kind < .75:
            return f"(a{i} ^ b{j})"
        if kind < .85:
            return f"(a{i} + k * {j})"
        return f"(b{j} >> (a{i} & 3))"

    def uses(self, names):
        return " + ".join(f"{self.random.randint(1, 9)} * {self.word(name)}" for name in names)

    def word(self, name):
        if self.kind in ("uint2", "uint4"):
            return f"({name}.x ^ {name}.y)"
        return f"(uint){name}"

    def loop(self, rows, columns):
        """The loop's text, whose sums have names."""
        self.names = [f"s{i}_{j}" for i in range(rows) for j in range(columns)]
        lines = [f"{self.kind} {', '.join(f'{name} = {self.random.randint(0, 9)}' for name in self.names)};",
                 "uint last = 0, other = 1;"]
        body = [f"{self.kind} a{i} = ({self.kind})({self.row(i)});" for i in range(rows)]
        body += [f"{self.kind} b{j} = ({self.kind})({self.column(j)});" for j in range(columns)]
        together = self.chance(.2)  # a sum that others are made of
        for i in range(rows):
            for j in range(columns):
                name, more = f"s{i}_{j}", ""
                if together and self.chance(.1):
                    more = f" + {self.pick(*self.names)}"
                body.append(f"{name} {self.pick('+=', '+=', '+=', '^=', '-=')} {self.term(i, j)}{more};")
        if self.chance(.4):
            body.append(f"last = {self.word('a0')} + k;")
        if self.chance(.3):
            body.append(f"other = other * 5 + {self.word('b0')};")
        if self.chance(.3):
            body.append(f"if ({self.pick('k & 1', '(k + l) & 4', 'other & 8', '(k * 3 % 7u) & 2')}) "
                        f"last ^= in[(l * {self.pick(12, 3)} {self.pick('%', '/')} {self.pick('(n | 16)', '(n | 1)', '(n & 3 | 4)', '7u')}) & 255];")
        if self.chance(.1):
            body.append("out[4 * g + 3] = last;")
        if self.chance(.1):
            body.append(f"if ({self.word(self.names[0])} % 13 == {self.pick('n', '5')}) break;")
        rounds = self.pick("n", "n", "16", "8", "20", "n + 3", "(n & 7) + 1", "(l & 7) + 2")
        return "\n    ".join(lines), f"for (uint k = 0; k < {rounds}; k++) {{\n        " + "\n        ".join(body) + "\n    }"

    def array(self, rows, columns):
        """The same with an array, whose loops have known rounds."""
        self.names = [f"s[{i}][{j}]" for i in range(rows) for j in range(columns)]
        start = f"{self.kind} s[{rows}][{columns}]; for (uint i = 0; i < {rows}; i++) for (uint j = 0; j < {columns}; j++) " \
                f"s[i][j] = {self.pick('0', '(' + self.kind + ')(i + j)')};\n    uint last = 0, other = 1;"
        term = self.pick(f"{self.wide}a * b", f"{self.wide}a * b", "(a ^ b)", f"(a + {self.wide}b * 3)")
        more = self.pick("", "", "", f" if (k == 3) last += {self.word('s[1][0]')};")
        return start, f"for (uint k = 0; k < {self.pick('n', '16', '8', 'n + 1')}; k++) {{ for (uint i = 0; i < {rows}; i++) " \
                      f"for (uint j = 0; j < {columns}; j++) {{ {self.kind} a = ({self.kind})({self.row(7).replace('7', 'i', 1)}), " \
                      f"b = ({self.kind})({self.column(0).replace('0', 'j', 1)}); s[i][j] += {term}; }}{more} }}"

    def text(self, number):
        self.kind = self.pick(*TYPES)
        self.wide = "(uint)" if self.kind == "ushort" else ""  # int would overflow
        self.tiled = self.chance(.5)
        rows, columns = self.pick((4, 4), (4, 4), (2, 8), (8, 2), (16, 1), (3, 5), (4, 8), (6, 6), (8, 8))
        start, loop = self.array(rows, columns) if self.chance(.4) else self.loop(rows, columns)
        tile = "local uint tile[64];\n    " if self.tiled else ""
        if self.tiled:
            fill = "for (uint i = l; i < 64; i += w) tile[i] = in[(i * 3 + t) & 255] + t;"
            loop = f"for (uint t = 0; t < {self.pick('2', '3', '(n & 3)')}; t++) {{ barrier(CLK_LOCAL_MEM_FENCE); {fill} " \
                   f"barrier(CLK_LOCAL_MEM_FENCE);\n    {loop} }}"
        names = self.random.sample(self.names, min(len(self.names), 20)) if self.chance(.3) else self.names
        return f"""
kernel void k{number}({parameters(self.random)})
{{
    {tile}uint g = get_global_id(0), l = get_local_id(0), w = get_local_size(0);
    {start}
    {loop}
    out[4 * g] = {self.uses(names)};
    out[4 * g + 1] = last + other * 3;
    out[4 * g + 2] = {self.uses(self.random.sample(self.names, 3))};
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel)
