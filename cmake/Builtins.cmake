# SPDX-License-Identifier: MIT
# builtins.def -> one .cl per module -> LLVM assembly for spir64 -> one blob with an index.
# tf_compile_builtins(OUT_C OUT_BIN) defines the rules and returns the two files' paths.

set(TF_BUILTINS_DEF ${CMAKE_SOURCE_DIR}/src/builtins/builtins.def)
set(TF_BUILTINS_GENERATOR ${CMAKE_SOURCE_DIR}/tools/gen_builtins.py)
# No vectorizer (cc1 has none on unless asked), nothing of a target: the kernel compiler does
# that later. No TBAA, no names, no identity: they only make the modules larger.
set(TF_BUILTINS_FLAGS -triple spir64-unknown-unknown -x cl -cl-std=CL3.0 -O2
  -fno-builtin -ffp-contract=off -cl-fp32-correctly-rounded-divide-sqrt -relaxed-aliasing -Qn
  -discard-value-names -Wall -Werror -Wno-atomic-alignment -emit-llvm)

function(tf_compile_builtins out_c out_bin)
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${TF_BUILTINS_GENERATOR} ${TF_BUILTINS_DEF} --list
    OUTPUT_VARIABLE modules OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${TF_BUILTINS_GENERATOR} ${TF_BUILTINS_DEF} --inputs
    OUTPUT_VARIABLE inputs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" modules "${modules}")
  string(REPLACE "\n" ";" inputs "${inputs}")
  # The list of modules is part of the build's rules.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${inputs} ${TF_BUILTINS_GENERATOR})
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/lib/*.h)

  list(TRANSFORM modules REPLACE "(.+)" "${folder}/\\1.cl" OUTPUT_VARIABLE sources)
  list(TRANSFORM modules REPLACE "(.+)" "${folder}/\\1.ll" OUTPUT_VARIABLE assembly)
  # The generator leaves unchanged modules alone, hence the stamp.
  add_custom_command(OUTPUT ${folder}/generated.stamp BYPRODUCTS ${sources}
    COMMAND ${Python3_EXECUTABLE} ${TF_BUILTINS_GENERATOR} ${TF_BUILTINS_DEF} --out ${folder}
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}/generated.stamp
    DEPENDS ${inputs} ${TF_BUILTINS_GENERATOR} ${headers}
    COMMENT "Generating built-ins" VERBATIM)
  foreach(module ${modules})
    add_custom_command(OUTPUT ${folder}/${module}.ll
      COMMAND ${TF_CLANG} -cc1 ${TF_BUILTINS_FLAGS} -I ${CMAKE_CURRENT_SOURCE_DIR}
        -I ${CMAKE_SOURCE_DIR}/src -o ${folder}/${module}.ll ${folder}/${module}.cl
      DEPENDS ${folder}/${module}.cl ${folder}/generated.stamp ${headers}
        ${CMAKE_SOURCE_DIR}/src/abi/cpu_abi.h
        ${CMAKE_SOURCE_DIR}/src/abi/image_descriptor.h
        ${CMAKE_SOURCE_DIR}/src/abi/pipe_layout.h
      COMMENT "Compiling built-ins: ${module}" VERBATIM)
  endforeach()
  add_custom_command(OUTPUT ${folder}/builtins.bin ${folder}/builtins_pack.c ${folder}/builtins.txt
    COMMAND pack_builtins ${folder}/builtins.bin ${folder}/builtins_pack.c ${folder}/builtins.txt
      ${folder} ${modules}
    DEPENDS ${assembly} pack_builtins
    COMMENT "Packing built-ins" VERBATIM)
  set(${out_c} ${folder}/builtins_pack.c PARENT_SCOPE)
  set(${out_bin} ${folder}/builtins.bin PARENT_SCOPE)
endfunction()
