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

# Prints a file of findings. In a source that is made of several, a line is said as that of one of these.
function(print_findings source findings)
  execute_process(
    COMMAND awk [[
      FNR == NR { if ($1 == "#line") { line = $2 - 1; from = substr($3, 2, length($3) - 2) } else line++
                  place[FNR] = (from ? from " line " : "Line ") line
                  next }
      match($0, /Line [0-9]+/) { number = substr($0, RSTART + 5, RLENGTH - 5)
                                 $0 = substr($0, 1, RSTART - 1) place[number] substr($0, RSTART + RLENGTH) }
      { sub(/^E\[[0-9:.]+\] /, ""); print }]] "${source}" "${findings}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  message(NOTICE "${source}:\n${text}")
endfunction()

# A header of a peer can be read where the peer is installed.
file(GLOB headers "${folder}/*.hpp")
list(FILTER headers EXCLUDE REGEX "/(entt|flecs|gaia|mustache)_[a-z]+\\.hpp$")
foreach(file IN LISTS sources headers)
  string(MD5 name "${file}")
  set(findings "${build}/Testing/Temporary/tidy-${name}.log")
  execute_process(COMMAND "${clangd}" --check=${file} --check-locations=0 --log=error "--compile-commands-dir=${build}"
    RESULT_VARIABLE status OUTPUT_VARIABLE ignored ERROR_FILE "${findings}")
  if(NOT status EQUAL 0)
    print_findings("${file}" "${findings}")
    set(failed TRUE)
  endif()
endforeach()
if(failed)
  message(FATAL_ERROR "Change what is found, or say in .clang-tidy why a check does not apply.")
endif()
