# SPDX-License-Identifier: MIT
# Finds one LLVM/Clang: TREFOIL_LLVM_VERSION, or the newest of 22 and 19.
# Sets LLVMClang_FOUND, TF_LLVM_MAJOR, TF_LLVM_PREFIX, TF_LLVM_INCLUDE_DIR, TF_LLVM_LIB_DIR,
# TF_LLVM_CONFIG, TF_CLANG (the clang program that compiles the built-ins), and how to link
# (TREFOIL_LLVM_LINK): TF_LLVM_LINKED (static or shared), TF_LLVM_LIBRARIES,
# TF_LLVM_LINKER_FLAGS (lld where there is one: GNU ld takes a minute for the static library).
set(tf_versions 22 19)
if(TREFOIL_LLVM_VERSION)
  set(tf_versions ${TREFOIL_LLVM_VERSION})
endif()
foreach(v ${tf_versions})
  find_program(TF_LLVM_CONFIG_${v} NAMES llvm-config-${v} PATHS /usr/lib/llvm-${v}/bin)
  if(TF_LLVM_CONFIG_${v} AND NOT TF_LLVM_CONFIG)
    set(TF_LLVM_CONFIG ${TF_LLVM_CONFIG_${v}})
    set(TF_LLVM_MAJOR ${v})
  endif()
endforeach()

# Runs llvm-config; the answer as a list.
function(tf_llvm_config out)
  execute_process(COMMAND ${TF_LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE text
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[ \n]+" ";" text "${text}")
  set(${out} ${text} PARENT_SCOPE)
endfunction()

# All Clang libraries that code generation from source can reach; each version has some of them.
set(tf_clang_names Frontend CodeGen Serialization Driver Options Parse Sema APINotes ExtractAPI
  Index Rewrite Analysis AnalysisLifetimeSafety Edit AST ASTMatchers Lex Basic Support)

if(TF_LLVM_CONFIG)
  tf_llvm_config(TF_LLVM_PREFIX --prefix)
  tf_llvm_config(TF_LLVM_INCLUDE_DIR --includedir)
  tf_llvm_config(TF_LLVM_LIB_DIR --libdir)
  find_program(TF_CLANG_${TF_LLVM_MAJOR} NAMES clang clang-${TF_LLVM_MAJOR}
    PATHS ${TF_LLVM_PREFIX}/bin NO_DEFAULT_PATH)
  set(TF_CLANG ${TF_CLANG_${TF_LLVM_MAJOR}})

  set(TF_LLVM_LINKED ${TREFOIL_LLVM_LINK})
  if(TREFOIL_LLVM_LINK STREQUAL "auto")
    set(TF_LLVM_LINKED shared)
    if(EXISTS ${TF_LLVM_LIB_DIR}/libLLVMCore.a AND EXISTS ${TF_LLVM_LIB_DIR}/libclangCodeGen.a)
      set(TF_LLVM_LINKED static)
    endif()
  endif()

  if(TF_LLVM_LINKED STREQUAL "static")
    set(clang_libraries)
    foreach(name ${tf_clang_names})
      if(EXISTS ${TF_LLVM_LIB_DIR}/libclang${name}.a)
        list(APPEND clang_libraries ${TF_LLVM_LIB_DIR}/libclang${name}.a)
      endif()
    endforeach()
    tf_llvm_config(components --components)
    set(wanted native passes coverage lto frontendopenmp frontendhlsl frontenddriver
      frontendoffloading option bitreader bitwriter irreader linker)
    # The back end for SPIR-V, where this LLVM has it as a full target: trefoilc --emit=spirv.
    tf_llvm_config(targets --targets-built)
    if(targets MATCHES "SPIRV")
      list(APPEND wanted spirv)
      set(TF_LLVM_HAS_SPIRV ON)
    endif()
    foreach(name ${wanted})
      if(NOT name IN_LIST components)
        list(REMOVE_ITEM wanted ${name})
      endif()
    endforeach()
    tf_llvm_config(llvm_libraries --link-static --libs ${wanted})
    list(REMOVE_ITEM llvm_libraries -lPolly -lPollyISL) # see compiler/clang/polly_stub.cpp
    tf_llvm_config(system_libraries --link-static --system-libs)
    # A few functions of these two: one system's library serves on all, and wheels may not ask
    # for libzstd.
    foreach(name z zstd)
      find_library(TF_LIB_${name} NAMES lib${name}.a)
      if(TF_LIB_${name})
        list(TRANSFORM system_libraries REPLACE "^-l${name}$" "${TF_LIB_${name}}")
      endif()
    endforeach()
    set(TF_LLVM_LIBRARIES -Wl,--start-group ${clang_libraries} -Wl,--end-group
      -L${TF_LLVM_LIB_DIR} ${llvm_libraries} ${system_libraries})
  else()
    set(TF_LLVM_LIBRARIES -L${TF_LLVM_LIB_DIR} ${TF_LLVM_LIB_DIR}/libclang-cpp.so
      ${TF_LLVM_LIB_DIR}/libLLVM.so)
    file(GLOB clang_cpp ${TF_LLVM_LIB_DIR}/libclang-cpp.so*)
    if(NOT EXISTS ${TF_LLVM_LIB_DIR}/libclang-cpp.so AND clang_cpp)
      list(GET clang_cpp 0 clang_cpp)
      set(TF_LLVM_LIBRARIES ${clang_cpp} ${TF_LLVM_LIB_DIR}/libLLVM.so)
    endif()
  endif()

  set(TF_LLVM_LINKER_FLAGS)
  # A linker older than the compiler that made the archives may not read them.
  find_program(TF_LLD NAMES ld.lld HINTS ${TF_LLVM_PREFIX}/bin /usr/lib/llvm-22/bin
    /usr/lib/llvm-19/bin NO_DEFAULT_PATH)
  if(TF_LLD)
    get_filename_component(lld_folder ${TF_LLD} DIRECTORY)
    set(TF_LLVM_LINKER_FLAGS -fuse-ld=lld -B${lld_folder})
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVMClang REQUIRED_VARS TF_LLVM_CONFIG TF_CLANG TF_LLVM_LIB_DIR
  REASON_FAILURE_MESSAGE "run tools/install-deps.sh, or set TREFOIL_LLVM_VERSION")
