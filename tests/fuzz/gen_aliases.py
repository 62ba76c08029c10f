#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels that reach the same memory by several pointers.

    gen_aliases.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py, of which the third is the second's
buffer from word 3 on where a kernel's name begins with "alias". Each work-item owns four words of
`out`, beside each other or one in each quarter, and four of local memory, and reads and
changes them by turns through pointers that nothing says to be the same: as elements of several
sizes, with atomic operations whose results are used, in loops whose bounds lie in this memory, that walk
up and down by pointers, copy what overlaps and have two ends; with indices that wrap in 8, 16 and 32
bits, or begin again every few rounds. In kernels with barriers the group has a number of rounds in local memory that the rounds
change, and functions of the whole group in such loops."""
from kernel_writer import Choices, print_kernels

ITEMS = 203
IN_BYTES = 1024
HEADER = """
typedef uchar any_uchar __attribute__((may_alias));
typedef ushort any_ushort __attribute__((may_alias));
typedef uint any_uint __attribute__((may_alias));
typedef ulong any_ulong __attribute__((may_alias));
typedef short any_short __attribute__((may_alias));
struct __attribute__((may_alias)) four { uint x; ushort y, z; uchar w[8]; };
struct __attribute__((may_alias)) two { ushort x; uint y; };
uint stir(uint *x, const uint *y, uint z)
{
    *x += z;
    return *y * 3 + *x;
}
uint half_of(float x)
{
    return isnan(x) ? 77u : as_uint(x);
}
"""
SIZES = [("uchar", 1), ("ushort", 2), ("uint", 4), ("ulong", 8)]
FENCE = "barrier(CLK_LOCAL_MEM_FENCE);"


class Kernel(Choices):
    def __init__(self, source):
        super().__init__(source)
        self.same = self.chance(.5)
        self.beside = self.chance(.75)  # else one word in each quarter
        self.barriers = self.chance(.35)
        self.in_loop = 0
        # One kind of atomic changes, whose results nobody needs: they may wait (item/delay.h).
        self.waiting = self.pick("add", "xor", "max", "or") if self.chance(.3) and not self.barriers else None

    # ---- pointers to what the work-item owns

    def views(self):
        """(pointer to the first word, its address space, words from one to the next)"""
        step = 1 if self.beside else ITEMS
        return [("o", "global", step), ("al", "global", step), ("lo", "local", 1), ("la", "local", 1)]

    def view(self):
        return self.weighted((3, lambda: self.views()[0]), (3, lambda: self.views()[1]), (1, lambda: self.views()[2]),
                             (1, lambda: self.views()[3]))

    def pair(self):
        """Two views of the same memory."""
        views = self.views()
        return self.weighted((3, lambda: (views[0], views[1])), (3, lambda: (views[1], views[0])), (1, lambda: (views[2], views[3])))

    def cell(self, view=None):
        """An element, the number of bytes of it."""
        pointer, space, step = view or self.view()
        kind, size = self.pick(*SIZES)
        if step > 1:
            count = 4 // size if size < 4 else 1
            if size == 8:
                kind, size, count = "uint", 4, 1
            word = self.pick("0", "1", "2", "3", "(sum & 3)", "(a & 3)")
            return f"(({space} any_{kind} *)({pointer} + {word} * {step}))[{self.random.randint(0, count - 1)}]"
        last = 16 // size - 1
        return f"(({space} any_{kind} *){pointer})[{self.index(last)}]"

    def index(self, last):
        return self.pick("0", str(last), str(self.random.randint(0, last)), f"(sum & {last})", f"(a & {last})", f"({self.counter()} & {last})",
                         f"(uint)({self.counter()} + far) % {last + 1}", f"((uchar)(a * 3) & {last})")

    def counter(self):
        return f"i{self.in_loop}" if self.in_loop else "n"

    def input(self):
        i = self.counter()
        return self.pick("in[g]", f"in[(g + {i}) & 255]", f"in[(uchar)(g * 3 + {i})]", f"in[(uint)(g + near + {i}) & 255]",
                         f"in[(g & 3) * 64 + ({i} & 63)]", f"in[(uchar)(far + g + {i})]", f"in[(ushort)({i} + 65535u) & 255]",
                         "in[255 - g]", f"in[(g & 3) * 64 + 63 - ({i} & 63)]")

    def value(self):
        return self.weighted(
            (6, self.cell), (4, self.input), (3, lambda: "sum"), (2, lambda: "a"), (2, lambda: "n"), (2, lambda: self.counter()),
            (2, lambda: f"({self.condition()} ? {self.cell()} : {self.pick('sum', '7u', 'a')})"))

    def condition(self):
        return self.pick("sum & 1", "a % 3 == 1", "g % 5 < 2", "n == 3", "(in[g] & 3) == 2", f"({self.cell()} & 5) == 1", "g < 190",
                         f"({self.counter()} & 1) == 0", "sum % 7 > 3")

    # ---- statements

    def change(self):
        return self.weighted(
            (8, lambda: f"{self.cell()} = {self.value()};"),
            (5, lambda: f"{self.cell()} {self.pick('+=', '^=', '-=')} {self.value()};"),
            (8, lambda: f"sum = sum * {self.random.randint(3, 99) | 1}u + (uint){self.value()};"),
            (3, lambda: f"a ^= {self.value()};"),
            (4, self.atomic), (3, self.block), (2, self.narrow), (2, self.folded), (2, self.vector), (2, self.structure), (2, self.either),
            (0 if self.waiting else 1, lambda: f"sum ^= *(volatile global uint *)(o + {self.random.randint(0, 3)} * {self.views()[0][2]});"),
            (2, self.flags), (1, self.halves), (3, self.swap))

    def swap(self):
        """What was there is read before it is written, where a condition says so (ir/memory/masked_loads.c)."""
        cell, other = self.cell(), self.pick(self.value(), self.cell())
        return f"{{ uint was; if ({self.condition()}) {{ was = {cell}; {cell} = {self.value()}; }} else was = {other}; sum = sum * 3 + was; }}"

    def atomic(self):
        pointer, space, step = self.view()
        if self.waiting:
            pointer, space, step = self.views()[self.pick(0, 1)]
        at = f"(volatile {space} uint *)({pointer} + {self.pick('0', '2', '3', '(sum & 3)', '(a & 3)')} * {step})"
        if self.waiting:
            return f"atomic_{self.waiting}({at}, {self.value()});"
        call = self.pick(f"atomic_add({at}, {self.value()})", f"atomic_xchg({at}, {self.value()})", f"atomic_sub({at}, a)",
                         f"atomic_cmpxchg({at}, (uint){self.cell()}, sum)", f"atomic_max({at}, sum)", f"atomic_xor({at}, {self.value()})",
                         f"atomic_inc({at})", f"atomic_and({at}, {self.value()} | 0xff)")
        return self.pick(f"sum = sum * 5 + {call};", f"sum ^= {call};", f"{call};", f"{call};",
                         f"if ({call} & 1) {{ {self.cell()} = sum; }}")

    def block(self):
        """Several neighbours, with a store between them."""
        (p, space, step), (q, _, _) = self.pair()
        some = [self.random.randint(0, 3) for _ in range(self.random.randint(3, 6))]
        text = [f"sum = sum * 7 + {p}[{i} * {step}];" for i in some]
        text.insert(self.random.randint(1, len(text) - 1), f"{q}[{self.random.randint(0, 3)} * {step}] = {self.value()};")
        return " ".join(text)

    def narrow(self):
        kind = self.pick("uchar", "ushort", "char", "short")
        i = self.enter()
        add = f"{self.pick('w += ', 'w ^= ', 'w -= ')}({kind}){self.pick(self.input(), self.cell())}"
        text = f"{{ {kind} w = ({kind})a; for (uint {i} = 0; {i} < {self.rounds()}; {i}++) {{ {add}; {self.maybe_store()} }} sum += (uint)w; }}"
        self.leave()
        return text

    def folded(self):
        """Many rounds of an index that begins again every few (codegen/narrow_indices.c)."""
        kind, size = self.pick(*SIZES)
        i, last, factor = self.enter(), self.pick(1, 3, 7, 15, 31), self.pick(1, 2, 4)
        counter, step = self.pick(("uint", 1), ("uint", 1), ("ushort", 1), ("ulong", 1), ("uint", 2), ("ulong", 3))
        bits = 32 - last.bit_length()
        again = self.pick(f"({i} & {last})", f"({i} & {last})", f"{i} % {last + 1}u", f"((uchar){i} & {last})", f"(({i} + n) & {last})",
                          f"(({i} >> 1) & {last})", f"(uint)({i} / {step}) % {last + 1}u", f"(~{i} & {last})", f"((uint){i} << {bits} >> {bits})",
                          f"({last // 2 + 1} + ((int)((uint){i} << {bits}) >> {bits}))", f"(((uint){i} * 2 >> 1) & {last})",
                          f"({last} - ({i} & {last}))", f"((n - {i}) & {last})", f"((({i} + n) >> 1) & {last})")
        base = f"(uint)g % {IN_BYTES // size - 32 - ITEMS % 32}u" if size > 1 else f"(uint)g * {factor}"
        rounds = self.pick("77", "200 + n", "(a & 127)", "1000")
        text = f"{{ {kind} w = 0; for ({counter} {i} = 0; {i} < {rounds}; {i} += {step}) w = w * 3 + ((global const any_{kind} *)in)" \
               f"[{base} + {again}]; sum ^= (uint)w; }}"
        if self.chance(.5):
            text = text.replace("w = w * 3 +", self.pick("w +=", "w ^=", "w -="))
        self.leave()
        return text

    def maybe_store(self):
        return self.pick("", "", f"{self.cell()} = {self.value()};", f"if ({self.condition()}) break;", f"if ({self.condition()}) continue;")

    def vector(self):
        (p, space, step), (q, _, _) = self.pair()
        if step > 1:
            return f"sum = sum * 3 + (uint){self.cell()};"
        count = self.pick(2, 3, 4)
        at, to = self.random.randint(0, 4 - count), self.random.randint(0, 4 - count)
        kind = f"uint{count}"
        turn = self.pick("v", "v * 3u", f"(v > ({kind})(sum) ? v : ({kind})a)", "v.yx" + {2: "", 3: "x", 4: "yx"}[count],
                         f"((v & 1u) == 0u ? v + 1u : (v > 9u ? v ^ 5u : v - 2u))",
                         f"convert_{kind}(convert_uchar{count}(v & 255u) == convert_uchar{count}(({kind})(a & 255)) ? "
                         f"(uchar{count})1 : (uchar{count})2)")
        return f"{{ {kind} v = vload{count}(0, {p} + {at}); vstore{count}({turn}, 0, {q} + {to}); sum ^= v.x + {q}[{to + count - 1}]; }}"

    def structure(self):
        (p, space, step), (q, _, _) = self.pair()
        if step > 1:
            return f"{self.cell()} = (uchar)sum;"
        return self.pick(
            f"{{ struct four s = *({space} struct four *){p}; s.w[sum & 7] += 3; s.y = {self.value()}; *({space} struct four *){q} = s; }}",
            f"*({space} struct two *){p} = *({space} struct two *)({q} + 2);",
            f"{{ {space} struct two *s = ({space} struct two *){p}; s[1].x = {self.value()}; s[0].y += {q}[2]; s[sum & 1].x ^= s[a & 1].y; }}",
            f"{{ struct four s[2]; s[0] = *({space} struct four *){p}; s[1] = s[0]; s[sum & 1].w[a & 7] = 9; s[a & 1].z = {self.value()}; "
            f"*({space} struct four *){q} = s[{self.counter()} & 1]; }}")

    def either(self):
        """A pointer to one of several kinds of memory."""
        (p, _, _), (q, _, _) = self.views()[self.pick(0, 1)], self.views()[self.pick(2, 3)]
        return self.pick(
            f"{{ uint *e = {self.condition()} ? (uint *){p} : (uint *){q}; *e += {self.value()}; sum ^= {q}[0] + {p}[0] + *e; }}",
            f"{{ uint *e = {self.condition()} ? u + (a & 7) : (uint *){p}; *e ^= {self.value()}; sum += u[a & 7] * 3 + {p}[0]; }}",
            f"sum ^= stir((uint *){p}, {self.condition()} ? (uint *){self.views()[0][0]} : (uint *){q}, a);",
            f"u[{self.counter()} & 7] = {self.value()}; sum += u[a & 7];")

    def flags(self):
        return self.pick(f"f[{self.counter()} & 7] = {self.condition()};", "sum += f[a & 7];", f"f[a & 7] ^= f[sum & 7];",
                         f"if (f[sum & 7]) {self.cell()} = {self.value()};")

    def halves(self):
        if not self.beside:
            return f"a += {self.cell()};"
        r, at = self.pick("", "_rtz", "_rtp", "_rtn", "_rte"), self.random.randint(0, 7)
        return f"vstore_half{r}((float)(int)(sum & 0xfffff) * 0.37f - 9000.0f, {at}, (global half *)o); " \
               f"sum ^= half_of(vload_half({self.pick(at, self.random.randint(0, 7))}, (global const half *)al));"

    # ---- loops

    def enter(self):
        self.in_loop += 1
        return f"i{self.in_loop}"

    def leave(self):
        self.in_loop -= 1

    def rounds(self):
        outer = f"i{self.in_loop - 1}" if self.in_loop > 1 else "n"
        return self.pick("4", "5", "n", "(n + 3)", "(a & 7)", "(g & 3)", f"({outer} & 3)", "13", f"(al[0] & 7)", "(o[0] & 7)", f"(({outer} & 7) + 2)")

    def body(self, depth):
        return " ".join(self.statement(depth + 1) for _ in range(self.random.randint(1, 2)))

    def bound_in_memory(self, depth):
        (p, _, step), _ = self.pair()
        i = self.enter()
        text = f"for (uint {i} = 0; {i} < ({p}[{self.random.randint(0, 3)} * {step}] & {self.pick(7, 15)}); {i}++) {{ {self.body(depth)} }}"
        self.leave()
        return text

    def counted(self, depth):
        rounds = self.rounds()
        i = self.enter()
        head = self.pick(f"uint {i} = 0; {i} < {rounds}; {i}++", f"uint {i} = 0; {i} < {rounds}; {i} += 2",
                         f"int {i} = (int)({rounds}) - 1; {i} >= 0; {i}--",
                         f"uint {i} = near; {i} != 3u; {i}++", f"uchar {i} = 250; {i} != 2; {i}++",
                         f"ushort {i} = 3; {i} < 65535; {i}--")
        text = f"for ({head}) {{ {self.body(depth)} {self.pick('', '', self.maybe_store())} }}"
        self.leave()
        return text

    def two_ends(self, depth):
        i = self.enter()
        text = f"{{ uint {i} = 0; {self.pick('while (true)', 'for (;;)')} {{ if ({self.condition()}) break; {self.body(depth)} " \
               f"if (++{i} > {self.rounds()} || {i} > 20) break; {self.pick('', self.change())} }} }}"
        self.leave()
        return text

    def pointers(self, _):
        """Up, down, or both towards each other."""
        (p, space, step), (q, _, _) = self.pair()
        if step > 1:
            return self.pick(
                f"for (global uint *x = {p}, *e = {q} + {4 * step}; x != e; x += {step}) {{ *x = *x * 3 + {self.value()}; {self.change()} }}",
                f"for (global uint *x = {p} + {3 * step}, *e = {q}; x != e; x -= {step}) {{ *x ^= sum; {self.change()} }}")
        kind, size = self.pick(*SIZES)
        t, last = f"{space} any_{kind}", 16 // size - 1
        return self.pick(
            f"for ({t} *x = ({t} *){p}, *e = ({t} *){q} + {last + 1}; x != e; x++) {{ *x = *x * 3 + {self.value()}; {self.change()} }}",
            f"for ({t} *x = ({t} *){p} + {last}, *e = ({t} *){q}; x != e; x--) {{ *x ^= sum; sum += (({t} *){q})[{self.random.randint(0, last)}]; }}",
            f"for ({t} *x = ({t} *){p}, *y = ({t} *){q} + {last}; x < y;) {{ any_{kind} w = *x; *x++ = *y; *y-- = w + {self.random.randint(0, 3)}; }}",
            f"for ({t} *x = ({t} *){p} + ({self.value()} & {last}); x != ({t} *){q} + {last + 1}; x++) {{ sum = sum * 3 + *x; {self.maybe_store()} }}")

    def copy(self, _):
        """From one place to another, forwards or backwards, by which they overlap."""
        (p, space, step), (q, _, _) = self.pair()
        if step > 1:
            return f"for (uint k = 0; k < 3; k++) {p}[(k + 1) * {step}] = {q}[k * {step}] + {self.pick('0', 'k', 'n')};"
        kind, size = self.pick(*SIZES)
        t, count = f"({space} any_{kind} *)", 16 // size
        apart = self.random.randint(1, count - 1) if count > 2 else 1
        many = count - apart
        rounds = self.pick(str(many), str(many), f"({self.value()} % {many + 1}u)", f"min(n, {many}u)")
        to, source = self.pick((f"k + {apart}", "k"), ("k", f"k + {apart}"))
        more = self.pick("", "", " + 1", " ^ k")
        if self.chance(.3):
            return f"for (uint k = 0; k < {rounds}; k++) ({t}{p})[{self.pick('k', f'k + {apart}')}] = {self.pick('0', 'sum', '7', 'n')};"
        if self.chance(.5):
            return f"for (uint k = 0; k < {rounds}; k++) ({t}{p})[{to}] = ({t}{q})[{source}]{more};"
        return f"for (int k = {many - 1}; k >= 0; k--) ({t}{p})[{to}] = ({t}{q})[{source}]{more};"

    def switch(self, depth):
        i = self.enter()
        cases = " ".join(f"case {k}: {self.change()} {self.pick('break;', '', 'continue;')}" for k in range(3))
        inner = f"switch ({self.pick(self.cell(), f'sum + {i}')} & 1) {{ case 0: {self.change()} default: {self.change()} }}"
        text = f"for (uint {i} = 0; {i} < {self.rounds()}; {i}++) {{ switch ({self.value()} & 3) {{ {cases} default: {inner} }} {self.change()} }}"
        self.leave()
        return text

    def loop(self, depth):
        return self.pick(self.bound_in_memory, self.counted, self.counted, self.two_ends, self.pointers, self.pointers, self.copy, self.copy,
                         self.switch)(depth)

    def statement(self, depth):
        if depth > 2 or self.chance(.45):
            return self.change()
        return self.weighted(
            (50, lambda: self.loop(depth)),
            (20, lambda: f"if ({self.condition()}) {{ {self.body(depth)} }}"),
            (12, lambda: f"if ({self.condition()}) {{ {self.body(depth)} }} else {{ {self.body(depth)} }}"),
            (0 if self.barriers else 4, lambda: f"if ({self.condition()}) return;"))

    # ---- with all others of the group

    def collective(self):
        x = self.pick("sum", "a", "in[g]", self.cell())
        return self.pick(f"sum ^= work_group_reduce_add({x});", f"a += work_group_scan_inclusive_max({x});",
                         f"sum += work_group_broadcast({x}, n % get_local_size(0));", f"if (work_group_any(({x}) % 9 == 2)) a += 3;",
                         f"sum += work_group_scan_exclusive_add({x});", f"a ^= work_group_reduce_min({x});",
                         f"a += work_group_all(({x}) & 1);")

    def exchange(self):
        """Words of others, which nobody changes meanwhile."""
        other = self.pick("((l + 1) % size)", "(size - 1 - l)", "(n % size)", "((l * 5 + n) % size)", "(sum % size)")
        word = self.pick(f"t[4 * {other} + {self.random.randint(0, 3)}]", f"b[4 * {other} + (a & 3)]",
                         f"((local any_uchar *)t)[16 * {other} + {self.random.randint(0, 15)}]",
                         f"((local any_ushort *)b)[{self.random.randint(0, 7)} + 8 * {other}]")
        if self.chance(.3):
            return f"{FENCE} for (uint k = 0; k < {self.pick('size', '5', 'n')}; k++) sum = sum * 3 + t[4 * {self.pick('(k % size)', '((l + k) % size)')} + {self.pick('0', '(k & 3)')}]; {FENCE}"
        return f"{FENCE} sum = sum * 3 + {word}; {FENCE}"

    def together(self):
        """Rounds of the whole group, as many as local memory says."""
        i = self.enter()
        inner = " ".join(self.pick(self.collective, self.exchange, lambda: self.statement(1))() for _ in range(self.random.randint(1, 3)))
        less = self.pick("count[0] = max(count[0], 2u) - 2;", "count[0] -= count[0] > 0; count[1]++;", "count[0] /= 2;")
        kind = self.pick(0, 0, 1, 2)
        if kind == 1:
            text = f"for (uint {i} = 0; {i} < {self.pick('3', 'n', '(n & 3)')}; {i}++) {{ {inner} }}"
        elif kind == 2:
            text = f"for (uint {i} = 0; {i} < 5; {i}++) {{ {inner} {FENCE} if (count[1] % 3 == 2) break; {FENCE} if (l == 0) count[1]++; }} {FENCE}"
        else:
            start = f"{FENCE} if (l == 0) {{ count[0] = {self.pick('3', 'n & 3', '5')}; count[1] = n; }} {FENCE}"
            text = f"{start} for (uint {i} = 0; {i} < count[0]; {i}++) {{ {inner} {FENCE} if (l == {self.pick('0', 'n % size')}) {{ {less} }} {FENCE} }}"
        self.leave()
        return text

    def top(self):
        if self.barriers and self.chance(.5):
            return self.pick(self.collective, self.exchange, self.together, self.together)()
        return self.statement(0)

    # ---- the frame of a kernel

    def text(self, number):
        g = self.pick("g", "g", "g", f"({ITEMS - 1} - g)")
        first = f"4 * {g}" if self.beside else g
        body = "\n    ".join(self.top() for _ in range(self.random.randint(2, 5)))
        restrict = "" if self.same else self.pick("", "restrict ")
        alias = f"shared + (int)({first}) - 3" if self.same else f"(n > 100 ? shared : out) + {first}"
        step = 1 if self.beside else ITEMS
        identity = self.pick("uint g = get_global_id(0);", "int g = get_global_id(0);", "size_t g = get_global_id(0);")
        size = self.pick("", "", "", "const ")
        results = " ".join(f"h = h * 31 + u[{i}];" for i in range(8))
        return f"""
kernel void {'alias' if self.same else 'k'}{number}(global const uint *in, global uint *{restrict}out, global uint *shared, uint n)
{{
    local uint t[256], count[2];
    {identity}
    uint l = get_local_id(0), size = get_local_size(0), a = in[g], sum = a * 7 + n, h = 1;
    {size}uint near = n > 100 ? 7 : 0xfffffffdu, far = n > 100 ? 7 : 0xffffff00u;
    global uint *o = out + {first}, *al = {alias};
    local uint *b = n > 100 ? count : t, *lo = t + 4 * l, *la = b + 4 * l;
    uint u[8] = {{a, n, l, 3, 4, 5, 6, 7}};
    bool f[8] = {{true, false, a & 1, n & 1}};
    for (uint i = 0; i < 4; i++)
        lo[i] = a * (i + 3);
    {f"if (l < 2) count[l] = n & 3; {FENCE}" if self.barriers else ""}
    {body}
    {results}
    for (uint i = 0; i < 8; i++)
        h += f[i] << i;
    o[0] ^= sum + h;
    o[{step}] += a;
    o[{2 * step}] += la[0] ^ la[1] ^ lo[2] ^ lo[3];
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda source: f"\n{HEADER}")
