# SPDX-License-Identifier: MIT
# cmake -Dprogram=FILE -Dexpected=FILE ["-Darguments=A B"] [-Dwrite=ON] -P compare_output.cmake: the program ends well and
# prints what the file says, to the letter. With -Dwrite=ON the file is written.
cmake_minimum_required(VERSION 3.28)

separate_arguments(arguments UNIX_COMMAND "${arguments}")
execute_process(COMMAND "${program}" ${arguments} OUTPUT_VARIABLE printed RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${program} ends with ${result}, having printed:\n${printed}")
endif()
if(write)
  file(WRITE "${expected}" "${printed}")
endif()
file(READ "${expected}" wanted)
if(NOT printed STREQUAL wanted)
  message(FATAL_ERROR "${program} prints\n${printed}\nand ${expected} says\n${wanted}")
endif()
