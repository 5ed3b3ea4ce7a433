// SPDX-License-Identifier: MIT
// Observers of what happens to a world, and the ticks of what is tracked. Changes that observers
// ask for wait here until the change they were told of is complete. A floor of ecs.structure: it reads the
// store and the lookup, marks tables and sparse sets that are observed or tracked, and never changes what
// entities have.
export module ecs.structure:notifier;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import :change_queue;
import :lookup;
import :observer;
import :observer_index;
import :owner;
import :previous_values;
import :told_steps;

export namespace ecs {

/// The values that a move gives, of which observers are told that they were set: all that are new, or these.
struct given_values {
    bool all_new{};
    std::span<const id> these{};
};

/// Whether the identifier is the tag of entities that are hidden as a whole.
[[nodiscard]] inline bool is_disabled_tag(id word) {
    return word.is_entity() && index_of(word.as_entity()) == disabled.index();
}

/// See the head of this file. Not thread-safe, except where a function says so.
class notifier {
  public:
    notifier(store& rows, const lookup& reads) : rows_(rows), reads_(reads) {}
    notifier(const notifier&) = delete;
    notifier& operator=(const notifier&) = delete;

    // Changes.

    /// Keeps ticks of the component, the pair or the pattern from now on; it has none yet. Linear in the
    /// number of entities and of tables.
    void track(id word);
    [[nodiscard]] change_ticks* ticks_of(id word) const;
    /// Whether something may be tracked that the pattern stands for.
    [[nodiscard]] bool tracks(id pattern) const;
    /// The entity's own value was handed out to be written. For threads that write different entities.
    void touch(entity e, id word, change_tick when) const noexcept;
    /// Whether anything is tracked or observed.
    [[nodiscard]] inline bool has_listeners() const { return has_listeners_; }
    /// Whether it may concern anybody that a value of the type is written, or the write has to wait.
    [[nodiscard]] inline bool may_hear(const column_starts::typed& of) const {
        return has_listeners_ && (of.heard || deferring_);
    }

    /// Whether anybody may be told, or ask later, that an entity gets the component, loses it, or has a new
    /// value of it, or that a table comes or goes with it.
    [[nodiscard]] bool hears_of(id component) const;

    // An entity with a tracked component has room for its ticks. Ticks of an entity without the component are
    // ignored: adding it later counts as a change.

    /// Who may hear that the entity's own value of the component, which is in a table, is written. Throws
    /// std::bad_alloc.
    [[nodiscard]] write_hearing hearing_of_write(entity e, id word) const;
    /// The same for the component of the type with that number, which has eight bits. What was found for one
    /// entity holds for others.
    [[nodiscard]] inline write_hearing hearing_of_write(entity e, id word, std::uint32_t type) const {
        if (const write_hearing* const known = known_hearing_of_write(type)) [[likely]]
            return *known;
        return find_hearing_of_write(e, word, type);
    }
    /// The same where it has been found before; otherwise nullptr.
    [[nodiscard]] inline const write_hearing* known_hearing_of_write(std::uint32_t type) const {
        return observers_ && !deferring_ ? observers_->hearing_of_type(type) : nullptr;
    }
    /// Tells them, who are not others, that the value has been written. Throws what an observer throws.
    void written_at_hand(entity e, id word, void* value, const write_hearing& hears);

    /// Notes that the entity, if it is alive, has a new value of the component, and tells its observers.
    /// Throws what an observer throws.
    void written(entity e, id word);
    /// The same for several components, which are one occasion. `before` has the earlier values, if they are
    /// known.
    void written(entity e, std::span<const id> words, std::shared_ptr<const previous_values> before = {});
    /// The same for those of the identifiers that `which` says were written.
    void written(entity e, std::span<const id> words, std::span<const bool> which,
                 std::shared_ptr<const previous_values> before = {});
    /// Copies, for the identifiers for which observers ask, the values that the entity hands out; null when
    /// there are none. Throws what a copy throws.
    [[nodiscard]] std::shared_ptr<const previous_values> values_before(entity e,
                                                                       std::span<const id> words) const;
    /// While it lives, observers of what is announced can ask for these values; null: there are none.
    class previous_scope {
      public:
        previous_scope(notifier& in, const previous_values* values)
            : in_(&in), outer_(std::exchange(in.before_, values)) {}
        previous_scope(const previous_scope&) = delete;
        previous_scope& operator=(const previous_scope&) = delete;
        ~previous_scope() { in_->before_ = outer_; }

