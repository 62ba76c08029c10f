// SPDX-License-Identifier: MIT
// Generic pointers into every address space: accesses, casts, questions for the space.
// BUILD: options="-cl-std=CL3.0"
// RUN: known_spaces global=64 local=16
// ARG: out int[64] = 0
// ARG: ok int[64] = 0
// EXPECT: out = i * 3 + 6
// EXPECT: ok = 511
// RUN: chosen_at_run_time global=48 local=16
// ARG: out int[48] = 0
// ARG: ok int[48] = 0
// EXPECT: out = i
// EXPECT: ok = 63
// RUN: in_memory global=48 local=16
// ARG: out int[48] = 0
// ARG: ok int[48] = 0
// EXPECT: out = i + 1
// EXPECT: ok = 63
// RUN: of_built_ins global=16 local=16
// ARG: out float[48] = 0
// EXPECT: out = {0.25, 0.25, 0.25, ...}
int load(int *p) { return *p; }
void store(int *p, int value) { *p = value; }

kernel void known_spaces(global int *out, global int *ok)
{
    local int in_local[16];
    int in_private = get_global_id(0);
    size_t l = get_local_id(0), g = get_global_id(0);
    store(&in_local[l], 2 * g);
    store(&out[g], 6);
    out[g] = load(&in_local[l]) + load(&in_private) + load(&out[g]);
    ok[g] = (to_local(&in_local[l]) == &in_local[l]) | (to_global(&in_local[l]) == NULL) << 1 |
            (to_private(&in_local[l]) == NULL) << 2 | (to_private(&in_private) == &in_private) << 3 |
            (to_global(&in_private) == NULL) << 4 | (to_global(out) == out) << 5 |
            (to_local(out) == NULL) << 6 | (get_fence(out) == CLK_GLOBAL_MEM_FENCE) << 7 |
            (get_fence(in_local) == CLK_LOCAL_MEM_FENCE) << 8;
}

// 1 if exactly the space `which` (0 private, 1 global, 2 local) answers.
int answers(int *p, size_t which)
{
    return (to_private(p) != NULL) == (which == 0) && (to_global(p) != NULL) == (which == 1) &&
           (to_local(p) != NULL) == (which == 2);
}

kernel void chosen_at_run_time(global int *out, global int *ok)
{
    local int in_local[16];
    size_t l = get_local_id(0), g = get_global_id(0);
    int in_private[4] = {0, 0, 0, 0};
    int *p = g % 3 == 0 ? &in_private[l & 3] : g % 3 == 1 ? (int *)&out[g] : &in_local[l];
    *p = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    ok[g] = answers(p, g % 3) | (*p == g) << 1 |
            (get_fence(p) == (g % 3 == 2 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE)) << 2 |
            (to_private((int *)NULL) == NULL) << 3 | (to_local((int *)NULL) == NULL) << 4 |
            (to_global((int *)NULL) == NULL) << 5;
    if (g % 3 != 1)
        out[g] = *p;
}

struct node { int *value; struct node *next; };

kernel void in_memory(global int *out, global int *ok)
{
    local int in_local[16];
    local struct node nodes[16];
    size_t l = get_local_id(0), g = get_global_id(0);
    int in_private = g;
    struct node first = {g % 3 == 0 ? &in_private : g % 3 == 1 ? (int *)&out[g] : &in_local[l],
                         &nodes[l]};
    nodes[l].value = first.value;
    nodes[l].next = &first;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct node *n = &first;
    for (int i = 0; i < 7; i++)
        n = n->next;
    *n->value = g + 1;
    ok[g] = answers(n->value, g % 3) | (to_local(n) == &nodes[l]) << 1 |
            (to_private(n->next) == &first) << 2 | (*first.value == g + 1) << 3 |
            (n->next->next == n) << 4 | (n->next->value == n->value) << 5;
    if (g % 3 != 1)
        out[g] = *n->value;
}

kernel void of_built_ins(global float *out)
{
    local float in_local[16];
    float in_private;
    size_t i = get_global_id(0);
    float *p[3] = {&in_private, &in_local[i], &out[32 + i]};
    for (int k = 0; k < 3; k++)
        out[16 * k + i] = fract(1.25f, p[k]);
    out[16 + i] = in_local[i] - 0.75f;
    vstore2((float2)(0.25f, 0.25f), 0, (i & 1 ? out + 16 : out) + (i & ~1ul));
}
