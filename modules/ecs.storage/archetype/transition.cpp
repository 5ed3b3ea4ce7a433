// SPDX-License-Identifier: MIT
// What is planned once for rows that go from one table to another.
module ecs.storage;
import ecs.std;
import :table;
import :transition;

namespace ecs {

namespace {

std::uint64_t key_of(const table& t) { return reinterpret_cast<std::uintptr_t>(&t); }

} // namespace

void transition::measure() noexcept {
    for (std::size_t c = 0; c < plain.size(); ++c)
        plain[c] = {kept[c].from->offset, kept[c].to->offset, kept[c].to->size};
    std::size_t staying = 0;
    for (const column& c : from->columns())
        if (!c.operations.relocate && !to->has(c.component)) stays[staying++] = {c.offset, c.offset, c.size};
}

/// Disabled bits and links to objects follow the row, and observers are told; a way to the same table
/// moves nothing. Bits of the other table need no attention: a row that is free has none set.
void transition::review() noexcept {
    measure();
    watched = from->watched || to->watched;
    const bool all_plain = plain.size() + stays.size() == from->columns().size() && dropped.empty();
    bare = all_plain && to != from && !watched && !from->togglable() && !from->holds_objects;
}

transition* way_book::to(const table& there) const {
    const std::unique_ptr<transition>* const known = ways_.find(key_of(there));
    return known ? known->get() : nullptr;
}

transition& way_book::open(std::unique_ptr<transition> made) {
    table& from = *made->from;
    table& there = *made->to;
    there.ways.arrivals_[key_of(from)] = &from;
    try {
        return *(ways_[key_of(there)] = std::move(made));
    } catch (...) {
        there.ways.arrivals_.erase(key_of(from));
        throw;
    }
}

const transition& way_book::lead(edge_kind kind, id key, transition& along) {
    along.led_by.emplace_back(kind, key); // First: an edge that is not on the list would outlive its table.
    edges(kind)[key.value()] = &along;
    return along;
}

void way_book::forget_edges() noexcept {
    for (edge_map& map : edges_) map.clear();
    for_each([](transition& way) { way.led_by.clear(); });
}

void way_book::review(const table& changed) noexcept {
    for_each([](transition& way) { way.review(); });
    arrivals_.for_each([&](std::uint64_t, const table* from) { from->ways.to(changed)->review(); });
}

void way_book::forget(const table& gone) noexcept {
    const transition* const way = to(gone);
    if (!way) return;
    for (const auto& [kind, key] : way->led_by) edges(kind).erase(key.value());
    ways_.erase(key_of(gone));
}

void way_book::close(const table& gone) noexcept {
    arrivals_.for_each([&](std::uint64_t, table* from) {
        if (from != &gone) from->ways.forget(gone);
    });
    for_each([&](const transition& way) {
        if (way.to != &gone) way.to->ways.arrivals_.erase(key_of(gone));
    });
}

} // namespace ecs
