# SPDX-License-Identifier: MIT
# The contract programs fix the names that users see. They live beside the repository; each is built against the
# installed package and run, and one that has REJECT_ macros must not compile with them.
set(contract "${PROJECT_SOURCE_DIR}/../shared/acceptance")
file(GLOB programs CONFIGURE_DEPENDS "${contract}/*.cpp")
if(NOT programs)
  message(STATUS "The contract programs are not beside the repository: their tests are left out")
endif()

# Programs whose modules are not complete yet: shown as disabled in every run, and removed from here one by one.
set(pending)

# What the first error of the compiler must say, in words that are not also those of the line that it shows.
set(words_REJECT_VALUE_TOO_WIDE "key" "1048575" "1048576")
set(words_REJECT_UNKNOWN_FIELD "unknown_field<.*\"team\".*fields_are<")
set(words_REJECT_OVERLAP "key" "version" "bits<19, 18>")
set(words_REJECT_RUNTIME_BUILD "constant expression")

set(build "${CMAKE_COMMAND}" --build "${CMAKE_CURRENT_BINARY_DIR}/installed_cxx20_fortified" --target)
foreach(program IN LISTS programs)
  cmake_path(GET program STEM name)
  set(tests contract.${name})
  ecs_add_package_test(contract.${name} REQUIRES contract COMMAND ${build} run-${name})
  file(STRINGS "${program}" rejects REGEX "defined\\(REJECT_")
  foreach(line IN LISTS rejects)
    string(REGEX MATCH "REJECT_[A-Z_]+" macro "${line}")
    list(APPEND tests contract.${name}.${macro})
    ecs_add_package_test(contract.${name}.${macro} REQUIRES contract
      COMMAND "${CMAKE_COMMAND}" "-Dcontrol=${build};${name}" "-Drejected=${build};${name}-${macro}"
        "-Dexpect=${words_${macro}}" -P "${CMAKE_CURRENT_LIST_DIR}/must_not_compile.cmake")
  endforeach()
  set_tests_properties(${tests} PROPERTIES RESOURCE_LOCK installed_tree)
  if(name IN_LIST pending)
    set_tests_properties(${tests} PROPERTIES DISABLED TRUE)
  endif()
endforeach()
