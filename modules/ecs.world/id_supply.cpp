// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :id_supply;

namespace ecs {

void id_supply::draw(id_stock& into, std::uint32_t count) {
    const std::lock_guard lock(guard_);
    if (!loose_.free.empty()) {
        const std::size_t taken = std::min<std::size_t>(count, loose_.free.size());
        into.free.assign(loose_.free.end() - static_cast<std::ptrdiff_t>(taken), loose_.free.end());
        loose_.free.resize(loose_.free.size() - taken);
    } else if (count >= block_size) {
        take_block(into);
    } else {
        take_window(into, count);
    }
}

void id_supply::take_block(id_stock& into) {
    if (next_block_ == slot_pages::pages_max) throw std::length_error("every index of the world is taken");
    stock_block(into, next_block_);
    ++next_block_;
}

void id_supply::take_window(id_stock& into, std::uint32_t count) {
    if (loose_.fresh == loose_.fresh_end) take_block(loose_);
    into.fresh = loose_.fresh;
    into.fresh_end = std::min(loose_.fresh + count, loose_.fresh_end);
    loose_.fresh = into.fresh_end;
}

void id_supply::stock_block(id_stock& into, std::uint32_t block) {
    slots_->ensure(block);
    into.fresh = block * block_size;
    into.fresh_end = into.fresh + block_size;
}

void id_supply::give_back(id_stock& from) {
    while (from.fresh != from.fresh_end) from.free.push_back(--from.fresh_end);
    give_back(from.free);
    from.free.clear();
}

void id_supply::give_back(std::span<const std::uint32_t> indices) {
    const std::lock_guard lock(guard_);
    loose_.free.insert(loose_.free.end(), indices.begin(), indices.end());
}

std::uint32_t id_supply::blocks_end() const {
    const std::lock_guard lock(guard_);
    return next_block_;
}

void id_supply::make_pages(std::uint32_t blocks_end) {
    const std::lock_guard lock(guard_);
    for (std::uint32_t block = 0; block < blocks_end; ++block) slots_->ensure(block);
}

void id_supply::hand_out(std::uint32_t blocks_end) {
    const std::lock_guard lock(guard_);
    next_block_ = std::max(next_block_, blocks_end);
}

void id_supply::forget_free() {
    const std::lock_guard lock(guard_);
    loose_ = {};
}

} // namespace ecs
