# SPDX-License-Identifier: MIT
# cmake -Dreadme=FILE -Dexample=FILE -P compare_readme.cmake: the first C++ block of the README is the example, word
# for word, without the licence line.
cmake_minimum_required(VERSION 3.28)

file(READ "${readme}" text)
file(READ "${example}" program)
string(FIND "${program}" "\n" licence_end)
string(SUBSTRING "${program}" ${licence_end} -1 program)
string(FIND "${text}" "```cpp\n" start)
string(FIND "${text}" "```cpp${program}```" same)
if(start EQUAL -1 OR NOT start EQUAL same)
  message(FATAL_ERROR "The first C++ block of ${readme} differs from ${example}:\n${program}")
endif()
