// SPDX-License-Identifier: MIT
// Sources, through all stages of the compiler library in this process, so that libFuzzer
// sees which ways they take in our passes. The first byte says how code is made, the
// second with which options; the rest is the source.
#include "guided.h"

#include "abi/compiler.h"
#include "abi/kernel_info.h"
#include "base/alloc.h"

enum { MOST_KERNELS = 2, LONGEST = 20000 };

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
                                          .quick = how / FORMS % 3 == 1,
                                          .plain = how / FORMS % 3 == 2};
        struct tf_generate_out out = {0};
        const enum tf_compiler_status status = compiler->generate(&in, &out);

        NEED(out.log && (status != TF_COMPILER_OK || out.object.bytes > 0));
        compiler->release(out.object.data);
        compiler->release(out.log);
    }
    tf_free(kernels);
}

static void build(const struct tf_compile_in *in, unsigned how)
{
    struct tf_compile_out made = {0};
    struct tf_link_out linked = {0};

    if (compiler->compile(in, &made) == TF_COMPILER_OK) {
        const struct tf_link_in link = {.modules = &made.bitcode,
                                        .module_count = 1,
                                        .options = in->options,
                                        .source = in,
                                        .device = &device};

        if (compiler->link(&link, &linked) == TF_COMPILER_OK)
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
}

static void read_source(uint8_t *bytes, size_t count)
{
    if (count < 2 || count > LONGEST)
        return;
    const struct tf_compile_in in = {.source = (const char *)bytes + 2,
                                     .source_bytes = count - 2,
                                     .options = option_sets[bytes[1] % OPTION_SETS],
                                     .device = &device};

    build(&in, bytes[0]);
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
