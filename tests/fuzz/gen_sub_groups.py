#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with functions of sub-groups in divergent flow, which check themselves.

    gen_sub_groups.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. All work-items put a number into
local memory; from it each can tell who takes which way. So a kernel computes what a function
must give, by a loop over the members of its sub-group, and sets the highest bit of shared[15]
where it gives something else. Ways are branches, loops whose counts differ, rounds that are
left early, breaks and returns. Sub-groups wait for each other without barriers, too, in one
order after the other."""
from kernel_writer import Choices, print_kernels

HEADER = """
#pragma OPENCL EXTENSION all : enable
"""
# Operator of reductions and scans, its result for nobody, and what it does to `w`.
COMBINE = {"add": ("0", "w += {}"), "xor": ("0", "w ^= {}"), "and": ("~0", "w &= {}"), "or": ("0", "w |= {}"),
           "min": ("{high}", "w = min(w, {})"), "max": ("{low}", "w = max(w, {})"), "mul": ("1", "w *= {}")}
TYPES = {"uint": ("0u", "~0u"), "int": ("INT_MIN", "INT_MAX"), "ulong": ("0ul", "~0ul"), "uchar": ("0", "255")}


class Kernel(Choices):
    def __init__(self, source):
        super().__init__(source)
        self.turns = 0  # rounds in which each sub-group waits for the one before it
        self.gone = []  # conditions on the number `v` of work-items that have returned

    def condition(self):
        """Decides from a number `v`."""
        low, shift = self.random.randint(2, 5), self.random.randint(0, 9)
        return f"({{v}} >> {shift}) % {low} {self.pick('==', '!=', '<')} {self.random.randint(1, low - 1)}"

    @staticmethod
    def on(conditions, v):
        return " && ".join(f"({condition.format(v=v)})" for condition in conditions) or "true"

    # ---- one function: statements that leave in `x` something of its result

    def compare(self, way, kind, call, start, step):
        """`step` runs for each member j that is here; w holds what is expected."""
        return f"{{ {kind} w = {start}, y = {call}; for (uint j = base; j < end; j++) " \
               f"{{ if ({self.on(way, 't[j]')}) {{ {step} }} }} " \
               f"if (y != w) wrong = 1; x = x * 3 + (uint)y; }}"

    def fold(self, way):
        kind = self.pick("uint", "uint", "int", "ulong", "uchar")
        low, high = TYPES[kind]
        name = self.pick("add", "add", "min", "max", *(["xor", "and", "or", "mul"] if kind != "int" else ["min"]))
        start, step = COMBINE[name]
        start = f"({kind})({start.format(low=low, high=high)})"
        value = f"({kind})({{}} % 1000)" if kind == "int" else f"({kind})({{}} * 7)"
        add = step.format(value.format("t[j]")) + ";"
        if kind == "uchar":
            add = add.replace("w = min(w, ", "w = min(w, ").replace("w = max(w, ", "w = max(w, ")
        mine = value.format("a")
        how = self.random.random()
        if how < .5:
            return self.compare(way, kind, f"sub_group_non_uniform_reduce_{name}({mine})", start, add)
        if how < .75:
            return self.compare(way, kind, f"sub_group_non_uniform_scan_inclusive_{name}({mine})", start, f"if (j <= l) {add}")
        if how < .9:
            return self.compare(way, kind, f"sub_group_non_uniform_scan_exclusive_{name}({mine})", start, f"if (j < l) {add}")
        size = self.pick(1, 2, 4, 8)
        return self.compare(way, kind, f"sub_group_clustered_reduce_{name}({mine}, {size})", start,
                            f"if ((j - base) / {size} == (l - base) / {size}) {add}")

    def vote(self, way):
        asked = self.condition()
        mine, other = asked.format(v="a"), asked.format(v="t[j]")
        return self.weighted(
            (3, lambda: self.compare(way, "uint", f"sub_group_ballot({mine}).x", "0", f"if ({other}) w |= 1u << (j - base);")),
            (2, lambda: self.compare(way, "int", f"!!sub_group_non_uniform_any({mine})", "0", f"w |= {other};")),
            (2, lambda: self.compare(way, "int", f"!!sub_group_non_uniform_all({mine})", "1", f"w &= {other};")),
            (1, lambda: self.compare(way, "int", "!!sub_group_elect()", "-1", "if (w < 0) w = j == l;")),
            (1, lambda: self.compare(way, "int", "!!sub_group_non_uniform_all_equal(a & 1)", "1", "w &= (t[j] & 1) == (a & 1);")),
            (1, lambda: self.compare(way, "uint", f"sub_group_ballot_exclusive_scan(sub_group_ballot({mine}))", "0",
                                     f"w += j < l && {other};")))

    def exchange(self, way):
        """From the first, the last or the next member that is here."""
        first = f"sub_group_broadcast_first(a * 5)"
        if self.chance(.4):
            return f"{{ bool none = true; {self.compare(way, 'uint', first, '0', 'if (none) w = t[j] * 5; none = false;')} }}"
        find = self.pick("from = j - base;", "if (j > l && from == l - base) from = j - base;", "if (j < l) from = j - base;")
        return f"{{ uint from = l - base; for (uint j = base; j < end; j++) {{ if ({self.on(way, 't[j]')}) {{ {find} }} }} " \
               f"uint y = sub_group_shuffle(a + 9, from); if (y != t[base + from] + 9) wrong = 1; x = x * 3 + y; }}"

    def weighted(self, *choices):
        functions = [function for _, function in choices]
        return self.random.choices(functions, [weight for weight, _ in choices])[0]()

    def function(self, way):
        return self.weighted((4, lambda: self.fold(way)), (4, lambda: self.vote(way)), (2, lambda: self.exchange(way)))

    # ---- ways

    def block(self, way, depth):
        count = self.random.randint(1, 2)
        return " ".join(self.statement(way, depth) for _ in range(count))

    def branch(self, way, depth):
        asked = self.condition()
        text = f"if ({asked.format(v='a')}) {{ {self.block(way + [asked], depth + 1)} }}"
        if self.chance(.5):
            text += f" else {{ {self.block(way + [f'!({asked})'], depth + 1)} }}"
        return text

    def loop(self, way, depth):
        """As many rounds as bits of the number say; some members leave a round or the loop early."""
        self.names += 1
        i = f"i{self.names}"
        shift, leave = self.random.randint(0, 9), self.random.randint(0, 3)
        here = way + [f"({{v}} >> {shift} & 3) > {i}"]
        before = self.function(here)
        if leave == 0:
            # Who breaks in round r was in the rounds up to r, and is in none behind the break from r on.
            asked = f"({{v}} >> {shift + 2}) % 4"
            here = way + [f"({{v}} >> {shift} & 3) > {i}", f"{asked} >= {i}"]
            before, jump = self.function(here), f"if ({asked.format(v='a')} == {i}) break;"
            here = here[:-1] + [f"{asked} > {i}"]
        elif leave == 1:
            asked = self.condition()
            jump, here = f"if ({asked.format(v='a')}) continue;", here + [f"!({asked})"]
        else:
            jump = ""
        return f"for (uint {i} = 0; {i} < (a >> {shift} & 3); {i}++) {{ {before} {jump} {self.block(here, depth + 1)} }}"

    def turn(self):
        """Sub-groups one by one. Whoever comes later finds what the ones before it have left."""
        n, shift = self.turns, self.random.randint(0, 5)
        self.turns += 1
        order = self.pick("s", "m - 1 - s", f"(s + {shift}) % m")
        asks = self.pick(f"atomic_add(turn + {n}, 0)", f"*(volatile local uint *)(turn + {n})")
        wait = f"while ({asks} != at) ;"
        wait = self.pick(f"if (get_sub_group_local_id() == 0) {wait}", wait, f"do ; while (sub_group_any({asks} != at));")
        left = f"{self.block([], 1)} " if self.chance(.4) else ""
        return f"{{ uint s = get_sub_group_id(), m = get_num_sub_groups(), at = {order}; {wait} " \
               f"sub_group_barrier(CLK_LOCAL_MEM_FENCE); uint y = left[{n}]; if (y != at * 5) wrong = 1; {left}" \
               f"sub_group_barrier(CLK_LOCAL_MEM_FENCE); " \
               f"if (sub_group_elect()) {{ left[{n}] = y + 5; atomic_inc(turn + {n}); }} x = x * 3 + y; }}"

    def statement(self, way, depth):
        if depth > 2 or self.chance(.5):
            return self.function(way)
        return self.branch(way, depth) if self.chance(.55) else self.loop(way, depth)

    def text(self, number):
        size = self.pick("", "", "", "__attribute__((intel_reqd_sub_group_size(8)))", "__attribute__((intel_reqd_sub_group_size(32)))")
        plane = self.chance(.3)
        lines = []
        for _ in range(self.random.randint(1, 3)):
            if not self.gone and self.turns < 3 and self.chance(.2):  # nobody waits for who has gone
                lines.append(self.turn())
            lines.append(self.statement(list(self.gone), 0))
            if self.chance(.2):
                lines.append("barrier(CLK_LOCAL_MEM_FENCE);")
            if self.chance(.15):
                asked = self.condition()
                lines.append(f"if ({asked.format(v='a')}) return;")
                self.gone.append(f"!({asked})")
        body = "\n    ".join(lines)
        report = "if (wrong) atomic_or(shared + 15, 1u << 31);"
        # Who returns has no place at the end to tell what was wrong before.
        body = body.replace("return;", f"{{ {report} return; }}")
        return f"""
{size}
kernel void {'plane' if plane else 'k'}{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    local uint t[64], turn[3], left[3];
    uint g = get_global_linear_id(), l = get_local_linear_id(), x = n, wrong = 0;
    uint a = (in[g] >> n) & 0xffffff, base = l - get_sub_group_local_id(), end = base + get_sub_group_size();
    t[l] = a;
    if (l < 3)
        turn[l] = left[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    {body}
    out[4 * g] = x;
    {report}
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda source: HEADER)
