# SPDX-License-Identifier: MIT
# One way to register each kind of evidence. Every test has the label of its kind, so that `ctest -L reject` runs one
# kind alone.
include_guard(GLOBAL)
find_package(GTest REQUIRED)
include(GoogleTest)
include(ecs_joined_sources)
include(ecs_python)
add_custom_target(fuzz-targets)

# How long a test may take. Without optimisation, under a sanitizer, or beside work of higher priority, some take minutes.
set(ECS_TEST_SECONDS 120 CACHE STRING "How long a test may take in an optimised build")
set(ecs_test_seconds ${ECS_TEST_SECONDS})
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(ecs_test_seconds 1200)
endif()

# What tests are compiled with beside the options of the build. An example takes far longer to compile than to run: where
# compilers optimise by default, or AddressSanitizer makes them slow, it is not optimised. The library that it tests is, as for
# users; and what users instantiate is optimised in the tests that run for seconds, in the examples and in the benchmarks. With
# AddressSanitizer that pays for properties and fuzz targets alone; and no test has line tables, which are a fifth of what it
# costs to compile: GoogleTest says the line of what fails, and what the library did is reported with its lines. Nor are quick
# tests, other unit tests and tests of real threads compiled with UndefinedBehaviorSanitizer, which is a quarter of what they cost:
# it watches the library in all tests, and what users instantiate of it in the properties that are not QUICK and in the fuzz
# targets. ECS_WHOLE_SANITIZERS compiles all with it.
option(ECS_WHOLE_SANITIZERS "Compile unit tests, stress tests and quick properties with UndefinedBehaviorSanitizer where it is on" OFF)
set(ecs_options_of_quick_tests)
set(ecs_options_of_long_tests)
set(ecs_options_of_random_tests)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
  set(ecs_options_of_quick_tests -O0 -g0)
  if(NOT ECS_WHOLE_SANITIZERS)
    list(APPEND ecs_options_of_quick_tests -fno-sanitize=undefined)
  endif()
  set(ecs_options_of_long_tests ${ecs_options_of_quick_tests})
  set(ecs_options_of_random_tests -g0)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(ecs_options_of_quick_tests -O0)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(ecs_options_of_quick_tests -O1) # See the fault "unoptimised importer" in docs/compilers.md.
  endif()
  set(ecs_options_of_long_tests -O1) # Compiled in two thirds of the time of -O3; the longest run a quarter longer.
  set(ecs_options_of_random_tests -O1)
endif()

# The header of GoogleTest is a quarter of what a test costs to compile: it is compiled once with the options of quick tests, and
# once with those of properties and fuzz targets.
function(ecs_precompile_gtest name)
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE ecs_warnings GTest::gtest)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
endfunction()
ecs_precompile_gtest(gtest_header_of_quick_tests ${ecs_options_of_quick_tests})
ecs_precompile_gtest(gtest_header ${ecs_options_of_random_tests})

# A process begins and ends in 30 ms, with AddressSanitizer in 250, longer than most tests take: those of a program are dealt to a
# few processes. So each test also runs behind others, in a process that has seen other types and worlds.
option(ECS_TESTS_ALONE "Run each test of a program in a process of its own, as a test of its own for ctest" OFF)
function(ecs_register_gtest_tests program alone)
  if(alone OR ECS_TESTS_ALONE)
    gtest_discover_tests(${program} TEST_PREFIX "${program}." DISCOVERY_MODE PRE_TEST PROPERTIES ${ARGN})
    return()
  endif()
  set(processes 4)
  foreach(process RANGE 1 ${processes})
    math(EXPR shard "${process} - 1")
    add_test(NAME ${program}.${process}_of_${processes} COMMAND
      "${CMAKE_COMMAND}" -E env GTEST_TOTAL_SHARDS=${processes} GTEST_SHARD_INDEX=${shard} $<TARGET_FILE:${program}> --gtest_brief=1)
    set_tests_properties(${program}.${process}_of_${processes} PROPERTIES ${ARGN})
  endforeach()
endfunction()

