// SPDX-License-Identifier: MIT
// Commands for functions that several threads call at once, as par_each does: an object for each thread.
export module ecs.world:thread_commands;
import ecs.std;
import :commands;
import :world;

namespace ecs {

class thread_life;

/// A commands object for each thread that asks for one. The objects last until this one ends, also across
/// flushes:
///
///     ecs::thread_commands recorders(world);
///     world.par_each([&](ecs::entity e, const health& h) {
///         if (h.points <= 0) recorders.local().despawn(e);
///     });
///     world.flush();
///
/// What one thread recorded is done in its order. Which thread comes first at the flush is not said: where
/// that would matter, give each job a key of its own, world::commands(key). Neither copied nor moved.
export class thread_commands {
  public:
    /// Throws std::bad_alloc.
    explicit thread_commands(world& of);
    thread_commands(const thread_commands&) = delete;
    thread_commands& operator=(const thread_commands&) = delete;
    /// No thread may be recording in one of the objects.
    ~thread_commands() = default;

    /// The object of the calling thread. It is made when the thread asks for the first time, and then what is
    /// said of world::commands holds: not while the world flushes, loads, goes back or becomes deterministic,
    /// and not by threads other than those of a schedule, while it runs. Later, for that thread at any time
    /// while the world lives. Constant time; a thread takes a lock when it asks for the first time, and when
    /// it has asked another thread_commands last: then it is linear in the threads that have asked. Throws
    /// std::bad_alloc.
    [[nodiscard]] commands& local();

  private:
    struct owned {
        std::shared_ptr<thread_life> thread;
        std::unique_ptr<commands> of_it;
    };
    commands& find_or_open();
    [[nodiscard]] owned* find(const std::shared_ptr<thread_life>& thread);

    world* of_;
    std::uint64_t number_; ///< No two objects of a process have the same.
    std::mutex one_at_a_time_;
    std::vector<owned> all_;
};

template <> inline constexpr bool is_service<thread_commands> = true;

} // namespace ecs
