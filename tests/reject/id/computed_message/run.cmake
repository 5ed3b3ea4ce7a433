# SPDX-License-Identifier: MIT
# cmake -Decs=SOURCES -Dbuild=FOLDER -Dcompiler=COMPILER -P run.cmake
cmake_minimum_required(VERSION 3.28)

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${build}" -G Ninja
  "-DECS_SOURCE_DIR=${ecs}" "-DCMAKE_CXX_COMPILER=${compiler}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --target control OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --target refused
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(status EQUAL 0 OR NOT text MATCHES "error: [^\n]*fields \"key\" and \"version\" share bits \\[19:18\\]")
  message(FATAL_ERROR "The compiler must refuse the layout, in words (${status}):\n${text}")
endif()
