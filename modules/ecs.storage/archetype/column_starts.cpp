// SPDX-License-Identifier: MIT
// Arrays of starts are made, lengthened, and found by type.
module ecs.storage;
import ecs.std;
import :column_starts;

namespace ecs {

/// Types whose component has no column yet have the array of index 0.
void column_starts::point() noexcept {
    for (std::size_t number = 0; number < by_type_.size(); ++number) {
        const std::vector<std::byte*>& own = arrays_[index_of_type_[number]];
        by_type_[number] = own.empty() ? arrays_[0].data() : own.data();
    }
}

void column_starts::assign(std::uint32_t number, std::uint32_t index) noexcept {
    if (number >= index_of_type_.size() || index >= low_ids) return;
    index_of_type_[number] = static_cast<std::uint8_t>(index);
    point();
}

void column_starts::forget(std::uint32_t index) noexcept {
    if (index >= low_ids) return;
    std::ranges::replace(index_of_type_, static_cast<std::uint8_t>(index), std::uint8_t{0});
    point();
}

void column_starts::copy_types(const column_starts& other) noexcept {
    index_of_type_ = other.index_of_type_;
    point();
}

/// An array that is longer than the others does no harm, should memory run out half-way.
void column_starts::reserve(std::size_t numbers) {
    if (numbers <= room_) return;
    for (std::vector<std::byte*>& each : arrays_) {
        if (each.empty()) continue;
        std::vector<std::byte*> longer(numbers);
        std::ranges::copy(each, longer.begin());
        each.swap(longer);
        point();
    }
    room_ = numbers;
}

void column_starts::reserve(columns all) {
    for (const low_column& c : all) {
        if (!arrays_[c.index].empty()) continue;
        arrays_[c.index].resize(room_);
        point();
    }
}

void column_starts::swap(column_starts& other) noexcept {
    std::swap(room_, other.room_);
    arrays_.swap(other.arrays_);
    by_type_.swap(other.by_type_);
    index_of_type_.swap(other.index_of_type_);
}

} // namespace ecs
