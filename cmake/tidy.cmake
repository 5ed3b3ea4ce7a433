# SPDX-License-Identifier: MIT
# cmake -Dclangd=PROGRAM -Dbuild=FOLDER -Dfolder=FOLDER -P tidy.cmake: fails when a source in the folder does not obey
# .clang-tidy. Checked are the sources that the build compiles, and the headers beside them.
# clangd runs the checks of clang-tidy on what a file itself declares, in half a second to a few. clang-tidy walks everything
# that the file imports as well, the standard library included: twenty seconds for each.
cmake_minimum_required(VERSION 3.28)

file(GLOB files "${folder}/*.cppm" "${folder}/*.cpp")
file(STRINGS "${build}/compile_commands.json" compiled REGEX "\"file\": ")
set(sources)
foreach(file IN LISTS files)
  string(FIND "${compiled}" "\"${file}\"" found)
  if(NOT found EQUAL -1)
    list(APPEND sources "${file}")
  endif()
endforeach()
if(files AND NOT sources)
  message(FATAL_ERROR "The build compiles nothing of ${folder}.")
endif()

# A header of a peer can be read where the peer is installed.
file(GLOB headers "${folder}/*.hpp")
list(FILTER headers EXCLUDE REGEX "/(entt|flecs)_[a-z]+\\.hpp$")
foreach(file IN LISTS sources headers)
  execute_process(COMMAND "${clangd}" --check=${file} --check-locations=0 --log=error "--compile-commands-dir=${build}"
    RESULT_VARIABLE status OUTPUT_VARIABLE ignored ERROR_VARIABLE findings)
  if(NOT status EQUAL 0)
    string(REGEX REPLACE "E\\[[0-9:.]+\\] " "${file}: " findings "${findings}")
    message(NOTICE "${findings}")
    set(failed TRUE)
  endif()
endforeach()
if(failed)
  message(FATAL_ERROR "Change what is found, or say in .clang-tidy why a check does not apply.")
endif()
