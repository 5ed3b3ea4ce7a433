# SPDX-License-Identifier: MIT
# Says what is missing in a sentence, before CMake or the compiler says it in a hundred lines.
include_guard(GLOBAL)

set(found "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})")
if((CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
    OR (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
    OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$")
  message(FATAL_ERROR "ecs is made of named modules and needs clang >= 19 or g++ >= 16; this is ${found}. "
    "On Debian: apt install clang-19 clang-tools-19, then configure with -DCMAKE_CXX_COMPILER=clang++-19.")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
  message(FATAL_ERROR "ecs is made of named modules, and ${found} has no clang-scan-deps beside it. "
    "On Debian: apt install clang-tools-19.")
endif()
if(NOT CMAKE_GENERATOR MATCHES "Ninja")
  message(FATAL_ERROR "ecs is made of named modules, which CMake builds with Ninja only; this is "
    "${CMAKE_GENERATOR}. Configure with -G Ninja.")
endif()
