# SPDX-License-Identifier: MIT
# cmake -Dprefix=FOLDER -Dsource=FOLDER -Dconsumer=FOLDER -Dcompiler=FILE -Dscratch=FOLDER -Dmade=VERSION -P refused.cmake: what
# cannot be built is refused while it is configured, in a sentence that says what to do: by the package in the prefix, and by the
# library's own project.
cmake_minimum_required(VERSION 3.28)

# refused("what is to be said" COMMAND cmake ...)
function(refused sentence)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND")
  file(REMOVE_RECURSE "${scratch}")
  execute_process(COMMAND "${CMAKE_COMMAND}" ${arg_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " said "${text}") # CMake breaks lines where it likes.
  string(FIND "${said}" "${sentence}" place)
  if(result EQUAL 0 OR place EQUAL -1)
    message(SEND_ERROR "${arg_COMMAND} is to be refused with \"${sentence}\", and ends with ${result}:\n${text}")
  endif()
endfunction()

# A project that is made up, so that other releases and compilers need not be there: it sets what is said, and asks.
function(refused_where sentence)
  refused("${sentence}" COMMAND "-Dprefix=${prefix}" ${ARGN} -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/made_up_project.cmake")
endfunction()
refused_where("needs CMake >= 3.28; this is 3.25.1. On Debian 12: add the suite bookworm-backports" -Drelease=3.25.1)
refused_where("with Ninja only; this is Unix Makefiles. Configure an empty build folder with -G Ninja" "-Dgenerator=Unix Makefiles")
refused_where("needs clang >= 19 or g++ >= 16; this is Clang 18.1.3" -Dversion=18.1.3)
refused_where("has no clang-scan-deps beside it. On Debian: apt install clang-tools-19" -Dscanner=NOTFOUND)
refused_where("compiled with -fno-exceptions cannot import it. Leave the flag out" -Dflags=-fno-exceptions)
refused_where("compiled with -fno-rtti cannot import it. Leave the flag out" -Dflags=-fno-rtti)
refused_where("compiled with -fno-rtti cannot import it. Leave the flag out"
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-fno-rtti)
refused_where("compiled with -fno-exceptions cannot import it. Leave the flag out"
  "-DCMAKE_CONFIGURATION_TYPES=Debug\\;Small" -DCMAKE_CXX_FLAGS_SMALL=-fno-exceptions)
refused_where("and this project is compiled with Clang 99.1. Configure an empty build folder with the compiler of the package"
  -Dversion=99.1)
refused_where("Write cmake_minimum_required(VERSION 3.28), or set(CMAKE_CXX_SCAN_FOR_MODULES ON)" -Dleast=3.20)

# Other versions than the one that was made; docs/versioning.md says which are accepted. CMake itself says which it found.
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" matched "${made}")
set(major ${CMAKE_MATCH_1})
set(minor ${CMAKE_MATCH_2})
math(EXPR next_major "${major} + 1")
math(EXPR next_minor "${minor} + 1")
set(others 99.0 ${next_major}.0 ${major}.${next_minor})
if(major EQUAL 0 AND minor GREATER 0) # Before 1.0 names may have changed since.
  math(EXPR last_minor "${minor} - 1")
  list(APPEND others 0.${last_minor})
endif()
foreach(other IN LISTS others)
  refused_where("compatible with requested version \"${other}\"" -Dwanted=${other})
endforeach()

# Projects as they are.
refused("with Ninja only; this is Unix Makefiles. Configure an empty build folder with -G Ninja"
  COMMAND -S "${source}" -B "${scratch}" -G "Unix Makefiles")
set(among_sources "${scratch}-among-sources")
file(REMOVE_RECURSE "${among_sources}")
file(COPY "${source}/CMakeLists.txt" "${source}/cmake" DESTINATION "${among_sources}")
refused("is built in a folder of its own: remove CMakeCache.txt and CMakeFiles from"
  COMMAND -S "${among_sources}" -B "${among_sources}" -G Ninja "-DCMAKE_CXX_COMPILER=${compiler}")
file(REMOVE_RECURSE "${among_sources}")
refused("compiled with -fno-exceptions cannot import it"
  COMMAND -S "${consumer}" -B "${scratch}" -G Ninja "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${prefix}"
    -DCMAKE_CXX_FLAGS=-fno-exceptions)

# refused_project("what is to be said" "lines"): a project with these lines after project(), and app.cpp to compile.
function(refused_project sentence lines)
  set(written "${scratch}-written")
  file(WRITE "${written}/app.cpp" "import ecs;\nint main() {}\n")
  file(WRITE "${written}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.28)\nproject(written LANGUAGES CXX)\n${lines}")
  refused("${sentence}" COMMAND -S "${written}" -B "${scratch}" -G Ninja "-DCMAKE_CXX_COMPILER=${compiler}"
    "-DCMAKE_PREFIX_PATH=${prefix}")
  file(REMOVE_RECURSE "${written}")
endfunction()
refused_project("compiled with -fno-rtti cannot import it. Leave the flag out" "
add_compile_options(-fno-rtti)
find_package(ecs REQUIRED)
")
set(flag_of_app "
add_executable(app app.cpp)
target_compile_options(app PRIVATE -fno-rtti)
target_link_libraries(app PRIVATE ecs::ecs)
")
set(take_it "target app links ecs::ecs and cannot import it, because it is compiled with -fno-rtti. Take the flag from this target")
refused_project("${take_it}" "find_package(ecs REQUIRED) ${flag_of_app}")
refused_project("${take_it}" "add_subdirectory(\"${source}\" ecs) ${flag_of_app}")
file(REMOVE_RECURSE "${scratch}")
