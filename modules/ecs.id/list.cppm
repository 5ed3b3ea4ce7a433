// SPDX-License-Identifier: MIT
// The few loops that proofs are made of. They are written out because the standard's, with all that
// <algorithm> brings, would cost an importer more than the rest of the module; docs/ids.md has the
// measurement.
export module ecs.id:list;
import ecs.std;

namespace ecs {

template <class T> constexpr const T& smaller_of(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& larger_of(const T& a, const T& b) { return a < b ? b : a; }

/// Position of the first item that satisfies the predicate; the number of items when none does.
constexpr std::size_t position_in(const auto& items, auto wanted) {
    std::size_t position = 0;
    while (position < items.size() && !wanted(items[position])) ++position;
    return position;
}

/// Whether the law holds for every item.
constexpr bool all_items(const auto& items, auto law) {
    return position_in(items, [&law](const auto& item) { return !law(item); }) == items.size();
}

/// Whether the law holds for every two items.
constexpr bool all_pairs(const auto& items, auto law) {
    for (std::size_t a = 0; a < items.size(); ++a)
        for (std::size_t b = a + 1; b < items.size(); ++b)
            if (!law(items[a], items[b])) return false;
    return true;
}

/// The items in the order that the comparison says; stable.
constexpr auto sorted(auto items, auto comes_before) {
    for (std::size_t end = 1; end < items.size(); ++end)
        for (std::size_t i = end; i > 0 && comes_before(items[i], items[i - 1]); --i) {
            const auto item = items[i];
            items[i] = items[i - 1];
            items[i - 1] = item;
        }
    return items;
}

} // namespace ecs
