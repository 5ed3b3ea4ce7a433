# SPDX-License-Identifier: MIT
# Prints the processor time (user, of the compiler alone, milliseconds, not optimised) that each file takes: the smallest
# mean of three rounds, which are interleaved, so that a disturbance meets all files alike.
cmake_minimum_required(VERSION 3.28)
set(repeat 2)

# Milliseconds for each of `repeat` runs of the command; the shell's `times` counts what its children used.
function(measure result)
  execute_process(COMMAND sh -c "for run in $(seq ${repeat}); do \"$@\" || exit 1; done; times" sh ${ARGN}
    OUTPUT_VARIABLE times COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "\n([0-9]+)m([0-9]+)[.]([0-9][0-9])" children "${times}")
  math(EXPR mean "((${CMAKE_MATCH_1} * 60 + ${CMAKE_MATCH_2}) * 100 + 1${CMAKE_MATCH_3} - 100) * 10 / ${repeat}")
  set(${result} ${mean} PARENT_SCOPE)
endfunction()

foreach(round RANGE 1 3)
  foreach(file IN LISTS files)
    separate_arguments(modules UNIX_COMMAND "${module_flag}")
    string(REPLACE "<MODULE_MAP_FILE>" "${maps}/${file}.o.modmap" modules "${modules}")
    measure(mean ${compile} ${modules} -o /dev/null -c "${sources}/${file}")
    if(NOT DEFINED best_${file} OR mean LESS best_${file})
      set(best_${file} ${mean})
    endif()
  endforeach()
endforeach()
foreach(file IN LISTS files)
  message("${best_${file}} ms  ${file}")
endforeach()
