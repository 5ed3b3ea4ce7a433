// SPDX-License-Identifier: MIT
// Observers by the patterns that they ask for. Few patterns stand for one identifier: (likes, bob) is meant
// by itself, (likes, any), (any, bob) and (any, any). Looking these up finds who may be told of it, however
// many observers there are of other things.
export module ecs.structure:pattern_index;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :observer;

export namespace ecs {

using observer_list = std::vector<std::shared_ptr<observer_record>>;

/// See the head of this file. Not thread-safe.
class pattern_index {
  public:
    /// Throws std::bad_alloc; then the observer has not been entered, and nothing else has changed.
    void enter(const std::shared_ptr<observer_record>& fresh);
    /// Takes out those of the observers that have ended and have been entered.
    void forget_ended(std::span<const std::shared_ptr<observer_record>> all) noexcept;

    /// Whether everything that the observer asks for is asked for already. Linear in its patterns.
    [[nodiscard]] bool covers(const observer_record& fresh) const;
    /// Whether an observer may be told of the identifier, or of the pairs that a column of targets stands
    /// for. Constant time.
    [[nodiscard]] bool concerns(id word) const;
    /// Whether an observer is told of whole entities.
    [[nodiscard]] inline bool concerns_entities() const { return of_entities_.is_asked_for(); }
    /// Whether a monitor looks at entities, which may match by what they inherit.
    [[nodiscard]] inline bool concerns_heirs() const { return of_heirs_.is_asked_for(); }
    /// The observers that may be told of the identifier, or of whole entities if it is null, without those
    /// that are told of certain entities alone. In the order in which they came, each once.
    [[nodiscard]] observer_list candidates(id word) const;

  private:
    /// The observers that ask for the same.
    struct asking {
        observer_list of_anybody;
        std::uint32_t of_certain_entities{};
        bool has_ended{}; ///< Some of the observers are about to be forgotten.

        [[nodiscard]] inline bool is_asked_for() const {
            return !of_anybody.empty() || of_certain_entities != 0;
        }
        void make_room();
        void enter(const std::shared_ptr<observer_record>& fresh) noexcept;
        void leave(const observer_record& ended) noexcept;
        void forget_ended() noexcept;
    };

    template <class Visit> void for_each_place(const observer_record& record, Visit&& visit);
    template <class Visit> void for_each_meant(id word, Visit&& visit) const;
    void drop_places(const observer_record& ended) noexcept;

    flat_map<asking> by_pattern_;
    flat_map<std::uint32_t> pairs_of_; ///< How many patterns of pairs there are, by relation.
    asking of_everything_;             ///< Observers of every component.
    asking of_entities_;               ///< Observers of whole entities, or tables.
    asking of_heirs_;                  ///< Observers of entities that may inherit what is asked for.
};

/// (its relation, any) and (any, its target) of a pair.
[[nodiscard]] constexpr id with_any_target(id word) {
    return id::assume_word(constant_bits<layouts::wildcard_pair> |
                           (word.value() & field_of<layouts::pair, "relation">.mask()));
}
[[nodiscard]] constexpr id with_any_relation(id word) {
    return id::assume_word(constant_bits<layouts::wildcard_pair> | word.target_index());
}

/// Whether the observer is told of certain entities alone, and of what happens to these themselves. An
/// observer that looks above an entity may see there what happens to others.
[[nodiscard]] bool is_about_certain_entities(const observer_record& record);
/// Whether the observer may be told of the identifier, or of the pairs that a column of targets stands for.
[[nodiscard]] bool may_concern(const observer_record& record, id word);
/// Whether the observer is told of whole entities, or of tables.
[[nodiscard]] bool is_about_entities(const observer_record& record);
[[nodiscard]] bool is_monitor(const observer_record& record);

} // namespace ecs
