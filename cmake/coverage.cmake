# SPDX-License-Identifier: MIT
# Merges the profiles that the tests left and prints coverage by file. Code that runs in the compiler only (consteval)
# counts as missed: no profile can see it.
cmake_minimum_required(VERSION 3.28)

file(GLOB raw "${profiles}/*.profraw")
execute_process(COMMAND "${tools}/llvm-profdata" merge -sparse -o "${profiles}/all.profdata" ${raw}
  COMMAND_ERROR_IS_FATAL ANY)
list(TRANSFORM programs PREPEND "-object=")
execute_process(COMMAND "${tools}/llvm-cov" report ${programs} "-instr-profile=${profiles}/all.profdata" -sources "${sources}"
  COMMAND_ERROR_IS_FATAL ANY)