      private:
        notifier* in_;
        const previous_values* outer_;
    };

    [[nodiscard]] inline change_tick now() const { return tracker_.now(); }
    /// See change_tracker::advance. Any thread.
    [[nodiscard]] inline change_tick advance() { return tracker_.advance(); }
    /// See change_tracker::looked_at.
    [[nodiscard]] inline change_tick looked_at(id word) const noexcept { return tracker_.looked_at(word); }

    // Observers.

    /// What observers and hooks are handed for the world.
    inline void set_owner(owner_ref owner) { owner_ = owner; }
    [[nodiscard]] inline owner_ref owner() const { return owner_; }
    /// What an observer is told of that.
    [[nodiscard]] inline event_context context_of(event what, entity e, id word, void* value) const {
        event_context made;
        made.what = what;
        made.subject = made.seen_at = e;
        made.word = word;
        made.value = value;
        made.in = owner_;
        return made;
    }

    observer observe(std::shared_ptr<observer_record> fresh);

    /// Tells the observers of a custom event; along a relation, those at the targets, too. Returns whether
    /// the entity is alive, and an event that is an entity, too. Throws what an observer throws.
    bool emit(entity e, const event_context& what, id along);
    /// The same for each of the entities, which is one change. Returns how many are alive.
    std::size_t emit(std::span<const entity> all, const event_context& what, id along);

    /// Tells queued observers what they have not been told yet. Returns how many times.
    std::size_t dispatch();

    /// Tells hooks, and the observers that asked for it, that every entity ends. Nothing can be changed any
    /// more.
    void announce_world_end() noexcept;

    /// Makes what ended observers tracked cost nothing any more. Linear in the number of tables when there
    /// are such observers.
    inline void forget_ended_observers() noexcept {
        if (observers_->is_stale()) [[unlikely]]
            update_listeners();
    }

    /// Makes a change of several steps whole: what observers ask for is done, and what they threw is thrown,
    /// when the outermost change is complete.
    template <class F> decltype(auto) as_one(F&& change) {
        if (!observers_) [[likely]]
            return std::forward<F>(change)();
        return observers_->changes.make(*this, std::forward<F>(change));
    }

    /// Calls f as an observer is called: what it changes waits until it has returned, and the change that it
    /// is part of is complete. There are observers.
    template <class F> void tell_as_one(const F& f) {
        as_one([&] {
            const telling_between_changes whole(*this);
            const notify_scope now(*this);
            f();
        });
    }

    /// For changes of many entities: see change_queue::series.
    [[nodiscard]] inline change_queue::series series() {
        return change_queue::series(observers_ ? &observers_->changes : nullptr);
    }

    /// The same for a change of which an observer of several components is told once.
    template <class F> decltype(auto) as_one_occasion(F&& change) {
        return as_one([&] {
            std::optional<change_queue::whole_occasion> whole;
            if (observers_) whole.emplace(observers_->changes);
            return std::forward<F>(change)();
        });
    }

    /// Whether changes have to wait, because an observer is being told.
    [[nodiscard]] inline bool defers() const { return deferring_; }
    /// Whether an observer is being told of a change, which may be half made: the other side of a symmetric
    /// pair comes when the first has been told of. Events of the user, queued observers, and those of what
    /// exists, are told of between changes; in a loop there is no change of several steps.
    [[nodiscard]] bool is_amid_change() const { return deferring_ && !between_changes_; }

    /// Makes the change after all observers that are being told now. Throws std::bad_alloc.
    template <class F> void wait(F change) { observers_->changes.wait(std::move(change)); }
    /// The same for an entity that waits for its row.
    entity wait_for_row(std::unique_ptr<waiting_row> row);

