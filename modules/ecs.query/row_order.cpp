// SPDX-License-Identifier: MIT
// Sorts rows, and takes lists of them apart; see row_order.cppm.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

std::vector<listed_place> number_places(std::span<found_row> rows) {
    std::vector<listed_place> places;
    for (found_row& row : rows) {
        if (places.empty() || places.back().block != row.block || places.back().found_in != row.found_in)
            places.push_back({row.found_in, row.block});
        row.place = static_cast<std::uint32_t>(places.size() - 1);
    }
    return places;
}

void row_list::assign(std::vector<listed_place> places, std::span<const found_row> rows,
                      std::optional<version> of) {
    version_.reset();
    places_ = std::move(places);
    rows_.clear();
    rows_.reserve(rows.size());
    for (const found_row& row : rows) rows_.push_back({row.place, static_cast<std::uint16_t>(row.row), 1});
    const auto continues = [&](const listed_row& row, const listed_row& next) {
        // Where tables are open, each value may be that of another base.
        return next.row == row.row + 1 && next.place == row.place && !places_[row.place].found_in->open;
    };
    for (std::size_t at = rows_.size(); at-- > 1;)
        if (continues(rows_[at - 1], rows_[at]))
            rows_[at - 1].run = static_cast<std::uint16_t>(rows_[at].run + 1);
    version_ = of;
}

void row_order::sort_by(id component, comparison less) {
    sorted_by_ = component;
    less_ = std::move(less);
    less_entity_ = nullptr;
    forget();
}

void row_order::sort_by(entity_comparison less) {
    less_entity_ = std::move(less);
    less_ = nullptr;
    forget();
}

void row_order::cascade(entity relation) {
    descends_ = relation;
    forget();
}

void row_order::forget() {
    gathered_.clear();
    permutation_.clear();
    values_.clear();
}

std::vector<found_row> row_order::put(const engine& in, std::vector<found_row> found) {
    if (less_ || less_entity_) found = sorted(in, found);
    return descends_ ? by_depth(in, found) : found;
}

namespace {

/// Where the rows have their values of the component: a column that several rows share is looked for once.
std::vector<const void*> values_of(const engine& in, std::span<const found_row> found, id component) {
    std::vector<const void*> values;
    values.reserve(found.size());
    const match* last = nullptr;
    const column* shared = nullptr;
    for (const found_row& row : found) {
        if (row.found_in != last) {
            last = row.found_in;
            shared = component.is_wildcard() ? nullptr : last->archetype->column_of(component); // Of targets.
        }
        values.push_back(shared ? shared->value(row.at()) : in.find(row.owner(), component));
    }
    return values;
}

std::vector<std::uint32_t> numbers_below(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

/// Where each of the entities stands, by its index; `absent` at indices of others. Empty where that would be
/// a long list for few entities, or an entity stands in several places.
std::vector<std::uint32_t> places_of(std::span<const entity> all) {
    constexpr std::uint32_t indices_of_one = 16;
    std::uint32_t last = 0;
    for (const entity e : all) last = std::max(last, index_of(e));
    if (last / indices_of_one > all.size()) return {};
    std::vector<std::uint32_t> places(std::size_t{last} + 1, table::absent);
    for (std::uint32_t at = 0; at != all.size(); ++at)
        if (std::exchange(places[index_of(all[at])], at) != table::absent) return {};
    return places;
}

/// An order of the entities in which those that were there before come first, in the order that they had.
/// Linear.
std::vector<std::uint32_t> carried_over(std::span<const entity> before, std::span<const std::uint32_t> order,
                                        std::span<const entity> now) {
    std::vector<std::uint32_t> places = places_of(now);
    std::vector<std::uint32_t> all;
    all.reserve(now.size());
    const auto take = [&](entity e) {
        if (index_of(e) >= places.size()) return;
        std::uint32_t& at = places[index_of(e)];
        if (at != table::absent && now[at] == e) all.push_back(std::exchange(at, table::absent));
    };
    for (const std::uint32_t place : order) take(before[place]);
    std::ranges::for_each(now, take);
    return all.size() == now.size() ? all : numbers_below(now.size());
}

/// How many of the order, from the first on, are in order.
std::size_t count_in_order(std::span<const std::uint32_t> order, const auto& before) {
    std::size_t sorted = order.empty() ? 0 : 1;
    while (sorted < order.size() && !before(order[sorted], order[sorted - 1])) ++sorted;
    return sorted;
}

/// Sorts an order that may hold but for a few rows: where two neighbours are in the wrong order, both are
/// taken out; what was taken out is sorted, and merged with the rest. Linear, but for the sorting.
std::vector<std::uint32_t> mended(std::vector<std::uint32_t> order, const auto& before) {
    const std::size_t sorted = count_in_order(order, before);
    if (sorted == order.size()) return order;
    std::vector<std::uint32_t> kept, moved;
    kept.reserve(order.size());
    kept.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(sorted));
    for (const std::uint32_t next : std::span(order).subspan(sorted)) {
        if (kept.empty() || !before(next, kept.back())) {
            kept.push_back(next);
        } else {
            moved.insert(moved.end(), {kept.back(), next});
            kept.pop_back();
        }
    }
    std::ranges::sort(moved, before);
    std::ranges::merge(kept, moved, order.begin(), before);
    return order;
}

} // namespace

