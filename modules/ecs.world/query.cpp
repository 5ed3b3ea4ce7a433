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
    matches_.clear();
    columns_.clear();
    seen_ = 0;
}

void query_core::look_at_new_tables() {
    if (removals_ != store_->removals()) {
        matches_.clear();
        columns_.clear();
        seen_ = 0;
        removals_ = store_->removals();
    }
    for (; seen_ < store_->tables().size(); ++seen_) consider(*store_->tables()[seen_]);
}

void query_core::consider(table& candidate) {
    if (!accepts(candidate)) return;
    std::vector<const column*> chosen;
    add_matches(candidate, 0, chosen);
}

bool query_core::accepts(const table& candidate) const {
    const bool all = std::ranges::all_of(terms_, [&](const term& t) {
        const bool present = candidate.find_match(t.pattern) != table::absent;
        return t.kind == term_kind::with ? present : t.kind != term_kind::without || !present;
    });
    return all && satisfies_any(candidate) && !is_hidden(candidate);
}

bool query_core::satisfies_any(const table& candidate) const {
    bool asked = false;
    for (const term& t : terms_) {
        if (t.kind != term_kind::any_of) continue;
        if (candidate.find_match(t.pattern) != table::absent) return true;
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

void query_core::add_matches(table& candidate, std::size_t next, std::vector<const column*>& chosen) {
    while (next < terms_.size() && !terms_[next].fetched) ++next;
    if (next == terms_.size()) {
        matches_.push_back({&candidate, static_cast<std::uint32_t>(columns_.size())});
        columns_.insert(columns_.end(), chosen.begin(), chosen.end());
        return;
    }
    std::uint32_t position = candidate.find_match(terms_[next].pattern);
    do {
        chosen.push_back(position == table::absent ? nullptr : candidate.column_at(position));
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
        if (position != table::absent) position = candidate.find_match(terms_[next].pattern, position + 1);
    } while (position != table::absent);
}

std::uint64_t query_core::row_mask(const match& m, const chunk& in, std::uint32_t block) const {
    const std::uint32_t rows = in.count - std::min(in.count, block * 64);
    std::uint64_t mask = rows >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
    for (const term& t : terms_) {
        if (t.kind != term_kind::with) continue;
        const std::uint32_t position = m.in->find_match(t.pattern);
        if (position != table::absent) mask &= ~in.disabled->block(position, block);
    }
    return mask;
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
