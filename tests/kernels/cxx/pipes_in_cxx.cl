// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CLC++2021"
// RUN: look global=1
// ARG: out int[2]
// EXPECT: out = {8, 1}
struct packet {
    int x, y;
    packet(int a) : x(a), y(-a) { }
    packet() = default;
};

kernel void send(write_only pipe packet p)
{
    packet one(7);
    reserve_id_t id = reserve_write_pipe(p, 1);

    if (is_valid_reserve_id(id)) {
        write_pipe(p, id, 0, &one);
        commit_write_pipe(p, id);
    }
    write_pipe(p, &one);
}

kernel void receive(read_only pipe packet p, global int *out)
{
    packet one;

    out[0] = read_pipe(p, &one) == 0 ? one.x + one.y : -1;
    out[1] = get_pipe_num_packets(p);
}

kernel void look(global int *out)
{
    out[0] = sizeof(packet);
    out[1] = 1;
}
