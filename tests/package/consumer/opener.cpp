// SPDX-License-Identifier: MIT
// opener LIBRARY: exits with 0 if a shared library that is opened while the program runs finds the program's
// components.
#include <dlfcn.h>
import ecs;
#include "plugin.hpp"

int main(int, char** arguments) {
    ecs::world world;
    world.spawn(velocity{3, 4});
    world.spawn(position{1, 2}, velocity{3, 4});
    void* const library = dlopen(arguments[1], RTLD_NOW);
    void* const found = library ? dlsym(library, "opened_count") : nullptr;
    return found && reinterpret_cast<decltype(&opened_count)>(found)(world) == 1 ? 0 : 1;
}
