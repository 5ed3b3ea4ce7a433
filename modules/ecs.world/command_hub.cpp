// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :command_hub;
import :result;

namespace ecs {

recorder& command_hub::open(std::uint64_t key) {
    const std::lock_guard lock(guard_);
    if (idle_.empty()) {
        idle_.reserve(recorders_.size() + 1); // So that retiring cannot fail.
        recorders_.push_back(std::make_unique<recorder>());
        idle_.push_back(recorders_.back().get());
    }
    recorder& opened = *idle_.back();
    idle_.pop_back();
    opened.open = true;
    opened.key = key;
    opened.sequence = opened_++;
    return opened;
}

void command_hub::close(recorder& ended) noexcept {
    const std::lock_guard lock(guard_);
    ended.open = false;
    if (!entities_ || ended.stock.empty()) return;
    try {
        entities_->supply().give_back(ended.stock);
    } catch (const std::bad_alloc&) { // Then the stock stays with the recorder, for the next commands object.
    }
}

void command_hub::restock(recorder& into) {
    if (!entities_) throw world_ended_error("the world of these commands has ended");
    entities_->supply().draw(into.stock, into.draw_size);
    into.draw_size = std::min(2 * into.draw_size, id_supply::block_size);
}

column_order command_hub::order_of(std::uint32_t bundle, std::size_t components) const {
    const std::lock_guard lock(guard_);
    if (bundle < orders_.size() && orders_[bundle].size() == components) return orders_[bundle];
    column_order as_named(components);
    std::iota(as_named.begin(), as_named.end(), 0U);
    return as_named;
}

void command_hub::learn_order(std::uint32_t bundle, column_order order) {
    const std::lock_guard lock(guard_);
    if (orders_.size() <= bundle) orders_.resize(bundle + 1);
    orders_[bundle] = std::move(order);
}

std::vector<recorder*> command_hub::recorded() {
    const std::lock_guard lock(guard_);
    std::vector<recorder*> result;
    for (const auto& r : recorders_)
        if (!r->now->empty()) result.push_back(r.get());
    std::ranges::sort(result, {}, [](const recorder* r) { return std::tuple(r->key, r->sequence); });
    return result;
}

void command_hub::retire_closed() {
    const std::lock_guard lock(guard_);
    idle_.clear();
    for (const auto& r : recorders_)
        if (!r->open && r->now->empty()) idle_.push_back(r.get());
}

bool command_hub::has_recorded() const {
    const std::lock_guard lock(guard_);
    return std::ranges::any_of(recorders_, [](const auto& r) { return !r->now->empty(); });
}

void command_hub::recall_stocks() noexcept {
    const std::lock_guard lock(guard_);
    for (const auto& r : recorders_) r->stock = {};
}

void command_hub::end_world() noexcept {
    const std::lock_guard lock(guard_);
    for (const auto& r : recorders_) {
        r->now->discard();
        r->stock = {};
    }
    entities_ = nullptr;
}

} // namespace ecs