    /// Tells the observers that the entities have got their rows. Throws what an observer throws.
    void announce_spawns(const table& in, std::span<const entity> all);
    void announce_spawns(const table& in, entity only);
    /// See change_queue::take_failure.
    [[nodiscard]] std::exception_ptr take_failure() noexcept;
    /// Notes a table, or the record of an identifier, that the store has made.
    void note_new_table(table& made) noexcept;
    void note_new_record(component_record& made) const;
    /// Notes which types have which components.
    void note_types() noexcept;
    /// Makes room for the entity's ticks, so that writing them cannot fail. Throws std::bad_alloc.
    inline void reserve_ticks(entity e) {
        if (!tracker_.empty()) [[unlikely]]
            tracker_.reserve(e);
    }
    /// Writes down what a row that goes to another table gets and loses.
    inline void note_move(const table& from, const table& to, entity e) noexcept {
        if (tracker_.empty()) [[likely]]
            return;
        tracker_.row_moved(from, to, e);
        note_heritage(from, to, e);
    }
    /// The same for a row that comes to a table, and for an entity that ends.
    inline void note_coming(const table& in, entity e) noexcept { tracker_.row_came(in, e); }
    inline void end_ticks(entity e) noexcept { tracker_.entity_ended(e); }
    /// Stops tracking what the record stands for.
    void forget_ticks(component_record& record) noexcept;
    /// The traits of a relation or component have changed.
    inline void note_trait_change() noexcept {
        if (observers_) observers_->outdate();
    }
    [[nodiscard]] inline bool has_observers() const { return observers_ != nullptr; }
    /// Whether it is about to end, and observers know: what is linked to it still is told of others. There
    /// are observers.
    [[nodiscard, gnu::always_inline]] inline bool is_told_of_end(entity e) const {
        return e == observers_->despawning_alone ||
               (observers_->despawning.size() != 0 && observers_->despawning.find(e.value()));
    }
    /// Whether there are observers, and no query that tracks anything.
    [[nodiscard]] inline bool tells_observers_alone() const { return observers_ && tracker_.empty(); }
    /// See observer_index::version; there are observers.
    [[nodiscard]] inline std::uint64_t version() const { return observers_->version(); }
    /// The same; 0 while there are no observers.
    [[nodiscard]] inline std::uint64_t version_or_none() const {
        return observers_ ? observers_->version() : 0;
    }
    /// The changes that wait; there are observers.
    [[nodiscard]] inline change_queue& queue() const { return observers_->changes; }
    inline void begin_occasion() noexcept { observers_->changes.begin_occasion(); }
    /// Opens a change, if there are observers.
    inline void open(std::optional<change_queue::open_change>& change) {
        if (observers_) change.emplace(observers_->changes, *this);
    }
    /// What is tracked, by the records of its identifiers.
    [[nodiscard]] inline const change_tracker& tracked() const { return tracker_; }
    void track(component_record& record, std::unique_ptr<change_ticks> ticks) {
        tracker_.add(record, std::move(ticks));
    }
    /// Exchanges the ticks with those of the other, because the world has gone back to what the other was.
    void exchange_ticks(notifier& other) noexcept;
    /// Tells the observers what happens to the entity. The value of a pair whose target is kept in a column
    /// stands under the relation's own name; observers are told of the pair.
    void announce(event what, entity e, id word) noexcept;
    /// Tells the monitors of the identifier to look at the entity; `what` says whether the entity ends.
    void announce_match(event what, entity e, id word) noexcept;
    void announce_match_of_heirs(entity e, id word);
    /// What is told of each row that goes along the plan; nullptr where that has to be looked up for each.
    /// Throws std::bad_alloc.
    [[nodiscard, gnu::always_inline]] inline const told_steps* steps_of(const move_plan& along) {
        if (!observers_ || along.to->togglable()) return nullptr;
        const auto* known = static_cast<const told_steps*>(along.note.get());
        if (!known || known->version != observers_->version()) [[unlikely]]
            known = &note_steps(along);
        return known->is_complete ? known : nullptr;
    }
    /// Tells of the first steps, which are of that version, in their order, at a row that has, or is about to
    /// lose, what they are about. An observer may begin or end another one: then the rest is looked up.
    [[gnu::always_inline]] inline void tell_steps(const step_list& steps, std::size_t count,
                                                  std::uint64_t version, row_ref at, entity e) noexcept {
        if (version != observers_->version()) [[unlikely]]
            return announce_rest(std::span(steps.all).first(count), at, e);
        tell_current_steps(steps, count, version, at, e);
    }
    /// The same where that is the version now.
    [[gnu::always_inline]] inline void tell_current_steps(const step_list& steps, std::size_t count,
                                                          std::uint64_t version, row_ref at,
                                                          entity e) noexcept {
        for (std::size_t n = steps.first; n < count;) {
            const told_step& step = steps.all[n];
            tell_step(step, e, step.values ? step.values->value(at) : nullptr);
            if (version != observers_->version()) [[unlikely]]
                return announce_rest(std::span(steps.all).first(count).subspan(n + 1), at, e);
            n = step.next;
        }
    }
    void announce_rest(std::span<const told_step> steps, row_ref at, entity e) noexcept;
    /// All that is told when the entity gets or loses what is in the set, if it is enabled; nullptr where
    /// there is more to do.
    [[nodiscard]] inline const told_steps* steps_to_tell(entity e, const sparse_set& in) noexcept {
        return tells_observers_alone() && !is_told_of_end(e) ? steps_of(in) : nullptr;
    }
    /// Tells that the entity has got what is in the set, or is about to lose it: `value` is there, null for a
    /// tag.
    [[gnu::always_inline]] inline void tell_arrival(const told_steps& told, entity e, void* value,
                                                    bool sets) {
        change_queue::open_change whole(observers_->changes, *this);
        observers_->changes.begin_occasion();
        tell_steps(told.coming, sets ? told.coming.count : told.gained, e, value);
        whole.close();
    }
    [[gnu::always_inline]] inline void tell_departure(const told_steps& told, entity e,
                                                      void* value) noexcept {
        observers_->changes.begin_occasion();
        tell_steps(told.leaving, told.leaving.count, e, value);
    }
    /// Tells of what the entity loses, which is in that row still. `told` is what steps_of has returned.
    void announce_departure(row_ref from, const row_changes& all, const told_steps* told, entity e) noexcept;
    /// Tells of what the entity has got, which is in the row `to`. `from` is the table it comes from.
    void announce_arrival(const table& from, row_ref to, const row_changes& all, const told_steps* told,
                          entity e, const given_values& given) noexcept;
    /// Tells of that part of an arrival which steps leave out: an observer may have begun meanwhile who asks
    /// for it.
    void tell_rest_of_arrival(const table& from, row_ref to, const row_changes& all, entity e) noexcept;
    /// The entity is in the table, and in the sets, of which some may be null.
    void announce_spawn(const table& in, entity e, std::span<sparse_set* const> outside = {}) noexcept;
    void announce_sparse(entity e, const sparse_set& sparse, bool sets, bool hidden);
    /// Announces every end while all of the entities are still there. Nothing more is told of them until
    /// forget_despawning.
    void announce_ends(std::span<const entity> despawning) noexcept;
    void forget_despawning() noexcept;
    /// The same for one entity, which is in that row, until forget_only_end. There are observers, or it
    /// concerns nobody.
    void announce_only_end(entity e, row_ref at) noexcept;
    inline void forget_only_end() noexcept {
        if (observers_) observers_->despawning_alone = {};
    }
    /// Observers are told of the table later, because it comes and goes in the middle of changes.
    void announce_table(event what, const table& t) noexcept;
    /// Tells of a pair of a relation that keeps its target in a column.
    void announce_link(event what, entity e, id word) noexcept;
    void announce_toggle(entity e, id word, bool enabled);

