# SPDX-License-Identifier: MIT
# The floors of ecs.structure, from the lowest up: the sources in the folder of a floor may name its own classes and those of the
# floors below, and import their partitions. All sources of a module see all of its partitions, so that the compiler does not say
# so of a name. What lies in other modules is told apart by what their targets link.
#
#   FOLDER:class,...
#
# The operations are one floor: each names those it stands on in its constructor, and the compiler checks their order.
#
# -Dmodule=FOLDER
cmake_minimum_required(VERSION 3.28)

set(floors
  lookup:lookup
  constraints:constraints
  notifier:notifier
  structure:structure
  operations:despawner,row_spawner,instantiation,cloner
  gate:gate
  registration:registrar
  engine:engine)
# What follows when an entity becomes an instance is an operation, and begins in the middle of an add.
set(allowed structure.cppm:instantiation relations.cpp:instantiation)

# Comments and messages may name what they like.
function(read_code file variable)
  file(READ "${file}" text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

function(complain)
  string(JOIN "" text ${ARGN})
  set_property(GLOBAL APPEND_STRING PROPERTY complaints "${text}\n")
endfunction()

# files_of(lookup files): the sources of a floor.
function(files_of folder variable)
  file(GLOB files "${module}/${folder}/*.cppm" "${module}/${folder}/*.cpp")
  if(NOT files)
    message(FATAL_ERROR "there are no sources in ${module}/${folder}")
  endif()
  set(${variable} "${files}" PARENT_SCOPE)
endfunction()

function(check_names files classes_above)
  foreach(file IN LISTS files)
    read_code("${file}" text)
    cmake_path(GET file FILENAME name)
    foreach(class IN LISTS classes_above)
      if(text MATCHES "(^|[^A-Za-z0-9_.])${class}([^A-Za-z0-9_]|$)" AND NOT "${name}:${class}" IN_LIST allowed)
        complain("${name} names ${class}, which is on a floor above: move the function up, or what it asks for down")
      endif()
    endforeach()
  endforeach()
endfunction()

# A member that is defined on another floor would be checked as a part of that.
function(check_members files classes)
  file(GLOB_RECURSE others "${module}/*.cpp")
  list(REMOVE_ITEM others ${files})
  foreach(file IN LISTS others)
    read_code("${file}" text)
    foreach(class IN LISTS classes)
      if(text MATCHES "\n[A-Za-z_][^\n(]* [*&]*${class}::[a-z_]+\\(")
        cmake_path(GET file FILENAME name)
        complain("${name} defines a member of ${class}, and is not in its folder")
      endif()
    endforeach()
  endforeach()
endfunction()

set(above "")
foreach(floor IN LISTS floors)
  string(REGEX REPLACE ".*:" "" classes "${floor}")
  string(REPLACE "," ";" classes "${classes}")
  list(APPEND above ${classes})
endforeach()
set(folders "")
foreach(floor IN LISTS floors)
  string(REGEX REPLACE ":.*" "" folder "${floor}")
  string(REGEX REPLACE ".*:" "" classes "${floor}")
  string(REPLACE "," ";" classes "${classes}")
  list(REMOVE_ITEM above ${classes})
  list(APPEND folders "${folder}")
  files_of("${folder}" files)
  check_names("${files}" "${above}")
  check_members("${files}" "${classes}")
endforeach()

# A folder that is no floor would be checked by nothing.
file(GLOB entries RELATIVE "${module}" "${module}/*")
foreach(entry IN LISTS entries)
  if(IS_DIRECTORY "${module}/${entry}" AND NOT entry IN_LIST folders)
    complain("${entry} is a folder of ${module}, and is on no floor: say on which")
  endif()
endforeach()
get_property(complaints GLOBAL PROPERTY complaints)
if(complaints)
  message(FATAL_ERROR "${complaints}")
endif()
