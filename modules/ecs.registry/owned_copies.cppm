// SPDX-License-Identifier: MIT
// How an owned registry is copied, and how it goes back to a copy without bringing the dead to life:
//
//   index 7, copied     v1 lives
//   then                v1 ends, v2 lives and ends           the next is v3
//   gone back           v1 lives, later_[7] = v3
//   v1 ends             the next is v3: nobody is v2 again
export module ecs.registry:owned_copies;
import ecs.std;
import ecs.id;
import :geometry;
import :key_lane;
import :lane_pool;
import :lent_word;
import :owned_registry;
import :owned_state;
import :sparse_slots;
import :turn_walk;

namespace ecs {

/// Destroys an identifier whose index may have had later ones before the registry went back to this one.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::destroy_as_returned(id_type id) noexcept {
    const word next = generation_after(number(id));
    --live_;
    free(number(id), next);
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::make_page(std::uint32_t index) {
    ground_.pages.ensure(index);
}

template <lending_layout L, class A, registry_geometry G>
allocation_state basic_owned_registry<L, A, G>::state() const {
    if (!pool_) return kept_;
    allocation_state now;
    now.free.reserve(chain_.size());
    chain_.for_each(slots(), [&](std::uint32_t index) { now.free.push_back(index); });
    now.window = window_;
    now.turns = pool_->walk().turns();
    for (const auto& key : keys_) {
        const typename key_lane<A>::use mine(*key); // A lane that is busy lists nothing.
        now.keys.push_back(mine ? key->stock : key_stock{});
    }
    return now;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::mirror(const basic_owned_registry& other, const auto& settled) {
    open_copy(other.space_);
    kept_ = other.state();
    std::size_t live = 0;
    other.for_each_page([&](std::uint32_t page) {
        make_page(page * page_size); // Here, so that what was just zeroed is still in the cache.
        const page_slots known = other.slots_of(page);
        const page_slots own = slots_of(page);
        const auto copy = [&](std::uint32_t index) {
            const word slot = known.read(index);
            const bool is_there = lives(slot, settled);
            own.write(index, is_there ? slot : words::waiting_for(other.generation_after(index, slot)));
            live += is_there;
        };
        const auto copy_line = [&](std::uint32_t first, std::uint32_t end) {
            if (all_untouched(first, end, known, own)) return;
            for (std::uint32_t index = first; index != end; ++index) copy(index);
        };
        for_each_line_of(page, copy_line, known, own);
    });
    live_ += live;
    later_ = other.later_;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::adopt(id_type id, word payload) {
    make_page(number(id));
    slots().write(number(id), static_cast<word>((id.value() & words::upper_half) | payload));
    ++live_;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::pass_over_used_pages() {
    std::vector<std::uint32_t> lived_in;
    for_each_page([&](std::uint32_t page) {
        if (has_life(page)) lived_in.push_back(page);
    });
    turn_walk<parts> walk(ground_, {space_.first, space_.last});
    walk.begin_behind([&](const auto& visit) { std::ranges::for_each(lived_in, visit); });
    kept_.turns = walk.turns();
    if (walk.pages_left() == 0) return; // What is listed nowhere is other threads', who have nothing else.
    for (const std::uint32_t page : lived_in) {
        const page_slots slots = slots_of(page);
        const auto list_free_ones = [&](std::uint32_t first, std::uint32_t end) {
            if (all_settled(slots, first, end, [](word) { return true; })) [[likely]]
                return;
            for (std::uint32_t index = first; index != end; ++index)
                if (words::is_free(slots.read(index)) && space_.contains(index)) kept_.free.push_back(index);
        };
        for_each_line_of(page, list_free_ones, slots);
    }
    const std::size_t theirs = std::min<std::size_t>(kept_.free.size() / 2, page_size);
    kept_.free.resize(kept_.free.size() - theirs);
}

/// Whether an identifier of the page lives.
template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::has_life(std::uint32_t page) const {
    const page_slots slots = slots_of(page);
    const std::uint32_t first = page * page_size;
    for (std::uint32_t i = 0; i != page_size; ++i)
        if (first + i != 0 && words::is_live(slots.read(first + i))) return true;
    return false;
}

/// The generation of an index that is not settled in the copy, where its slot is `then`, and here `now`; 0
/// when it is retired then.
template <lending_layout L, class A, registry_geometry G>
auto basic_owned_registry<L, A, G>::generation_after_return(const basic_owned_registry& past,
                                                            std::uint32_t index, word then, word now,
                                                            generations_after_return generations) const
    -> word {
    const word after = past.generation_after(index, then);
    return generations == generations_after_return::same ? after
                                                         : later_of(generation_after(index, now), after);
}

/// Which indices a state lists. Only pages that are used have marks: the highest index does not say how many
/// there are.
template <std::uint32_t PageSize> class index_marks {
  public:
    /// for_each_page(visit) calls visit(page) for the pages that are used.
    explicit index_marks(const auto& for_each_page) {
        for_each_page([&](std::uint32_t page) {
            places_.resize(page + std::size_t{1}, no_place);
            places_[page] = pages_++;
        });
        marked_.resize(pages_ * words_of_page);
    }

    void add(const allocation_state& state) {
        add(state.free);
        add(state.window);
        for (const key_stock& key : state.keys) add(key.dealt), add(key.window);
    }
    /// Whether an index, whose page is used, is listed.
    [[nodiscard]] bool has(std::uint32_t index) const { return has_all(index, 1); }
    /// Whether these indices of a line of slots are listed, of which there is one, and whose page is used.
    [[nodiscard]] bool has_all(std::uint32_t first, std::uint32_t count) const {
        const std::uint64_t asked = bits_of(first, count);
        return (marked_[place_of(first)] & asked) == asked;
    }

  private:
    static constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t words_of_page = (std::size_t{PageSize} + 63) / 64;

    void add(std::span<const std::uint32_t> indices) {
        for (const std::uint32_t index : indices) add(index, 1);
    }
    void add(const index_window& window) {
        constexpr std::uint32_t in_a_word = std::min<std::uint32_t>(PageSize, 64);
        for (std::uint32_t first = window.first; first < window.rest_end;) {
            const std::uint32_t count = std::min(window.rest_end - first, in_a_word - first % in_a_word);
            add(first, count);
            first += count;
        }
    }
    /// Indices of one word.
    void add(std::uint32_t first, std::uint32_t count) {
        if (first / PageSize < places_.size() && places_[first / PageSize] != no_place)
            marked_[place_of(first)] |= bits_of(first, count);
    }
    /// The bits of indices, one or more, in their word.
    [[nodiscard]] static std::uint64_t bits_of(std::uint32_t first, std::uint32_t count) {
        return ~std::uint64_t{0} >> (64 - count) << first % 64;
    }
    [[nodiscard]] std::size_t place_of(std::uint32_t index) const {
        return places_[index / PageSize] * words_of_page + index % PageSize / 64;
    }

    std::uint32_t pages_{};
    std::vector<std::uint32_t> places_; ///< For each page, how many used pages come before it.
    std::vector<std::uint64_t> marked_; ///< A bit for each index of these pages.
};

template <lending_layout L, class A, registry_geometry G>
auto basic_owned_registry<L, A, G>::plan_return(const basic_owned_registry& past,
                                                generations_after_return generations, const auto& settled)
    -> return_plan {
    past.for_each_page([&](std::uint32_t page) { make_page(page * page_size); });
    return_plan plan{generations, past.state(), {}, make_pool(), {}};
    const auto next = [&](std::uint32_t index, word then, word now) {
        return generation_after_return(past, index, then, now, generations);
    };
    const auto is_free = [&](std::uint32_t index, word then, word now) {
        if (then == words::never_issued && now == words::never_issued) return true;
        return !lives(then, settled) && next(index, then, now) != 0;
    };
    plan.pool->walk().set_turns(plan.state.turns);
    plan.state.keys.resize(std::max(plan.state.keys.size(), keys_.size()));
    keep_free(plan, past, is_free);
    look_over_slots(plan, past, settled);
    share_again(plan, [&](std::uint32_t index) {
        return next(index, past.slots().read(index), slots().read(index));
    });
    begin_turns_of_all_keys(plan);
    return plan;
}

/// Listed indices are free: some may have been retired since, or be alive in another way.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::keep_free(return_plan& plan, const basic_owned_registry& past,
                                              const auto& is_free) const {
    allocation_state& state = plan.state;
    const auto keep = [&](std::vector<std::uint32_t>& list) {
        std::erase_if(list, [&](std::uint32_t index) {
            return !is_free(index, past.slots().read(index), slots().read(index));
        });
    };
    const auto look_again = [&](index_window& window) {
        const page_slots now(ground_.pages, window.first);
        const page_slots then(past.ground_.pages, window.first);
        window.end = window.first;
        std::ignore = window.advance(
            [&](std::uint32_t index) { return is_free(index, then.read(index), now.read(index)); });
    };
    keep(state.free);
    look_again(state.window);
    for (key_stock& key : state.keys) keep(key.dealt), look_again(key.window);
}

/// Looks at what slots say of the way back. An index that is free then, and in no list of the state, goes to
/// what other threads have; an identifier that lives again may have a next generation that is not the usual
/// one. Nearly all identifiers live on as they were: the slots say so, and where nothing was noted before,
/// lines of such slots are passed over. Indices that other threads had then, or could have had, belong to
/// them again, in order of index.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::look_over_slots(return_plan& plan, const basic_owned_registry& past,
                                                    const auto& settled) const {
    const bool same = plan.generations == generations_after_return::same;
    const bool noted = has_noted(past, plan.generations);
    index_marks<page_size> listed([&](const auto& visit) { for_each_page(visit); });
    listed.add(plan.state);
    const auto turns_of = [&](std::uint32_t key) { return plan.state.keys[key].turns; };
    for_each_page([&](std::uint32_t page) {
        const std::uint64_t until =
            std::min(plan.pool->walk().had_until(page, turns_of), space_.last + std::uint64_t{1});
        const page_slots now = slots_of(page);
        const page_slots then = past.slots_of(page);
        const auto is_unlisted = [&](std::uint32_t index) {
            return index >= space_.first && index < until && !listed.has(index) &&
                   generation_after_return(past, index, then.read(index), now.read(index),
                                           plan.generations) != 0;
        };
        const auto are_listed = [&](std::uint32_t first, std::uint32_t end) { // And nobody had them.
            return all_untouched(first, end, then) && listed.has_all(first, end - first);
        };
        const auto look_at = [&](std::uint32_t first, std::uint32_t end) {
            const bool usual = !noted && (same || all_live_on(now, then, first, end));
            if ((usual && all_settled(then, first, end, settled)) || are_listed(first, end)) [[likely]]
                return;
            for (std::uint32_t index = first; index != end; ++index) {
                const word slot = then.read(index);
                const bool is_there = lives(slot, settled);
                if (is_there && !usual) note_later(plan, past, index);
                if (!is_there && is_unlisted(index)) plan.shared.push_back(index);
            }
        };
        same ? for_each_line_of(page, look_at, then) : for_each_line_of(page, look_at, now, then);
    });
}

/// Notes the later generation of an index that lives then.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::note_later(return_plan& plan, const basic_owned_registry& past,
                                               std::uint32_t index) const {
    const word then = past.slots().read(index);
    const word later = generation_after_return(past, index, then, slots().read(index), plan.generations);
    if (later != words::generation_after(words::generation_bits(then))) plan.later.set(index, later);
}

/// Begins the turns of all keys: keys that were made since have their turns, too.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::begin_turns_of_all_keys(return_plan& plan) const {
    if (plan.state.turns.keys == plan.state.keys.size()) return;
    plan.pool->walk().begin_turns(static_cast<std::uint32_t>(plan.state.keys.size()),
                                  [&](std::uint32_t key) { return plan.state.keys[key].turns; });
    for (key_stock& key : plan.state.keys) key.turns = 0;
}

