# SPDX-License-Identifier: MIT
# The peers that benchmarks compare with, where they are installed: CMAKE_PREFIX_PATH says where.
include_guard(GLOBAL)
add_library(ecs_bench_peers INTERFACE)
find_package(EnTT CONFIG QUIET)
find_package(flecs CONFIG QUIET)
find_package(gaia CONFIG QUIET)
if(TARGET flecs::flecs_static)
  enable_language(C) # It is a library of C.
endif()

# mustache installs no package, and forgets mustache_export.h, which its build makes: copy that to the other headers.
find_path(mustache_DIR mustache/ecs/ecs.hpp)
find_library(mustache_LIBRARY mustache)
if(mustache_DIR AND mustache_LIBRARY)
  add_library(mustache::mustache UNKNOWN IMPORTED)
  set_target_properties(mustache::mustache PROPERTIES
    IMPORTED_LOCATION "${mustache_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${mustache_DIR}")
endif()

# ecs_bench_peer(EnTT EnTT::EnTT ECS_BENCH_ENTT): links the peer if it was found, and says so or why not.
function(ecs_bench_peer name target definition)
  if(TARGET ${target})
    message(STATUS "Benchmarks compare with ${name} (${${name}_DIR})")
    target_link_libraries(ecs_bench_peers INTERFACE ${target})
    target_compile_definitions(ecs_bench_peers INTERFACE ${definition})
  else()
    message(STATUS "Benchmarks skip ${name}: it was not found; set CMAKE_PREFIX_PATH to compare")
  endif()
endfunction()

ecs_bench_peer(EnTT EnTT::EnTT ECS_BENCH_ENTT)
ecs_bench_peer(flecs flecs::flecs_static ECS_BENCH_FLECS)
ecs_bench_peer(gaia gaia::gaia ECS_BENCH_GAIA)
ecs_bench_peer(mustache mustache::mustache ECS_BENCH_MUSTACHE)