  private:
    void update_listeners() noexcept;
    [[nodiscard]] bool asks_for_more(const observer_record& fresh) const;
    void note_interest(const observer_record& fresh) noexcept;
    [[nodiscard]] bool is_tracked(const table& t) const;
    void mark(table& t) const noexcept;
    [[nodiscard]] bool concerns_somebody(id word) const;
    void note_names(observed_pattern& of) const;
    [[nodiscard]] bool stands_for(const observed_pattern& of, id word) const;
    [[nodiscard]] bool is_observed(const observer_record& to, id word) const;
    [[nodiscard]] bool stands_for_any(const std::vector<observed_pattern>& of, id word) const;
    [[nodiscard]] static bool is_told_once(const observer_record& to);
    [[nodiscard]] bool has_been_told(const observer_record& to, const event_context& what) const;
    [[nodiscard]] bool is_seen_by(const observer_record& to, const event_context& what) const;
    void note_told(observer_record& to, const event_context& what) const;
    [[nodiscard]] bool is_observed(const observer_record& to, const event_context& what) const;
    void tell_with_those_below(const std::shared_ptr<observer_record>& to, const event_context& what);
    void tell_below(const std::shared_ptr<observer_record>& to, const event_context& what,
                    const pattern_above& seen, entity top, bool goes_down = true);
    void tell_of_way(const std::shared_ptr<observer_record>& to, const event_context& what,
                     const pattern_above& seen);
    template <class F> void for_each_below(entity top, entity relation, const F& visit) const;
    void tell_monitor(const std::shared_ptr<observer_record>& to, event what, entity e, id word);
    [[nodiscard]] bool is_still_so(const queued_event& q) const;
    [[nodiscard]] bool is_disabled(entity e, id word) const;
    [[nodiscard]] bool has_others(const observer_record& to, entity at) const;
    [[nodiscard]] bool is_event(id word) const;
    [[nodiscard]] bool concerns(const observer_record& to, const event_context& what) const;
    void tell(const std::shared_ptr<observer_record>& to, const event_context& what) noexcept;
    void emit_along(entity relation, event_context& what);
    void tell_of_emitted(event_context& what, entity at);
    void tell_all(const observer_index::listed& all, const event_context& what);
    /// The same where nobody catches what it throws: to find the entities below takes memory.
    void tell_or_fail(const told_list& all, const event_context& what) noexcept;
    void tell_listed(const std::shared_ptr<observer_record>& to, const event_context& what);
    void tell_at_once(observer_record& to, const event_context& what) noexcept;
    void announce_at(event what, row_ref at, std::uint32_t position, entity e) noexcept;
    void announce_value(event what, entity e, id word, void* value) noexcept;
    [[nodiscard]] write_hearing find_hearing_of_write(entity e, id word, std::uint32_t type) const;
    /// Keeps the world still while observers are told. What they change waits, unless a loop walks over the
    /// world: then it is refused, as it would be in the loop itself.
    class notify_scope {
      public:
        inline explicit notify_scope(notifier& in)
            : in_(&in), deferred_(begin(in)), lock_(in.rows_), telling_(*in.observers_) {}
        notify_scope(const notify_scope&) = delete;
        notify_scope& operator=(const notify_scope&) = delete;
        inline ~notify_scope() { in_->deferring_ = deferred_; }

