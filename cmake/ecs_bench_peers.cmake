# SPDX-License-Identifier: MIT
# The peers that benchmarks compare with, where they are installed: CMAKE_PREFIX_PATH says where.
include_guard(GLOBAL)
add_library(ecs_bench_peers INTERFACE)
find_package(EnTT CONFIG QUIET)
find_package(flecs CONFIG QUIET)
if(TARGET flecs::flecs_static)
  enable_language(C) # It is a library of C.
endif()

# ecs_bench_peer(EnTT EnTT::EnTT ECS_BENCH_ENTT): links the peer if it was found, and says so or why not.
function(ecs_bench_peer name target definition)
  if(TARGET ${target})
    message(STATUS "Benchmarks compare with ${name} (${${name}_DIR})")
    target_link_libraries(ecs_bench_peers INTERFACE ${target})
    target_compile_definitions(ecs_bench_peers INTERFACE ${definition})
  else()
    message(STATUS "Benchmarks skip ${name}: find_package(${name}) found nothing; set CMAKE_PREFIX_PATH to compare")
  endif()
endfunction()

ecs_bench_peer(EnTT EnTT::EnTT ECS_BENCH_ENTT)
ecs_bench_peer(flecs flecs::flecs_static ECS_BENCH_FLECS)
