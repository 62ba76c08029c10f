// SPDX-License-Identifier: MIT
// Program binaries of the CPU device: which code they get and at what cost, what is found
// again, and what damage does.
#include "base/alloc.h"
#include "base/hash.h"
#include "device/cpu_rig.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/tier/cpu_tier.h"
#include "support/limits.h"

enum { HASH_AT = 72, HEAD_BYTES = 88, LEVEL_BYTES = 16 }; // in the image of a program

// Both to be freed with tf_free().
static unsigned char *save(struct tf_devprog *prog, size_t *bytes)
{
    struct tf_err err = {0};
    void *blob = NULL;

    ck_assert_int_eq(OPS->program_save(&err, rig.dev, prog, &blob, bytes), CL_SUCCESS);
    return blob;
}

// The image of a program that is gone.
static unsigned char *image_of(const char *source, size_t *bytes)
{
    struct tf_devprog *prog = rig_build(source);
    unsigned char *blob = save(prog, bytes);

    OPS->program_free(rig.dev, prog);
    return blob;
}

static cl_int load(const unsigned char *blob, size_t bytes, struct tf_devprog **prog)
{
    struct tf_err err = {0};

    return OPS->program_load(&err, rig.dev, blob, bytes, prog);
}

// Of a program that has code for groups of one size.
static unsigned char *image_with_sizes(size_t *bytes)
{
    struct tf_devprog *prog = rig_build("kernel add kernel turn");
    struct tf_launch launch = {.work_dim = 1};
    unsigned char *blob;

    for (int d = 0; d < 3; d++)
        launch.global_size[d] = launch.local_size[d] = d == 0 ? 8 : 1;
    for (int d = 0; d < 3; d++)
        launch.group_count[d] = 1;
    ck_assert_ptr_nonnull(tf_cpu_tier_lasting(prog, 1, &launch));
    ck_assert_ptr_nonnull(tf_cpu_kernel_peek(prog, 1, TF_SLOT_VARIANT));
    blob = save(prog, bytes);
    OPS->program_free(rig.dev, prog);
    return blob;
}

START_TEST(want_of_memory_is_not_called_damage)
{
    struct tf_devprog *prog = NULL;
    unsigned char *blob;
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    size_t bytes;
    long n;

    use(2);
    blob = image_with_sizes(&bytes);
    for (n = 0; code && n < 100; n++) {
        tf_alloc_fail_at(n);
        code = load(blob, bytes, &prog);
        tf_alloc_fail_at(-1);
        ck_assert(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY);
    }
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_gt(n, 5);
    ck_assert_ptr_nonnull(tf_cpu_kernel_peek(prog, 1, TF_SLOT_VARIANT));
    OPS->program_free(rig.dev, prog);
    tf_free(blob);
}
END_TEST

// Gives a changed image the hash that belongs to it.
static void forge(unsigned char *blob, size_t bytes)
{
    struct tf_hash hash = tf_hash_bytes(blob, HASH_AT, 0);

    hash = tf_hash_bytes(blob + HEAD_BYTES, bytes - HEAD_BYTES, hash.lo ^ hash.hi);
    memcpy(blob + HASH_AT, &hash, sizeof(hash));
}

START_TEST(loaded_program_needs_no_compiler)
{
    struct tf_devprog *prog = NULL;
    unsigned char *blob;
    struct rig_command c;
    struct scene s;
    size_t bytes;

    use(2);
    blob = image_of("kernel add kernel reverse", &bytes);
    tf_cpu_compiler_override(NULL);
    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    s = scene_of(prog, 64);
    ck_assert_int_eq(scene_run(&s, 0, 4, 64, 2), CL_COMPLETE);
    ck_assert_uint_eq(s.data[63], 4);
    scene_kernel(&s, &c, 1, 0, 64, 64);
    use_local(&c, 0, 256);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    scene_end(&s);
    tf_free(blob);
}
END_TEST

START_TEST(damaged_program_is_refused)
{
    struct tf_devprog *prog = NULL;
    unsigned char *blob;
    size_t bytes;

    use(1);
    blob = image_of("kernel add kernel reverse", &bytes);
    for (size_t i = 0; i < bytes; i++) {
        ck_assert_int_eq(load(blob, i, &prog), CL_INVALID_BINARY);
        for (int bit = 0; bit < 8; bit += 3) {
            blob[i] ^= (unsigned char)(1u << bit);
            ck_assert_int_eq(load(blob, bytes, &prog), CL_INVALID_BINARY);
            blob[i] ^= (unsigned char)(1u << bit);
        }
        ck_assert_ptr_null(prog);
    }
    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    tf_free(blob);
}
END_TEST

