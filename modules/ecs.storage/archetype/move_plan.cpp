// SPDX-License-Identifier: MIT
// What is planned once for rows that go from one table to another.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

std::uint64_t key_of(const table& t) { return reinterpret_cast<std::uintptr_t>(&t); }

/// The positions of what the table has and the other has not.
std::vector<std::uint32_t> positions_alone(const table& in, const table& other) {
    std::vector<std::uint32_t> alone;
    for (std::uint32_t position = 0; position != in.type().size(); ++position)
        if (const id word = in.type()[position]; !word.is_wildcard() && !other.has(word))
            alone.push_back(position);
    return alone;
}

} // namespace

void word_moves::assign(const byte_columns& along, const byte_columns& staying) noexcept {
    all_.clear();
    const auto put = [&](byte_columns::columns some) { // There is room: see plan of :table.
        for (const byte_column& c : some) all_.push_back({c.from, c.to});
        return all_.size();
    };
    const std::array ends{put(along.eights()), put(along.fours()), put(staying.eights()),
                          put(staying.fours())};
    first_ = all_.data();
    fours_ = first_ + ends[0];
    staying_ = first_ + ends[1];
    staying_fours_ = first_ + ends[2];
    end_ = first_ + ends[3];
}

void move_plan::measure() noexcept {
    plain.assign([&](std::span<byte_column> all) {
        for (std::size_t c = 0; c < all.size(); ++c)
            all[c] = {kept[c].from->offset, kept[c].to->offset, kept[c].to->size};
    });
    stays.assign([&](std::span<byte_column> all) {
        std::size_t staying = 0;
        for (const column& c : from->columns())
            if (!c.operations.relocate && !to->has(c.component))
                all[staying++] = {c.offset, c.offset, c.size};
    });
    words.assign(plain, stays);
    added_start = added.empty() ? 0 : added.front()->offset;
}

/// What a row keeps is no matter for queries and observers, as long as nothing is inherited.
bool move_plan::has_to_be_told() const {
    const auto is_of_a_family = [](const table* t) { return t->inherits || t->inherited; };
    return tracked && (is_of_a_family(from) || is_of_a_family(to) || from->tracks_more_than(*to) ||
                       to->tracks_more_than(*from));
}

/// Disabled bits, values in place and links to objects follow the row, and observers are told; a plan to the
/// same table moves nothing. The bits of the other table need no attention: a free row has none set.
void move_plan::review() noexcept {
    measure();
    tracked = from->tracked || to->tracked;
    told = has_to_be_told();
    const bool all_plain = plain.size() + stays.size() == from->columns().size() && dropped.empty();
    const bool has_beside = from->togglable() || !from->in_place().empty();
    bare = all_plain && to != from && !has_beside && !from->holds_objects;
    const bool has_rows = !from->is_rowless() && !to->is_rowless();
    bare_words = bare && has_rows && plain.are_words() && stays.are_words();
    trivial = bare && !told;
    in_words = trivial && bare_words;
    in_words_alone = in_words && added.empty();
    from_no_row = trivial && from->is_rowless() && !to->is_rowless();
}

void move_plan::note_changes() const {
    row_changes noted{positions_alone(*to, *from), positions_alone(*from, *to)};
    changes_ = std::make_unique<const row_changes>(std::move(noted));
}

move_plan* table_edges::to(const table& there) const {
    const std::unique_ptr<move_plan>* const known = plans_.find(key_of(there));
    return known ? known->get() : nullptr;
}

move_plan& table_edges::open(std::unique_ptr<move_plan> made) {
    table& from = *made->from;
    table& there = *made->to;
    there.edges.arrivals_[key_of(from)] = &from;
    try {
        return *(plans_[key_of(there)] = std::move(made));
    } catch (...) {
        there.edges.arrivals_.erase(key_of(from));
        throw;
    }
}

const move_plan& table_edges::add_edge(edge_kind kind, id key, move_plan& along) {
    along.led_by.emplace_back(kind, key); // First: an edge that is not on the list would outlive its table.
    edges(kind)[key.value()] = &along;
    return along;
}

const move_plan* table_edges::look_up(edge_kind kind, id word) {
    // Lists of identifiers have keys of this kind, which no caller may reach by a word; they get no shortcut.
    if (word.kind() == id_kind::null) return nullptr;
    const move_plan* const known = find(kind, word);
    if (!known) return nullptr;
    shortcut_of(kind, word) = {word, known, known->in_words_alone ? known : nullptr, known->to};
    return known;
}

void table_edges::forget_edges() noexcept {
    shortcuts_ = {};
    for (edge_map& map : edges_) map.clear();
    for_each([](move_plan& plan) { plan.led_by.clear(); });
}

void table_edges::review(const table& changed) noexcept {
    shortcuts_ = {};
    for_each([](move_plan& plan) { plan.review(); });
    arrivals_.for_each([&](std::uint64_t, table* from) {
        from->edges.shortcuts_ = {};
        from->edges.to(changed)->review();
    });
}

void table_edges::forget(const table& gone) noexcept {
    const move_plan* const plan = to(gone);
    if (!plan) return;
    shortcuts_ = {};
    for (const auto& [kind, key] : plan->led_by) edges(kind).erase(key.value());
    plans_.erase(key_of(gone));
}

void table_edges::close(const table& gone) noexcept {
    arrivals_.for_each([&](std::uint64_t, table* from) {
        if (from != &gone) from->edges.forget(gone);
    });
    for_each([&](const move_plan& plan) {
        if (plan.to != &gone) plan.to->edges.arrivals_.erase(key_of(gone));
    });
}

} // namespace ecs
