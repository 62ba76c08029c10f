# SPDX-License-Identifier: MIT
# cmake -DBUILD=folder -P uninstall.cmake: removes the files of its last installation, and the
# folders that this or an earlier one made, as far as they are empty; others stay in the record. DESTDIR as for installing.
#
# Names are taken as they stand: file(STRINGS) ends a line at a letter that is not ASCII, lists
# know brackets, and file(GLOB) finds nothing in a folder whose name looks like a pattern.

# tf_each_line(file function): calls it with each line.
function(tf_each_line file function)
  if(NOT EXISTS "${file}")
    return()
  endif()
  file(READ "${file}" text)
  string(FIND "${text}" "\n" length)
  while(length GREATER_EQUAL 0)
    string(SUBSTRING "${text}" 0 ${length} line)
    math(EXPR next "${length} + 1")
    string(SUBSTRING "${text}" ${next} -1 text)
    cmake_language(CALL ${function} "${line}")
    string(FIND "${text}" "\n" length)
  endwhile()
endfunction()

function(remove_file name)
  if(NOT name STREQUAL "")
    message(STATUS "Removing $ENV{DESTDIR}${name}")
    file(REMOVE "$ENV{DESTDIR}${name}")
  endif()
endfunction()

# Not file(REMOVE_RECURSE): rmdir alone never takes what somebody has put there since.
function(remove_folder name)
  execute_process(COMMAND rmdir -- "${name}" RESULT_VARIABLE code ERROR_QUIET)
  if(code EQUAL 0)
    message(STATUS "Removing ${name}")
    set_property(GLOBAL PROPERTY removed 1)
  endif()
endfunction()

function(keep_folder name)
  if(EXISTS "${name}")
    file(APPEND "${BUILD}/install_folders.txt" "${name}\n")
  endif()
endfunction()

if(NOT EXISTS "${BUILD}/install_manifest.txt")
  message(FATAL_ERROR "nothing was installed from ${BUILD}")
endif()
# CMake ends no line after the last name.
file(APPEND "${BUILD}/install_manifest.txt" "\n")
tf_each_line("${BUILD}/install_manifest.txt" remove_file)
# A folder is empty when those in it are gone, which may come later in the list.
set(again 1)
while(again)
  set_property(GLOBAL PROPERTY removed 0)
  tf_each_line("${BUILD}/install_folders.txt" remove_folder)
  get_property(again GLOBAL PROPERTY removed)
endwhile()
file(REMOVE "${BUILD}/install_manifest.txt")
# Those of an installation to another prefix, which one more into it would find there.
if(EXISTS "${BUILD}/install_folders.txt")
  file(RENAME "${BUILD}/install_folders.txt" "${BUILD}/install_folders.old")
  tf_each_line("${BUILD}/install_folders.old" keep_folder)
  file(REMOVE "${BUILD}/install_folders.old")
endif()
