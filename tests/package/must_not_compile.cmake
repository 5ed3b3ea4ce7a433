# SPDX-License-Identifier: MIT
# cmake -Dcontrol=COMMAND -Drejected=COMMAND -Dexpect=REGEXES -P must_not_compile.cmake: the first command must compile, the
# second must not, and its first error must match every regex. For programs of consumers.
cmake_minimum_required(VERSION 3.28)

if(NOT expect)
  message(FATAL_ERROR "Say which words the compiler must print.")
endif()

execute_process(COMMAND ${control}
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "The control must compile, and does not:\n${text}")
endif()

execute_process(COMMAND ${rejected}
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(status EQUAL 0)
  message(FATAL_ERROR "The program must not compile, and does.")
elseif(NOT status EQUAL 1)
  message(FATAL_ERROR "The compiler did not refuse the program, it failed (${status}):\n${text}")
endif()

# g++ says of each name which module it is from, as in ecs::bits@ecs.id<19, 18>.
string(REGEX REPLACE "@ecs[.a-z]*" "" text "${text}")

# The first error is what a user reads: until the line of the second. What it is part of, g++ says before it.
set(mark " error: ")
string(FIND "${text}" "${mark}" first)
if(first EQUAL -1)
  message(FATAL_ERROR "The compiler refused the program without an error:\n${text}")
endif()
math(EXPR behind "${first} + 1")
string(SUBSTRING "${text}" ${behind} -1 rest)
string(FIND "${rest}" "${mark}" second)
if(second EQUAL -1)
  set(first_error "${text}")
else()
  math(EXPR end "${behind} + ${second}")
  string(SUBSTRING "${text}" 0 ${end} first_error)
endif()
foreach(regex IN LISTS expect)
  if(NOT first_error MATCHES "${regex}")
    message(FATAL_ERROR "The first error does not match '${regex}':\n${text}")
  endif()
endforeach()
