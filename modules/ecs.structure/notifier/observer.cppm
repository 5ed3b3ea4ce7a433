// SPDX-License-Identifier: MIT
// Observers: what they want to be told of, and the changes that they asked for while they were told.
//
//   a change ---> announced ---> observers, one after the other ---> changes they ask for, in a queue
//                                                                         |
//   the change that began it all returns <--- the queue is empty <--- made, one after the other
//
// An observer finds the world as it is and holds it still: what it changes waits in the queue, so that
// nothing moves under its hands and no chain of changes, however long, is on the stack. See
// docs/observers.md.
export module ecs.structure:observer;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :owner;
import :previous_values;

export namespace ecs {

/// What may happen. The first five concern a component, a tag or a pair of an entity; disabled and enabled
/// also the entity as a whole.
enum class event : std::uint8_t {
    added,         ///< The entity has got it. The value is there.
    set,           ///< The value was written: by set, patch, modify, edit or spawn, or modified said so.
    removed,       ///< The entity is about to lose it, or to end. The value is still there.
    disabled,      ///< It is hidden from queries now.
    enabled,       ///< It is visible again.
    spawned,       ///< The entity is there, with what it was spawned with.
    despawned,     ///< The entity is about to end. Everything is still there.
    table_created, ///< The world has made the table of a set of components.
    table_removed, ///< It has dropped the table of a set of components, as when a component ends.
    custom,        ///< The user emitted an event.
    matching,      ///< For monitors: something happened to what the terms are about.
};

/// Some of the events, for an observer of several.
class event_set {
  public:
    event_set() = default;
    constexpr event_set(event one) : bits_(bit(one)) {}
    constexpr event_set(std::initializer_list<event> some) {
        for (const event one : some) bits_ |= bit(one);
    }

    [[nodiscard]] constexpr bool has(event one) const { return (bits_ & bit(one)) != 0; }
    [[nodiscard]] constexpr bool has_any(event_set other) const { return (bits_ & other.bits_) != 0; }
    [[nodiscard]] constexpr bool has_all(event_set other) const { return (other.bits_ & ~bits_) == 0; }
    constexpr void insert(event one) { bits_ |= bit(one); }
    bool operator==(const event_set&) const = default;

  private:
    static constexpr std::uint32_t bit(event one) { return std::uint32_t{1} << static_cast<unsigned>(one); }

    std::uint32_t bits_{};
};

inline constexpr event_set events_of_tables{event::table_created, event::table_removed};
inline constexpr event_set events_of_entities{event::spawned, event::despawned};

/// The entities that an observer is to be told of: all, unless some are named.
class only_entities {
  public:
    only_entities() = default;
    only_entities(entity one) : only_entities(std::span(&one, 1)) {}
    only_entities(std::initializer_list<entity> some) : only_entities(std::span(some.begin(), some.size())) {}
    template <class Range>
        requires std::convertible_to<const Range&, std::span<const entity>>
    only_entities(const Range& some) : only_entities(std::span<const entity>(some)) {}
    only_entities(std::span<const entity> some);

    /// Whether entities are named, even if the list of names is empty.
    [[nodiscard]] inline explicit operator bool() const { return are_named_; }
    /// Logarithmic in the number of named entities.
    [[nodiscard]] bool contains(entity e) const;
    /// Whether at least one entity is named, and none of the names is null.
    [[nodiscard]] bool is_anybody() const;
    /// The named entities, each once.
    [[nodiscard]] inline std::span<const entity> named() const { return named_; }

  private:
    std::vector<entity> named_; ///< Sorted by their values.
    bool are_named_{};
};

/// Something that happened, as an observer is told. Good until the observer returns.
class event_context {
  public:
    event what{};
    entity subject{};      ///< The entity it happened to; for an event that travels, where it began.
    entity seen_at{};      ///< The subject, or the entity that the event has travelled to.
    id word{};             ///< The component or pair; of a custom event, the event. Null for whole entities.
    void* value{};         ///< The value of the component or pair; nullptr for tags.
    const void* payload{}; ///< The payload of a custom event.
    std::uint32_t payload_type{};
    std::span<const id> type{};                         ///< The type of a table.
    owner_ref in{};                                     ///< The world; `ecs::world& w = what.in;` names it.
    std::shared_ptr<const void> (*keep)(const void*){}; ///< Makes a copy of the payload.
    const previous_values* before{};                    ///< For `previous`, of an observer that asks for it.

    /// Of event::set, for an observer made with `{.previous = true}`: the value that the operation has
    /// written over, of `word`, or of a component or pattern of which it wrote another value of this entity.
    /// nullptr where there was none, as when it was added; where it was not written; and where the library
    /// cannot know it, as when `modified` said that it was written.
    [[nodiscard]] const void* previous(id pattern = {}) const;

    /// An event that travels goes no further than the entity it is seen at.
    inline void stop() const { stopped_ = true; }
    [[nodiscard]] inline bool stopped() const { return stopped_; }

