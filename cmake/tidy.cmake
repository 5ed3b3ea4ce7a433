# SPDX-License-Identifier: MIT
# cmake -Dclangd=PROGRAM -Dbuild=FOLDER -Dfiles=GLOB -P tidy.cmake: fails when a file does not obey .clang-tidy.
# clangd runs the checks of clang-tidy on what a file itself declares, in half a second. clang-tidy walks everything that the
# file imports as well, the standard library included: twenty seconds for each.
file(GLOB files ${files})
foreach(file IN LISTS files)
  execute_process(COMMAND "${clangd}" --check=${file} --check-locations=0 --log=error "--compile-commands-dir=${build}"
    RESULT_VARIABLE status OUTPUT_VARIABLE ignored ERROR_VARIABLE findings)
  if(NOT status EQUAL 0)
    string(REGEX REPLACE "E\\[[0-9:.]+\\] " "${file}: " findings "${findings}")
    message(NOTICE "${findings}")
    set(failed TRUE)
  endif()
endforeach()
if(NOT files)
  message(FATAL_ERROR "There are no files to check.")
elseif(failed)
  message(FATAL_ERROR "Change what is found, or say in .clang-tidy why a check does not apply.")
endif()
