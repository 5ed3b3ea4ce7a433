# SPDX-License-Identifier: MIT
# Benchmarks: a file answers a question, and each runs with the tests at a tiny size, so that none of them rots.
include_guard(GLOBAL)
find_package(benchmark REQUIRED)
include(ecs_joined_sources)
include(ecs_python)
set(ECS_BENCH_RUNS "${PROJECT_BINARY_DIR}/bench-runs")
file(MAKE_DIRECTORY "${ECS_BENCH_RUNS}")
if(NOT TARGET run-benches)
  add_custom_target(run-benches
    COMMAND "${ECS_PYTHON}" "${PROJECT_SOURCE_DIR}/bench/performance.py" "${ECS_BENCH_RUNS}" USES_TERMINAL VERBATIM)
endif()

# ecs_add_bench(bench_allocate SOURCES a.cpp ... LINKS ecs::registry)
# `./dev bench` runs it in full, keeps every repetition in bench-runs/bench_allocate.json and prints the performance table
# of the runs. The smoke run in ctest has ECS_BENCH_SMOKE=1 in its environment; take sizes from
# bench_size() of bench/bench_size.hpp, which then answers with a tiny one.
function(ecs_add_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  set(sources ${arg_SOURCES})
  if(ECS_UNOPTIMISED_PROGRAMS)
    ecs_join_sources(sources ${name} 16 ${arg_SOURCES})
  endif()
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/bench")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} ecs_warnings benchmark::benchmark_main)
  # Where a loop happens to lie is up to a third of its time, and says nothing of who is measured: all begin a line of code.
  target_compile_options(${name} PRIVATE -falign-loops=64)
  if(BUILD_TESTING)
    add_test(NAME ${name}.smoke COMMAND ${name} --benchmark_min_time=0.0001)
    set_tests_properties(${name}.smoke PROPERTIES LABELS bench TIMEOUT 120 ENVIRONMENT ECS_BENCH_SMOKE=1)
  endif()

  # One after the other, or they would measure each other.
  get_property(previous GLOBAL PROPERTY ECS_LAST_BENCH)
  add_custom_target(run-${name} COMMAND ${name} --benchmark_enable_random_interleaving=true
    --benchmark_repetitions=9 --benchmark_min_time=0.05 --benchmark_display_aggregates_only=true
    --benchmark_out=${ECS_BENCH_RUNS}/${name}.json --benchmark_out_format=json USES_TERMINAL VERBATIM)
  add_dependencies(run-${name} ${name} ${previous})
  add_dependencies(run-benches run-${name})
  set_property(GLOBAL PROPERTY ECS_LAST_BENCH run-${name})
endfunction()
