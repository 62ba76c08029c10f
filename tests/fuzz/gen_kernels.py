#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with nested control flow, for comparing the forms of work-groups.

    gen_kernels.py SEED COUNT

writes COUNT kernels to standard output, void k<i>(global const uint *in, global uint *out,
global uint *shared, uint n): `in` has 256 words, `shared` 16 (kernel_writer.py). Those that
are named plane<i> may run in ranges of one to three dimensions, the others in one."""
from kernel_writer import HEADER, Writer, contraction, parameters, print_kernels


class Kernel(Writer):
    LINE = ["uint g = get_global_id(0);", "int g = get_global_id(0);", "size_t g = get_global_id(0);",
            "uint g = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0);"]
    PLANE = ["uint g = get_global_linear_id();",
             "int g = ((int)(get_global_id(2) - get_global_offset(2)) * (int)get_global_size(1) + "
             "(int)(get_global_id(1) - get_global_offset(1))) * (int)get_global_size(0) + "
             "(int)(get_global_id(0) - get_global_offset(0));"]

    def text(self, number):
        plane = self.chance(.3)
        body = "\n    ".join(self.plain(0, False) for _ in range(self.pick(1, 2, 2, 3, 4, 5)))
        return f"""
kernel void {'plane' if plane else 'k'}{number}({parameters(self.random)})
{{
    {self.pick(*(self.PLANE if plane else self.LINE))}
    uint a = in[g & 255], b = a * 7 + n, c = g, d = in[(g * 5) & 255];
    {self.declarations()}
    {body}
    {self.results()}
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda source: contraction(source) + HEADER)
