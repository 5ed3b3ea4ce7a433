# SPDX-License-Identifier: MIT
# Picks a compiler that can build named modules, unless the caller has chosen one with CXX or CMAKE_CXX_COMPILER.
if(CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
  return()
endif()

# Debian's unversioned clang++ and g++ are often too old, and clang without clang-scan-deps cannot tell CMake which
# module a file needs: a name is not enough.
function(ecs_can_build_modules accepted candidate)
  execute_process(COMMAND "${candidate}" -dumpversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(candidate MATCHES "clang")
    execute_process(COMMAND "${candidate}" -print-prog-name=clang-scan-deps
      OUTPUT_VARIABLE scanner OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(version VERSION_LESS 19 OR NOT IS_ABSOLUTE "${scanner}")
      set(${accepted} FALSE PARENT_SCOPE)
    endif()
  elseif(version VERSION_LESS 16)
    set(${accepted} FALSE PARENT_SCOPE)
  endif()
endfunction()

find_program(ECS_COMPILER NAMES clang++-19 clang++-22 clang++-21 clang++-20 clang++ g++-16 g++ NAMES_PER_DIR
  VALIDATOR ecs_can_build_modules DOC "The compiler that the presets use")
if(NOT ECS_COMPILER)
  message(FATAL_ERROR "No compiler that can build named modules was found: clang >= 19 with its clang-scan-deps, "
    "or g++ >= 16. On Debian: apt install clang-19 clang-tools-19. Another one: set CXX.")
endif()
set(CMAKE_CXX_COMPILER "${ECS_COMPILER}")