bool row_order::holds(const listed_rows& order) const {
    if (!less_ && !less_entity_) return true;
    if (descends_ || (less_ && values_.size() != order.size())) return false;
    for (std::size_t at = 0; at + 1 < order.size(); ++at) {
        at += count_following(order, at);
        if (at + 1 < order.size() && !is_followed(order, at)) return false;
    }
    return true;
}

/// Whether the row behind that one may follow it. Groups are in their order: a row that changes its group
/// changes its table.
bool row_order::is_followed(const listed_rows& order, std::size_t at) const {
    if (order.match_of(at).group != order.match_of(at + 1).group || is_less(order, at, at + 1)) return true;
    return permutation_[at] < permutation_[at + 1] && !is_less(order, at + 1, at);
}

/// How many rows after `first` are known to be in order without a look at their groups. A lower bound: only
/// the beginning is looked at.
std::size_t row_order::count_following(const listed_rows& order, std::size_t first) const {
    constexpr std::size_t long_run = 16, together = 4096;
    if (!less_) return 0;
    if (const std::size_t run = order.run_of(first); run >= long_run) {
        const auto address = [&](std::size_t at) { return static_cast<const std::byte*>(values_[at]); };
        return less_->count_following(values_[first], address(first + 1) - address(first), run);
    }
    const std::size_t looked_at = std::min(together, order.size() - first);
    return less_->count_following(std::span(values_).subspan(first, looked_at),
                                  std::span(permutation_).subspan(first, looked_at));
}

bool row_order::is_less(const listed_rows& order, std::size_t a, std::size_t b) const {
    return less_ ? less_->is_less(values_[a], values_[b]) : less_entity_(order[a].owner(), order[b].owner());
}

/// Begins with the order that those had who were found before.
void row_order::gather(const std::vector<found_row>& found) {
    std::vector<entity> gathered;
    gathered.reserve(found.size());
    for (const found_row& row : found) gathered.push_back(row.owner());
    if (gathered == gathered_) return;
    permutation_ = carried_over(gathered_, permutation_, gathered);
    gathered_ = std::move(gathered);
}

std::vector<found_row> row_order::sorted(const engine& in, const std::vector<found_row>& found) {
    gather(found);
    const std::vector<const void*> values =
        less_ ? values_of(in, found, sorted_by_) : std::vector<const void*>();
    const bool are_there = std::ranges::find(values, nullptr) == values.end(); // Some pairs have no values.
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        if (!less_) return less_entity_(gathered_[a], gathered_[b]);
        return are_there ? less_->is_less(values[a], values[b])
                         : values[a] && (!values[b] || less_->is_less(values[a], values[b]));
    };
    const auto group_of = [&](std::uint32_t at) { return found[at].found_in->group; };
    const bool has_groups =
        std::ranges::any_of(found, [&](const found_row& row) { return row.found_in->group != group_of(0); });
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (has_groups && group_of(a) != group_of(b)) return group_of(a) < group_of(b);
        return less(a, b) || (a < b && !less(b, a));
    };
    permutation_ = mended(permutation_, before); // A copy is mended: a comparison may throw.
    std::vector<found_row> order;
    order.reserve(found.size());
    for (const std::uint32_t i : permutation_) order.push_back(found[i]);
    values_.clear();
    if (less_ && are_there && !in.rows().sparse_of(sorted_by_))
        for (const std::uint32_t i : permutation_) values_.push_back(values[i]);
    return order;
}

/// Sorts by counting, so that rows of one depth stay in their order.
std::vector<found_row> row_order::by_depth(const engine& in, const std::vector<found_row>& order) const {
    depth_cache depths(in, descends_);
    std::vector<std::uint32_t> depth;
    depth.reserve(order.size());
    for (const found_row& row : order) depth.push_back(depths.of(row.owner()));
    std::vector<std::size_t> place(order.empty() ? 0 : std::ranges::max(depth) + 2);
    for (const std::uint32_t d : depth) ++place[d + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<found_row> placed(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) placed[place[depth[i]]++] = order[i];
    return placed;
}

std::size_t length_of_piece(const listed_rows& rows, std::size_t wanted) {
    std::size_t length = std::min(wanted, rows.size());
    while (length != rows.size() && rows[length].owner() == rows[length - 1].owner()) ++length;
    return length;
}

} // namespace ecs
