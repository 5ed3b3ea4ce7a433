// SPDX-License-Identifier: MIT
// Sorted lists of pairs; see relation_pairs.cppm.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;
import :relation_pairs;

namespace ecs {

void sorted_lists::make(std::span<const edge> edges) {
    keys_.clear();
    others_.assign(edges.size(), 0);
    if (edges.empty()) {
        begins_.assign(1, 0);
        return;
    }
    lowest_ = ~std::uint32_t{0};
    std::uint32_t highest = 0;
    for (const edge& e : edges) {
        lowest_ = std::min(lowest_, e.first);
        highest = std::max(highest, e.first);
    }
    begins_.assign(highest - lowest_ + 2, 0);
    for (const edge& e : edges) ++begins_[e.first - lowest_ + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (const edge& e : edges) others_[next[e.first - lowest_]++] = e.second;
    for (std::uint32_t at = 0; at + 1 < begins_.size(); ++at) {
        if (begins_[at] == begins_[at + 1]) continue;
        keys_.push_back(lowest_ + at);
        const std::span<std::uint32_t> list(others_.data() + begins_[at], begins_[at + 1] - begins_[at]);
        if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
    }
}

std::size_t sorted_lists::memory_bytes() const {
    return (begins_.capacity() + others_.capacity() + keys_.capacity()) * sizeof(std::uint32_t);
}

void relation_pairs::survey(const engine& in) {
    const row_state now = row_state::of(in);
    if (now == surveyed_) return;
    find_homes(in);
    surveyed_ = now;
    rows_ = pairs_ = 0;
    togglable_ = false;
    for (const home& h : homes_) {
        const std::size_t rows = h.in->size();
        togglable_ |= h.in->togglable();
        rows_ += rows;
        pairs_ += rows * (h.targets.size() + (h.links ? 1 : 0));
    }
}

/// Among the tables that are new, or among all when some have gone.
void relation_pairs::find_homes(const engine& in) {
    const auto tables = in.rows().tables();
    const bool all = surveyed_.tables == 0 || surveyed_.cache_version != in.rows().cache_version();
    if (all) {
        homes_.clear();
        is_made_ = false; // The lists are of other tables.
    }
    const id links = pair(relation_, any);
    for (const std::unique_ptr<table>& candidate : tables.subspan(all ? 0 : surveyed_.tables)) {
        home found{candidate.get(), candidate->linked ? candidate->column_of(links) : nullptr, {}};
        for (const id word : candidate->type())
            if (word.kind() == id_kind::pair && word.relation_index() == index_of(relation_))
                found.targets.push_back(word.target_index());
        if (found.links || !found.targets.empty()) homes_.push_back(std::move(found));
    }
}

/// Whether the rows of the home are not those that the lists were made of, from the next owner on.
bool relation_pairs::has_changed(const home& h, std::size_t& next) const {
    for (chunk* const block : h.in->chunks()) {
        const std::span<const entity> now(block->entities(), block->count);
        if (!std::ranges::equal(now, std::span(owners_).subspan(next, now.size()))) return true;
        if (h.links) {
            const std::span<const link> to(reinterpret_cast<const link*>(h.links->block(block)),
                                           block->count);
            if (!std::ranges::equal(to, std::span(linked_).subspan(next, now.size()), {}, &link::target))
                return true;
        }
        next += now.size();
    }
    return false;
}

/// Homes that have come since have no rows in the lists.
bool relation_pairs::is_current() const {
    const auto same_size = [](const home& h, std::size_t rows) { return h.in->size() == rows; };
    const std::span<const home> known(homes_.data(), rows_of_homes_.size());
    if (!std::ranges::equal(known, rows_of_homes_, same_size)) return false;
    for (const home& h : std::span(homes_).subspan(known.size()))
        if (h.in->size() != 0) return false;
    std::size_t next = 0;
    return !std::ranges::any_of(homes_, [&](const home& h) { return has_changed(h, next); });
}

void relation_pairs::refresh() {
    const bool is_same = is_made_ && (made_ == surveyed_ || is_current());
    made_ = surveyed_;
    if (is_same) return;
    std::vector<sorted_lists::edge> edges;
    edges.reserve(pairs_);
    is_made_ = false;
    gather(edges);
    targets_.make(edges);
    for (sorted_lists::edge& e : edges) std::swap(e.first, e.second);
    sources_.make(edges);
    rows_of_homes_.clear();
    for (const home& h : homes_) rows_of_homes_.push_back(h.in->size());
    is_made_ = true;
}

void relation_pairs::gather(std::vector<sorted_lists::edge>& edges) {
    owners_.clear();
    linked_.clear();
    for (const home& h : homes_)
        for (chunk* const block : h.in->chunks())
            for (std::uint32_t row = 0; row != block->count; ++row) {
                const entity source = block->entities()[row];
                const entity target =
                    h.links ? reinterpret_cast<const link*>(h.links->value({block, row}))->target : entity{};
                owners_.push_back(source);
                linked_.push_back(target);
                if (target) edges.emplace_back(index_of(source), index_of(target));
                for (const std::uint32_t to : h.targets) edges.emplace_back(index_of(source), to);
            }
}

void relation_pairs::append_owners(std::vector<entity>& all) const {
    for (const home& h : homes_)
        for (const chunk* const block : h.in->chunks())
            all.insert(all.end(), block->entities(), block->entities() + block->count);
}

std::size_t relation_pairs::memory_bytes() const {
    return targets_.memory_bytes() + sources_.memory_bytes() +
           (owners_.capacity() + linked_.capacity()) * sizeof(entity);
}

} // namespace ecs