// What lies inside is not trusted either: the hash only tells damage from intent.
START_TEST(forged_program_is_survived)
{
    unsigned refused = 0;
    unsigned char *blob;
    size_t bytes;

    use(1);
    blob = image_of("kernel add kernel reverse", &bytes);
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char old = blob[i];

        if (i >= HASH_AT && i < HEAD_BYTES)
            continue;
        for (unsigned round = 0; round < 4; round++) {
            struct tf_devprog *prog = NULL;

            blob[i] = (unsigned char)(round == 0   ? 0xff
                                      : round == 1 ? 0
                                                   : old ^ 1u << round);
            forge(blob, bytes);
            if (load(blob, bytes, &prog))
                refused++;
            else
                OPS->program_free(rig.dev, prog);
        }
        blob[i] = old;
    }
    ck_assert_uint_gt(refused, 100);
    tf_free(blob);
}
END_TEST

// Makes the code of a program that of a level that is none.
static void forge_level(unsigned char *blob, size_t bytes)
{
    char level[LEVEL_BYTES] = "";
    unsigned char *at;

    snprintf(level, sizeof(level), "%s", tf_cpu_info_level()->name);
    at = memmem(blob, bytes, level, sizeof(level));
    ck_assert_ptr_nonnull(at);
    memcpy(at, "future", sizeof("future"));
    forge(blob, bytes);
}

START_TEST(code_for_another_level_is_made_anew)
{
    struct tf_devprog *prog = NULL;
    unsigned char *blob;
    struct scene s;
    size_t bytes;

    use(1);
    blob = image_of("kernel add", &bytes);
    forge_level(blob, bytes);
    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    s = scene_of(prog, 64);
    ck_assert_int_eq(scene_run(&s, 0, 4, 64, 2), CL_COMPLETE);
    ck_assert_uint_eq(s.data[63], 4);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    scene_end(&s);
    tf_cpu_compiler_override(NULL); // and with no compiler it is refused
    ck_assert_int_eq(load(blob, bytes, &prog), CL_INVALID_BINARY);
    tf_free(blob);
}
END_TEST

START_TEST(code_for_other_levels_is_saved_again)
{
    struct tf_devprog *prog = NULL;
    unsigned char *blob, *both;
    size_t bytes, both_bytes;

    use(1);
    blob = image_of("kernel add kernel reverse", &bytes);
    forge_level(blob, bytes);
    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    both = save(prog, &both_bytes);
    OPS->program_free(rig.dev, prog);
    ck_assert_ptr_nonnull(memmem(both, both_bytes, "future", sizeof("future")));
    tf_cpu_compiler_override(NULL);
    ck_assert_int_eq(load(blob, bytes, &prog), CL_INVALID_BINARY);
    ck_assert_int_eq(load(both, both_bytes, &prog), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    tf_free(both);
    tf_free(blob);
}
END_TEST

// ---- Which code goes in ----

enum { HEAVY = 1000000 }; // instructions: 100 s, as it is guessed

static void expect_sum(const struct scene *s, uint32_t value)
{
    for (size_t i = 0; i < 64; i++)
        ck_assert_uint_eq(s->data[i], value);
    memset(s->data, 0, 64 * sizeof(*s->data));
}

// Loads it and runs every kernel. Returns how many pieces of code that took.
static int generations_of(const unsigned char *blob, size_t bytes, unsigned kernel_count)
{
    const int before = atomic_load(&fake_compiler_generated);
    struct tf_devprog *prog = NULL;
    struct scene s;

    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    s = scene_of(prog, 64);
    for (uint32_t i = 0; i < kernel_count; i++) {
        ck_assert_int_eq(scene_run(&s, i, 5, 64, 2), CL_COMPLETE);
        expect_sum(&s, 5);
    }
    scene_end(&s);
    return atomic_load(&fake_compiler_generated) - before;
}

START_TEST(heavy_kernels_are_carried_without_code)
{
    struct tf_devprog *prog, *loaded = NULL;
    unsigned char *blob;
    size_t bytes;

    use(2);
    prog = rig_build("kernel add kernel add kernel add kernel add kernel add");
    for (int i = 0; i < 3; i++)
        prog->infos[i].instructions = HEAVY;
    blob = save(prog, &bytes);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    usleep(20000); // nor is it made afterwards
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    OPS->program_free(rig.dev, prog);
    ck_assert_int_eq(generations_of(blob, bytes, 5), 3);
    tf_cpu_compiler_override(NULL); // a binary that may need it
    ck_assert_int_eq(load(blob, bytes, &loaded), CL_INVALID_BINARY);
    tf_free(blob);
}
END_TEST

// 24 kernels of 10 ms each by guess, and of 0.3 s by the clock, of which no thread begins
// a third.
START_TEST(wrong_guesses_take_no_longer)
{
    struct tf_str source = {0};
    unsigned char *blob;
    size_t bytes;
    char *text;

    use(2);
    for (int i = 0; i < 24; i++)
        tf_str_add(&source, "kernel add ");
    text = tf_str_take(&source);
    atomic_store(&fake_compiler_delay_us, 300000);
    blob = image_of(text, &bytes);
    ck_assert_int_ge(atomic_load(&fake_compiler_generated), 1);
    ck_assert_int_le(atomic_load(&fake_compiler_generated), 4);
    atomic_store(&fake_compiler_delay_us, 0);
    tf_free(text);
    tf_free(blob);
}
END_TEST

START_TEST(code_that_is_there_goes_in)
{
    unsigned char *blob;
    struct scene s;
    size_t bytes;

    use(2);
    s = scene_begin("kernel add kernel add kernel add", 64);
    for (int i = 0; i < 3; i++)
        s.prog->infos[i].instructions = HEAVY;
    ck_assert_int_eq(scene_run(&s, 0, 4, 64, 2), CL_COMPLETE);
    ck_assert_ptr_nonnull(tf_cpu_kernel_wait(s.prog, 1, TF_SLOT_FULL));
    ck_assert_int_eq(atomic_load(&fake_compiler_generated_quickly), 1);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    blob = save(s.prog, &bytes);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    scene_end(&s);
    ck_assert_int_eq(generations_of(blob, bytes, 2), 0); // quick and optimized
    ck_assert_int_eq(generations_of(blob, bytes, 3), 1);
    tf_free(blob);
}
END_TEST

START_TEST(whole_binaries_have_all_code)
{
    struct tf_devprog *prog;
    unsigned char *blob;
    size_t bytes;

    setenv("TREFOIL_BINARY_ISA", "native", 1);
    use(thread_counts[_i]);
    prog = rig_build("kernel add kernel add kernel add");
    for (int i = 0; i < 3; i++)
        prog->infos[i].instructions = HEAVY;
    blob = save(prog, &bytes);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 3);
    OPS->program_free(rig.dev, prog);
    tf_cpu_compiler_override(NULL);
    ck_assert_int_eq(generations_of(blob, bytes, 3), 0);
    tf_free(blob);
}
END_TEST

