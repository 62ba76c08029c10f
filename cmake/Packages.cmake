# SPDX-License-Identifier: MIT
# What is installed, how it is removed, and packages of it: `make install`, `make uninstall`,
# `make packages`. Components: runtime (the driver and its .icd file: all that a program with
# binaries of its kernels needs), compiler, tools.

# Tests are no part of it: installing and packing build nothing; the target `installed` is what is
# needed.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# Folders that an installation makes, for uninstall.cmake; those that were there stay.
set(TREFOIL_ICD_DIR /etc/OpenCL/vendors CACHE PATH "where the ICD loader looks for *.icd")
# Relative ones are below the prefix that `cmake --install --prefix` says, or this build's.
set(folders ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/trefoil ${CMAKE_INSTALL_DOCDIR}
  ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_DATADIR}/trefoil ${TREFOIL_ICD_DIR})
# A refusal comes before the first file: what a broken installation has left, nobody has a record of.
install(CODE "
  if(\"\${CMAKE_INSTALL_PREFIX}\" MATCHES \"[;]\")
    message(FATAL_ERROR \"\${CMAKE_INSTALL_PREFIX}: no prefix may have a semicolon, which parts lists of CMake.\")
  endif()
  set(writable \"\$ENV{DESTDIR}${TREFOIL_ICD_DIR}\")
  while(NOT EXISTS \"\${writable}\" AND NOT writable STREQUAL \"\" AND NOT writable STREQUAL \"/\")
    get_filename_component(writable \"\${writable}\" DIRECTORY)
  endwhile()
  execute_process(COMMAND test -d \"\${writable}\" -a -w \"\${writable}\" RESULT_VARIABLE refused)
  if(refused)
    message(FATAL_ERROR \"\${writable} is not yours to write to: trefoil.icd goes to ${TREFOIL_ICD_DIR}. \"
      \"Be root, or choose a folder with cmake -DTREFOIL_ICD_DIR=FOLDER build, and set OCL_ICD_VENDORS=FOLDER.\")
  endif()
  if(CMAKE_INSTALL_COMPONENT)
    set(folders) # a part, for a package
  else()
    set(folders \"${folders}\")
  endif()
  get_filename_component(prefix \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE) # --prefix may be relative
  foreach(folder IN LISTS folders)
    get_filename_component(folder \"\${folder}\" ABSOLUTE BASE_DIR \"\${prefix}\")
    while(NOT folder STREQUAL \"/\" AND NOT EXISTS \"\$ENV{DESTDIR}\${folder}\")
      file(APPEND \"${CMAKE_BINARY_DIR}/install_folders.txt\" \"\$ENV{DESTDIR}\${folder}\\n\")
      get_filename_component(folder \"\${folder}\" DIRECTORY)
    endwhile()
  endforeach()")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
# The licences of what is linked into the compiler library go with it.
foreach(part llvm-${TF_LLVM_MAJOR}-dev libzstd-dev zlib1g-dev)
  string(REGEX REPLACE "^(lib)?([a-z]+).*" "\\2" name ${part})
  string(TOUPPER ${name} name)
  if(EXISTS /usr/share/doc/${part}/copyright)
    install(FILES /usr/share/doc/${part}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME ${name}-COPYRIGHT
      COMPONENT compiler)
  endif()
endforeach()

set(CPACK_PACKAGE_NAME trefoil)
set(CPACK_PACKAGE_VENDOR Trefoil)
set(CPACK_PACKAGE_CONTACT "Trefoil <trefoil@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL on plain CPUs")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_SET_DESTDIR ON) # trefoil.icd lies outside of the prefix
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_GENERATOR DEB TZST)
set(CPACK_COMPONENTS_ALL runtime compiler tools)
set(CPACK_VERBATIM_VARIABLES ON)

# One archive of everything, to be unpacked at /.
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

# trefoil.icd is no conffile: a package that is removed takes it along, or the loader would look
# for a library that is gone.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF) # the lines below say it
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(same "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME trefoil-opencl-icd)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "OpenCL on plain CPUs: the driver
 Programs that use OpenCL find it through the ICD loader. It runs kernels from
 program binaries and from its cache by itself, and from source with
 trefoil-compiler.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "trefoil-compiler ${same}, ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS trefoil-tools)
# Both know one table of functions: another version of it is refused.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_BREAKS
  "trefoil-compiler (<< ${PROJECT_VERSION}), trefoil-compiler (>> ${PROJECT_VERSION})")
set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME trefoil-compiler)
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "OpenCL on plain CPUs: the kernel compiler
 Clang, LLVM and the built-in functions in one library, and the process that
 runs them beside an application.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME trefoil-tools)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "OpenCL on plain CPUs: tools
 trefoil-info (facts, self-test), trefoil-run (kernels that describe
 themselves), trefoilc (offline compiler), trefoil-cache.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "trefoil-compiler ${same}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "trefoil-opencl-icd ${same}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS python3) # trefoil-report
include(CPack)
