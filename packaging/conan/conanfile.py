# SPDX-License-Identifier: MIT
"""The library as a Conan 2 package: conan create packaging/conan, with clang 19 and Ninja in the profile."""

from os.path import join

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Ecs(ConanFile):
    name = "ecs"
    version = "0.1.0"
    license = "MIT"
    description = "An entity component system whose identifiers are proved, as C++20 named modules"
    package_type = "static-library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"json": [True, False], "remote": [True, False]}
    default_options = {"json": True, "remote": False}

    def export_sources(self):
        root = join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "cmake/*", "modules/*", "debug/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self, generator="Ninja")

    def requirements(self):
        self.requires("boost/[>=1.74]", options={"header_only": True}, transitive_headers=True)
        self.requires("onetbb/[>=2021]")
        self.requires("xxhash/[>=0.8]")
        if self.options.json or self.options.remote:
            self.requires("nlohmann_json/[>=3.9]", transitive_headers=True)
        if self.options.remote:
            self.requires("cpp-httplib/[>=0.11]")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self, generator="Ninja")
        toolchain.cache_variables.update(
            BUILD_TESTING=False, ECS_JSON=bool(self.options.json), ECS_REMOTE=bool(self.options.remote))
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The modules are told by the package of CMake that the library installs, which generated files cannot do.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(join("lib", "cmake", "ecs"))
