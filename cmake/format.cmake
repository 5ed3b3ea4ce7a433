# SPDX-License-Identifier: MIT
# cmake [-Dfix=ON] -P format.cmake: checks, or fixes, the format of every source. The configuration is written for
# clang-format 19; another release would disagree with it.
cmake_minimum_required(VERSION 3.28)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
find_program(clang_format clang-format-19 HINTS /usr/lib/llvm-19/bin)
if(NOT clang_format)
  message(FATAL_ERROR "clang-format-19 is missing. On Debian: apt install clang-format-19.")
endif()
set(sources)
foreach(folder IN ITEMS modules tests bench examples)
  file(GLOB_RECURSE found "${root}/${folder}/*.cppm" "${root}/${folder}/*.cpp" "${root}/${folder}/*.hpp")
  list(APPEND sources ${found})
endforeach()
if(fix)
  set(mode -i)
else()
  set(mode --dry-run -Werror)
endif()
execute_process(COMMAND "${clang_format}" ${mode} ${sources} COMMAND_ERROR_IS_FATAL ANY)
