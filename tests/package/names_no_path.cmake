# SPDX-License-Identifier: MIT
# cmake -Dprefix=FOLDER -Dtree=FOLDER -P names_no_path.cmake: no text below the prefix names a path of the tree.
cmake_minimum_required(VERSION 3.28)

execute_process(COMMAND grep --recursive --binary-files=without-match --fixed-strings "${tree}" "${prefix}"
  RESULT_VARIABLE status OUTPUT_VARIABLE found ERROR_VARIABLE found)
if(NOT status EQUAL 1) # 0: there is one; 2: it could not be searched.
  message(FATAL_ERROR "The search for ${tree} in ${prefix} ends with ${status}:\n${found}")
endif()
