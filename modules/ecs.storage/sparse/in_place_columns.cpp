// SPDX-License-Identifier: MIT
// Memory beside chunks, and what becomes of the values in it.
module ecs.storage;
import ecs.std;

namespace ecs {

in_place_columns::~in_place_columns() {
    for (std::uint32_t number = 0; number < by_chunk_.size(); ++number) drop(number);
}

/// The alignment of a block: the bits begin it, and the values begin on a cache line.
std::size_t in_place_columns::alignment() const { return std::max(cache_line, info_.alignment); }

std::size_t in_place_columns::start_of_values(std::uint32_t rows) const {
    return (bytes_of_bits(rows) + alignment() - 1) / alignment() * alignment();
}

std::size_t in_place_columns::bytes_for(std::uint32_t rows) const {
    return start_of_values(rows) + std::size_t{rows} * info_.size;
}

in_place_columns::beside_chunk in_place_columns::allocate(std::uint32_t rows) const {
    auto* const made =
        static_cast<std::byte*>(::operator new(bytes_for(rows), std::align_val_t{alignment()}));
    std::memset(made, 0, bytes_of_bits(rows));
    return {reinterpret_cast<std::uint64_t*>(made), made + start_of_values(rows), rows};
}

void in_place_columns::release(beside_chunk& gone) const noexcept {
    ::operator delete(static_cast<void*>(gone.bits), std::align_val_t{alignment()});
    gone = {};
}

void in_place_columns::relocate_value(std::byte* to, std::byte* from) const noexcept {
    if (info_.operations.relocate)
        info_.operations.relocate(to, from);
    else
        std::memcpy(to, from, info_.size);
}

void in_place_columns::relocate(location from, location to) noexcept {
    relocate_value(value(to), value(from));
    enter(to);
    set_hidden(to, !shows(from));
    forget(from);
}

void in_place_columns::make_room(std::uint32_t chunk_number, std::uint32_t rows) {
    if (chunk_number >= by_chunk_.size())
        by_chunk_.resize(std::max<std::size_t>(chunk_number + 1, 2 * by_chunk_.size()));
    beside_chunk& here = by_chunk_[chunk_number];
    if (here.rows >= rows) return;
    beside_chunk larger = allocate(rows);
    if (here.bits) {
        for_each_row_with(here.bits, here.rows, [&](std::uint32_t row) {
            relocate_value(larger.values + row * info_.size, here.values + row * info_.size);
        });
        std::copy_n(here.bits, bytes_of_bits(here.rows) / sizeof(std::uint64_t), larger.bits);
        release(here);
    }
    here = larger;
}

bool in_place_columns::is_used(std::uint32_t chunk_number) const {
    bool used = false;
    if (has_column(chunk_number))
        for_each_row_with(by_chunk_[chunk_number].bits, by_chunk_[chunk_number].rows,
                          [&](std::uint32_t) { used = true; });
    return used;
}

void in_place_columns::drop(std::uint32_t chunk_number) noexcept {
    if (!has_column(chunk_number)) return;
    beside_chunk& gone = by_chunk_[chunk_number];
    if (info_.operations.destroy)
        for_each_row_with(gone.bits, gone.rows,
                          [&](std::uint32_t row) { info_.operations.destroy(value({chunk_number, row})); });
    release(gone);
}

/// Sets a bit as soon as its value is made: then the value is ended if the next copy throws.
void in_place_columns::copy(const in_place_columns& from, std::uint32_t from_number,
                            std::uint32_t chunk_number, std::uint32_t rows) {
    for_each_row_with(from.words_of({from_number, 0}), rows, [&](std::uint32_t row) {
        const location there{from_number, row};
        const location here{chunk_number, row};
        if (info_.operations.copy)
            info_.operations.copy(value(here), from.value(there));
        else
            std::memcpy(value(here), from.value(there), info_.size);
        enter(here);
        set_hidden(here, !from.shows(there));
    });
}

std::size_t in_place_columns::memory_bytes() const {
    std::size_t bytes = by_chunk_.capacity() * sizeof(beside_chunk);
    for (const beside_chunk& each : by_chunk_)
        if (each.bits) bytes += bytes_for(each.rows);
    return bytes;
}

} // namespace ecs
