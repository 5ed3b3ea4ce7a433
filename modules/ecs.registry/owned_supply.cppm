// SPDX-License-Identifier: MIT
// Where the identifiers of an owned registry come from: for the owner, for lanes, and for keys.
export module ecs.registry:owned_supply;
import ecs.std;
import ecs.id;
import :depot;
import :geometry;
import :identity;
import :index_walk;
import :key_lane;
import :lane_pool;
import :lent_word;
import :owned_registry;
import :owned_state;
import :sparse_slots;
import :status;
import :turn_walk;

namespace ecs {

// A space.

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::look_at_used_pages() {
    unused_from_ = 0;
    pages_used_ = 0;
    for_each_page([&](std::uint32_t page) {
        if (page < space_.first / page_size || page > space_.last / page_size) return;
        unused_from_ = page + 1;
        ++pages_used_;
    });
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::begin(const index_space& space) {
    space_ = space;
    look_at_used_pages();
    ground_.first_generation = space.first_generation;
    least_generation_ = words::codec::pack(0, space.first_generation);
    chain_ = {};
    window_ = {};
    keys_.clear();
    drawn_ = 0;
    given_ = 0;
    drawn_with_key_ = 0;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::open(const index_space& space) {
    auto pool = std::make_unique<pool_type>(ground_, index_run{space.first, space.last});
    if (!carrier_) carrier_ = std::make_unique<lane_type>();
    begin(space);
    pool_ = std::move(pool);
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::open_copy(const index_space& space) {
    begin(space);
    kept_ = {};
    kept_.turns = turn_walk<parts>(ground_, {space.first, space.last}).turns();
}

// The owner.

/// Takes indices from the rest of the window, from what lanes have left, or from a page that no thread has
/// had.
template <lending_layout L, class A, registry_geometry G> bool basic_owned_registry<L, A, G>::restock() {
    return look_into(window_) || take_shared(look::hinted) || take_page() || take_shared(look::everywhere);
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::restock_or_refuse() {
    if (!restock()) refuse();
}

template <lending_layout L, class A, registry_geometry G> void basic_owned_registry<L, A, G>::refuse() const {
    throw std::length_error("every index of the space, " + std::to_string(space_.first) + " to " +
                            std::to_string(space_.last) + ", is taken");
}

template <lending_layout L, class A, registry_geometry G> bool basic_owned_registry<L, A, G>::take_page() {
    const auto prepare = [&](std::uint32_t index) { ground_.pages.ensure(index); };
    while (const std::optional<index_window> page = pool_->walk().take_page(prepare)) {
        window_ = *page;
        if (look_into(window_)) return true;
    }
    return false;
}

template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::look_into(index_window& window) const {
    if (window.end / page_size >= unused_from_) window.end = window.rest_end;
    if (!window.empty()) return true;
    const page_slots slots(ground_.pages, window.end);
    return window.advance([slots](std::uint32_t index) { return words::is_free(slots.known(index)); });
}

/// Takes a batch that other threads do not need into the chain.
template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::take_shared(look how) noexcept {
    if (how == look::hinted && pool_->looks_empty()) return false;
    if (!pool_->refill_from_waiting(*carrier_, how)) return false;
    given_ -= std::min<std::uint64_t>(given_, carrier_->ready.count());
    carrier_->take_many(carrier_->ready.count(), [&](std::uint32_t, word id) {
        chain_.give_back(slots(), static_cast<std::uint32_t>(words::codec::index_of(id)));
    });
    return true;
}

/// Whether that many are certainly left. Pages of earlier walks may have retired indices, and count for
/// nothing.
template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::surely_has(std::size_t count) const {
    return pool_->walk().pages_left() > pages_used_ + count / page_size;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::promise_all(std::span<id_type> out) {
    draw_all(out, [stamp = ground_.stamp, least = least_generation_](const auto& in, std::uint32_t index) {
        const word generation = std::max(words::generation_bits(in.known(index)), least);
        return id_type::assume_word(static_cast<word>(stamp | generation | index));
    });
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::create_all(std::span<id_type> out, word payload) {
    draw_all(out, [payload, stamp = ground_.stamp, least = least_generation_](const auto& in,
                                                                              std::uint32_t index) {
        const word upper =
            static_cast<word>(stamp | std::max(words::generation_bits(in.known(index)), least));
        in.write(index, static_cast<word>(upper | payload));
        return id_type::assume_word(static_cast<word>(upper | index));
    });
    live_ += out.size();
}

/// Draws identifiers for all places: draw(slots, index) returns the next one. When there are not so many,
/// none has been.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::draw_all(std::span<id_type> out, auto draw) {
    std::size_t taken = 0;
    try {
        while (taken != out.size()) {
            if (chain_.empty() && window_.empty()) restock_or_refuse();
            taken += draw_known(out.subspan(taken), draw);
        }
    } catch (...) {
        while (taken != 0) give_back(number(std::exchange(out[--taken], id_type{})));
        throw;
    }
}

/// Draws as many as are at hand; returns how many. What draw knows it has as values, and the window is in one
/// page, so that the loop reads nothing but slots: a compiler cannot tell that writing one changes nothing
/// else.
template <lending_layout L, class A, registry_geometry G>
std::size_t basic_owned_registry<L, A, G>::draw_known(std::span<id_type> out, auto draw) noexcept {
    std::size_t taken = 0;
    for (; taken != out.size() && !chain_.empty(); ++taken) out[taken] = draw(slots(), chain_.take(slots()));
    const auto run = static_cast<std::uint32_t>(std::min<std::size_t>(out.size() - taken, window_.size()));
    const page_slots page(ground_.pages, window_.first);
    const std::uint32_t first = window_.first;
    for (std::uint32_t i = 0; i != run; ++i) out[taken + i] = draw(page, first + i);
    window_.first += run;
    return taken + run;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::reserve(std::size_t more) {
    if (chain_.size() + window_.size() >= more) return;
    if (more > std::uint64_t{space_.last} - space_.first + 1) refuse();
    std::vector<id_type> taken(more);
    promise_all(taken);
    for (auto at = taken.rbegin(); at != taken.rend(); ++at) give_back(number(*at));
}

// Claims.

template <lending_layout L, class A, registry_geometry G>
auto basic_owned_registry<L, A, G>::create_at(std::uint32_t index, word payload) -> id_type {
    if (index == 0) return {};
    make_page(index);
    const word slot = slots().known(index);
    if (!words::is_free(slot)) return {};
    ++live_;
    return issue_as(index, words::next_generation_bits(slot), payload);
}

template <lending_layout L, class A, registry_geometry G>
auto basic_owned_registry<L, A, G>::claim(id_type elsewhere, word payload) -> id_type {
    const std::uint32_t index = number(elsewhere);
    if (index == 0) return {};
    make_page(index);
    const word slot = slots().known(index);
    const word wanted = words::generation_bits(elsewhere.value());
    if (!words::is_free(slot) || wanted < words::next_generation_bits(slot)) return {};
    ++live_;
    return issue_as(index, wanted, payload);
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::take_back_claim(id_type id) noexcept {
    --live_;
    slots().write(number(id), static_cast<word>(words::unused_mark | words::generation_bits(id.value())));
}

// Other threads.

template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::refill(lane_type& lane, std::uint32_t key) {
    if (key != no_key) {
        const typename key_lane<A>::use mine(*keys_[key]);
        if (mine) return refill_from_key(lane, key);
    }
    return pool_->refill(lane);
}

/// Makes room first for all that may come back, so that taking back cannot fail.
template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::refill_from_key(lane_type& lane, std::uint32_t key) {
    key_stock& stock = keys_[key]->stock;
    stock.dealt.reserve(stock.dealt.size() + stock.lent + lane_type::capacity);
    if (!stock_up(stock, key)) return false;
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(
        stock.dealt.empty() ? stock.window.size() : stock.dealt.size(), lane_type::capacity));
    make_room_for_next(stock, count);
    for (std::uint32_t n = count; n != 0; --n) {
        const std::uint32_t index = stock.dealt.empty() ? stock.window.take() : stock.dealt.back();
        if (!stock.dealt.empty()) stock.dealt.pop_back();
        lane.ready[n - 1] = promise(index).value();
    }
    lane.set(lane.ready, count);
    stock.lent += count;
    return true;
}

/// When a second thread uses the key, what a lane has not used goes to lanes without a key.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::make_room_for_next(const key_stock& stock, std::uint32_t count) {
    if (stock.dealt.empty()) return pool_->make_room_for(stock.window.first);
    for (const std::uint32_t index : std::span(stock.dealt).last(count)) pool_->make_room_for(index);
}

/// False when all pages of the key are taken.
template <lending_layout L, class A, registry_geometry G>
bool basic_owned_registry<L, A, G>::stock_up(key_stock& stock, std::uint32_t key) {
    if (!stock.dealt.empty() || look_into(stock.window)) return true;
    while (const std::optional<index_window> page = pool_->walk().page_of_key(key, stock.turns)) {
        ground_.pages.ensure(page->first);
        ++stock.turns;
        stock.window = *page;
        if (look_into(stock.window)) return true;
    }
    return false;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::leave_lane(lane_type& lane, std::uint32_t key) noexcept {
    if (key != no_key) {
        const typename key_lane<A>::use mine(*keys_[key]);
        key_stock& stock = keys_[key]->stock;
        const std::uint32_t count = lane.ready.count();
        if (mine && count <= stock.lent && stock.dealt.capacity() - stock.dealt.size() >= count) {
            for (std::uint32_t n = 0; n < count; ++n)
                stock.dealt.push_back(static_cast<std::uint32_t>(words::codec::index_of(lane.ready[n])));
            stock.lent -= count;
            lane.set(lane.ready, 0);
        }
    }
    pool_->leave_own(lane);
}

template <lending_layout L, class A, registry_geometry G>
std::uint64_t basic_owned_registry<L, A, G>::drawn_with_key() const {
    std::uint64_t with_key = drawn_with_key_;
    for (const auto& key : keys_) with_key += key->stock.lent;
    return with_key;
}

template <lending_layout L, class A, registry_geometry G>
std::uint64_t basic_owned_registry<L, A, G>::share() noexcept {
    const std::uint64_t issued = pool_->live_count();
    const bool all = pool_->walk().pages_left() == 0;
    if (!keys_.empty() && !all)
        return issued; // The owner's identifiers must not depend on what threads without a key have done.
    const std::uint64_t drawn = issued - std::min(issued, drawn_with_key());
    const std::uint64_t used = drawn - std::min(drawn, std::exchange(drawn_, drawn));
    given_ = std::max(given_, drawn); // What was drawn beyond that was new.
    const std::uint64_t target = std::max<std::uint64_t>(page_size, 2 * used);
    std::uint64_t wanted = target - std::min(target, given_ - drawn);
    if (all) wanted = space_.last;
    const bool window_too = all && drawn != 0; // Others have nothing else to use.
    const auto has_any = [&] { return !chain_.empty() || (window_too && look_into(window_)); };
    try {
        for (; wanted != 0 && has_any(); wanted -= std::min<std::uint64_t>(wanted, pool_->batch()))
            share_batch();
    } catch (const std::bad_alloc&) { // The owner keeps the rest: pages that nobody has had serve as well.
    }
    return issued;
}

/// Makes room in the depot first: what is on its way would be lost without it. The indices that ended last
/// are used first.
template <lending_layout L, class A, registry_geometry G> void basic_owned_registry<L, A, G>::share_batch() {
    std::array<id_type, G::magazine> ids;
    const std::size_t own = chain_.empty() ? window_.size() : chain_.size();
    const auto most = std::min<std::size_t>(pool_->batch(), own);
    std::size_t count = 0;
    const auto put = [&] {
        given_ += count;
        while (count != 0) pool_->put_back(*carrier_, ids[--count].value());
        pool_->flush(*carrier_);
    };
    while (count != most) {
        const std::uint32_t index = take_known();
        try {
            pool_->make_room_for(index);
        } catch (...) {
            give_back(index);
            put();
            throw;
        }
        ids[count++] = promise(index);
    }
    put();
}

// Keys.

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::require_keys(std::uint32_t count) {
    if (count >= last_index / page_size)
        throw std::length_error("there cannot be " + std::to_string(count) +
                                " keys: there are fewer pages of indices");
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::make_keys(std::uint32_t count) {
    require_keys(count);
    if (count <= keys_.size()) return;
    while (take_shared(look::everywhere)) { // So that the order of indices does not depend on who had them.
    }
    keys_.reserve(count);
    std::vector<std::unique_ptr<key_lane<A>>> made(count - keys_.size());
    for (auto& key : made) key = std::make_unique<key_lane<A>>();
    begin_turns(count);
    for (auto& key : made) keys_.push_back(std::move(key));
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::begin_turns(std::uint32_t keys) {
    pool_->walk().begin_turns(keys, turns_of_keys());
    for (const auto& key : keys_) key->stock.turns = 0;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::deal() noexcept {
    for (const auto& key : keys_) {
        const std::size_t lent = std::exchange(key->stock.lent, std::size_t{0});
        drawn_with_key_ += lent;
        key->stock.most = std::max(key->stock.most, lent);
    }
    try {
        begin_turns(static_cast<std::uint32_t>(keys_.size()));
        for (const auto& key : keys_) top_up(key->stock);
    } catch (const std::bad_alloc&) { // The next refill says so, if it needs any.
    }
}

/// New indices are used first, in the order in which they came.
template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::top_up(key_stock& stock) {
    if (stock.size() >= stock.most) return;
    const std::size_t before = stock.dealt.size();
    const std::size_t wanted = stock.most - stock.size();
    stock.dealt.reserve(before + wanted);
    for (std::size_t more = wanted; more != 0; --more) {
        if (chain_.empty() && window_.empty() && !restock()) break;
        stock.dealt.push_back(take_known());
    }
    std::ranges::reverse(std::span(stock.dealt).subspan(before));
}

// Many at once.

/// How many of the identifiers have indices that follow each other, under one generation.
export template <class Id> [[nodiscard]] std::uint32_t length_of_index_run(std::span<const Id> all) {
    const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(all.size(), 0xFFFF'FFFF));
    const auto difference_at = [&](std::uint32_t n) { return all[n].value() ^ (all[0].value() + n); };
    // Without a branch for each, those of a block are compared by vector instructions.
    constexpr std::uint32_t block = 16;
    std::uint32_t run = 1;
    for (; most - run >= block; run += block) {
        auto differences = difference_at(run);
        for (std::uint32_t n = 1; n != block; ++n) differences |= difference_at(run + n);
        if (differences != 0) break;
    }
    while (run != most && difference_at(run) == 0) ++run;
    return run;
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::destroy_all(std::span<const id_type> all) noexcept {
    while (!all.empty()) {
        const std::uint32_t run = length_of_index_run(all);
        destroy_run(all.front(), run);
        all = all.subspan(run);
    }
}

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::destroy_run(id_type first, std::uint32_t count) noexcept {
    const std::uint32_t index = number(first);
    const word next = words::generation_after(words::generation_bits(first.value()));
    const bool is_usual = next != 0 && later_.empty() && space_.contains(index) &&
                          space_.contains(std::uint64_t{index} + count - 1);
    if (is_usual) {
        live_ -= count;
        return chain_.push_run(slots(), index, count, next);
    }
    for (std::uint32_t n = 0; n != count; ++n)
        destroy(id_type::assume_word(static_cast<word>(first.value() + n)));
}

// Everything.

template <lending_layout L, class A, registry_geometry G>
void basic_owned_registry<L, A, G>::clear() noexcept {
    for_each_slot([&](std::uint32_t index, word slot) {
        if (words::is_live(slot)) slots().write(index, words::waiting_for(generation_after(index, slot)));
    });
    pool_.reset(); // A registry that is kept for later keeps its slots alone.
    later_ = {};
    live_ = 0;
}

template <lending_layout L, class A, registry_geometry G>
std::size_t basic_owned_registry<L, A, G>::memory_bytes() const {
    std::size_t pages = 0;
    for_each_page([&](std::uint32_t) { ++pages; });
    return pages * page_size * sizeof(word);
}

template <lending_layout L, class A, registry_geometry G>
id_status basic_owned_registry<L, A, G>::status(id_type id) const {
    if (const id_status origin = self::origin_of(id.value(), ground_.stamp); origin != id_status::live)
        return origin;
    const word slot = slots().read(number(id));
    if (words::is_of(slot, id.value())) return id_status::live;
    if (words::codec::index_of(id.value()) == 0) return id_status::malformed;
    if (slot == words::retired_word) return id_status::retired;
    return words::generation_bits(id.value()) < first_unissued(number(id), slot) ? id_status::stale
                                                                                 : id_status::never_issued;
}

} // namespace ecs
