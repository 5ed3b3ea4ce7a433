// SPDX-License-Identifier: MIT
// What a schedule and a snapshot need of a world beyond what users do. Not for users: it is not exported.
export module ecs.world:world_access;
import ecs.std;
import ecs.structure;
import :command_queue;
import :world;

namespace ecs {

class world_access {
  public:
    [[nodiscard]] static engine& engine_of(world& in) { return in.engine_; }
    [[nodiscard]] static const engine& engine_of(const world& in) { return in.engine_; }
    [[nodiscard]] static const std::shared_ptr<command_queue>& queue_of(const world& in) { return in.queue_; }

    /// See world::become.
    static void become(world& in, engine& replica, generations_after_return generations) {
        in.become(replica, replica.rows().entities(), {}, generations);
    }
};

} // namespace ecs