/// Puts what was shared into the depot of the plan, to be taken in its order.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::share_again(return_plan& plan, const auto& next) {
    // The carrier is the registry's own: what a failure left in it would come back with the next that is
    // shared.
    for (const std::uint32_t index : plan.shared) plan.pool->make_room_for(index);
    std::span<const std::uint32_t> left = plan.shared;
    while (!left.empty()) {
        const auto count = std::min<std::size_t>(left.size(), plan.pool->batch());
        for (std::size_t n = 0; n < count; ++n) {
            // A full node is emptied from its end, and so is the row that is moved into one that is not.
            const std::uint32_t index = left[count == plan.pool->batch() ? count - 1 - n : n];
            plan.pool->put_back(*carrier_, handle(index, std::max(next(index), least_generation_)).value());
        }
        plan.pool->flush(*carrier_);
        left = left.subspan(count);
    }
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::return_to(const basic_owned_registry& past, return_plan&& plan,
                                              const auto& settled) noexcept {
    for_each_page([&](std::uint32_t page) {
        const page_slots own = slots_of(page);
        const page_slots then = past.slots_of(page);
        const auto word_of = [&](std::uint32_t index) {
            const word slot = then.read(index);
            if (lives(slot, settled)) return slot;
            return words::waiting_for(
                generation_after_return(past, index, slot, own.read(index), plan.generations));
        };
        const auto take_back = [&](std::uint32_t first, std::uint32_t end) {
            if (all_untouched(first, end, own, then)) return;
            const bool alike = all_settled(then, first, end, settled);
            for (std::uint32_t index = first; index != end; ++index)
                own.write(index, alike ? then.read(index) : word_of(index));
        };
        for_each_line_of(page, take_back, own, then);
    });
    later_ = std::move(plan.later);
    chain_ = {};
    for (auto at = plan.state.free.rbegin(); at != plan.state.free.rend(); ++at) give_back(*at);
    window_ = plan.state.window;
    for (std::size_t key = 0; key < keys_.size(); ++key) keys_[key]->stock = std::move(plan.state.keys[key]);
    pool_ = std::move(plan.pool);
    look_at_used_pages();
    drawn_ = 0;
    given_ = plan.shared.size();
    drawn_with_key_ = 0;
    live_ = past.live_;
}

} // namespace ecs
