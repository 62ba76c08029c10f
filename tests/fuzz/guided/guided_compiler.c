// SPDX-License-Identifier: MIT
// Options, and modules as the compiler reads them.
#include "guided.h"

#include <llvm-c/Core.h>

#include "abi/language_features.h"
#include "builtins/builtins_table.h"
#include "compiler/front/frontend_options.h"
#include "compiler/spirv/spirv.h"

// The library of built-ins is not here: every name is one of its functions.
int tf_builtin_find(const char *symbol)
{
    return (int)(strlen(symbol) & 1);
}

static struct tf_compiler_device device = {.opencl_c_max = 310,
                                           .device_version = 310,
                                           .sub_group_size = 16,
                                           .max_group_size = 4096,
                                           .max_local_bytes = 65536,
                                           .max_variable_bytes = 65536};

static void read_options(uint8_t *bytes, size_t count)
{
    char *const text = malloc(count + 1);

    NEED(text);
    memcpy(text, bytes, count);
    text[count] = '\0';
    for (int use = TF_OPTIONS_COMPILE; use <= TF_OPTIONS_COMPILE_IL; use++) {
        struct tf_frontend_options options = {0};
        struct tf_str log = {0};

        (void)tf_frontend_options_parse(text, (enum tf_options_use)use, &device, &options,
                                        &log);
        tf_frontend_options_finish(&options);
        tf_str_finish(&log);
    }
    free(text);
}

static void read_spirv(uint8_t *bytes, size_t count)
{
    const struct tf_compile_in in = {.source = (const char *)bytes,
                                     .source_bytes = count,
                                     .options = "",
                                     .device = &device};
    enum tf_compiler_status status = TF_COMPILER_OK;
    LLVMContextRef context = LLVMContextCreate();
    struct tf_str log = {0};
    LLVMModuleRef module = tf_spirv_module(context, &in, count % 2 != 0, &status, &log);

    NEED(module || (status != TF_COMPILER_OK && log.bytes > 0));
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    tf_str_finish(&log);
}

static const struct guided_reader readers[] = {
    {"options", read_options},
    {"spirv", read_spirv},
};
static const struct guided_reader *reader;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    reader = guided_choose(readers, sizeof(readers) / sizeof(readers[0]));
    device.features = tf_features_ours();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    guided_read(reader, bytes, count);
    return 0;
}
