# SPDX-License-Identifier: MIT
# Several sources of one program compiled as one file.
include_guard(GLOBAL)

# ecs_join_sources(joined unit_id 12 a.cpp b.cpp ...): sets the result to what to compile. The sources of one program have most of
# what they cost in common: imports, and what they use of a world. Where nothing is optimised so many at a time are one file, which
# is why they define nothing under the same name. Not with g++, which refuses headers of the standard library behind an import.
function(ecs_join_sources result program at_once)
  set(${result} ${ARGN} PARENT_SCOPE)
  list(LENGTH ARGN count)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR count LESS 2)
    return()
  endif()
  math(EXPR last "(${count} - 1) / ${at_once}")
  set(joined)
  foreach(part RANGE ${last})
    math(EXPR first "${part} * ${at_once}")
    list(SUBLIST ARGN ${first} ${at_once} sources)
    list(TRANSFORM sources REPLACE "(.+)" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/\\1\"")
    list(JOIN sources "\n" content)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${program}_${part}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${content}\n")
    list(APPEND joined "${file}")
  endforeach()
  set(${result} ${joined} PARENT_SCOPE)
endfunction()
