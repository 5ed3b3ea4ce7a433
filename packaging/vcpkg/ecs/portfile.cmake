# SPDX-License-Identifier: MIT
# An overlay port: vcpkg install ecs --overlay-ports=packaging/vcpkg. The sources are those beside it.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES json ECS_JSON remote ECS_REMOTE)

vcpkg_cmake_configure(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." OPTIONS ${features} -DBUILD_TESTING=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME ecs CONFIG_PATH lib/cmake/ecs)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${CMAKE_CURRENT_LIST_DIR}/../../../LICENSE")
