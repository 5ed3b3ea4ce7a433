# SPDX-License-Identifier: MIT
# One CMake target for each named module: folder = module = target, so that the linker targets enforce which way
# dependencies run.
include_guard(GLOBAL)

add_library(ecs_warnings INTERFACE)
if(ECS_WARNINGS)
  target_compile_options(ecs_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
endif()

# ecs_add_module(id INTERFACES a.cppm ... [SOURCES b.cpp ...] [IMPORTS other ...] [LINKS target ...])
# makes the static library ecs_id, known to this tree and to consumers as ecs::id.
function(ecs_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INTERFACES;SOURCES;IMPORTS;LINKS")
  set(target ecs_${name})
  add_library(${target} STATIC) # Shared libraries with hidden visibility do not link module initialisers.
  add_library(ecs::${name} ALIAS ${target})
  target_sources(${target}
    PUBLIC FILE_SET modules TYPE CXX_MODULES BASE_DIRS "${PROJECT_SOURCE_DIR}/modules" FILES ${arg_INTERFACES}
    PRIVATE ${arg_SOURCES})
  target_compile_features(${target} PUBLIC cxx_std_20)
  list(TRANSFORM arg_IMPORTS PREPEND "ecs_")
  target_link_libraries(${target} PUBLIC ${arg_IMPORTS} PRIVATE ${arg_LINKS} $<BUILD_INTERFACE:ecs_warnings>)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY ECS_MODULE_TARGETS ${target})
endfunction()
