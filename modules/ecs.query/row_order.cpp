// SPDX-License-Identifier: MIT
// Sorts rows, and takes lists of them apart; see row_order.cppm.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

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
            shared = last->archetype->column_of(component);
        }
        values.push_back(shared ? shared->value(row.at()) : in.find(row.owner(), component));
    }
    return values;
}

/// Sorts an order that may hold but for a few rows: where two neighbours are in the wrong order, both are
/// taken out; what was taken out is sorted, and merged with the rest. Linear, but for the sorting.
std::vector<std::uint32_t> mended(std::span<const std::uint32_t> order, const auto& before) {
    std::vector<std::uint32_t> kept, moved;
    kept.reserve(order.size());
    for (const std::uint32_t next : order) {
        if (kept.empty() || !before(next, kept.back())) {
            kept.push_back(next);
        } else {
            moved.insert(moved.end(), {kept.back(), next});
            kept.pop_back();
        }
    }
    std::ranges::sort(moved, before);
    std::vector<std::uint32_t> all(order.size());
    std::ranges::merge(kept, moved, all.begin(), before);
    return all;
}

} // namespace

/// Two neighbours are in order when the first is less than the second; when neither is, the one that the
/// tables had first comes first.
bool row_order::holds(std::span<const found_row> order) const {
    if (!less_ && !less_entity_) return true;
    if (descends_ || (less_ && values_.size() != order.size())) return false;
    for (std::size_t next = 1; next < order.size(); ++next) {
        const std::uint32_t group = order[next - 1].found_in->group;
        if (group < order[next].found_in->group || is_less(order, next - 1, next)) continue;
        if (group > order[next].found_in->group || is_less(order, next, next - 1)) return false;
        if (permutation_[next - 1] > permutation_[next]) return false;
    }
    return true;
}

bool row_order::is_less(std::span<const found_row> order, std::size_t a, std::size_t b) const {
    return less_ ? less_(values_[a], values_[b]) : less_entity_(order[a].owner(), order[b].owner());
}

std::vector<found_row> row_order::sorted(const engine& in, const std::vector<found_row>& found) {
    std::vector<entity> gathered;
    gathered.reserve(found.size());
    for (const found_row& row : found) gathered.push_back(row.owner());
    if (gathered != gathered_) {
        permutation_.resize(found.size());
        std::iota(permutation_.begin(), permutation_.end(), 0U);
        gathered_ = std::move(gathered);
    }
    const std::vector<const void*> values =
        less_ ? values_of(in, found, sorted_by_) : std::vector<const void*>();
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        return less_ ? less_(values[a], values[b]) : less_entity_(gathered_[a], gathered_[b]);
    };
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (found[a].found_in->group != found[b].found_in->group)
            return found[a].found_in->group < found[b].found_in->group;
        return less(a, b) || (a < b && !less(b, a));
    };
    if (!std::ranges::is_sorted(permutation_, before)) permutation_ = mended(permutation_, before);
    std::vector<found_row> order;
    order.reserve(found.size());
    for (const std::uint32_t i : permutation_) order.push_back(found[i]);
    values_.clear();
    if (less_ && !in.rows().sparse_of(sorted_by_))
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

std::uint32_t length_of_run(std::span<const found_row> rows) {
    std::uint32_t length = 1;
    if (rows.front().found_in->open) return length; // Each value may be that of another base.
    const auto continues = [&](const found_row& next) {
        return next.found_in == rows.front().found_in && next.block == rows.front().block &&
               next.row == rows.front().row + length;
    };
    while (length != rows.size() && continues(rows[length])) ++length;
    return length;
}

std::size_t length_of_piece(std::span<const found_row> rows, std::size_t wanted) {
    std::size_t length = std::min(wanted, rows.size());
    while (length != rows.size() && rows[length].owner() == rows[length - 1].owner()) ++length;
    return length;
}

} // namespace ecs
