// SPDX-License-Identifier: MIT
// Sources, through all stages of the compiler library in this process, so that libFuzzer
// sees which ways they take in our passes. The first byte says how code is made and
// whether, the second with which options; the rest is the source.
#include "guided.h"

#include <stdbool.h>

#include "abi/compiler.h"
#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "source_changes.h"

enum { MOST_KERNELS = 1, LONGEST = 20000, CHOICES = 2, KEPT = 64, KEPT_BYTES = 2000 };

const struct tf_compiler *tf_compiler_entry(void);

static const char *const option_sets[] = {
    "",
    "-cl-std=CL3.0",
    "-cl-std=CL2.0",
    "-cl-std=CLC++2021",
    "-cl-opt-disable -cl-std=CL3.0",
    "-g -cl-std=CL3.0",
    "-cl-fast-relaxed-math",
    "-cl-kernel-arg-info -cl-uniform-work-group-size -cl-std=CL3.1",
    "-cl-std=CL1.0",
};
static const enum tf_wg_form forms[] = {TF_WG_AUTO, TF_WG_LOOPS, TF_WG_FIBERS, TF_WG_SIMT,
                                        TF_WG_GANG_FIBERS};
enum {
    OPTION_SETS = sizeof(option_sets) / sizeof(option_sets[0]),
    FORMS = sizeof(forms) / sizeof(forms[0])
};

static const struct tf_compiler *compiler;
static struct tf_compiler_device device = {.opencl_c_max = 310,
                                           .device_version = 310,
                                           .sub_group_size = 16,
                                           .max_group_size = 4096,
                                           .max_local_bytes = 65536,
                                           .max_variable_bytes = 65536};

// Optimization takes most of the time and is mostly LLVM's: one input in eight asks for
// it, three for no code at all.
enum depth { DEPTH_OPTIMIZED, DEPTH_QUICK, DEPTH_PLAIN, DEPTH_LINKED };

static enum depth depth_of(unsigned how)
{
    static const enum depth depths[] = {DEPTH_OPTIMIZED, DEPTH_QUICK, DEPTH_PLAIN,
                                        DEPTH_LINKED,    DEPTH_QUICK, DEPTH_LINKED,
                                        DEPTH_QUICK,     DEPTH_LINKED};

    return depths[how / FORMS % (sizeof(depths) / sizeof(depths[0]))];
}

static void generate(const struct tf_link_out *linked, unsigned how)
{
    bool damaged;
    size_t count;
    struct tf_kernel_info *const kernels = tf_kernel_info_unpack(
        linked->kernels.data, linked->kernels.bytes, &count, &damaged);

    NEED(!damaged && kernels);
    for (size_t i = 0; i < count && i < MOST_KERNELS; i++) {
        const struct tf_generate_in in = {.bitcode = linked->bitcode,
                                          .kernel = kernels[i].name,
                                          .triple = "x86_64-unknown-linux-gnu",
                                          .cpu = "x86-64-v3",
                                          .features = "",
                                          .tune = "",
                                          .vector_bits = 256,
                                          .budget_ms = 5000,
                                          .form = forms[how % FORMS],
                                          .quick = depth_of(how) == DEPTH_QUICK,
                                          .plain = depth_of(how) == DEPTH_PLAIN};
        struct tf_generate_out out = {0};
        const enum tf_compiler_status status = compiler->generate(&in, &out);

        NEED(out.log && (status != TF_COMPILER_OK || out.object.bytes > 0));
        compiler->release(out.object.data);
        compiler->release(out.log);
    }
    tf_free(kernels);
}

// True if it compiled.
static bool build(const struct tf_compile_in *in, unsigned how)
{
    struct tf_compile_out made = {0};
    struct tf_link_out linked = {0};
    bool compiled = false;

    if (compiler->compile(in, &made) == TF_COMPILER_OK) {
        const struct tf_link_in link = {.modules = &made.bitcode,
                                        .module_count = 1,
                                        .options = in->options,
                                        .source = in,
                                        .device = &device};

        compiled = true;
        if (compiler->link(&link, &linked) == TF_COMPILER_OK &&
            depth_of(how) != DEPTH_LINKED)
            generate(&linked, how);
        NEED(linked.log);
    }
    NEED(made.log);
    compiler->release(made.bitcode.data);
    compiler->release(made.files.data);
    compiler->release(made.log);
    compiler->release(linked.bitcode.data);
    compiler->release(linked.kernels.data);
    compiler->release(linked.data.data);
    compiler->release(linked.log);
    return compiled;
}

// ---- Changes that know words ----

// Programs that compiled, for pieces of them.
static struct {
    char text[KEPT_BYTES];
    size_t bytes;
} kept[KEPT];
static size_t kept_count;

static void keep(const char *text, size_t bytes)
{
    const size_t at = kept_count++ % KEPT;

    kept[at].bytes = bytes < KEPT_BYTES ? bytes : KEPT_BYTES;
    memcpy(kept[at].text, text, kept[at].bytes);
}

__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed);

// libFuzzer's own changes, which know what was compared with what, every other time.
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed)
{
    static struct source_text text;

    source_state = seed;
    if (count <= CHOICES || most > SOURCE_BYTES || source_below(2))
        return LLVMFuzzerMutate(bytes, count, most);
    if (source_below(4) == 0)
        bytes[source_below(CHOICES)] = (uint8_t)source_any();
    text.count = 0;
    source_replace(&text, 0, 0, (const char *)bytes + CHOICES, count - CHOICES);
    for (size_t n = 1 + source_below(4); n > 0; n--) {
        const size_t other = source_below(kept_count < KEPT ? kept_count : KEPT);

        source_change(&text, kept[other].text, kept[other].bytes);
    }
    count = text.count < most - CHOICES ? text.count : most - CHOICES;
    memcpy(bytes + CHOICES, text.bytes, count);
    return CHOICES + count;
}

// ---- One input ----

// Not what makes the compiler die by purpose or by a known fault of Clang 22's (`^^`).
static bool is_asked_for(const uint8_t *bytes, size_t count)
{
    return memmem(bytes, count, "plant_", 6) || memmem(bytes, count, "^^", 2);
}

static void read_source(uint8_t *bytes, size_t count)
{
    if (count < CHOICES || count > LONGEST || is_asked_for(bytes, count))
        return;
    const struct tf_compile_in in = {.source = (const char *)bytes + CHOICES,
                                     .source_bytes = count - CHOICES,
                                     .options = option_sets[bytes[1] % OPTION_SETS],
                                     .device = &device};

    if (build(&in, bytes[0]))
        keep(in.source, in.source_bytes);
}

const char *__asan_default_options(void);

// What a job owns when it is left is lost by design; where memory was asked for is not
// worth a look at the stack for each of Clang's hundred thousand pieces.
const char *__asan_default_options(void)
{
    return "detect_leaks=0:malloc_context_size=0:quarantine_size_mb=16";
}

static const struct guided_reader readers[] = {{"source", read_source}};
static const struct guided_reader *reader;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    reader = guided_choose(readers, 1);
    device.features = tf_features_ours();
    compiler = tf_compiler_entry();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    guided_read(reader, bytes, count);
    return 0;
}
