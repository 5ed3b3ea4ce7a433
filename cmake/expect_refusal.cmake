# SPDX-License-Identifier: MIT
# cmake -Dprogram=FILE -Dsays=TEXT ["-Darguments=A B"] -P expect_refusal.cmake: the program does not end well, and says why in
# words that contain the text.
cmake_minimum_required(VERSION 3.28)

separate_arguments(arguments UNIX_COMMAND "${arguments}")
execute_process(COMMAND "${program}" ${arguments} OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE result)
if(result EQUAL 0)
  message(FATAL_ERROR "${program} ends well, having printed:\n${printed}")
endif()
if(NOT result MATCHES "^[0-9]+$")
  message(FATAL_ERROR "${program} ends with '${result}', having printed:\n${printed}")
endif()
string(FIND "${printed}" "${says}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "${program} prints\n${printed}\nwhich does not contain\n${says}")
endif()