  private:
    mutable bool stopped_{};
};

/// How an observer wants to be told.
struct observer_options {
    bool queued = false; ///< Tells at the next dispatch or flush, not at once.
    /// Tells also, now, of everything that is so already. In the midst of a change that is also what the
    /// change has done so far, which is told again when its turn comes.
    bool existing = false;
    /// Tells only of what is seen at this entity, or at these: `e`, `{a, b}`, or a range of entities, as long
    /// as they live.
    only_entities only{};
    /// Tells also of the end of the world, which is the end of all its entities. What the function refers to
    /// has to outlive the world then: declare it before the world.
    bool at_world_end = false;
    /// For event::set: event_context::previous gives the value before the write. Each write of such a
    /// component makes a copy then.
    bool previous = false;
};

class notifier;

/// An observer's function, of any type.
class observer_body {
  public:
    observer_body() = default;
    observer_body(const observer_body&) = delete;
    observer_body& operator=(const observer_body&) = delete;
    virtual ~observer_body() = default;

    virtual void see(const event_context& what) = 0;

    /// The same for an observer of one identifier, which is no pair (observer_record::is_of_one): what has
    /// happened to it at the entity that has it. Most functions ask for no more than this: then no
    /// event_context is made, which takes as long as such a function. `of` knows the rest.
    virtual void see_at(event what, entity e, id word, void* value, const notifier& of);

    /// Called when something happens while the observer is disabled: what the body remembers of entities has
    /// to follow, and no function is called.
    virtual void pass_over(const event_context&) {}

    /// For an observer that is filtered: whether it is to be told.
    [[nodiscard]] virtual bool accepts(const event_context&) { return true; }

    /// Called when the world has gone back: what the body remembers of entities has to be what was true then,
    /// and no observer is told.
    virtual void resume() noexcept {}
};

class observer_index;

/// A pattern of an observer. A pair has room for little of its target's handle and of its relation's, so that
/// the whole handles are kept beside it: an index may get another owner.
struct observed_pattern {
    id pattern;
    entity relation{};
    entity target{};
    bool names_nobody{}; ///< An index in the pattern had no owner from the start.
};

/// A component that an observer looks for at the nearest entity along a relation. When something happens to
/// it there, the observer is told of every entity that sees it from below, and also of entities that come to
/// see it at another entity.
struct pattern_above {
    observed_pattern component;
    entity relation;
    bool itself{}; ///< An entity that has it itself sees its own.

    /// Whether the identifier is a pair by which an entity sees what is above.
    [[nodiscard]] inline bool leads_there(id word) const { return matches(pair(relation, any), word); }
};

/// What the library knows of an observer.
struct observer_record {
    event_set what{};
    std::vector<observed_pattern> terms{};  ///< Any of them sets it off. None: whole entities, or tables.
    std::vector<observed_pattern> others{}; ///< What the entity must have as well.
    std::vector<observed_pattern> absent{}; ///< What it must not have: to lose it counts as event::added.
    std::vector<pattern_above> above{};     ///< Any of them, at another entity, sets it off as well.
    bool filtered{};                        ///< Its body says which entities it is told of.
    bool is_of_one{}; ///< It asks for one identifier, which is no pair, and is told at once of all that
                      ///< happens to it: there is nothing else to ask.
    observer_options options{};
    std::unique_ptr<observer_body> body{};
    bool hook{}; ///< The observer is told first of what begins, and last of what ends.
    bool ended{};
    bool counted{};         ///< Whether it is entered: see :pattern_index.
    bool disabled{};        ///< It is told of nothing now.
    std::uint64_t number{}; ///< Larger than the numbers of earlier observers.
    observer_index* home{};
    /// The last one that it was told of: it is told once, however many terms match.
    std::uint64_t last_change{};
    entity last_told_of{};             ///< The entity it was told of last.
    event_set last_events{};           ///< The events of that entity that it was told of then.
    flat_map<event_set> told_before{}; ///< The same for the entities that it was told of before that one.
};

/// Makes a record of which only the arguments are known.
[[nodiscard]] std::shared_ptr<observer_record> make_record(event_set what, const observer_options& options,
                                                           std::unique_ptr<observer_body> body);

/// The record of an observer of some terms, and which of them the entity must have.
[[nodiscard]] std::shared_ptr<observer_record>
make_record_of_terms(event what, const observer_options& options, std::unique_ptr<observer_body> body,
                     std::size_t count, const id* words, const bool* required);

/// The same for an identifier that is decided at run time; for whole entities or tables when it is null.
/// Throws std::invalid_argument when an observer of one of the events would never be told of it.
[[nodiscard]] std::shared_ptr<observer_record> make_record_of_pattern(event_set what,
                                                                      const observer_options& options,
                                                                      std::unique_ptr<observer_body> body,
                                                                      id pattern);

/// Throws std::invalid_argument for no event.
void require_some(event_set what);

/// Throws std::invalid_argument for null, such as what a look-up of a name has not found.
[[nodiscard]] id require_observed(id word);

/// A handle to an observer, which lives as long as its world, or until it is ended. Each function takes
/// constant time, does nothing to one that has ended, and is for the thread that changes the world.
class observer {
  public:
    observer() = default;
    explicit observer(std::weak_ptr<observer_record> of) : record_(std::move(of)) {}

    /// From now on it is told of nothing: also from within itself.
    void end();
    [[nodiscard]] bool active() const;

    /// It is told of nothing that happens until `enable`: also from within itself, where it stays disabled
    /// after it returns. What is queued for it is forgotten by a dispatch that comes before `enable`, and
    /// told by one that comes after it. A monitor goes on from the entities that match when it is enabled.
    void disable();
    /// It is told of what happens from now on.
    void enable();
    /// Whether it is told of what happens: it has not ended, and is not disabled.
    [[nodiscard]] bool enabled() const;

  private:
    void set_disabled(bool now);

    std::weak_ptr<observer_record> record_;
};

} // namespace ecs
