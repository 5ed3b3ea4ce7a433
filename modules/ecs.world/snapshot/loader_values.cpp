// SPDX-License-Identifier: MIT
// Reads the values of a file. Values of ordinary entities are made where they belong. Components and built-in
// entities have rows already: what the file adds is made beside these rows, and moves over.
module ecs.world;
import ecs.std;

namespace ecs {

void loader::read_columns(part& p) {
    for (const std::uint64_t bits : p.raw_words) p.words.push_back(word_of(bits));
    std::vector<id> type = p.words;
    std::ranges::sort(type);
    check_type(type);
    if (!p.known_everywhere) return fill(made_->core().table_of(type), p);
    std::vector<typed_id> typed;
    typed.reserve(type.size());
    for (const id word : type) typed.push_back({word, &made_->rows().record_of(word).info});
    chunk_directory directory;
    table extra(typed, directory);
    fill(extra, p);
    merge(extra);
}

void loader::fill(table& in, const part& p) {
    const std::size_t before = in.size();
    std::vector<snapshot_reader> values(in.columns().size(), snapshot_reader({}));
    for (const id word : p.words)
        if (const column* const c = word.is_wildcard() ? nullptr : in.column_of(word))
            values[static_cast<std::size_t>(c - in.columns().data())] = read_values(*c, p.rows());
    entity_index::near_places places(made_->rows().entities());
    std::size_t row = 0;
    const auto own = [&](std::span<entity> owners, location first) {
        settle(owners, first, p, row, places);
        row += owners.size();
    };
    in.append_rows(p.rows(), own, [&](const column& c, std::byte* to, std::uint32_t rows) {
        return make_values(c, to, rows, values[static_cast<std::size_t>(&c - in.columns().data())]);
    });
    for (const snapshot_reader& read : values)
        if (read.left() != 0) refuse("a column is longer than its rows");
    read_hidden(in, p, before);
}

/// Places the owners of the rows of the part from that row on. Components and built-in entities have their
/// places already.
void loader::settle(std::span<entity> owners, location first, const part& p, std::size_t row,
                    entity_index::near_places& places) {
    if (p.known_everywhere) {
        for (entity& owner : owners) owner = entity_at(p.owner(row++));
        return;
    }
    for (entity& owner : owners) {
        const std::uint32_t index = p.owner(row++);
        owner = places.settle(index, first);
        if (!owner) [[unlikely]]
            refuse_to_settle(index);
        ++first.row;
    }
    settled_ += owners.size();
}

/// Reads the bytes of a column; throws snapshot_error when their number is wrong.
snapshot_reader loader::read_values(const column& c, std::size_t rows) {
    snapshot_reader values(from_.read_bytes(from_.read_count(1)));
    switch (form_of(c.size, c.operations)) {
    case value_form::bytes:
        if (values.left() / c.size != rows || values.left() % c.size != 0)
            refuse("a column has " + std::to_string(values.left()) + " bytes for " + std::to_string(rows) +
                   " values");
        break;
    case value_form::unknown:
        throw snapshot_error(snapshot_refusal::not_savable,
                             "component " + made_->reads().text_of_component(c.component) +
                                 ": nothing says how to load its values: specialise ecs::snapshot_traits, or "
                                 "describe the component with the "
                                 "operations save and load");
    default: break;
    }
    return values;
}

/// Makes the next values, at least one and at most `rows`, and returns how many.
std::uint32_t loader::make_values(const column& c, std::byte* to, std::uint32_t rows,
                                  snapshot_reader& from) const {
    if (c.component.is_wildcard() || form_of(c.size, c.operations) != value_form::bytes) {
        make_value(c, to, from);
        return 1;
    }
    const std::span<const std::byte> bytes = from.read_bytes(std::size_t{rows} * c.size);
    std::memcpy(to, bytes.data(), bytes.size());
    return rows;
}

void loader::make_value(const column& c, std::byte* to, snapshot_reader& from) const {
    if (c.component.is_wildcard())
        ::new (to) link{}; // Until the lists are read.
    else if (form_of(c.size, c.operations) == value_form::written)
        c.operations.load(to, from);
    else
        std::memcpy(to, from.read_bytes(c.size).data(), c.size);
}

void loader::read_hidden(table& in, const part& p, std::size_t first_row) {
    for (std::size_t left = from_.read_count(2 * sizeof(std::uint32_t)); left != 0; --left) {
        const auto row = from_.read<std::uint32_t>();
        const auto place = from_.read<std::uint32_t>();
        if (row >= p.rows() || place >= p.words.size()) refuse("it disables what is not there");
        in.set_disabled(in.position_of(p.words[place]), in.row_at(first_row + row), true);
    }
}

// Components and built-in entities.

/// Moves the rows over, from the last one on, so that what has been moved is forgotten at once.
void loader::merge(table& extra) {
    while (extra.size() != 0) {
        const row_ref last = extra.row_at(extra.size() - 1);
        merge_row(extra, last);
        extra.remove_row(last, made_->rows().entities());
    }
}

/// Whether the file has another target of an exclusive relation, such as a policy. The user may change the
/// policies of built-in relations; the file may not change what a type declares.
bool loader::is_replaced(id known, const table& by) const {
    if (!known.has_relation() || !made_->rows().traits_of(known).any_of(trait::exclusive)) return false;
    return !by.has(known) && std::ranges::any_of(by.type(), [&](id word) {
        return word.has_relation() && word.relation_index() == known.relation_index();
    });
}

void loader::merge_row(table& extra, row_ref row) {
    const entity owner = row.owner();
    const row_ref at = made_->rows().locate(owner);
    table& from = *at.block->owner;
    std::vector<id> type(from.type().begin(), from.type().end());
    const bool is_built_in = low_ids <= index_of(owner) && index_of(owner) < entity_index::first_ordinary;
    std::erase_if(type, [&](id known) { return is_built_in && is_replaced(known, extra); });
    for (const id word : extra.type())
        if (!from.has(word))
            type.insert(std::ranges::lower_bound(type, word), word);
        else if (extra.column_of(word))
            refuse("an entity has a component twice");
    check_exclusive(type);
    const move_plan& along = from.plan_to(made_->core().table_of(type));
    if (extra.togglable() && !along.to->togglable())
        made_->rows().make_togglable(*along.to); // This may throw.
    if (along.to == &from) {
        if (extra.togglable()) extra.copy_toggles(row, at); // The rest is there already.
        return;
    }
    const row_ref to = made_->move(at, along, [&](row_ref fresh) {
        for (const column* const c : along.added)
            c->relocate(c->value(fresh), extra.column_of(c->component)->value(row));
    });
    if (extra.togglable()) extra.copy_toggles(row, to);
}

// Outside tables.

void loader::read_sparse_sets() {
    for (std::size_t left = from_.read_count(4 + 8 + 8); left != 0; --left) read_sparse_set();
}

void loader::read_sparse_set() {
    const entity component = entity_at(from_.read<std::uint32_t>());
    sparse_set* const sparse = made_->rows().sparse_of(component);
    if (!sparse) refuse("a component is outside tables that is always in one");
    struct member_of_sparse_set {
        entity owner;
        bool enabled;
    };
    std::vector<member_of_sparse_set> owners;
    for (std::size_t left = from_.read_count(4 + 1); left != 0; --left) {
        const entity owner = entity_at(from_.read<std::uint32_t>());
        owners.push_back({owner, from_.read<std::uint8_t>() != 0});
    }
    const column like = column_like(component, sparse->info());
    snapshot_reader values = like.size != 0 ? read_values(like, owners.size()) : read_nothing();
    for (const auto& [owner, enabled] : owners) {
        if (sparse->contains(index_of(owner))) refuse("an entity has a component twice");
        std::byte* const to = sparse->reserve(index_of(owner));
        if (like.size != 0) make_value(like, to, values);
        sparse->commit(owner);
        if (!enabled) sparse->set_enabled(index_of(owner), false);
    }
    if (values.left() != 0) refuse("a column is longer than its rows");
}

snapshot_reader loader::read_nothing() {
    if (from_.read_count(1) != 0) refuse("a tag has values");
    return snapshot_reader({});
}

// Lists.

void loader::read_lists() {
    for (std::size_t left = from_.read_count(4 + 8); left != 0; --left) {
        const entity relation = entity_at(from_.read<std::uint32_t>());
        if (!made_->rows().traits_of(relation).any_of(trait::non_fragmenting))
            refuse("a relation has lists that keeps none");
        for (std::size_t targets = from_.read_count(4 + 8); targets != 0; --targets) read_list(relation);
    }
}

void loader::read_list(entity relation) {
    const entity target = entity_at(from_.read<std::uint32_t>());
    for (std::size_t left = from_.read_count(4); left != 0; --left)
        link_source(relation, target, entity_at(from_.read<std::uint32_t>()));
}

void loader::link_source(entity relation, entity target, entity source) {
    std::byte* const value = store::value_at(made_->rows().locate(source), pair(relation, any));
    if (!value) refuse("a list has an entity that has no target");
    link& own = *reinterpret_cast<link*>(value);
    if (own.target) refuse("an entity is on two lists");
    own = {target, made_->rows().lists().of(index_of(relation)).append(index_of(target), source)};
    made_->rows().entities().mark_used_as_id(index_of(target));
    ++links_;
}

} // namespace ecs
