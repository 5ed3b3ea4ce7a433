// SPDX-License-Identifier: MIT
// Sorted lists of pairs; see relation_pairs.cppm.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

/// A mostly empty array of places costs at most as much as the lists themselves, or a quarter of a megabyte.
constexpr std::size_t places_of_an_edge = 16;
constexpr std::size_t places_of_few = 65'536;

std::span<const entity> owners_in(const chunk& block) { return {block.entities(), block.count}; }

std::span<const link> links_in(const column& links, chunk& block) {
    return {reinterpret_cast<const link*>(links.block(&block)), block.count};
}

} // namespace

void sorted_lists::clear() {
    begins_.assign(1, 0);
    others_.clear();
    keys_.clear();
}

bool sorted_lists::make(std::span<const edge> edges) {
    clear();
    if (edges.empty()) return true;
    std::uint32_t highest = lowest_ = edges.front().first;
    for (const edge& e : edges) {
        lowest_ = std::min(lowest_, e.first);
        highest = std::max(highest, e.first);
    }
    const std::size_t places = std::size_t{highest - lowest_} + 1;
    if (places > places_of_few + places_of_an_edge * edges.size()) return false;
    begins_.resize(places + 1);
    place_lists(edges);
    sort_lists();
    return true;
}

void sorted_lists::place_lists(std::span<const edge> edges) {
    for (const edge& e : edges) ++begins_[e.first - lowest_ + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    others_.resize(edges.size());
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (const edge& e : edges) others_[next[e.first - lowest_]++] = e.second;
}

void sorted_lists::sort_lists() {
    for (std::uint32_t at = 0; at + 1 < begins_.size(); ++at) {
        if (begins_[at] == begins_[at + 1]) continue;
        keys_.push_back(lowest_ + at);
        const std::span<std::uint32_t> list(others_.data() + begins_[at], begins_[at + 1] - begins_[at]);
        if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
    }
}

void relation_pairs::survey(const engine& in) {
    const row_state now = row_state::of(in);
    if (now == surveyed_) return;
    try {
        find_homes(in);
    } catch (...) { // Of the new tables some are known: the next survey begins anew.
        surveyed_ = {};
        throw;
    }
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

/// Looks among the new tables, or among all when some have gone.
void relation_pairs::find_homes(const engine& in) {
    const auto tables = in.rows().tables();
    const bool all = surveyed_.tables == 0 || surveyed_.cache_version != in.rows().cache_version();
    if (all) {
        homes_.clear();
        is_made_ = false; // The lists are those of other tables.
    }
    if (!relation_) return;
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
bool relation_pairs::has_changed(const home& h, position& next) const {
    for (chunk* const block : h.in->chunks()) {
        const auto owners = std::span(owners_).subspan(next.owner, block->count);
        if (!std::ranges::equal(owners_in(*block), owners)) return true;
        next.owner += block->count;
        if (!h.links) continue;
        const auto targets = std::span(linked_).subspan(next.link, block->count);
        if (!std::ranges::equal(links_in(*h.links, *block), targets, {}, &link::target)) return true;
        next.link += block->count;
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
    position next;
    return !std::ranges::any_of(homes_, [&](const home& h) { return has_changed(h, next); });
}

bool relation_pairs::refresh() {
    const bool is_same = is_made_ && (made_ == surveyed_ || is_current());
    if (!is_same) make_lists();
    made_ = surveyed_;
    return has_lists_;
}

void relation_pairs::make_lists() {
    is_made_ = false;
    std::vector<sorted_lists::edge> edges = gather();
    has_lists_ = targets_.make(edges);
    for (sorted_lists::edge& e : edges) std::swap(e.first, e.second);
    has_lists_ = sources_.make(edges) && has_lists_;
    rows_of_homes_.clear();
    for (const home& h : homes_) rows_of_homes_.push_back(h.in->size());
    is_made_ = true;
}

std::vector<sorted_lists::edge> relation_pairs::gather() {
    std::vector<sorted_lists::edge> edges;
    edges.reserve(pairs_);
    owners_.clear();
    linked_.clear();
    for (const home& h : homes_) {
        gather_types(h, edges);
        if (h.links) gather_links(h, edges);
    }
    return edges;
}

void relation_pairs::gather_types(const home& h, std::vector<sorted_lists::edge>& edges) {
    for (const chunk* const block : h.in->chunks())
        for (const entity source : owners_in(*block)) {
            owners_.push_back(source);
            for (const std::uint32_t target : h.targets) edges.emplace_back(index_of(source), target);
        }
}

void relation_pairs::gather_links(const home& h, std::vector<sorted_lists::edge>& edges) {
    for (chunk* const block : h.in->chunks())
        for (std::uint32_t row = 0; row != block->count; ++row) {
            const entity target = links_in(*h.links, *block)[row].target;
            linked_.push_back(target);
            if (target) edges.emplace_back(index_of(block->entities()[row]), index_of(target));
        }
}

void relation_pairs::append_owners(std::vector<entity>& all) const {
    for (const home& h : homes_)
        for (const chunk* const block : h.in->chunks())
            all.insert(all.end(), block->entities(), block->entities() + block->count);
}

} // namespace ecs
