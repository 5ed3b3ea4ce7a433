# SPDX-License-Identifier: MIT
# Installs the package that find_package(ecs CONFIG) finds; ecs_add_module installs what each module consists of.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ecs")
get_property(ecs_dependencies GLOBAL PROPERTY ECS_DEPENDENCIES)
list(JOIN ecs_dependencies "\n" ecs_dependencies)
get_property(ecs_modules GLOBAL PROPERTY ECS_MODULES)
list(JOIN ecs_modules " " ecs_modules)

install(EXPORT ecs-targets NAMESPACE ecs:: DESTINATION "${package_dir}" CXX_MODULES_DIRECTORY cxx-modules)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ecs-config.cmake.in" "${PROJECT_BINARY_DIR}/ecs-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may change names; docs/versioning.md says what is promised.
set(ecs_compatible_with SameMajorVersion)
if(PROJECT_VERSION VERSION_LESS 1)
  set(ecs_compatible_with SameMinorVersion)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ecs-config-version.cmake" COMPATIBILITY ${ecs_compatible_with})
install(FILES "${PROJECT_BINARY_DIR}/ecs-config.cmake" "${PROJECT_BINARY_DIR}/ecs-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/ecs_requirements.cmake"
  DESTINATION "${package_dir}")
# docs/debugging.md says how debuggers load them.
install(FILES "${PROJECT_SOURCE_DIR}/debug/ecs_worlds.py" "${PROJECT_SOURCE_DIR}/debug/ecs_gdb.py"
    "${PROJECT_SOURCE_DIR}/debug/ecs_lldb.py" "${PROJECT_SOURCE_DIR}/debug/ecs.natvis"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/ecs/debug")

# Archives; packaging/ has the recipes for package managers.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_VENDOR "The ecs authors")
  set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
  set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
  set(CPACK_GENERATOR TXZ)
  set(CPACK_SOURCE_GENERATOR TXZ)
  set(CPACK_SOURCE_IGNORE_FILES "/\\.git/" "/build/")
  include(CPack)
endif()
