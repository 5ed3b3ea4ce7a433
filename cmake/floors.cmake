# SPDX-License-Identifier: MIT
# The floors of ecs.world, from the lowest up: the sources of a floor may name its own class and those of the floors below, and
# import their partitions. All sources of a module see all of its partitions, so that the compiler does not say so of a name.
#
#   FLOOR  class  its sources, without .cpp; the interface is class.cppm
#
# The operations are one floor: each names those it stands on in its constructor, and the compiler checks their order.
#
# -Dfolder=FOLDER
cmake_minimum_required(VERSION 3.28)

set(floors
  "store:store,rows,entity_rows"
  "lookup:lookup,presence,inheritance,related,traversal"
  "constraints:constraints,records,heirs,properties"
  "notifier:observing,watch,change_queue"
  "structure:structure,admission,aside,companions,declaring,linking,naming,relations,replacing"
  "despawner,row_spawner,instantiation,cloner,registrar:ending,spawning,instancing,cloning,registration"
  "engine:engine,replica")
# What follows when an entity becomes an instance is an operation, and begins in the middle of an add.
set(allowed structure.cppm:instantiation relations.cpp:instantiation)

# Comments and messages may name what they like.
function(read_code file variable)
  file(READ "${file}" text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(complaints "")
set(all_classes "")
foreach(floor IN LISTS floors)
  string(REGEX REPLACE ":.*" "" classes "${floor}")
  string(REPLACE "," ";" classes "${classes}")
  list(APPEND all_classes ${classes})
endforeach()

set(above ${all_classes})
foreach(floor IN LISTS floors)
  string(REGEX REPLACE ":.*" "" classes "${floor}")
  string(REGEX REPLACE ".*:" "" sources "${floor}")
  string(REPLACE "," ";" classes "${classes}")
  string(REPLACE "," ";" sources "${sources}")
  list(REMOVE_ITEM above ${classes})
  set(files "")
  foreach(name IN LISTS classes sources)
    foreach(file IN ITEMS "${folder}/${name}.cppm" "${folder}/${name}.cpp")
      if(EXISTS "${file}")
        list(APPEND files "${file}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES files)
  if(NOT files)
    message(FATAL_ERROR "there are no sources of ${classes} in ${folder}")
  endif()
  foreach(file IN LISTS files)
    read_code("${file}" text)
    cmake_path(GET file FILENAME name)
    foreach(class IN LISTS above)
      if(text MATCHES "(^|[^A-Za-z0-9_])${class}([^A-Za-z0-9_]|$)" AND NOT "${name}:${class}" IN_LIST allowed)
        string(APPEND complaints "${name} names ${class}, which is on a floor above: move the function up, or what it asks for down\n")
      endif()
    endforeach()
  endforeach()
  # A member that is defined elsewhere would be looked at by nobody.
  file(GLOB others "${folder}/*.cpp")
  list(REMOVE_ITEM others ${files})
  foreach(file IN LISTS others)
    read_code("${file}" text)
    foreach(class IN LISTS classes)
      if(text MATCHES "\n[A-Za-z_][^\n(]* [*&]*${class}::[a-z_]+\\(")
        cmake_path(GET file FILENAME name)
        string(APPEND complaints "${name} defines a member of ${class} and is no source of its floor\n")
      endif()
    endforeach()
  endforeach()
endforeach()
if(complaints)
  message(FATAL_ERROR "${complaints}")
endif()
