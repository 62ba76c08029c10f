#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random trees in local memory, of groups whose size the kernel demands, or that are launched with that size.

    gen_steps.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Loops with barriers double or halve a number; in each
round some work-items make elements of others at that distance, at the same place or in a second array: sums up and
down a tree, exchanges, sorting networks, with limits, masks and remainders. All distances are known, so
that lanes take from registers what other lanes, or other gangs, have stored."""
from kernel_writer import Choices, print_kernels

SIZE = 64  # of a group, as fuzz_forms launches them
BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
TYPES = ("uint", "uint", "short", "ushort", "uchar", "ulong", "float")


class Kernel(Choices):
    def word(self):
        return "as_uint(s[l])" if self.type == "float" else "(uint)s[l]"

    def value(self, tile):
        return self.pick(f"{tile}", f"{tile} * 3", f"({tile} ^ x)" if self.type != "float" else f"{tile} + 1",
                         f"({tile} + ({self.type})l)")

    def step(self, d, size):
        """What work-items do at distance `d`, a power of two below `size`; each writes elements of its own."""
        op = self.pick("+=", "-=", "+=") if self.type == "float" else self.pick("+=", "^=", "-=", "+=")
        left, right = f"{d} * (2 * l + 1) - 1", f"{d} * (2 * l + 2) - 1"
        other = self.value(f"s[l + {d}]")
        return self.pick(
            # Inner nodes of a tree, up and down.
            f"if (l < {size} / (2 * {d})) s[{right}] {op} {self.value(f's[{left}]')};",
            f"if (l < {size} / (2 * {d})) {{ {self.type} a = s[{left}]; s[{left}] = s[{right}]; s[{right}] {op} a; }}",
            # Halves, remainders, and the last ones.
            f"if (l < {d}) s[l] {op} {other};",
            f"if (l % (2 * {d}) == 0) s[l] {op} {other};",
            f"if (l + {d} < {size}) t[l] = {other}; else t[l] = s[l]; {BARRIER} s[l] {op} t[l];",
            f"{{ {self.type} a = l >= {d} ? s[l - {d}] : ({self.type})7; {BARRIER} s[l] {op} a; }}",
            f"{{ {self.type} a = {self.value(f's[l ^ {d}]')}; {BARRIER} s[l] {op} a; }}",
            f"{{ uint i = 2 * l - (l & ({d} - 1)); if (i + {d} < {size}) {{ {self.type} a = s[i], b = s[i + {d}]; "
            f"s[i] = a < b ? a : b; s[i + {d}] = a < b ? b : a; }} }}",
            f"if (2 * {d} * l < {size}) s[2 * {d} * l] {op} {self.value(f's[2 * {d} * l + {d}]')};")

    def loop(self, size):
        d = self.name("d")
        up = f"for (uint {d} = 1; {d} < {size}; {d} {self.pick('*= 2', '<<= 1')})"
        down = f"for (uint {d} = {size} / 2; {d} > 0; {d} {self.pick('/= 2', '>>= 1')})"
        more = self.pick("", "", f" x += {d};", f" if (l == 0) s[{size} - 1] {self.pick('=', '+=')} 5; {BARRIER}",
                         f" if (l == {d}) out[4 * g + 1] += {self.word()}; {BARRIER}")
        return f"{self.pick(up, down)} {{ {self.step(d, size)} {BARRIER}{more} }}"

    def text(self, number):
        self.type = self.pick(*TYPES)
        start = self.pick("in[g & 255] & 63", "x & 31", "l * 5 & 127")
        demand = self.pick(f"__attribute__((reqd_work_group_size({SIZE}, 1, 1))) ", "")
        size = SIZE if demand else self.pick(SIZE, "m")
        body = f"\n    {BARRIER}\n    ".join(self.loop(size) for _ in range(self.pick(1, 2, 2, 3)))
        # Loops beside them, which nobody unrolls before there are lanes.
        beside = self.pick("", "", f"#pragma unroll\n    for (uint k = 0; k < 5; k++) {{ s[l] += t[l ^ k]; {BARRIER} }}",
                           "for (uint k = 0; k < 4; k++) x += k * l;")
        return f"""
kernel void {demand}steps{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    local {self.type} s[{SIZE}], t[{SIZE}];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], m = get_local_size(0);
    s[l] = {start};
    t[l] = x & 7;
    {BARRIER}
    {body}
    {BARRIER}
    {beside}
    out[4 * g] = x;
    out[4 * g + 2] += {self.word()};
    out[4 * g + 3] = t[{SIZE - 1} - l] != 0;
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel)
