// SPDX-License-Identifier: MIT
// States: which of several a world is in, and systems that run while it is, when it comes there and when it
// leaves.
//
//   run        0                1                2                 3
//              menu             menu             game              game
//   on_enter   menu                              game
//   on_leave                                     menu
//                  go_to(game) -------------------^ at the beginning of the next run
export module ecs.world:state;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.structure;
import :condition;
import :world;

namespace ecs {

/// The one of several states in which a world is. It is a singleton, which the first run of a schedule makes:
/// systems take resource<const state<S>> to ask, and resource<state<S>> to go to another state. A program
/// that sets the singleton says in which state the world is: it is entered in the next run, also where a
/// system sets it, and the state before is not left.
export template <class S> class state {
  public:
    explicit state(S first) : current_(first), left_(first), next_(std::move(first)) {}

    [[nodiscard]] const S& current() const { return current_; }
    /// Whether this run of the schedule is the first in the current state, or repeats that for phases to
    /// which the first one did not come.
    [[nodiscard]] bool is_entered() const { return entered_ == entry::now; }
    /// Whether the state was left when this run began.
    [[nodiscard]] bool has_left(const S& which) const { return has_left_ && left_ == which; }

    /// Goes to the state when the next run begins. When there are several calls until then, the last one
    /// counts; to go to the current state is to stay.
    void go_to(S next) { next_ = std::move(next); }

    /// The state as it is when a run begins.
    [[nodiscard]] state advanced() const {
        state then(next_);
        const bool is_first = entered_ == entry::awaited;
        then.has_left_ = !is_first && !(next_ == current_);
        then.entered_ = is_first || then.has_left_ ? entry::now : entry::before;
        then.left_ = current_;
        return then;
    }

    /// Shows again what the state showed in an earlier run, unless the world has gone elsewhere since.
    void show_again(const state& earlier) {
        if (entered_ != entry::before || !(current_ == earlier.current_)) return;
        left_ = earlier.left_;
        has_left_ = earlier.has_left_;
        entered_ = entry::now;
    }

  private:
    /// When the state was entered; saved worlds have the numbers.
    enum class entry : std::uint8_t {
        before,  ///< In an earlier run.
        now,     ///< When this run began.
        awaited, ///< No run has begun in it.
    };

    S current_;
    S left_;
    S next_;
    entry entered_ = entry::awaited;
    bool has_left_ = false;
};

/// A loop or a system that takes a state beside a component would be called for nobody, and does not compile.
/// A property that the type declares would be a part of saved worlds.
template <class S> inline constexpr bool is_singleton_type<state<S>> = true;

/// Keeps the states of one type in the worlds that a schedule runs.
class state_machine {
  public:
    state_machine(std::uint32_t number, std::string_view type) : number_(number), type_(type) {}
    state_machine(const state_machine&) = delete;
    state_machine& operator=(const state_machine&) = delete;
    virtual ~state_machine() = default;

    /// Begins the run of that number. Throws what observers of the state throw.
    virtual void advance(world& in, std::uint64_t run) = 0;
    /// Shows what began in the last run in which a state was entered to whoever has last been in the run of
    /// the number `seen`, if that was before. A world that has lost the state, as by a load, has the first
    /// one, and enters it in the next run. Throws as advance does.
    virtual void show_again(world& in, std::uint64_t seen) = 0;
    /// Forgets what began: runs are in another world from now on, or in one that has gone back.
    virtual void forget() noexcept = 0;
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] std::string_view type() const { return type_; }

  private:
    std::uint32_t number_;  ///< The number of the type.
    std::string_view type_; ///< The name of the type.
};

template <class S> class typed_state_machine final : public state_machine {
  public:
    explicit typed_state_machine(S first)
        : state_machine(type_number<state<S>, type_series::keys>(), type_name<S>), first_(std::move(first)) {}

    void advance(world& in, std::uint64_t run) override {
        state<S>* const known = in.try_singleton<state<S>>();
        state<S> next = known ? known->advanced() : state<S>(first_).advanced();
        if (known && !next.is_entered()) {
            *known = std::move(next);
            return;
        }
        entered_.emplace(next);
        entered_in_ = run;
        in.set_singleton(std::move(next)); // Observers are told.
    }
    void show_again(world& in, std::uint64_t seen) override {
        state<S>* const known = in.try_singleton<state<S>>();
        if (!known)
            in.set_singleton(state<S>(first_));
        else if (entered_ && seen < entered_in_)
            known->show_again(*entered_);
    }
    void forget() noexcept override { entered_.reset(); }

  private:
    S first_;
    std::optional<state<S>> entered_; ///< The state as the last run that entered one began with it,
    std::uint64_t entered_in_{};      ///< and the number of that run.
};

/// Throws access_error: no schedule has given the world states of the type.
[[noreturn]] void refuse_state(std::string_view type);

template <class S> [[nodiscard]] const state<S>& state_of(const world& in) {
    if (const auto* const found = in.try_singleton<state<S>>()) return *found;
    refuse_state(type_name<S>);
}

// Conditions. Each throws access_error where the schedule has no states of the type. What holds in one run
// holds in the next one for phases to which that run did not come, as an earlier phase threw.

/// Holds in each run that begins in the state, and where a system sets the singleton itself, from then on.
export template <class S> [[nodiscard]] condition in_state(S which) {
    return [which](const world& in) { return state_of<S>(in).current() == which; };
}

/// Holds in the first run that begins in the state, each time it is entered; the first state is entered in
/// the first run.
export template <class S> [[nodiscard]] condition on_enter(S which) {
    return [which](const world& in) {
        const state<S>& now = state_of<S>(in);
        return now.is_entered() && now.current() == which;
    };
}

/// Holds in the first run that does not begin in the state any more.
export template <class S> [[nodiscard]] condition on_leave(S which) {
    return [which](const world& in) { return state_of<S>(in).has_left(which); };
}

} // namespace ecs
