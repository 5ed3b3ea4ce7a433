# SPDX-License-Identifier: MIT
# One CMake target for each named module: folder = module = target, so that the linker targets enforce which way
# dependencies run.
include_guard(GLOBAL)
include(GNUInstallDirs)

add_library(ecs_warnings INTERFACE)
if(ECS_WARNINGS)
  target_compile_options(ecs_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
  # The -Wshadow of g++ also means parameters with the name of a member function or type, its -Wdangling-else what the macros of
  # GoogleTest are made of.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(ecs_warnings INTERFACE -Wno-attributes=clang:: -Wno-dangling-else)
  else()
    target_compile_options(ecs_warnings INTERFACE -Wshadow)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 21) # It warns of what its own -march=native asks for where there is AVX10.
      target_compile_options(ecs_warnings INTERFACE -Wno-invalid-feature-combination)
    endif()
  endif()
endif()

# ecs_find_dependency(TBB CONFIG): find_package, REQUIRED here and, through the installed package, in every project that
# uses it. For what a module links; what the tests alone need is theirs to find.
macro(ecs_find_dependency)
  find_package(${ARGV} REQUIRED)
  string(JOIN " " arguments ${ARGV})
  set_property(GLOBAL APPEND PROPERTY ECS_DEPENDENCIES "find_dependency(${arguments})")
endmacro()

# ecs_merge(ecs.id.cppm interfaces ecs.id a.cppm b.cppm ...): the first is a file of the build, written of these by
# merge_interfaces.cmake.
function(ecs_merge output kind module)
  list(JOIN ARGN "," files)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE parts)
  set(script "${PROJECT_SOURCE_DIR}/cmake/merge_${kind}.cmake")
  add_custom_command(OUTPUT "${output}" DEPENDS ${parts} "${script}" "${PROJECT_SOURCE_DIR}/cmake/module_units.cmake"
    COMMAND "${CMAKE_COMMAND}" "-Dmodule=${module}" "-Dfolder=${CMAKE_CURRENT_SOURCE_DIR}" "-Dfiles=${files}"
      "-Doutput=${output}" -P "${script}"
    COMMENT "Writing ${kind} of ${module} as one file" DEPENDS_EXPLICIT_ONLY VERBATIM)
endfunction()

# Replaces the files that implement the module by as few files of the build as have no more than twenty in each, about as long as
# each other: the compiler's work grows with the length.
function(ecs_merge_implementations files module)
  set(length 0)
  foreach(file IN LISTS ${files})
    file(SIZE "${CMAKE_CURRENT_SOURCE_DIR}/${file}" size)
    math(EXPR length "${length} + ${size}")
  endforeach()
  list(LENGTH ${files} count)
  math(EXPR parts "(${count} + 19) / 20")
  set(before 0)
  foreach(file IN LISTS ${files})
    file(SIZE "${CMAKE_CURRENT_SOURCE_DIR}/${file}" size)
    math(EXPR part "(2 * ${before} + ${size}) * ${parts} / (2 * ${length}) + 1")
    math(EXPR before "${before} + ${size}")
    list(APPEND part_${part} "${file}")
  endforeach()
  set(merged)
  foreach(part RANGE 1 ${parts})
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${module}.${part}.cpp")
    ecs_merge("${output}" implementations ${module} ${part_${part}})
    list(APPEND merged "${output}")
  endforeach()
  set(${files} ${merged} PARENT_SCOPE)
endfunction()

# ecs_add_module(id INTERFACES a.cppm ... [SOURCES b.cpp ...] [IMPORTS other ...] [LINKS target ...])
# makes the static library ecs_id, known to this tree and to consumers as ecs::id. A library of headers that SOURCES alone
# include is linked as $<BUILD_INTERFACE:target>: consumers then need not have it.
function(ecs_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INTERFACES;SOURCES;IMPORTS;LINKS")
  set(target ecs_${name})
  add_library(${target} STATIC) # Shared libraries with hidden visibility do not link module initialisers.
  add_library(ecs::${name} ALIAS ${target})
  set(interfaces ${arg_INTERFACES})
  list(POP_FRONT arg_INTERFACES primary)
  cmake_path(REMOVE_EXTENSION primary LAST_ONLY OUTPUT_VARIABLE module)
  if(ECS_ONE_FILE_PER_MODULE AND arg_INTERFACES)
    set(merged "${CMAKE_CURRENT_BINARY_DIR}/${primary}")
    ecs_merge("${merged}" interfaces ${module} ${interfaces})
    set(interfaces "${merged}")
  endif()
  if(ECS_ONE_FILE_PER_MODULE AND arg_SOURCES)
    ecs_merge_implementations(arg_SOURCES ${module})
  endif()
  target_sources(${target}
    PUBLIC FILE_SET modules TYPE CXX_MODULES BASE_DIRS "${PROJECT_SOURCE_DIR}/modules" "${PROJECT_BINARY_DIR}/modules"
      FILES ${interfaces}
    PRIVATE ${arg_SOURCES})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # From 22 on, clang leaves out of a module what it takes for unused, and refuses programs that include <string> after the import
  # (docs/compilers.md: reduced modules).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22)
    target_compile_options(${target} PRIVATE $<BUILD_INTERFACE:-fno-modules-reduced-bmi>)
  endif()
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE) # Shared libraries may take the library in.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  list(TRANSFORM arg_IMPORTS PREPEND "ecs_")
  target_link_libraries(${target} PUBLIC ${arg_IMPORTS} PRIVATE ${arg_LINKS} $<BUILD_INTERFACE:ecs_warnings>)

  # The package gives the name ecs::id to the target that carries all modules; see ecs-config.cmake.in.
  if(name STREQUAL "ecs")
    set_target_properties(${target} PROPERTIES EXPORT_NAME ecs)
  else()
    set_property(GLOBAL APPEND PROPERTY ECS_MODULES ${name})
    set_target_properties(${target} PROPERTIES EXPORT_NAME module_${name})
  endif()

  # Here and not beside install(EXPORT): CMake looks for the destination of module sources in the directory of their
  # target alone, and without it the package would name the sources by their path in this tree.
  install(TARGETS ${target} EXPORT ecs-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET modules DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ecs/modules")
endfunction()