      private:
        inline static bool begin(notifier& in) {
            return std::exchange(in.deferring_, in.deferring_ || in.rows_.is_unlocked());
        }

        notifier* in_;
        bool deferred_;
        store::iteration_lock lock_; ///< Counts, because the observer may end the loop in which it is told.
        observer_index::telling telling_;
    };

    /// While it lives, observers are told of what is no part of a change, unless they are told amid one.
    class telling_between_changes {
      public:
        explicit telling_between_changes(notifier& in)
            : in_(&in), outer_(std::exchange(in.between_changes_, !in.is_amid_change())) {}
        telling_between_changes(const telling_between_changes&) = delete;
        telling_between_changes& operator=(const telling_between_changes&) = delete;
        ~telling_between_changes() { in_->between_changes_ = outer_; }

      private:
        notifier* in_;
        bool outer_;
    };

    /// The same where nothing holds the world still yet, so that no change waits.
    class first_notify_scope {
      public:
        inline explicit first_notify_scope(notifier& in)
            : in_(&in), lock_(in.rows_), telling_(*in.observers_) {
            in.deferring_ = true;
        }
        first_notify_scope(const first_notify_scope&) = delete;
        first_notify_scope& operator=(const first_notify_scope&) = delete;
        inline ~first_notify_scope() { in_->deferring_ = false; }

