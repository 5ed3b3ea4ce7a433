# SPDX-License-Identifier: MIT
# Writes the interface of a module as one file: its partitions in the order in which they need each other, and what the primary
# interface declares itself. docs/decisions/one-file-per-module.md says what for.
#   cmake -D module=ecs.id -D folder=modules/ecs.id -D files=ecs.id.cppm,field.cppm -D output=FILE -P merge_interfaces.cmake
# The primary interface is named first.
cmake_minimum_required(VERSION 3.28)
include("${CMAKE_CURRENT_LIST_DIR}/module_units.cmake")

# Sets the result to the name of the partition, with a colon before it; a colon alone stands for the primary interface.
function(find_partition result file)
  file(STRINGS "${folder}/${file}" line REGEX "^export module " LIMIT_COUNT 1)
  string(REGEX REPLACE "^export module [a-z.]+:?([a-z_]*).*" ":\\1" name "${line}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# Appends the unit to the property `order`, behind those that it imports, and the other modules that it imports to
# `others`.
function(visit name)
  get_property(order GLOBAL PROPERTY order)
  if(name IN_LIST order)
    return()
  endif()
  get_property(imports GLOBAL PROPERTY ${name}_imports)
  foreach(import IN LISTS imports)
    if(import MATCHES "import (:[a-z_]+)")
      visit(${CMAKE_MATCH_1})
    else()
      set_property(GLOBAL APPEND PROPERTY others "${import}")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY order ${name})
endfunction()

string(REPLACE "," ";" files "${files}")
foreach(file IN LISTS files)
  find_partition(name ${file})
  read_unit(${name} ${file} "export module ")
endforeach()
visit(":")

get_property(order GLOBAL PROPERTY order)
set(directives "")
set(bodies "")
foreach(name IN LISTS order)
  append_unit(${name})
endforeach()

get_property(others GLOBAL PROPERTY others)
list(REMOVE_DUPLICATES others)
set(imports "")
foreach(import IN LISTS others)
  if(NOT "export ${import}" IN_LIST others)
    string(APPEND imports "${import};\n")
  endif()
endforeach()

set(text "// SPDX-License-Identifier: MIT\n// ${module} in one file, made of its partitions.\n")
if(NOT directives STREQUAL "")
  string(APPEND text "module;\n${directives}")
endif()
file(WRITE "${output}" "${text}export module ${module};\n${imports}${bodies}")
