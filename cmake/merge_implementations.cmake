# SPDX-License-Identifier: MIT
# Writes several files that implement a module as one. docs/decisions/one-file-per-module.md says what for.
#   cmake -D module=ecs.id -D folder=modules/ecs.id -D files=a.cpp,b.cpp -D output=FILE -P merge_implementations.cmake
cmake_minimum_required(VERSION 3.28)
include("${CMAKE_CURRENT_LIST_DIR}/module_units.cmake")

set(directives "")
set(others)
set(bodies "")
string(REPLACE "," ";" files "${files}")
foreach(file IN LISTS files)
  read_unit(${file} ${file} "module ecs")
  append_unit(${file})
  get_property(imports GLOBAL PROPERTY ${file}_imports)
  list(APPEND others ${imports})
endforeach()

list(REMOVE_DUPLICATES others)
set(imports "")
foreach(import IN LISTS others)
  string(APPEND imports "${import};\n")
endforeach()
set(text "// SPDX-License-Identifier: MIT\n// Several files of ${module}, in one.\n")
if(NOT directives STREQUAL "")
  string(APPEND text "module;\n${directives}")
endif()
file(WRITE "${output}" "${text}module ${module};\n${imports}${bodies}")