START_TEST(whole_binaries_of_all_levels_have_all_code)
{
    const int levels = 4; // or more: each of a family
    struct tf_devprog *prog = NULL;
    unsigned char *blob;
    size_t bytes;

    setenv("TREFOIL_BINARY_ISA", "all", 1);
    use(thread_counts[_i]);
    blob = image_of("kernel add kernel add kernel add", &bytes);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated) % 3, 0);
    ck_assert_int_ge(atomic_load(&fake_compiler_generated), 3 * levels);
    forge_level(blob, bytes); // one that is this machine's, one that is not
    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    tf_free(blob);
}
END_TEST

// What fails is tried as plain code, for other levels as for this process's.
START_TEST(whole_binaries_have_plain_code_where_there_is_no_other)
{
    size_t bytes, level_count;

    (void)tf_arch_levels(&level_count);
    setenv("TREFOIL_BINARY_ISA", "all", 1);
    use(2);
    tf_free(image_of("kernel only_plain", &bytes));
    ck_assert_uint_eq(atomic_load(&fake_compiler_generated), 2 * level_count);
}
END_TEST

// A kernel of which there can be no code does not keep others from being loaded.
START_TEST(kernels_that_have_no_code_do_not_make_it_partial)
{
    struct tf_devprog *prog = NULL;
    unsigned char *blob;
    struct scene s;
    size_t bytes;

    use(2);
    blob = image_of("kernel add kernel fails_always", &bytes);
    tf_cpu_compiler_override(NULL);
    ck_assert_int_eq(load(blob, bytes, &prog), CL_SUCCESS);
    s = scene_of(prog, 64);
    ck_assert_int_eq(scene_run(&s, 0, 4, 64, 2), CL_COMPLETE);
    expect_sum(&s, 4);
    scene_end(&s);
    tf_free(blob);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_binary");
    TCase *tcase = tcase_create("binary");

    tcase_add_test(tcase, loaded_program_needs_no_compiler);
    tcase_add_test(tcase, damaged_program_is_refused);
    tcase_add_test(tcase, want_of_memory_is_not_called_damage);
    tcase_add_test(tcase, forged_program_is_survived);
    tcase_add_test(tcase, code_for_another_level_is_made_anew);
    tcase_add_test(tcase, code_for_other_levels_is_saved_again);
    tcase_add_test(tcase, heavy_kernels_are_carried_without_code);
    tcase_add_test(tcase, wrong_guesses_take_no_longer);
    tcase_add_test(tcase, code_that_is_there_goes_in);
    FOR_THREADS(whole_binaries_have_all_code);
    FOR_THREADS(whole_binaries_of_all_levels_have_all_code);
    tcase_add_test(tcase, whole_binaries_have_plain_code_where_there_is_no_other);
    tcase_add_test(tcase, kernels_that_have_no_code_do_not_make_it_partial);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