      private:
        notifier* in_;
        store::sole_lock lock_;
        observer_index::telling telling_;
    };

    /// Tells of the first steps of what is outside tables: see tell_steps above.
    [[gnu::always_inline]] inline void tell_steps(const step_list& steps, std::size_t count, entity e,
                                                  void* value) noexcept {
        const std::uint64_t version = observers_->version();
        for (std::size_t n = steps.first; n < count;) {
            const told_step& step = steps.all[n];
            const std::uint32_t next = step.next;
            tell_step(step, e, value);
            if (version != observers_->version()) [[unlikely]]
                return announce_rest(std::span(steps.all).first(count).subspan(n + 1), e);
            n = next;
        }
    }
    [[gnu::always_inline]] inline void tell_step(const told_step& step, entity e, void* value) noexcept {
        if (step.told->is_plain)
            tell_each_plainly(*step.told, step.what, e, step.word, value);
        else
            tell_or_fail(*step.told, context_of(step.what, e, step.word, value));
    }
    void announce_rest(std::span<const told_step> steps, entity e) noexcept;
    /// Tells the observers of a plain list: the world is held still once for all of them.
    [[gnu::always_inline]] inline void tell_each_plainly(const told_list& all, event what, entity e, id word,
                                                         void* value) noexcept {
        if (!rows_.is_unlocked()) [[unlikely]]
            return tell_amid_others(all, what, e, word, value);
        const first_notify_scope now(*this);
        for (const auto& to : all.observers) {
            try {
                if (to->ended || to->disabled) [[unlikely]]
                    pass_over(*to, what, e, word, value);
                else
                    to->body->see_at(what, e, word, value, *this);
            } catch (...) {
                observers_->changes.fail(std::current_exception());
            }
        }
    }
    /// The same while a loop walks over the world, or another observer is told.
    void tell_amid_others(const told_list& all, event what, entity e, id word, void* value) noexcept;
    /// The same of any event.
    void tell_plainly(const told_list& all, const event_context& what) noexcept;
    /// For an observer that has ended, or is disabled.
    void pass_over(const observer_record& to, event what, entity e, id word, void* value) const;
    void tell_written(entity e, id word, void* value);
    [[nodiscard]] std::unique_ptr<told_steps> make_steps(const table& from,
                                                         std::span<const std::uint32_t> lost, const table& to,
                                                         std::span<const std::uint32_t> gained);
    const told_steps& note_steps(const move_plan& along);
    const told_steps& note_steps(const table& in);
    const told_steps& note_steps(const sparse_set& of);
    [[nodiscard]] const told_steps* find_steps_of(const table& in) noexcept;
    [[nodiscard]] const told_steps* find_steps_of(const sparse_set& of) noexcept;
    /// What is told of each entity that begins or ends in the table; nullptr where that has to be looked up
    /// for each.
    [[nodiscard]] inline const told_steps* steps_of(const table& in) noexcept {
        const auto* const known = static_cast<const told_steps*>(in.note.get());
        if (!known || known->version != observers_->version() || in.togglable()) [[unlikely]]
            return find_steps_of(in);
        return known->is_complete ? known : nullptr;
    }
    /// The same for each entity that gets what is in the set, or loses it.
    [[nodiscard]] inline const told_steps* steps_of(const sparse_set& of) noexcept {
        const auto* const known = static_cast<const told_steps*>(of.note.get());
        if (!known || known->version != observers_->version()) [[unlikely]]
            return find_steps_of(of);
        return known->is_complete ? known : nullptr;
    }
    [[nodiscard]] bool is_told_in_steps(const table& of) const;
    [[nodiscard]] bool is_told_in_steps(const sparse_set& of) const;
    [[nodiscard]] std::vector<told_step> steps(event what, const table& in,
                                               std::span<const std::uint32_t> positions);
    [[nodiscard]] bool are_current(const told_steps* told, entity e) const;
    void outdate_what_follows(const table& from, const table& to, const row_changes& all) noexcept;
    template <class Gained>
    void tell_arrival(row_ref at, entity e, const Gained& for_each_gained,
                      const given_values& given) noexcept;
    void tell_arrival(entity e, const sparse_set& sparse, bool sets) noexcept;
    void tell_if_hidden(entity e, const sparse_set& sparse) noexcept;
    void announce_whole(entity e, bool monitors) noexcept;
    template <class Gained>
    void tell_rest_of_arrival(const table& in, entity e, const Gained& for_each_gained) noexcept;
    template <class Gained>
    void tell_what_is_hidden(const table& in, entity e, const Gained& for_each_gained) noexcept;
    template <class Gained>
    void tell_matches(const table& in, entity e, const Gained& for_each_gained) noexcept;
    void note_spawn(const table& in, entity e, std::span<sparse_set* const> outside) noexcept;
    void announce_written(entity e, std::span<const id> words, const previous_values* before);
    void tell_later_of_writes(entity e, std::span<const id> words,
                              std::shared_ptr<const previous_values> before);
    [[nodiscard]] id told_as(entity e, id word) const;
    void require_previous(const observer_record& to) const;
    [[nodiscard]] bool is_told_by_row(const table& in) const;
    void announce_end(entity e, row_ref at) noexcept;
    void announce_end_of_row(row_ref at, entity e) noexcept;
    void announce_end_of_all(entity e) noexcept;
    [[nodiscard]] event_set what_is_so(const observer_record& to, entity e, id word) const;
    [[nodiscard]] event_set what_is_so(const observer_record& to, entity e) const;
    void tell_existing(const std::shared_ptr<observer_record>& to);
    [[nodiscard]] event_context context_of(event what, entity e, id word) const;
    [[nodiscard]] event_context context_of(const queued_event& q) const;
    void tick_owners(const table& in, const component_record& record, change_ticks& ticks) const;
    void note_heritage(const table& from, const table& to, entity e) noexcept;

