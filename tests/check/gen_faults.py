# SPDX-License-Identifier: MIT
"""Random kernels whose faults are known: private arrays, structs and vectors that are written in part and
copied, images that are accessed at their edges; some of it in functions that they call.

    gen_faults.py SEED COUNT > FILE.cl

One work-item, straight code, so that a model of the bytes says which line uses a value that nobody has
made; check_faults.py compares."""
import random
import sys

SIZES = {"char": 1, "short": 2, "int": 4, "long": 8}
STORED = 'FAULT: uninitialized {} "a value that was never written is stored" "" id=0'


class Private:
    """Arrays of 16 bytes, as text and as the bytes of each that were written."""

    def __init__(self, source, name):
        self.random, self.name = source, name
        self.written = {array: [False] * 16 for array in "abc"}
        self.functions = ""

    def handed(self, kind, text):
        """By a function, or not."""
        return f"hand_{kind}({text}, 7)" if self.random.random() < 0.3 else text

    def placed(self, number, text):
        """In a function, or where it stands."""
        if self.random.random() < 0.6:
            return text
        self.functions += f"""
void {self.name}_{number}(long *a, long *b, long *c, global long *out, int n)
{{
    {text}
}}
"""
        return f"{self.name}_{number}(a, b, c, out, n);"

    def element(self, kind):
        array = self.random.choice("abc")
        at = self.random.randrange(16 // SIZES[kind])
        size = SIZES[kind]
        return array, at, slice(at * size, at * size + size)

    def text_of(self, kind, array, at):
        return f"(({kind} *){array})[n + {at}]"

    def write(self):
        kind = self.random.choice(list(SIZES))
        array, at, part = self.element(kind)
        self.written[array][part] = [True] * SIZES[kind]
        return f"{self.text_of(kind, array, at)} = {self.random.randrange(100)};"

    def hand_on(self):
        kind = self.random.choice(list(SIZES))
        source, at, part = self.element(kind)
        target, to, place = self.element(kind)
        self.written[target][place] = [all(self.written[source][part])] * SIZES[kind]
        return f"{self.text_of(kind, target, to)} = {self.handed(kind, self.text_of(kind, source, at))};"

    def copy(self):
        source, target = self.random.sample("abc", 2)
        self.written[target] = list(self.written[source])
        return f"*(struct whole *){target} = {self.handed('whole', f'*(struct whole *){source}')};"

    def use(self):
        kind = self.random.choice(list(SIZES))
        array, at, part = self.element(kind)
        fault = "" if all(self.written[array][part]) else " // " + STORED.format(self.name)
        return f"out[0] = {self.handed(kind, self.text_of(kind, array, at))};{fault}"

    def kernel(self):
        steps = [self.write, self.write, self.hand_on, self.copy, self.use, self.use]
        body = "\n    ".join(self.placed(number, self.random.choice(steps)())
                             for number in range(self.random.randrange(8, 40)))
        return f"""{self.functions}
kernel void {self.name}(global long *out, int n)
{{
    long a[2], b[2], c[2];
    {body}
    out[0] = 1;
}}
// RUN: {self.name} global=1
// ARG: out long[1]
// ARG: n int = 0
// EXPECT: out = 1
"""


class Image:
    """Accesses at and beyond the edges of an image."""

    def __init__(self, source, name):
        self.random, self.name = source, name
        self.size = [source.randrange(1, 6), source.randrange(1, 6)]
        self.functions = ""

    def placed(self, number, text):
        if self.random.random() < 0.6:
            return text
        self.functions += f"""
int {self.name}_{number}(read_only image2d_t in, write_only image2d_t to, int n)
{{
    int sum = 0;
    {text}
    return sum;
}}
"""
        return f"sum += {self.name}_{number}(in, to, n);"

    def place(self):
        at = [self.random.choice([-1, 0, side // 2, side - 1, side, side + 7]) for side in self.size]
        return at, all(0 <= x < side for x, side in zip(at, self.size))

    def access(self):
        at, inside = self.place()
        coordinate = f"(int2)(n + {at[0]}, n + {at[1]})"
        name = self.random.choice(["in", "to", "edge"])
        text = {"in": f"sum += read_imagei(in, {coordinate}).x;",
                "to": f"write_imagei(to, {coordinate}, (int4)(1));",
                "edge": f"sum += read_imagei(in, edge, {coordinate}).x;"}[name]
        if inside or name == "edge":
            return text
        what = "write to" if name == "to" else "read of"
        number = 1 if name == "to" else 0
        return (f'{text} // FAULT: memory {self.name} "invalid {what} an image" "at ({at[0]}, {at[1]}) of the image of '
                f"argument {number} '{name}', which has {self.size[0]} x {self.size[1]} pixels\" id=0")

    def kernel(self):
        body = "\n    ".join(self.placed(number, self.access()) for number in range(self.random.randrange(2, 16)))
        extent = f"{self.size[0]}x{self.size[1]}"
        count = self.size[0] * self.size[1]
        return f"""{self.functions}
kernel void {self.name}(read_only image2d_t in, write_only image2d_t to, global int *out, int n)
{{
    int sum = 0;
    {body}
    out[0] = sum & 0;
}}
// RUN: {self.name} global=1
// ARG: in image 2d R SIGNED_INT32 {extent} int[{count}] = i
// ARG: to image 2d R SIGNED_INT32 {extent} int[{count}] = i
// ARG: out int[1]
// ARG: n int = 0
// EXPECT: out = 0
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    print(f"""// seed {seed}
// BUILD: options="-cl-std=CL3.0"
struct whole {{
    long all[2];
}};
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
struct whole hand_whole(struct whole v, long seven)
{{
    long *at = &seven;
    return *(&v + (*at - 7));
}}""")
    for kind in SIZES:
        print(f"{kind} hand_{kind}({kind} v, long seven)\n{{\n    long *at = &seven;\n    return *(&v + (*at - 7));\n}}")
    for number in range(count):
        kind = Image if source.random() < 0.3 else Private
        print(kind(source, f"k{number}").kernel())


if __name__ == "__main__":
    main()
