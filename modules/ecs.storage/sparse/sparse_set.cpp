// SPDX-License-Identifier: MIT
// Values outside tables: pages of places, packed values, and the bits that disable them.
module ecs.storage;
import ecs.std;
import :sparse_set;

namespace ecs {

namespace {

constexpr std::size_t bytes_of_a_block = std::size_t{16} * 1024;

} // namespace

sparse_set::sparse_set(const component_info& info) : info_(info), is_bits_(info.kept_in == storage::bits) {
    const std::size_t values = bytes_of_a_block / std::max<std::size_t>(info.size, 1);
    block_bits_ = values > 1 ? static_cast<std::uint32_t>(std::bit_width(values) - 1) : 0;
}

sparse_set::~sparse_set() {
    if (info_.operations.destroy)
        for (std::uint32_t slot = 0; slot < owners_.size(); ++slot)
            if (owners_[slot]) info_.operations.destroy(value(slot));
    while (!blocks_.empty()) free_block();
}

void sparse_set::free_block() noexcept {
    ::operator delete(static_cast<void*>(blocks_.back()), std::align_val_t{info_.alignment});
    blocks_.pop_back();
}

void sparse_set::add_block() {
    if (blocks_.size() == blocks_.capacity()) blocks_.reserve(2 * blocks_.size() + 1);
    void* const block = ::operator new(block_bytes(), std::align_val_t{info_.alignment});
    blocks_.push_back(static_cast<std::byte*>(block));
}

void sparse_set::make_room(std::uint32_t index) {
    if (is_bits_) return present_.make_room(index);
    places_.make_room(index);
    if (owners_.size() == owners_.capacity()) owners_.reserve(2 * owners_.size() + 8);
    free_.reserve(owners_.capacity()); // So that erase cannot fail.
    if (info_.size != 0 && (next_slot() >> block_bits_) >= blocks_.size()) add_block();
}

/// The slots behind the last value are as if they had never been used.
void sparse_set::forget_free_slots() noexcept {
    while (!owners_.empty() && !owners_.back()) owners_.pop_back();
    std::erase_if(free_, [&](std::uint32_t slot) { return slot >= owners_.size(); });
}

void sparse_set::shrink() noexcept {
    forget_free_slots();
    while ((blocks_.size() << block_bits_) >= owners_.size() + (std::size_t{1} << block_bits_)) free_block();
    places_.shrink();
    if (size_ != 0) return;
    owners_ = {};
    free_ = {};
    present_.clear();
    hidden_.clear();
}

void sparse_set::reserve_values(std::size_t more) {
    if (is_bits_) return;
    owners_.reserve(size_ + more);
    free_.reserve(owners_.capacity()); // As above.
    while (info_.size != 0 && (blocks_.size() << block_bits_) < size_ + more) add_block();
}

/// The value is now the one in the next free slot; the old one ends.
void sparse_set::exchange_slot(std::uint32_t index) noexcept {
    std::uint32_t& place = place_at(index);
    const std::uint32_t old = (place & ~hidden_place) - 1;
    place = (take_slot(owners_[old]) + 1) | (place & hidden_place);
    free_slot(old);
}

void sparse_set::set_enabled(std::uint32_t index, bool enabled) {
    if (is_bits_) {
        if (enabled) return hidden_.reset(index);
        hidden_.make_room(index);
        return hidden_.set(index);
    }
    std::uint32_t& place = place_at(index);
    place = enabled ? place & ~hidden_place : place | hidden_place;
}

void sparse_set::copy(const sparse_set& from) {
    present_.copy(from.present_);
    hidden_.copy(from.hidden_);
    places_.copy(from.places_);
    while (blocks_.size() != from.blocks_.size()) add_block();
    owners_.reserve(from.owners_.capacity());
    owners_.resize(from.owners_.size());
    free_.reserve(owners_.capacity()); // So that erase cannot fail.
    free_ = from.free_;
    const auto copy_one = info_.operations.copy;
    for (std::uint32_t slot = 0; slot < owners_.size(); ++slot) {
        if (!from.owners_[slot]) continue;
        if (copy_one)
            copy_one(value(slot), from.value(slot));
        else if (info_.size != 0)
            std::memcpy(value(slot), from.value(slot), info_.size);
        owners_[slot] = from.owners_[slot]; // Now there is something to destroy.
    }
    size_ = from.size_;
}

std::uint64_t sparse_set::enabled_rows(std::span<const entity> rows, bool inherited) const {
    std::uint64_t mask = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::uint32_t index = index_of(rows[row]);
        mask |= std::uint64_t{enabled(index) || (inherited && !contains(index))} << row;
    }
    return mask;
}

std::size_t sparse_set::memory_bytes() const {
    return places_.memory_bytes() + blocks_.size() * block_bytes() + owners_.capacity() * sizeof(entity) +
           free_.capacity() * sizeof(std::uint32_t) + present_.memory_bytes() + hidden_.memory_bytes();
}

} // namespace ecs
