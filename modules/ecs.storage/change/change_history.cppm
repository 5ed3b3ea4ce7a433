// SPDX-License-Identifier: MIT
// The last changes of a world, and what made them: a ring that is kept only where it was asked for.
//
//   | 9 | 10 | 6 | 7 | 8 |     the next one goes where the oldest is
//           ^
export module ecs.storage:change_history;
import ecs.std;
import ecs.id;
import ecs.relation;

export namespace ecs {

/// What a change of a world did to an entity.
enum class change_kind : std::uint8_t { spawned, despawned, added, removed, set };

/// The kind of change as a word.
[[nodiscard]] constexpr std::string_view to_string(change_kind what) {
    switch (what) {
    case change_kind::spawned: return "spawned";
    case change_kind::despawned: return "despawned";
    case change_kind::added: return "added";
    case change_kind::removed: return "removed";
    case change_kind::set: return "set";
    }
    return "unknown";
}

/// A change that was written down.
struct recorded_change {
    std::uint64_t number{}; ///< How many changes were written down before this one.
    change_kind what{};
    entity subject{};
    id word{};           ///< The component or the pair; null for whole entities.
    std::string by{};    ///< `system "move"`, or `commands`; empty: the program itself.
    std::string doing{}; ///< What the innermost world::doing around it says; empty where there is none.
    std::string at{};    ///< Where in the source that is, as the compiler names the file: `src/loot.cpp:42`.

    bool operator==(const recorded_change&) const = default;
};

/// See the head of this file. Not thread-safe.
class change_history {
  public:
    /// Makes room for that many changes; when it is none, nothing is written down. Throws std::bad_alloc, or
    /// std::length_error.
    explicit change_history(std::size_t last);

    /// Whether changes are written down.
    [[nodiscard]] inline bool is_on() const { return !ring_.empty(); }

    /// Begins anew with the room of the other history. The present actor goes on.
    void restart(change_history&& other) noexcept;

    void record(change_kind what, entity subject, id word) noexcept;

    /// All kept changes, the oldest first. Throws std::bad_alloc.
    [[nodiscard]] std::vector<recorded_change> all() const;

    /// The end of a sentence about a dead entity: `, system "reap" ended it`, and what the system was doing
    /// where. Empty when the end of the entity is not among these changes. Linear in their number.
    [[nodiscard]] std::string end_of(entity e) const;

    /// Notes that the system of that name records commands with that key. When memory runs out, it is not
    /// known.
    void name_system(std::uint64_t key, std::string_view name) noexcept;

    /// An actor that makes changes, and how many purposes there were before.
    struct actor {
        std::uint32_t number{};
        std::uint32_t purposes{};
    };

    /// While it lives, changes are made by this actor. With a null history, nothing is noted.
    class acting {
      public:
        /// For a system that changes the world itself.
        acting(change_history* in, std::string_view system) noexcept : in_(in) {
            if (in_) [[unlikely]]
                before_ = in_->begin_acting(in_->number_of_system(system));
        }
        /// For commands that were recorded under the key.
        acting(change_history* in, std::uint64_t key) noexcept : in_(in) {
            if (in_) [[unlikely]]
                before_ = in_->begin_acting(in_->number_of_commands(key));
        }
        acting(const acting&) = delete;
        acting& operator=(const acting&) = delete;
        ~acting() {
            if (in_) [[unlikely]]
                in_->end_acting(before_);
        }

      private:
        change_history* in_;
        actor before_{};
    };

    /// While it lives, and no other actor begins, changes are made for that purpose, at that place in the
    /// source. A null history keeps nothing; when memory runs out, the purpose is not known.
    class doing {
      public:
        inline doing(change_history* in, std::string_view what, const std::source_location& at) noexcept
            : in_(in) {
            if (in_ && !in_->enter(what, at)) [[unlikely]]
                in_ = nullptr;
        }
        doing(const doing&) = delete;
        doing& operator=(const doing&) = delete;
        inline ~doing() {
            if (in_) [[unlikely]]
                in_->purposes_.pop_back();
        }

      private:
        change_history* in_;
    };

  private:
    /// A purpose, and where in the source it is. The changes of one scope share it: a ring keeps no more of
    /// them than it has changes.
    struct purpose {
        std::string doing;
        std::string at;
    };

    struct entry {
        entity subject;
        id word;
        std::uint32_t actor;
        change_kind what;
        std::shared_ptr<const purpose> why;
    };

    /// Makes the actor of that number, which has no purpose yet, the present one. Returns the actor before.
    actor begin_acting(std::uint32_t number) noexcept;
    void end_acting(const actor& before) noexcept;
    [[nodiscard]] bool enter(std::string_view what, const std::source_location& at) noexcept;
    [[nodiscard]] std::uint32_t number_of_system(std::string_view name) noexcept;
    [[nodiscard]] std::uint32_t number_of_commands(std::uint64_t key) noexcept;
    [[nodiscard]] std::uint32_t number_of(const std::string& who);
    [[nodiscard]] recorded_change told(std::uint64_t number) const;
    /// The change of that number, which is one of the last.
    [[nodiscard]] const entry& at(std::uint64_t number) const { return ring_[number % ring_.size()]; }
    [[nodiscard]] std::uint64_t oldest() const {
        return recorded_ < ring_.size() ? 0 : recorded_ - ring_.size();
    }

    std::vector<entry> ring_;
    std::uint64_t recorded_{};
    std::vector<std::string> actors_{""}; ///< By number; the program itself has 0, and no name.
    std::unordered_map<std::string, std::uint32_t> numbers_;           ///< The numbers of the others.
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_of_keys_; ///< By the key of their commands.
    actor now_;                                                        ///< The actor that changes the world.
    std::size_t acting_{};                                             ///< How many acting objects live.
    std::vector<std::shared_ptr<const purpose>> purposes_;             ///< The purposes, the innermost last.
    std::unordered_map<std::uint64_t, std::string> systems_; ///< The systems by the key of their commands.
};

} // namespace ecs
