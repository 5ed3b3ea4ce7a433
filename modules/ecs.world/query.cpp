// SPDX-License-Identifier: MIT
module;
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>
module ecs.world;
import :query;

namespace ecs {

void query_core::add_term(const term& t) {
    terms_.push_back(t);
    if (t.pattern.is_pair()) terms_.back().target = store_->entities().at(t.pattern.target_index());
    forget_matches();
}

void query_core::forget_matches() {
    matches_.clear();
    columns_.clear();
    fetches_.clear();
    seen_ = 0;
}

void query_core::look_at_new_tables() {
    if (removals_ != store_->removals() || meanings_ != store_->meanings()) {
        forget_matches();
        removals_ = store_->removals();
        meanings_ = store_->meanings();
    }
    for (; seen_ < store_->tables().size(); ++seen_) consider(*store_->tables()[seen_]);
}

void query_core::consider(table& candidate) {
    if (!accepts(candidate)) return;
    std::vector<fetch> chosen;
    add_matches(candidate, 0, chosen);
}

bool query_core::accepts(const table& candidate) const {
    const bool all = std::ranges::all_of(terms_, [&](const term& t) {
        const presence found = presence_of(t, candidate);
        if (t.kind == term_kind::with) return found != presence::no;
        return t.kind != term_kind::without || found == presence::no || found == presence::by_row;
    });
    return all && satisfies_any(candidate) && !is_hidden(candidate);
}

presence query_core::presence_of(const term& t, const table& candidate) const {
    const bool ended =
        t.pattern.is_pair() && t.pattern.target_index() != 0 && !store_->entities().alive(t.target);
    return ended ? presence::no : store_->presence_in(candidate, t.pattern);
}

/// Asks the terms that the table leaves open.
bool query_core::accepts_row(const match& m, entity e) const {
    bool asked = false;
    bool found_any = false;
    for (const term& t : terms_) {
        const presence found = t.kind == term_kind::optional ? presence::no : presence_of(t, *m.in);
        const bool has = found == presence::by_row ? store_->has(e, t.pattern) : found != presence::no;
        if (t.kind == term_kind::with && !has) return false;
        if (t.kind == term_kind::without && has) return false;
        asked |= t.kind == term_kind::any_of;
        found_any |= t.kind == term_kind::any_of && has;
    }
    return found_any || !asked;
}

bool query_core::satisfies_any(const table& candidate) const {
    bool asked = false;
    for (const term& t : terms_) {
        if (t.kind != term_kind::any_of) continue;
        if (presence_of(t, candidate) != presence::no) return true;
        asked = true;
    }
    return !asked;
}

/// Prefabs and disabled entities are passed over unless a term asks for them.
bool query_core::is_hidden(const table& candidate) const {
    return std::ranges::any_of(std::array{id(prefab_tag), id(disabled)}, [&](id tag) {
        return candidate.has(store_->localize(tag)) && !mentions(store_->localize(tag));
    });
}

bool query_core::mentions(id word) const {
    return std::ranges::any_of(terms_, [&](const term& t) { return t.pattern == word; });
}

void query_core::add_matches(table& candidate, std::size_t next, std::vector<fetch>& chosen) {
    while (next < terms_.size() && !terms_[next].fetched) ++next;
    if (next == terms_.size()) return add_match(candidate, chosen);
    const id pattern = terms_[next].pattern;
    std::uint32_t position = pattern ? candidate.find_match(pattern) : table::absent;
    if (position == table::absent) {
        const entity from = pattern && candidate.inherits ? store_->base_with(candidate, pattern) : entity{};
        chosen.push_back({nullptr, from, from ? pattern : id{}});
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    }
    for (; position != table::absent; position = candidate.find_match(pattern, position + 1)) {
        chosen.push_back({candidate.column_at(position), {}, candidate.type()[position]});
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    }
}

void query_core::add_match(table& candidate, const std::vector<fetch>& chosen) {
    const bool by_row = std::ranges::any_of(terms_, [&](const term& t) {
        return t.kind != term_kind::optional && presence_of(t, candidate) == presence::by_row;
    });
    const bool inherits = std::ranges::any_of(chosen, [](const fetch& f) { return bool(f.base); });
    matches_.push_back({&candidate, static_cast<std::uint32_t>(columns_.size()), by_row, inherits});
    for (const fetch& f : chosen) columns_.push_back(f.from);
    fetches_.insert(fetches_.end(), chosen.begin(), chosen.end());
}

std::uint64_t query_core::row_mask(const match& m, const chunk& in, std::uint32_t block) const {
    const std::uint32_t rows = in.count - std::min(in.count, block * 64);
    std::uint64_t mask = rows >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
    if (m.in->togglable()) mask &= ~disabled_rows(m, in, block);
    if (m.by_row)
        for (std::uint64_t open = mask; open != 0; open &= open - 1) {
            const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
            if (!accepts_row(m, in.entities()[block * 64 + row])) mask &= ~(std::uint64_t{1} << row);
        }
    return mask;
}

std::uint64_t query_core::disabled_rows(const match& m, const chunk& in, std::uint32_t block) const {
    std::uint64_t hidden = 0;
    for (const term& t : terms_) {
        if (t.kind != term_kind::with) continue;
        const std::uint32_t position = m.in->find_match(t.pattern);
        if (position != table::absent) hidden |= in.disabled->block(position, block);
    }
    return hidden;
}

std::size_t query_core::count() {
    refresh();
    std::size_t total = 0;
    for (const match& m : matches_) {
        if (!has_hidden_rows(m))
            total += m.in->size();
        else
            for (const chunk* const in : m.in->chunks())
                for (std::uint32_t block = 0; block * 64 < in->count; ++block)
                    total += static_cast<std::size_t>(std::popcount(row_mask(m, *in, block)));
    }
    return total;
}

} // namespace ecs