# The options of a program's sources, and the header of GoogleTest that was compiled with them.
function(ecs_set_test_options program label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "QUICK;SOURCES")
  if(label STREQUAL "stress" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    return() # A compiler that optimises more puts more of what threads do in another order.
  endif()
  set(options_of_sources ${ecs_options_of_long_tests})
  if(label STREQUAL "property")
    set(options_of_sources ${ecs_options_of_random_tests})
  endif()
  set_source_files_properties(${arg_QUICK} PROPERTIES COMPILE_OPTIONS "${ecs_options_of_quick_tests}")
  set_source_files_properties(${arg_SOURCES} PROPERTIES COMPILE_OPTIONS "${options_of_sources}")
  if("${options_of_sources}" STREQUAL "${ecs_options_of_quick_tests}")
    target_precompile_headers(${program} REUSE_FROM gtest_header_of_quick_tests)
  elseif(arg_QUICK)
    set_source_files_properties(${arg_SOURCES} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_precompile_headers(${program} REUSE_FROM gtest_header_of_quick_tests)
  else()
    target_precompile_headers(${program} REUSE_FROM gtest_header)
  endif()
endfunction()

# A GoogleTest program with the label of its kind; what every function below has in common. QUICK sources are not optimised.
# A program that REPLACES_NEW, with tests/support/replaced_new.hpp, is not built for ThreadSanitizer, which insists on one of
# its own. Tests that are ALONE in their processes count the types that a process has used, or use up the worlds that it may
# have.
function(ecs_add_gtest_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "REPLACES_NEW;ALONE" "TIMEOUT" "QUICK;SOURCES;LINKS;INCLUDES;PROPERTIES")
  if(arg_REPLACES_NEW AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${ecs_test_seconds})
  endif()
  set(quick ${arg_QUICK})
  if(ecs_options_of_quick_tests)
    ecs_join_sources(quick ${name} 12 ${arg_QUICK}) # Each has a namespace of its own.
  endif()
  add_executable(${name} ${quick} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} ecs_warnings GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests" ${arg_INCLUDES})
  ecs_set_test_options(${name} ${label} QUICK ${quick} SOURCES ${arg_SOURCES})
  ecs_register_gtest_tests(${name} ${arg_ALONE} LABELS ${label} TIMEOUT ${arg_TIMEOUT} ${arg_PROPERTIES})
  set_property(GLOBAL APPEND PROPERTY ECS_TEST_PROGRAMS ${name})
endfunction()

# ecs_add_unit_test(unit_id QUICK a_test.cpp ... [SOURCES b_test.cpp ...] LINKS ecs::id): examples. SOURCES are those that run
# for seconds.
function(ecs_add_unit_test name)
  ecs_add_gtest_program(${name} unit ${ARGN})
endfunction()

# ecs_add_property_test(property_id [QUICK a_test.cpp ...] [SOURCES b_test.cpp ...] LINKS ecs::id)
# GoogleTest cases that state a law to RapidCheck: EXPECT_TRUE(rc::check("law", [](unsigned n) { ... })).
# The seed is fixed, so that a change is accepted or refused for what it does; the fuzz targets search further.
# AddressSanitizer sees a quarter of the cases: it finds what one case does wrong, not how many agree.
function(ecs_add_property_test name)
  find_package(rapidcheck CONFIG REQUIRED)
  set(parameters seed=1)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    string(APPEND parameters " max_success=25")
  endif()
  ecs_add_gtest_program(${name} property ${ARGN} PROPERTIES ENVIRONMENT "RC_PARAMS=${parameters}")
  if(TARGET ${name})
    target_link_libraries(${name} PRIVATE rapidcheck)
  endif()
endfunction()

# ecs_add_modules_of_widths(tiny WIDTHS 10 2 7 MODULES id registry relation world)
# makes ecs_id_tiny and so on from the sources of the library, with so many bits of index, generation and world. Optimised a
# little, which costs less than it saves when the tests run. A program links these or the library, never both.
function(ecs_add_modules_of_widths suffix)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "WIDTHS;MODULES")
  find_package(TBB CONFIG REQUIRED) # What imports a target is known in the folder that found it.
  list(JOIN arg_MODULES "|" others)
  foreach(module IN LISTS arg_MODULES)
    set(target ecs_${module}_${suffix})
    get_target_property(folder ecs_${module} SOURCE_DIR)
    get_target_property(interfaces ecs_${module} CXX_MODULE_SET_modules)
    get_target_property(sources ecs_${module} SOURCES)
    get_target_property(links ecs_${module} LINK_LIBRARIES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$") # Some have none.
    list(TRANSFORM sources REPLACE "^[^/].*" "${folder}/\\0") # One that is written by the build has its whole path.
    list(TRANSFORM links REPLACE "^ecs_(${others})$" "\\0_${suffix}")
    add_library(${target} STATIC)
    target_sources(${target}
      PUBLIC FILE_SET modules TYPE CXX_MODULES BASE_DIRS "${PROJECT_SOURCE_DIR}/modules" "${PROJECT_BINARY_DIR}/modules"
        FILES ${interfaces}
      PRIVATE ${sources})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(${target} PRIVATE -O1)
    target_link_libraries(${target} PUBLIC ${links})
  endforeach()
  ecs_set_widths(ecs_id_${suffix} ${arg_WIDTHS})
endfunction()

# ecs_add_stress_test(stress_registry SOURCES a_test.cpp ... LINKS ecs::registry)
# Real threads; `./dev stress` builds and runs these alone under ThreadSanitizer, `./dev tsan` every test.
function(ecs_add_stress_test name)
  find_package(Threads REQUIRED)
  ecs_add_gtest_program(${name} stress ${ARGN} PROPERTIES PROCESSORS 2)
  add_dependencies(stress-tests ${name})
  target_link_libraries(${name} PRIVATE Threads::Threads)
endfunction()

# ecs_add_model_test(model_free_list SOURCES a_test.cpp ... LINKS ecs::registry)
# Enumerates interleavings. Runs twice as registered: bounded (label model, part of `./dev test`), and with
# ECS_MODEL_LONG=1 in the environment (label model-long, `./dev model`), where the test searches as deep as it can.
function(ecs_add_model_test name)
  math(EXPR seconds "5 * ${ecs_test_seconds}")
  # Some take a minute: they begin first.
  ecs_add_gtest_program(${name} model ${ARGN} TIMEOUT ${seconds} PROPERTIES COST 100)
  add_test(NAME ${name}.long COMMAND ${name})
  set_tests_properties(${name}.long PROPERTIES LABELS model-long TIMEOUT 3600 ENVIRONMENT ECS_MODEL_LONG=1)
endfunction()

# ecs_add_static_test(static_id SOURCES a.cpp ... LINKS ecs::id): a library whose compiling is its passing.
function(ecs_add_static_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  add_library(${name} OBJECT ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} ecs_warnings)
endfunction()

# The module files that an importer of one module and of ecs.id needs, collected by compiling one; sets `probe_modules` to the
# flag that names them. With g++ these are the modules that the importer names, and no others.
function(ecs_reject_probe module)
  set(probe reject_probe_${module})
  if(NOT TARGET ${probe})
    string(REGEX REPLACE "^ecs\\.ecs$" "ecs" import "ecs.${module}")
    file(CONFIGURE OUTPUT ${probe}.cpp CONTENT "import ecs.id;\nimport ${import};\n")
    add_library(${probe} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${probe}.cpp")
    target_link_libraries(${probe} PRIVATE ecs::${module})
    set_target_properties(${probe} PROPERTIES ECS_MODULE_MAP
      "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${probe}.dir/${probe}.cpp${CMAKE_CXX_OUTPUT_EXTENSION}.modmap")
  endif()
  get_target_property(map ${probe} ECS_MODULE_MAP)
  separate_arguments(flag UNIX_COMMAND "${CMAKE_CXX_MODULE_MAP_FLAG}")
  string(REPLACE "<MODULE_MAP_FILE>" "${map}" flag "${flag}")
  set(probe_modules "${flag}" PARENT_SCOPE)
endfunction()

# ecs_add_reject_test(NAME id_layouts SOURCE layouts.cpp MODULE id)
# A source of programs that must not compile, each below a comment that says which error the compiler must print;
# tests/reject/check.py says how it is written. It is compiled twice, and the front end is all that this costs: build the
# tree (or reject_probe_<MODULE>) before ctest.
function(ecs_add_reject_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE;MODULE" "")
  ecs_reject_probe(${arg_MODULE})
  string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" flags_of_build_type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${${flags_of_build_type}}")
  set(all_errors -ftemplate-backtrace-limit=0)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    list(APPEND all_errors -ferror-limit=0)
  endif()
  add_test(NAME reject.${arg_NAME} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
    COMMAND "${ECS_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/reject/check.py" "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}"
      "${CMAKE_CXX_COMPILER}" ${flags} ${CMAKE_CXX20_STANDARD_COMPILE_OPTION} ${probe_modules} -fsyntax-only ${all_errors})
  set_tests_properties(reject.${arg_NAME} PROPERTIES LABELS reject TIMEOUT 120)
endfunction()

# ecs_add_fuzz_target(fuzz_registry SOURCES a.cpp ... LINKS ecs::registry [CORPUS folder] [SECONDS 30] [REPLAYS 2000])
# The sources define LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t). In the fuzz preset the target is a
# libFuzzer program; in every other build tests/fuzz/replay_main.cpp feeds it the corpus and so many inputs of a fixed
# pseudo-random sequence, so that the comparison with the reference model also runs where libFuzzer does not.
function(ecs_add_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS;SECONDS;REPLAYS" "SOURCES;LINKS")
  if(NOT arg_SECONDS)
    set(arg_SECONDS 30)
  endif()
  if(NOT arg_REPLAYS)
    set(arg_REPLAYS 2000)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address") # As with properties.
    math(EXPR arg_REPLAYS "${arg_REPLAYS} / 4")
  endif()
  if(arg_CORPUS)
    cmake_path(ABSOLUTE_PATH arg_CORPUS BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_source_files_properties(${arg_SOURCES} PROPERTIES COMPILE_OPTIONS "${ecs_options_of_random_tests}")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} ecs_warnings)
  add_dependencies(fuzz-targets ${name})
  set_property(GLOBAL APPEND PROPERTY ECS_TEST_PROGRAMS ${name})
  if(ECS_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set(found "${CMAKE_CURRENT_BINARY_DIR}/${name}.corpus/")
    file(MAKE_DIRECTORY "${found}")
    add_test(NAME ${name} COMMAND ${name} -max_total_time=${arg_SECONDS} -timeout=10 "${found}" ${arg_CORPUS})
    math(EXPR limit "${arg_SECONDS} + 120")
  else()
    if(NOT TARGET fuzz_replay)
      add_library(fuzz_replay OBJECT "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
      target_compile_features(fuzz_replay PRIVATE cxx_std_20)
      target_compile_options(fuzz_replay PRIVATE ${ecs_options_of_quick_tests})
      target_link_libraries(fuzz_replay PRIVATE ecs_warnings)
    endif()
    target_link_libraries(${name} PRIVATE fuzz_replay)
    add_test(NAME ${name} COMMAND ${name} ${arg_REPLAYS} ${arg_CORPUS})
    set(limit ${ecs_test_seconds})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT ${limit})
endfunction()

# The target coverage-report prints what the tests have reached that were run since the build was configured, which ./dev coverage
# does each time; call after every test is registered.
function(ecs_add_coverage_report)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fcoverage-mapping")
    return()
  endif()
  file(REMOVE_RECURSE "${PROJECT_BINARY_DIR}/profiles") # Of programs that may be others now.
  get_filename_component(compiler "${CMAKE_CXX_COMPILER}" REALPATH)
  get_filename_component(tools "${compiler}" DIRECTORY)
  get_property(programs GLOBAL PROPERTY ECS_TEST_PROGRAMS)
  list(TRANSFORM programs REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  add_custom_target(coverage-report
    COMMAND "${CMAKE_COMMAND}" "-Dtools=${tools}" "-Dprograms=${programs}" "-Dsources=${PROJECT_SOURCE_DIR}/modules"
      "-Dprofiles=${PROJECT_BINARY_DIR}/profiles" -P "${PROJECT_SOURCE_DIR}/cmake/coverage.cmake"
    USES_TERMINAL VERBATIM)
endfunction()
