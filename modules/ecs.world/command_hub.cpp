// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :command_hub;
import :result;
import :store;

namespace ecs {

/// A lane first: what throws has taken no recorder.
recorder& command_hub::open(std::uint64_t key) {
    const std::uint32_t lane = deterministic_ ? known_lane_of(key) : id_supply::no_lane;
    recorder& opened = recorders_.open();
    opened.key = key;
    opened.lane = lane;
    opened.sequence = sequence_.take();
    return opened;
}

/// The stock first: what is closed is the world's.
void command_hub::close(recorder& ended) noexcept {
    call_stock_home(ended);
    recorders_.close(ended);
}

void command_hub::call_stock_home(recorder& from) noexcept {
    const std::lock_guard lock(lanes_guard_);
    if (!entities_ || from.stock.empty()) return;
    try {
        give_back(from);
    } catch (const std::bad_alloc&) { // Then the stock stays with the recorder, for the next commands object.
    }
}

void command_hub::give_back(recorder& from) {
    if (from.lane == id_supply::no_lane)
        entities_->supply().give_back(from.stock);
    else
        entities_->supply().give_back_to_lane(from.stock, from.lane);
}

void command_hub::restock(recorder& into) {
    if (!entities_) throw world_ended_error("the world of these commands has ended");
    if (into.lane != id_supply::no_lane) return entities_->supply().draw_from_lane(into.stock, into.lane);
    entities_->supply().draw(into.stock, into.draw_size);
    into.draw_size = std::min(2 * into.draw_size, id_supply::block_size);
}

std::uint32_t command_hub::take_chunk_number() { return chunk_numbers_.take(chunk_directory::limbo); }

void command_hub::stock_chunk_numbers(store& of) noexcept {
    chunk_numbers_ahead_ = std::max(chunk_numbers_ahead_, 2 * chunk_numbers_.settle());
    try {
        of.lend_numbers(chunk_numbers_.numbers(), chunk_numbers_ahead_);
    } catch (const std::bad_alloc&) { // Then fewer will do.
    }
}

column_order command_hub::order_of(std::uint32_t bundle, std::span<const component_source> components) const {
    if (bundle < orders_.size() && orders_[bundle].size() == components.size()) return orders_[bundle];
    return usual_order(components);
}

void command_hub::learn_order(std::uint32_t bundle, column_order order) noexcept {
    try {
        if (orders_.size() <= bundle) orders_.resize(bundle + 1);
        orders_[bundle] = std::move(order);
    } catch (const std::bad_alloc&) { // Then rows are copied the next time, too.
    }
}

/// Of this thread: no other records.
void command_hub::require_nobody_asked() const {
    bool is_asking = false;
    recorders_.for_each([&](const recorder& r) { is_asking = is_asking || r.now->asking != 0; });
    if (is_asking)
        throw iteration_error("a function or a constructor that commands have called cannot flush the world "
                              "they are recorded for: flush after the spawn has returned");
}

std::vector<recorder*> command_hub::recorders_with(bool (*something)(const recorder&)) const {
    std::vector<recorder*> result;
    recorders_.for_each([&](recorder& r) {
        if (something(r)) result.push_back(&r);
    });
    std::ranges::sort(result, {}, [](const recorder* r) { return std::tuple(r->key, r->sequence); });
    return result;
}

std::vector<taken_recording> command_hub::take_recorded() {
    return ecs::take_recorded(recorders_with([](const recorder& r) { return !r.now->empty(); }));
}

std::vector<taken_recording> command_hub::take_left() {
    return ecs::take_left(recorders_with([](const recorder& r) { return r.left != nullptr; }));
}

void command_hub::retire_closed() noexcept {
    recorders_.retire([](const recorder& r) { return !r.left && r.now->empty(); });
}

bool command_hub::has_recorded() const {
    bool found = false;
    recorders_.for_each([&](const recorder& r) { found = found || r.left || !r.now->empty(); });
    return found;
}

column_orders command_hub::orders() const { return orders_; }

void command_hub::recall_stocks(column_orders known) noexcept {
    orders_ = std::move(known);
    const std::lock_guard lock(lanes_guard_);
    recorders_.for_each([](recorder& r) {
        r.stock = {};
        r.now->discard(); // Nothing is recorded: chunks may have been begun.
    });
    chunk_numbers_.settle();
    chunk_numbers_.numbers().clear();
}

void command_hub::make_deterministic(std::uint32_t keys) {
    const std::lock_guard lock(lanes_guard_);
    std::vector<std::uint64_t> fresh;
    for (std::uint64_t key = 0; key < keys; ++key)
        if (!lanes_.find(1 + key)) fresh.push_back(key);
    entities_->supply().make_lanes(lanes_.size() + fresh.size());
    deterministic_ = true;
    for (const std::uint64_t key : fresh) make_lane(key);
    recorders_.for_each([this](recorder& r) {
        if (!r.stock.empty()) give_back(r);
        r.lane = lane_of(r.key);
    });
}

std::uint32_t command_hub::known_lane_of(std::uint64_t key) {
    const std::lock_guard lock(lanes_guard_);
    return lane_of(key);
}

/// Of the key; systems get one when they are first asked for.
std::uint32_t command_hub::lane_of(std::uint64_t key) {
    if (!deterministic_ || key == no_key) return id_supply::no_lane;
    if (const std::uint32_t* const known = lanes_.find(1 + key)) return *known;
    return key < first_system_key ? id_supply::no_lane : make_lane(key);
}

std::uint32_t command_hub::make_lane(std::uint64_t key) {
    const auto lane = static_cast<std::uint32_t>(lanes_.size());
    entities_->supply().make_lanes(lane + std::size_t{1});
    lanes_[1 + key] = lane;
    return lane;
}

void command_hub::deal_lanes() noexcept {
    const std::lock_guard lock(lanes_guard_);
    if (!deterministic_) return;
    try {
        call_stocks_home();
    } catch (const std::bad_alloc&) { // Then they stay where they are, and count as used.
    }
    entities_->supply().deal();
}

/// In an order that does not depend on which recorder a key happened to get.
void command_hub::call_stocks_home() {
    std::vector<recorder*> holders;
    recorders_.for_each([&](recorder& r) {
        if (r.lane != id_supply::no_lane && !r.stock.empty()) holders.push_back(&r);
    });
    std::ranges::sort(holders, {}, [](const recorder* r) { return std::tuple(r->key, r->sequence); });
    for (recorder* const r : holders) give_back(*r);
}

void command_hub::end_world() noexcept {
    const std::lock_guard lock(lanes_guard_);
    recorders_.for_each([](recorder& r) {
        for (recording* left = r.left.get(); left; left = left->next.get()) left->discard();
        r.left.reset();
        r.now->discard();
        r.stock = {};
    });
    entities_ = nullptr;
}

} // namespace ecs
