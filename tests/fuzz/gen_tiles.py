#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with barriers in groups of several rows, as products of matrices in tiles.

    gen_tiles.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Between two barriers each work-item
writes its own element of local memory and reads what others wrote before: rows and columns of
the tile, its neighbours, in loops that fill the tile anew, or takes over what others have in a tree, whose limit may be
another for each item. Branches depend on the column, which makes masks, or on the row, which keeps rows from being a pack; some kernels
demand the size of their groups."""
from kernel_writer import Choices, print_kernels

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
TYPES = {"s": "uint", "t": "uint", "h": "ushort", "b": "uchar", "d": "ulong"}


class Kernel(Choices):
    counters, by_rows = (), 0

    def leaf(self):
        if self.counters and self.chance(.15):
            return self.pick(*self.counters)
        if self.chance(.1):
            return self.block()
        return self.pick("x", "y", "z", "x", "y", "n", "lx", "ly", str(self.random.randint(0, 99)))

    def block(self):
        """Of ids, what blocks of items have in common, or each of a block has for itself."""
        item, size = self.pick("l", "l", "lx", "(l + 32 * ly)", "(2 * lx)", "(l + n)"), self.pick(4, 8, 16, 32, 48, 5)
        return self.pick(f"({item} / {size})", f"({item} % {size})", f"({item} & {size - 1})", f"({item} & -{size})",
                         f"({item} >> {self.pick(2, 3, 4, 5)})", f"((int)({item}) / {size})")

    def expression(self, depth=2):
        if depth == 0 or self.chance(.2):
            return self.leaf()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        return self.pick(f"({a} + {b})", f"({a} * {b})", f"({a} ^ {b})", f"({a} - {b})", f"({a} >> ({b} & 7))",
                         f"(({a} & 1) ? {a} : {b})", f"min((uint){a}, (uint){b})", f"({a} < {b} ? {b} : {a} * 3)")

    def condition(self):
        if self.chance(self.by_rows):
            return f"((ly + {self.leaf()}) & 1)"
        if self.chance(.2):
            a, b = self.pick("l", "lx", "(l + 16)", "(2 * l)", "(l * n)"), self.pick(8, 16, 24, 32, 31, 15, "n", "16 * n")
            return self.pick(f"{a} < {b}", f"{a} >= {b}", f"{b} > {a}", f"{a} <= {b}", f"(int){a} < (int){b}",
                             f"{self.block()} == (n & 3)")
        return self.pick("(lx & 1)", "lx < n", "lx > (n & 7)", "lx + 1 < w", "lx == (n & 3)", "lx >= w / 2", "(n & 1)")

    def read(self, tile, k):
        """What another work-item wrote before the last barrier."""
        return self.pick(f"{tile}[ly * w + {k} % w]", f"{tile}[{k} % hh * w + lx]", f"{tile}[{k} % hh * w + lx]",
                         f"{tile}[{k} % hh * w + {k} % w]", f"{tile}[(l + {k}) % count]", f"{tile}[count - 1 - l]",
                         f"{tile}[lx]")

    def fill(self, tile):
        """What each round of a loop takes elsewhere from global memory."""
        start = self.pick("gx", "l", "lx", f"gy * {self.pick(16, 3)} + lx", "n * l")
        step = f" + {self.pick(*self.counters)} * {self.pick(8, 'n', 'w')}" if self.counters else ""
        return f"{tile}[l] = {self.pick('', 'x + ', '3 * ')}in[({start}{step}) & 255];"

    def fill_all(self, tile):
        """The tile by all items, each in steps of the group, or of a size that it may have."""
        i, step, end = self.name("i"), self.pick("count", "count", "16", "32", "64"), self.pick("64", "64", "48", "count", "n")
        if step != "count" and end != "64":
            end = "64"  # all that others read is there
        size = self.pick(4, 8, 16, 32, 12)
        at = self.pick(f"{i} / {size} * n + {i} % {size}", i, f"{i} % {size} * 8 + {i} / {size}", f"63 - {i}")
        more = self.pick("", "", f" x += {i} / {size};")
        first = "l" if step == "count" else f"l % {step}"
        return f"for (uint {i} = {first}; {i} < {end}; {i} += {step}) " \
               f"{{ {tile}[{i}] = in[({at}) & 255];{more} }}"

    def write(self, tile):
        if self.chance(.15):
            return self.fill_all(tile)
        plain = self.fill(tile) if self.chance(.3) else f"{tile}[l] = {self.expression()};"
        if self.chance(.5):
            return plain
        other = f" else {tile}[l] = {self.expression(1)};" if self.chance(.4) else ""
        more = f" y += {self.leaf()};" if not other and self.chance(.5) else ""
        if other or not more:
            return f"if ({self.condition()}) {plain}{other}"
        return f"if ({self.condition()}) {{ {plain}{more} }}"

    def reads(self, depth):
        """In a part in which nobody writes."""
        variable = self.pick("x", "y", "z")
        a, b = self.pick(*TYPES), self.pick(*TYPES)
        if self.chance(.5):
            k = self.name("k")
            rounds = self.pick("w", "hh", "4", "7", "(n & 7)")
            return f"for (uint {k} = 0; {k} < {rounds}; {k}++) {variable} += {self.read(a, k)} * " \
                   f"{self.read(b, k)};"
        if self.chance(.3) and depth < 2:
            return f"if ({self.condition()}) {{ {self.reads(depth + 1)} {self.reads(depth + 1)} }}"
        return f"{variable} {self.pick('+=', '^=', '-=')} {self.read(a, self.pick('1', '2', 'n'))};"

    def part(self):
        """Own elements are written, then others are read."""
        tiles = self.random.sample(sorted(TYPES), self.random.randint(1, 3))
        writes = " ".join(self.write(tile) for tile in tiles)
        reads = " ".join(self.reads(0) for _ in range(self.random.randint(1, 3)))
        return f"{writes} {BARRIER} {reads} {BARRIER}"

    def tree(self):
        """The first items of the group, or of each row, take over what the next ones have; in the last rounds
        fewer than there are lanes."""
        u, tile = self.name("u"), self.pick(*TYPES)
        first = self.pick("count / 2", "count / 2", "w", "16", "8", "n")
        own, end = self.pick(("l", "count"), ("lx", "w"))
        at = "l" if own == "l" else "ly * w + lx"
        step = self.pick(f"{tile}[{at}] += {tile}[{at} + {u}];", f"{tile}[{at}] ^= {tile}[{at} + {u}] * 3;",
                         f"if ({tile}[{at}] < {tile}[{at} + {u}]) {{ {tile}[{at}] = {tile}[{at} + {u}]; x++; }}")
        more = self.pick("", f"y += {u};", f"if ({u} == (n & 15)) break;")
        halve = self.pick(f"{u} /= 2", f"{u} >>= 1")
        return f"for (uint {u} = {first}; {u} > 0; {halve}) {{ if ({own} < {u} && {own} + {u} < {end}) " \
               f"{{ {step} }} {BARRIER} {more} }}"

    def own_trees(self):
        """Limits of each item's own, or of each row's, that all halve equally often."""
        u, tile = self.name("u"), self.pick(*TYPES)
        first = self.pick("16 + (l & 15)", "8 + (ly & 7)", "32 + lx % 32", "16 + (n & 15)", "64 + 4 * (ly & 15)")
        return f"for (uint {u} = {first}; {u} > 0; {u} {self.pick('/= 2', '>>= 1')}) {{ if ({self.pick('l', 'lx')} < {u}) " \
               f"x += {tile}[(l + {u}) % count]; {BARRIER} {tile}[l] ^= x; {self.pick('', f'y += {u};')} {BARRIER} }}"

    def loop(self, u, start, end, step, depth):
        self.counters += (u, f"(l + {u}) % {self.pick(16, 32, 64)}", f"(l + {u}) / 16")
        body = " ".join(self.statement(depth + 1) for _ in range(self.random.randint(1, 2)))
        self.counters = self.counters[:-3]
        return f"for ({start}; {end}; {step}) {{ x += {u}; {body} }}"

    def statement(self, depth):
        if self.chance(.2):
            return self.tree()
        if self.chance(.06):
            return self.own_trees()
        if depth < 2 and self.chance(.35):
            u = self.name("u")
            rounds = self.pick("2", "3", "(n & 3)", "n / 4")
            if self.chance(.25):  # of what blocks begin at in each round, less and less is known
                step = self.pick(f"({u} + {self.pick(64, 512, 96)}) >> {self.pick(1, 3)}", f"{u} / 2", f"{u} * 3 + 48",
                                 f"({u} & 4032) + 16")
                return self.loop(u, f"uint {u} = {self.pick(0, 64, 128)}, r{u} = 0", f"r{u} < 2 + {rounds}",
                                 f"r{u}++, {u} = {step}", depth)
            return self.loop(u, f"uint {u} = 0", f"{u} < {rounds}", f"{u}++", depth)
        if depth < 2 and self.chance(.1):
            return f"if (n & {self.pick(1, 2)}) {{ {self.statement(depth + 1)} }}"
        return self.part()

    def text(self, number):
        self.by_rows = self.pick(0, 0, .2)
        size = self.pick("", "", "reqd_work_group_size(8, 4, 1)", "reqd_work_group_size(16, 4, 1)",
                         "reqd_work_group_size(16, 2, 1)")
        demand = f" __attribute__(({size}))" if size else ""
        tiles = "\n    ".join(f"local {TYPES[tile]} {tile}[64];" for tile in sorted(TYPES))
        starts = " ".join(f"{tile}[l] = {self.pick('x', 'y', 'l')};" for tile in sorted(TYPES))
        body = "\n    ".join(self.statement(0) for _ in range(self.pick(1, 1, 2, 3)))
        return f"""
kernel void{demand} tiles{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    {tiles}
    uint lx = get_local_id(0), ly = get_local_id(1), w = get_local_size(0), hh = get_local_size(1);
    uint l = ly * w + lx, count = w * hh;
    uint gx = get_global_id(0) - get_global_offset(0), gy = get_global_id(1) - get_global_offset(1);
    uint g = gy * get_global_size(0) + gx;
    uint x = in[g & 255], y = x * 7 + n, z = in[gx & 255];
    {starts}
    {BARRIER}
    {body}
    out[4 * g] = x;
    out[4 * g + 1] ^= y;
    {"if (lx < n) " if self.chance(.4) else ""}out[4 * g + 2] += z;
    out[4 * g + 3] = s[count - 1 - l] + h[l] + b[lx] + (uint)d[l] + t[(l + n) % count];
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel)
