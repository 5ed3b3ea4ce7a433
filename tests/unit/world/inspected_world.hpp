// SPDX-License-Identifier: MIT
// A world whose engine a test can look at: what it shows is no part of the library's interface.
#pragma once

import ecs.world;

class inspected_world : public ecs::world {
  public:
    using ecs::world::world;

    [[nodiscard]] auto& rows() { return engine_.rows(); }
};
