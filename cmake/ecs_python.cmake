# SPDX-License-Identifier: MIT
# Python, for whatever runs a script. It is looked for once: each search runs the interpreter several times.
include_guard(GLOBAL)
find_package(Python3 REQUIRED COMPONENTS Interpreter GLOBAL)
