#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels whose conditions go from block to block, and that load under them.

    gen_masks.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Truth values of comparisons of every type are kept,
combined, chosen between and changed in loops that lanes leave at different times: masks, which below AVX-512 are wide
vectors from block to block (codegen/convert/masks.h). Where they say so, elements of all sizes are loaded side by side, up to the first and
the last that are there: lanes that are not active lie in pages that nobody may touch (gang_page.c)."""
from kernel_writer import Choices, print_kernels

IN_BYTES = 1024
LOADS = {"uchar": 1, "char": 1, "ushort": 2, "short": 2, "uint": 4, "float": 4, "ulong": 8, "uchar4": 4, "ushort2": 4, "uchar2": 2}
HEADER = """
uint bits(float x)
{
    return isnan(x) ? 77u : as_uint(x);
}
"""


class Kernel(Choices):
    # ---- truth values

    def comparison(self):
        k = self.random.randint(1, 6)
        return self.pick(f"a % {k + 1} == 1", "a > b", "(int)a < (int)b", "(uchar)a > (uchar)b", "(char)a < (char)b", "(ushort)a >= (ushort)b",
                         "(short)b < (short)a", "e > (ulong)a * b", "(long)e < (long)b - (long)a", "f < h", "!(f >= h)", "f != f", "isnan(h)",
                         "(double)f < (double)h", f"g % {k + 1} < {k}", f"n == {k}", f"(int)g > (int)n * {k * 9}", f"g + {k} < 200", "(a & 3) == (b & 3)", "f == -0.0f")

    def truth(self, depth=0):
        if depth > 2 or self.chance(.3):
            return self.pick("p", "q", "r", f"({self.comparison()})", f"({self.comparison()})")
        x, y = self.truth(depth + 1), self.truth(depth + 1)
        return self.pick(f"({x} & {y})", f"({x} | {y})", f"({x} ^ {y})", f"({x} && {y})", f"({x} || {y})", f"!{x}",
                         f"({x} ? {y} : {self.truth(depth + 1)})", f"({x} == {y})")

    # ---- loads of what is there for active lanes alone

    def load(self):
        kind = self.pick(*LOADS)
        count = IN_BYTES // LOADS[kind]
        far, moved = self.random.randint(1, 40), self.pick("", f" + {self.random.randint(1, 5)} * t", " - t", " + n")
        first = self.pick(f"(int)g - {far}", f"(int)g + {count - 203 + far}" if count > 203 else f"(int)g + {far}", f"2 * (int)g - {far}",
                          f"(int)g - {far}")
        i = self.name("i")
        element = f"((global const {kind} *)in)[{i}]"
        number = f"bits({element})" if kind == "float" else " ^ ".join(f"(uint){element}.s{k} << {k}" for k in range(int(kind[-1]))) \
            if kind[-1] in "24" else f"(uint){element}"
        more = self.pick("", "", f" && {self.truth(2)}")
        other = self.pick("", "", f" else {{ {self.change()} }}")
        use = self.pick("a += {};", "b ^= {};", "a = a * 3 + ({});", "b = b * 5 ^ ({});")
        return f"{{ int {i} = {first}{moved}; if ({i} >= 0 && {i} < {count}{more}) {{ {use.format(number)} {self.pick('', self.change())} }}{other} }}"

    # ---- statements

    def change(self):
        return self.pick("a = a * 5 + b;", "b ^= a >> 3;", "a += t;", "b += g;", "f = f * 0.5f - (float)(a & 15);", "h = p ? f : h + 1.0f;",
                         "e = e * 3 + a;", "e ^= (ulong)b << 20;", "a = q ? a + 1 : b;", "b = r && p ? a : b * 3;", "if (q) a++;", "h = r ? NAN : -f;",
                         f"{self.pick('p', 'q', 'r')} = {self.truth()};", f"{self.pick('p', 'q', 'r')} {self.pick('^', '|', '&')}= {self.truth(1)};",
                         f"out[4 * g + {self.random.randint(0, 3)}] = a;")

    def counted(self):
        """Words of all work-items, which some lanes change, the same in each round where nothing else is changed."""
        at = self.pick("shared + 4", "shared + 4 + (g >> 2 & 3)", "shared + 5 + (a & 1)")
        k = self.name("k")
        change = f"if ({self.truth(1)}) {{ atomic_add({at}, {self.pick('3u', 'g', 'a')}); {self.pick('', 'b++;')} }}"
        return self.pick(change, f"for (uint {k} = 0; {k} < {self.pick('3', 'n', '(g & 3)')}; {k}++) {change}")

    def loop(self, depth):
        limit = self.pick("(a & 7)", "(g & 3)", "n", "5", "(b % 6)", "3")
        body = " ".join(self.statement(depth + 1) for _ in range(self.pick(1, 2, 2)))
        leave = self.pick("", "", f"if ({self.truth(1)}) break;", f"if ({self.truth(1)}) continue;", f"p = p && {self.truth(2)};")
        if self.chance(.3):
            return f"for (uint s = 0; ({self.truth(1)}) && s < 6; s++, t++) {{ {leave} {body} }}"
        return f"for (uint s = 0; s < {limit}; s++) {{ t++; {leave} {body} {self.pick('', leave)} }}"

    def statement(self, depth):
        if depth > 2:
            return self.pick(self.change, self.load)()
        return self.weighted(
            (25, self.change), (25, self.load), (8, self.counted), (20, lambda: f"if ({self.truth()}) {{ {self.statement(depth + 1)} }}"),
            (12, lambda: f"if ({self.truth()}) {{ {self.statement(depth + 1)} }} else {{ {self.statement(depth + 1)} {self.statement(depth + 1)} }}"),
            (25, lambda: self.loop(depth)))

    def text(self, number):
        body = "\n    ".join(self.statement(0) for _ in range(self.pick(2, 3, 3, 4, 5)))
        return f"""
kernel void k{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    {self.pick('uint', 'uint', 'int', 'size_t')} g = get_global_id(0);
    uint a = in[g], b = in[255 - g] >> 3, t = n;
    ulong e = (ulong)b << 24 ^ a;
    float f = (float)(int)(a & 1023) - 500.0f, h = (float)(int)(b & 1023) - 400.0f;
    bool p = {self.comparison()}, q = {self.comparison()}, r = {self.comparison()};
    {self.pick('', '', 'if (g > 190) return;', f'if ({self.comparison()}) return;')}
    {body}
    out[4 * g] = a ^ bits(f);
    out[4 * g + 1] += b + bits(h) * 3;
    out[4 * g + 2] = (uint)(e ^ e >> 32) + t;
    out[4 * g + 3] ^= (p ? 1 : 0) | (q ? 2 : 0) | (r ? 4 : 0);
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda _: HEADER)