    store& rows_;
    const lookup& reads_;

    change_tracker tracker_;
    std::unique_ptr<observer_index> observers_; ///< Null while there are none.
    owner_ref owner_{};
    const previous_values* before_{}; ///< The earlier values of the write that is being told.
    bool has_listeners_{};
    bool deferring_{};
    bool between_changes_{};
    bool ending_{}; ///< Observers are being told that entities end.
};

/// A write of values that exist already, whoever makes it. The object is made before the write, so that
/// observers can be told the earlier values, and tells them after it. When the write throws, nobody is told.
/// The arguments of the constructor have to outlive the object.
class value_write {
  public:
    /// Throws what the copy of a value that an observer asks for throws.
    value_write(notifier& in, entity e, std::span<const id> words) : in_(&in), e_(e), words_(words) {
        if (in.has_listeners()) [[unlikely]]
            before_ = in.values_before(e, words);
    }

    /// Tells the observers that the values have been written.
    void tell() {
        if (in_->has_listeners()) [[unlikely]]
            in_->written(e_, words_, before_);
    }
    /// The same for those of the values that `which` says were written.
    void tell(std::span<const bool> which) {
        if (in_->has_listeners()) [[unlikely]]
            in_->written(e_, words_, which, before_);
    }
    void tell_of(std::span<const id> words) {
        if (in_->has_listeners()) [[unlikely]]
            in_->written(e_, words, before_);
    }
    /// Lets another object tell of the write, as long as the result lives.
    [[nodiscard]] notifier::previous_scope told_by_another() { return {*in_, before_.get()}; }

  private:
    notifier* in_;
    entity e_;
    std::span<const id> words_;
    std::shared_ptr<const previous_values> before_;
};

} // namespace ecs
