# SPDX-License-Identifier: MIT
# How the files of a module are read that become one: for merge_interfaces.cmake and merge_implementations.cmake, which set
# `module` and `folder`. A unit is a comment, then perhaps "module;" with directives of the preprocessor, then the line that says
# which module it belongs to, then imports, then the rest.

# Splits the text behind the first line that begins with `start`, which must exist.
function(split_behind_line text start before after)
  string(FIND "${text}" "\n${start}" begin)
  string(SUBSTRING "${text}" ${begin} -1 rest)
  string(SUBSTRING "${rest}" 1 -1 rest)
  string(FIND "${rest}" "\n" length)
  math(EXPR end "${begin} + ${length} + 2")
  string(SUBSTRING "${text}" 0 ${end} head)
  string(SUBSTRING "${text}" ${end} -1 tail)
  set(${before} "${head}" PARENT_SCOPE)
  set(${after} "${tail}" PARENT_SCOPE)
endfunction()

# Reads a file, whose line of the module begins as said, into the properties NAME_file, NAME_directives, NAME_imports, NAME_line
# and NAME_body.
function(read_unit name file begin)
  file(READ "${folder}/${file}" text)
  if(NOT text MATCHES "\n${begin}[a-z_.:]*;")
    message(FATAL_ERROR "${folder}/${file} has no line \"${begin}\".")
  endif()
  split_behind_line("${text}" "${begin}" before body)
  set(directives "")
  if(before MATCHES "\nmodule;\n(.*)\n${begin}")
    set(directives "${CMAKE_MATCH_1}")
  endif()

  string(REGEX MATCHALL "\n(export )?import [a-z_.:]+" imports "\n${body}")
  list(TRANSFORM imports STRIP)
  if(imports)
    list(GET imports -1 last)
    split_behind_line("\n${body}" "${last};" import_lines body)
    string(SUBSTRING "${import_lines}" 1 -1 import_lines)
    string(APPEND before "${import_lines}")
  endif()
  string(REGEX REPLACE "[^\n]" "" lines "${before}\n")
  string(LENGTH "${lines}" line)

  foreach(part IN ITEMS file directives imports line body)
    set_property(GLOBAL PROPERTY ${name}_${part} "${${part}}")
  endforeach()
endfunction()

# Appends to `directives` those lines that are not there yet. What stands between #if and #endif is kept as it is.
function(append_directives added)
  string(REPLACE "\n" ";" lines "${added}")
  set(result "${directives}")
  set(depth 0)
  foreach(line IN LISTS lines)
    string(FIND "\n${directives}" "\n${line}\n" known)
    if(line MATCHES "^#if")
      math(EXPR depth "${depth} + 1")
    elseif(line MATCHES "^#endif")
      math(EXPR depth "${depth} - 1")
    elseif(depth EQUAL 0 AND NOT known EQUAL -1)
      continue()
    endif()
    string(APPEND result "${line}\n")
  endforeach()
  set(directives "${result}" PARENT_SCOPE)
endfunction()

# Appends to `bodies` what the unit says itself, under its own name and lines, and to `directives` what it includes.
macro(append_unit name)
  foreach(part IN ITEMS file directives line body)
    get_property(${part}_of_unit GLOBAL PROPERTY ${name}_${part})
  endforeach()
  append_directives("${directives_of_unit}")
  string(APPEND bodies "#line ${line_of_unit} \"${module}/${file_of_unit}\"\n${body_of_unit}")
endmacro()
