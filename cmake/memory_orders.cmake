# SPDX-License-Identifier: MIT
# The memory orders of a module have names, which are static members of a struct in a source of it. One run with cmake -P does
# one of two things.
#
# -Dheader=FILE makes a header for the tests that weaken them: a struct with a variable for each name, and a list of the names.
# A name thus cannot be forgotten there.
#
# Without, it checks that the sources of `folders` use each name at one place, and no other order that is not relaxed: a weakened
# name is then one weakened operation. `several` lists the names that more places use, `except` the files that need not follow.
#
# -Dsource=FILE where the struct is, -Dstruct=NAME; -Dfolders=FOLDER,... [-Dseveral=NAME,...] [-Dexcept=FILE,...]
cmake_minimum_required(VERSION 3.28)

file(READ "${source}" text)
string(REGEX MATCH "struct ${struct} {[^}]*}" definition "${text}")
string(REGEX MATCHALL "static constexpr auto [a-z0-9_]+ = std::memory_order_[a-z_]+" names "${definition}")
list(TRANSFORM names REPLACE "static constexpr auto ([a-z0-9_]+) .*" "\\1")
string(REGEX MATCHALL "memory_order(_|::)" orders "${definition}")
list(LENGTH names count)
list(LENGTH orders count_of_orders)
if(count EQUAL 0 OR NOT count EQUAL count_of_orders)
  message(FATAL_ERROR "${source}: ${struct} is to consist of lines such as\n"
    "static constexpr auto name = std::memory_order_acquire;")
endif()

if(header)
  set(variables "")
  set(list "")
  foreach(name IN LISTS names)
    string(APPEND variables "    inline static std::memory_order ${name} = ecs::${struct}::${name};\n")
    string(APPEND list "        model::weakened_name{\"${name}\", &${name}},\n")
  endforeach()
  file(WRITE "${header}" "// Made of ${struct} by cmake/memory_orders.cmake.
#pragma once

#include <array>
#include <atomic>

#include \"weakened.hpp\"

/// The orders of production, as variables.
struct ${struct}_as_variables {
${variables}
    inline static const std::array names{
${list}    };
};
")
  return()
endif()

set(complaints "")
set(uses "")
string(REPLACE "," ";" several "${several}")
string(REPLACE "," ";" except "${except}")
string(REPLACE "," ";" folders "${folders}")
set(files "")
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE here "${folder}/*.cppm" "${folder}/*.cpp")
  list(APPEND files ${here})
endforeach()
foreach(file IN LISTS files)
  file(READ "${file}" text)
  string(REPLACE "${definition}" "" text "${text}")
  cmake_path(GET file FILENAME name)
  string(REGEX MATCHALL "[^_a-z]order::[a-z0-9_]+" found "${text}")
  list(APPEND uses ${found})
  if(name IN_LIST except)
    continue()
  endif()
  string(REGEX MATCHALL "memory_order(_|::)(acquire|release|acq_rel|consume|seq_cst)" found "${text}")
  foreach(order IN LISTS found)
    string(APPEND complaints "${file}: ${order} has no name in ${struct}\n")
  endforeach()
endforeach()

list(TRANSFORM uses REPLACE "^.order::" "")
foreach(name IN LISTS names)
  set(here ${uses})
  list(FILTER here INCLUDE REGEX "^${name}$")
  list(LENGTH here count)
  if(count EQUAL 0)
    string(APPEND complaints "${struct}::${name} is used nowhere\n")
  elseif(count GREATER 1 AND NOT name IN_LIST several)
    string(APPEND complaints "${struct}::${name} is used at ${count} places: give each a name of its own\n")
  elseif(count EQUAL 1 AND name IN_LIST several)
    string(APPEND complaints "${struct}::${name} is used at one place: take it off the list of those with several\n")
  endif()
endforeach()
foreach(name IN LISTS several)
  if(NOT name IN_LIST names)
    string(APPEND complaints "${struct} has no ${name}: take it off the list of those with several\n")
  endif()
endforeach()
if(complaints)
  message(FATAL_ERROR "${complaints}")
endif()
