# SPDX-License-Identifier: MIT
# ECS_PYTHON, for whatever runs a script. CMake's own search runs the interpreter eight times, to learn what no script here needs.
include_guard(GLOBAL)
find_program(ECS_PYTHON python3 DOC "Runs the scripts of tests and benchmarks" REQUIRED)
