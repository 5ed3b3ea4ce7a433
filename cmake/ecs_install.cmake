# SPDX-License-Identifier: MIT
# Installs the module sources, the archives and a package that find_package(ecs CONFIG) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(module_targets GLOBAL PROPERTY ECS_MODULE_TARGETS)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ecs")

install(TARGETS ${module_targets} EXPORT ecs-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET modules DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ecs/modules")
install(EXPORT ecs-targets NAMESPACE ecs:: DESTINATION "${package_dir}" CXX_MODULES_DIRECTORY cxx-modules)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ecs-config.cmake.in" "${PROJECT_BINARY_DIR}/ecs-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ecs-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ecs-config.cmake" "${PROJECT_BINARY_DIR}/ecs-config-version.cmake"
  DESTINATION "${package_dir}")
