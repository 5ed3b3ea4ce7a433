// SPDX-License-Identifier: MIT
// Arrays of starts are made, lengthened, and found by type.
module ecs.storage;
import ecs.std;

namespace ecs {

/// Lets each type point to the array of its component. Types whose component has no column yet have the array
/// of index 0.
void column_starts::point() noexcept {
    for (typed& of : by_type_) {
        const std::vector<std::byte*>& own = arrays_[of.component.index()];
        of.starts = own.empty() ? arrays_[0].data() : own.data();
    }
}

void column_starts::assign(std::uint32_t number, entity component) noexcept {
    if (number >= by_type_.size() || component.index() >= low_ids) return;
    by_type_[number] = {{}, component};
    point();
}

void column_starts::forget(entity component) noexcept {
    for (typed& of : by_type_)
        if (of.component == component) of = {};
    point();
}

void column_starts::copy_types(const column_starts& other) noexcept {
    by_type_ = other.by_type_;
    point();
}

/// When memory runs out half-way, an array may be longer than the others, which does no harm.
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
}

} // namespace ecs
