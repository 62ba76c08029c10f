# SPDX-License-Identifier: MIT
# Finds one LLVM/Clang: TREFOIL_LLVM_VERSION, or the newest of 22 and 19.
# Sets LLVMClang_FOUND, TF_LLVM_MAJOR, TF_LLVM_PREFIX, TF_LLVM_INCLUDE_DIR, TF_LLVM_LIB_DIR,
# TF_LLVM_CONFIG, TF_CLANG (the clang program that compiles the built-ins).
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
if(TF_LLVM_CONFIG)
  foreach(what prefix includedir libdir)
    execute_process(COMMAND ${TF_LLVM_CONFIG} --${what} OUTPUT_VARIABLE out OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(tf_llvm_${what} ${out})
  endforeach()
  set(TF_LLVM_PREFIX ${tf_llvm_prefix})
  set(TF_LLVM_INCLUDE_DIR ${tf_llvm_includedir})
  set(TF_LLVM_LIB_DIR ${tf_llvm_libdir})
  find_program(TF_CLANG_${TF_LLVM_MAJOR} NAMES clang clang-${TF_LLVM_MAJOR} PATHS ${TF_LLVM_PREFIX}/bin NO_DEFAULT_PATH)
  set(TF_CLANG ${TF_CLANG_${TF_LLVM_MAJOR}})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVMClang REQUIRED_VARS TF_LLVM_CONFIG TF_CLANG TF_LLVM_LIB_DIR
  REASON_FAILURE_MESSAGE "run tools/install-deps.sh, or set TREFOIL_LLVM_VERSION")
