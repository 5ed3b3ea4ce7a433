// SPDX-License-Identifier: MIT
// Values outside the types of tables: pages of places, packed values, and the bits that disable them; and how
// values in place are begun, replaced and copied.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

constexpr std::size_t bytes_of_a_block = std::size_t{16} * 1024;

/// A tag has no values: nothing of its type is called.
component_info without_values(component_info info) {
    if (info.size != 0) return info;
    value_operations none;
    none.constructible = info.operations.constructible;
    none.copyable = info.operations.copyable;
    none.movable = info.operations.movable;
    info.operations = none;
    return info;
}

} // namespace

sparse_set::sparse_set(const component_info& info, store& home)
    : info_(without_values(info)),
      is_plain_(info.kept_in == storage::sparse),
      is_bits_(info.kept_in == storage::bits) {
    if (info.kept_in == storage::in_place) beside_ = std::make_unique<in_place_columns>(info_);
    live_in(home);
    const std::size_t values = bytes_of_a_block / std::max<std::size_t>(info.size, 1);
    block_bits_ = values > 1 ? static_cast<std::uint32_t>(std::bit_width(values) - 1) : 0;
    block_mask_ = (std::uint32_t{1} << block_bits_) - 1;
}

sparse_set::~sparse_set() {
    if (info_.operations.destroy)
        for (std::uint32_t slot = 0; slot < used_slots_; ++slot)
            if (owners_[slot]) info_.operations.destroy(value(slot));
    while (!blocks_.empty()) free_block();
}

void sparse_set::free_block() noexcept {
    ::operator delete(static_cast<void*>(blocks_.back()), std::align_val_t{info_.alignment});
    blocks_.pop_back();
}

void sparse_set::add_block() {
    reserve_one(blocks_);
    void* const block = ::operator new(block_bytes(), std::align_val_t{info_.alignment});
    blocks_.push_back(static_cast<std::byte*>(block));
}

void sparse_set::make_room(std::uint32_t index) {
    places_.make_room(index);
    if (next_slot() == owners_.size()) reserve_slots(2 * owners_.size() + 8);
    if (info_.size != 0 && (next_slot() >> block_bits_) >= blocks_.size()) add_block();
}

/// Makes room for that many slots. When memory runs out between the two lists, the first is longer than it
/// has to be.
void sparse_set::reserve_slots(std::size_t count) {
    if (free_.size() < count) free_.resize(count);
    if (owners_.size() < count) owners_.resize(count);
}

/// Makes the free slots behind the last value slots that have never been used.
void sparse_set::forget_free_slots() noexcept {
    while (used_slots_ != 0 && !owners_[used_slots_ - 1]) --used_slots_;
    const std::span free = std::span(free_).first(free_count_);
    const auto behind = std::ranges::partition(free, [&](std::uint32_t slot) { return slot < used_slots_; });
    free_count_ -= static_cast<std::uint32_t>(behind.size());
}

void sparse_set::shrink() noexcept {
    forget_free_slots();
    while ((blocks_.size() << block_bits_) >= used_slots_ + (std::size_t{1} << block_bits_)) free_block();
    places_.shrink();
    if (size_ != 0) return;
    owners_ = {};
    free_ = {};
    present_.clear();
    hidden_.clear();
}

void sparse_set::reserve_values(std::size_t more) {
    if (is_bits_ || beside_) return;
    reserve_slots(size_ + more);
    while (info_.size != 0 && (blocks_.size() << block_bits_) < size_ + more) add_block();
}

/// The place of the value is free already, and the row of its entity may be about to go: a destructor must
/// not change what entities have. It may record commands.
void sparse_set::end_value(std::byte* gone) const noexcept {
    const store::write_lock holding(*home_);
    info_.operations.destroy(gone);
}

/// Makes the value in the next free slot that of the index; the old value ends.
void sparse_set::exchange_slot(std::uint32_t index) noexcept {
    std::uint32_t& place = place_at(index);
    const std::uint32_t old = (place & ~hidden_place) - 1;
    place = (take_next_slot(owners_[old]) + 1) | (place & hidden_place);
    free_slot(old);
}

void sparse_set::set_enabled(std::uint32_t index, bool enabled) {
    if (beside_) return beside_->set_hidden(where(index), !enabled);
    if (is_bits_) {
        if (enabled) return hidden_.reset(index);
        hidden_.make_room(index);
        return hidden_.set(index);
    }
    std::uint32_t& place = place_at(index);
    place = enabled ? place & ~hidden_place : place | hidden_place;
}

