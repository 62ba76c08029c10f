// SPDX-License-Identifier: MIT
kernel void add(global uint *numbers, uint value)
{
    numbers[get_global_id(0)] += value;
}
