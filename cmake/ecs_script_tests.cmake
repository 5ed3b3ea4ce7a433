# SPDX-License-Identifier: MIT
# Tests of what programs print and how they end, for which the scripts compare_output.cmake and expect_refusal.cmake run them.
include_guard(GLOBAL)

# ecs_quote_arguments(quoted --ask "a question"): sets the result to one text, which the scripts take apart again.
function(ecs_quote_arguments result)
  list(TRANSFORM ARGN REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE quoted)
  list(JOIN quoted " " quoted)
  set(${result} "${quoted}" PARENT_SCOPE)
endfunction()

# ecs_add_refusal_test(NAME SAYS "text" COMMAND program argument ...): a program that must not end well, with an error that
# contains the text.
function(ecs_add_refusal_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SAYS" "COMMAND")
  list(POP_FRONT arg_COMMAND program)
  ecs_quote_arguments(arguments ${arg_COMMAND})
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" "-Dprogram=${program}" "-Dsays=${arg_SAYS}" "-Darguments=${arguments}"
    -P "${PROJECT_SOURCE_DIR}/cmake/expect_refusal.cmake")
endfunction()