void sparse_set::copy(const sparse_set& from) {
    if (beside_) return copy_beside(from);
    present_.copy(from.present_);
    hidden_.copy(from.hidden_);
    places_.copy(from.places_);
    while (blocks_.size() != from.blocks_.size()) add_block();
    reserve_slots(from.owners_.size());
    std::ranges::copy(std::span(from.free_).first(from.free_count_), free_.begin());
    free_count_ = from.free_count_;
    used_slots_ = from.used_slots_;
    const auto copy_one = info_.operations.copy;
    for (std::uint32_t slot = 0; slot < used_slots_; ++slot) {
        if (!from.owners_[slot]) continue;
        if (copy_one)
            copy_one(value(slot), from.value(slot));
        else if (info_.size != 0)
            std::memcpy(value(slot), from.value(slot), info_.size);
        owners_[slot] = from.owners_[slot]; // Now there is something to destroy.
    }
    size_ = from.size_;
}

std::uint64_t sparse_set::enabled_rows(const chunk& in, std::uint32_t block, bool inherited) const {
    const std::span<const entity> rows(in.entities() + std::size_t{block} * 64,
                                       std::min<std::size_t>(in.count - std::size_t{block} * 64, 64));
    if (rows.empty()) return 0;
    if (beside_) {
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - rows.size());
        const std::uint64_t lacking = inherited ? all & ~beside_->rows_with(in.number(), block) : 0;
        return beside_->rows_showing(in.number(), block) | lacking;
    }
    std::uint64_t mask = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::uint32_t index = index_of(rows[row]);
        mask |= std::uint64_t{enabled(index) || (inherited && !contains(index))} << row;
    }
    return mask;
}

void sparse_set::live_in(store& home) noexcept {
    home_ = &home;
    entities_ = &home.entities();
}

/// Begins the first value of a row of the table; returns where the row is. All entities have rows already,
/// unless the component was registered while observers were told.
location sparse_set::begin_beside(std::uint32_t index) {
    if (where(index).chunk_number == chunk_directory::rowless) {
        home_->require_unlocked();
        home_->give_rows_to_all();
    }
    home_->keep_in_place(*beside_, where(index));
    return where(index);
}

bool sparse_set::contains_otherwise(std::uint32_t index) const {
    return is_bits_ ? present_.test(index) : beside_->has(where(index));
}

bool sparse_set::enabled_otherwise(std::uint32_t index) const {
    return is_bits_ ? present_.test(index) && !hidden_.test(index) : beside_->shows(where(index));
}

std::byte* sparse_set::find_beside(std::uint32_t index) const {
    std::byte* const found = find_in_place(where(index));
    return found && info_.size == 0 ? const_cast<std::byte*>(&tag_) : found;
}

std::byte* sparse_set::reserve_otherwise(std::uint32_t index) {
    if (is_bits_) {
        if (!present_.has_room(index)) present_.make_room(index);
        return &tag_;
    }
    location at = where(index);
    if (!beside_->has_column(at.chunk_number)) at = begin_beside(index);
    return info_.size == 0 ? &tag_ : beside_->value(at);
}

void sparse_set::enter_otherwise(std::uint32_t index) noexcept {
    is_bits_ ? present_.set(index) : beside_->enter(where(index));
}

void sparse_set::erase_otherwise(std::uint32_t index) noexcept {
    if (!is_bits_) return erase_beside(where(index));
    present_.reset(index);
    hidden_.reset(index);
}

void sparse_set::replace_beside(std::uint32_t index, value_buffer& fresh) const noexcept {
    fresh.replace(find_beside(index));
}

/// Each table is copied to the table with the same place among all.
void sparse_set::copy_beside(const sparse_set& from) {
    for (std::size_t t = 0; t < home_->tables().size(); ++t) {
        const table& there = *from.home_->tables()[t];
        table& here = *home_->tables()[t];
        if (!from.may_be_in(there)) continue;
        here.keep_in_place(*beside_);
        for (std::size_t c = 0; c < there.chunks().size(); ++c)
            beside_->copy(*from.beside_, there.chunks()[c]->number(), here.chunks()[c]->number(),
                          there.chunks()[c]->count);
    }
    size_ = from.size_;
}

std::size_t sparse_set::memory_bytes() const {
    return (beside_ ? beside_->memory_bytes() : 0) + places_.memory_bytes() + blocks_.size() * block_bytes() +
           owners_.capacity() * sizeof(entity) + free_.capacity() * sizeof(std::uint32_t) +
           present_.memory_bytes() + hidden_.memory_bytes();
}

} // namespace ecs
