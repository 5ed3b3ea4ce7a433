# SPDX-License-Identifier: MIT
# Says what is missing in a sentence, before CMake or the compiler says it in a hundred lines. The library's own project asks,
# before it names the release of CMake that it needs, and so does the package in each project that uses it. Each function sets
# its argument to a sentence, or to nothing where nothing is missing.

function(ecs_find_obstacle_of_cmake result)
  set(${result} "" PARENT_SCOPE)
  if(CMAKE_VERSION VERSION_LESS 3.28)
    set(${result} "ecs is made of named modules and needs CMake >= 3.28; this is ${CMAKE_VERSION}. On Debian 12: add the suite \
bookworm-backports to apt, then apt install -t bookworm-backports cmake." PARENT_SCOPE)
  elseif(NOT CMAKE_GENERATOR MATCHES "Ninja")
    set(${result} "ecs is made of named modules, which CMake builds with Ninja only; this is ${CMAKE_GENERATOR}. Configure an \
empty build folder with -G Ninja." PARENT_SCOPE)
  endif()
endfunction()

function(ecs_find_obstacle_of_compiler result)
  set(${result} "" PARENT_SCOPE)
  set(found "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})")
  get_directory_property(options COMPILE_OPTIONS)
  set(flags "${CMAKE_CXX_FLAGS} ${options}")
  foreach(configuration IN LISTS CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES)
    string(TOUPPER "${configuration}" configuration)
    string(APPEND flags " ${CMAKE_CXX_FLAGS_${configuration}}")
  endforeach()
  if((CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
      OR (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
      OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$")
    set(${result} "ecs is made of named modules and needs clang >= 19 or g++ >= 16; this is ${found}. On Debian: apt install \
clang-19 clang-tools-19, then configure an empty build folder with -DCMAKE_CXX_COMPILER=clang++-19." PARENT_SCOPE)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
    set(${result} "ecs is made of named modules, and ${found} has no clang-scan-deps beside it. On Debian: apt install \
clang-tools-19, then configure an empty build folder." PARENT_SCOPE)
  elseif(flags MATCHES "-fno-(exceptions|rtti)")
    set(${result} "ecs throws, and tells types apart by typeid: a file that is compiled with ${CMAKE_MATCH_0} cannot import it. \
Leave the flag out of CMAKE_CXX_FLAGS and add_compile_options, and give it to the targets alone that import nothing of ecs."
      PARENT_SCOPE)
  endif()
endfunction()

# The objects in a package and those of its importers agree in how functions are called, and in the standard library, only
# where the same release of a compiler has made both.
function(ecs_find_obstacle_of_package result made_by release)
  set(${result} "" PARENT_SCOPE)
  string(REGEX MATCH "^[0-9]+" made_with "${release}")
  string(REGEX MATCH "^[0-9]+" here "${CMAKE_CXX_COMPILER_VERSION}")
  if(NOT made_by STREQUAL CMAKE_CXX_COMPILER_ID OR NOT made_with STREQUAL here)
    set(${result} "this package of ecs was built with ${made_by} ${release}, and this project is compiled with \
${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. Configure an empty build folder with the compiler of the package, or \
build and install ecs with yours." PARENT_SCOPE)
  endif()
endfunction()

# A function has the policies of the place where it is read: here those of the project that uses the library.
function(ecs_find_obstacle_of_importers result)
  set(${result} "" PARENT_SCOPE)
  cmake_policy(GET CMP0155 scanning)
  if(NOT scanning STREQUAL "NEW" AND NOT DEFINED CMAKE_CXX_SCAN_FOR_MODULES)
    set(${result} "CMake does not look for imports in a project that asks for less than its release 3.28, and the compiler would \
not find the modules of ecs. Write cmake_minimum_required(VERSION 3.28), or set(CMAKE_CXX_SCAN_FOR_MODULES ON) before the \
targets that import." PARENT_SCOPE)
  endif()
endfunction()

# A flag that a target alone is given is known once the project's last list has been read. What stands in a generator expression,
# or comes from a target in between, is left to the compiler: it may not concern the files that import.
function(ecs_refuse_flags_of_importers directory)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(links ${target} LINK_LIBRARIES)
    get_target_property(flags ${target} COMPILE_OPTIONS)
    list(FILTER links INCLUDE REGEX "^ecs::")
    list(FILTER flags INCLUDE REGEX "^-fno-(exceptions|rtti)$")
    if(links AND flags)
      list(JOIN flags " and " flags)
      message(FATAL_ERROR "ecs throws, and tells types apart by typeid: the target ${target} links ${links} and cannot import it, \
because it is compiled with ${flags}. Take the flag from this target, and give it to targets that import nothing of ecs.")
    endif()
  endforeach()
  get_property(folders DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    ecs_refuse_flags_of_importers("${folder}")
  endforeach()
endfunction()
function(ecs_refuse_flags_of_importers_at_the_end)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" GET_CALL ecs_flags_of_importers call)
  if(NOT call)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" ID ecs_flags_of_importers
      CALL ecs_refuse_flags_of_importers "${CMAKE_SOURCE_DIR}")
  endif()
endfunction()

# What is known of before a project has its languages, and all of it.
function(ecs_require_cmake)
  ecs_find_obstacle_of_cmake(obstacle)
  if(obstacle)
    message(FATAL_ERROR "${obstacle}")
  endif()
endfunction()
# The library's own project alone: what is made of its sources has their names, and must not lie where they do.
function(ecs_require_build_folder)
  if(CMAKE_CURRENT_BINARY_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "ecs is built in a folder of its own: remove CMakeCache.txt and CMakeFiles from ${CMAKE_CURRENT_SOURCE_DIR}, \
then cmake -S . -B build -G Ninja.")
  endif()
endfunction()
function(ecs_require_compiler)
  ecs_find_obstacle_of_compiler(obstacle)
  if(NOT obstacle AND NOT PROJECT_IS_TOP_LEVEL)
    ecs_find_obstacle_of_importers(obstacle)
  endif()
  if(obstacle)
    message(FATAL_ERROR "${obstacle}")
  endif()
  ecs_refuse_flags_of_importers_at_the_end()
endfunction()
