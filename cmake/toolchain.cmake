# SPDX-License-Identifier: MIT
# Picks a compiler that can build named modules unless the caller has chosen one.
if(CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
  return()
endif()
find_program(ecs_clang NAMES clang++-19 clang++-22 clang++-21 clang++-20)
if(NOT ecs_clang)
  message(FATAL_ERROR "No compiler that can build named modules was found. Install one: apt install clang-19 clang-tools-19")
endif()
set(CMAKE_CXX_COMPILER "${ecs_clang}")
