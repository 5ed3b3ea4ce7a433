cmake_minimum_required(VERSION 3.28)
project(balls LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)

add_subdirectory(ecs)

add_executable(balls main.cpp)
target_link_libraries(balls PRIVATE ecs::ecs)
