// SPDX-License-Identifier: MIT
// A string without a 0 at its end is printed as far as its array goes, and no byte behind it;
// so is a format.
constant char open_end[3] = {'a', 'b', 'c'};
constant char closed[6] = "xy";
constant char two[2][3] = {{'1', '2', '3'}, {'4', '5', '6'}};
constant char format[4] = {'<', '%', 's', '>'};
// RUN: literal global=1
// OUTPUT: "[abc] [xy] [bc] [456] [b]"
// RUN: whole global=1
// OUTPUT: "<hello>!"
kernel void literal(void)
{
    printf("[%s] [%s] [%s] [%s] [%.1s]\n", open_end, closed, open_end + 1, two[1], open_end + 1);
}
kernel void whole(void)
{
    printf(format, "hello");
    printf("!\n");
}
