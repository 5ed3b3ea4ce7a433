// SPDX-License-Identifier: MIT
// Relations that keep the target in a column, and lists of sources for each target. What may fail comes
// first: room in the list, the row to come, the pair's value. Then links are written and lists are left,
// which cannot fail.
module ecs.structure;
import ecs.std;
import ecs.storage;

namespace ecs {

namespace {

/// Traits that link_quickly minds, or that concern others than the entity that gets a target.
constexpr std::uint32_t quick_traits =
    bits_of(trait::exclusive, trait::acyclic, trait::non_fragmenting, trait::ordered, trait::on_delete,
            trait::on_delete_target, trait::inheritable, trait::relation_only);

} // namespace

/// Makes a copy of what the entity inherits so far, or a default value. The base is asked when there is room
/// for the value: its own row may have moved for that.
structure::value_maker structure::maker_of_beginning(entity e, id word) const {
    const component_info facts = rows_.info_of_id(word);
    if (facts.size == 0) return {};
    return [=, this](std::byte* to) {
        const store::write_lock holding(rows_); // The place is reserved.
        const column like = column_like(word, facts);
        const std::byte* const inherited = reads_.find_elsewhere(rows_.locate(e), word);
        inherited&& like.operations.copyable ? like.copy(to, inherited) : like.construct(to);
    };
}

/// The usual addition to a hierarchy, by an edge that is known. The entity has no sources of its own (so no
/// cycle can arise) and no name, and the parent is no prefab. In any other case it returns false and has
/// changed nothing.
bool structure::link_quickly(row_ref at, id word) {
    const table& from = *at.block->owner;
    if (word.kind() != id_kind::pair) return false;
    const move_plan* const known = from.edges.find(edge_kind::linking, with_any_target(word));
    if (!known || known->tracked || from.named) return false;
    const entity e = at.owner();
    const entity target = rows_.entities().at(word.target_index());
    if (rows_.entities().is_used_as_id(e) || !target || target == e ||
        pair(child_of, target).target_generation() != word.target_generation())
        return false;
    const row_ref above = rows_.locate(target);
    if (!above || above.block->owner->prefab || above.block->owner->no_target) return false;
    if (known->to == &from) return relink_quickly(at, with_any_target(word), target);
    if (!known->lists) return false;
    move(at, *known, [&](row_ref to) {
        ::new (known->added.front()->value(to)) link{target, known->lists->append(word.target_index(), e)};
    });
    rows_.entities().mark_used_as_id(word.target_index());
    return true;
}

/// The same for an entity that has another target.
bool structure::relink_quickly(row_ref at, id key, entity target) {
    const column& links = *at.block->owner->column_of(key);
    link& present = *reinterpret_cast<link*>(links.value(at));
    if (present.target == target || at.block->owner->inherited || at.block->owner->prefab) return false;
    const std::uint32_t position =
        rows_.lists().of(key.relation_index()).append(index_of(target), at.owner());
    rows_.leave_list(at, key, links);
    present = {target, position};
    at.block->owner->note_row_change();
    rows_.entities().mark_used_as_id(index_of(target));
    return true;
}

add_result structure::link_to(entity e, id word, const value_maker& make) {
    const row_ref at = rows_.locate(e);
    const id key = with_any_target(word);
    const entity before = store::linked_target(at, key);
    const entity target = rows_.entities().at(word.target_index());
    if (before == target) {
        if (make) place_link(at, key, target, make);
        return complete(e, word);
    }
    events_.reserve_ticks(e);
    source_lists& lists = rows_.lists().of(word.relation_index());
    lists.reserve(index_of(target), 1);
    try {
        place_link(at, key, target, make);
    } catch (...) {
        lists.trim(index_of(target));
        throw;
    }
    rows_.entities().mark_used_as_id(index_of(target));
    finish_link(e, word, before, target);
    return finish_add(e, word);
}

/// The entity has the target, in place of another one or of none: what depends on that follows.
void structure::finish_link(entity e, id word, entity before, entity target) {
    const bool is_parent = word.relation_index() == child_of.index();
    const id left = before ? pair(rows_.entities().at(word.relation_index()), before) : id{};
    if (is_parent) rows_.rescope_name(e, before, target);
    outdate_what_follows(e, word);
    if (left) outdate_what_follows(e, left);
    events_.announce_link(event::added, e, word);
    if (is_parent) share_mark(e, target); // Last, because it may fail, and is made up for by the same call.
    if (left && events_.has_observers()) events_.announce_match(event::matching, e, left);
}

/// The same for a value that was given.
add_result structure::link_with(entity e, id word, value_constructor make) {
    value_write writing(events_, e, {&word, 1});
    const add_result result = link_to(e, word, [make](std::byte* to) { make(to); });
    if (succeeded(result)) writing.tell();
    return result;
}

/// The same for the value that the pair begins with.
add_result structure::link_from_beginning(entity e, id word) {
    const value_maker make = maker_of_beginning(e, word);
    return begins_with_copy(rows_.locate(e), word) ? link_with(e, word, make) : link_to(e, word, make);
}

/// Writes the link into the row's column, and the value into the relation's; the row first gets the columns
/// that it lacks. There is room on the list of the target. When the value cannot be made, nothing has
/// changed. An observer that is told of the earlier pair finds its value still there, and the entity on the
/// earlier list alone.
void structure::place_link(row_ref at, id key, entity target, const value_maker& make) {
    table& from = *at.block->owner;
    const entity e = at.owner();
    const id relation = rows_.entities().at(key.relation_index());
    const bool linked = from.has(key);
    const bool valued = make && from.has(relation);
    std::optional<value_buffer> fresh;
    if (valued) fresh.emplace(rows_.info_of_id(relation), make);
    if (!linked || valued != static_cast<bool>(make))
        at = move(at, linking(*at.block->owner, key, make ? relation : id{}), [&](row_ref to) {
            if (make && !valued) make(store::value_at(to, relation));
            if (!linked) ::new (store::value_at(to, key)) link(enlist(e, key, target));
        });
    if (linked && !make) note_relinking(from, key);
    if (linked) relink(at, key, target);
    if (fresh) fresh->replace(store::value_at(at, relation));
}

/// Rows of the table may have other targets. An edge from the table to itself says that nothing else has to
/// be asked for that.
void structure::note_relinking(table& of, id key) {
    const bool is_quick = (rows_.traits_of(key).bits & ~quick_traits) == 0;
    if (is_quick && !of.edges.find(edge_kind::linking, key))
        std::ignore = of.edges.add_edge(edge_kind::linking, key, of.plan_to(of));
}

/// Puts the entity on the list of the target, where there is room for it. Returns its link.
link structure::enlist(entity e, id key, entity target) noexcept {
    source_lists& lists = *rows_.lists().find(key.relation_index());
    return {target, lists.append_reserved(index_of(target), {&e, 1})};
}

void structure::relink(row_ref at, id key, entity target) noexcept {
    link& present = *reinterpret_cast<link*>(store::value_at(at, key));
    if (present.target == target) return;
    events_.announce_link(event::removed, at.owner(),
                          pair(rows_.entities().at(key.relation_index()), present.target));
    const link fresh = enlist(at.owner(), key, target); // First, while that list is the last one in use.
    rows_.leave_list(at, key, *at.block->owner->column_of(key));
    present = fresh;
    at.block->owner->note_row_change();
}

const move_plan& structure::linking(table& from, id key, id relation) {
    if (const move_plan* const known = from.edges.find(edge_kind::linking, key); known && !relation)
        return *known;
    std::vector<id> type = destination(from, key);
    if (relation && !from.has(relation)) type.insert(std::ranges::lower_bound(type, relation), relation);
    move_plan& made = from.plan_to(table_of(type));
    if (relation) return made;
    made.lists =
        (rows_.traits_of(key).bits & ~quick_traits) == 0 ? &rows_.lists().of(key.relation_index()) : nullptr;
    return from.edges.add_edge(edge_kind::linking, key, made);
}

/// What becomes part of a prefab is a prefab. A parent whose components are still on their way is no prefab
/// yet.
void structure::share_mark(entity e, entity parent) {
    const row_ref above = rows_.locate(parent);
    if (above && above.block->owner->prefab) add(e, prefab_tag);
}

/// Everything below a prefab becomes a prefab, from below: an entity that gets the mark finds its own parts
/// marked.
void structure::mark_parts(entity whole) {
    std::vector<entity> found{whole};
    for (std::size_t next = 0; next < found.size(); ++next)
        for (const entity part : rows_.list_of(found[next], child_of.index()))
            if (!rows_.locate(part).block->owner->prefab) found.push_back(part);
    for (auto at = found.rbegin(); at != found.rend(); ++at)
        if (*at != whole) add(*at, prefab_tag);
}

void structure::reorder(entity target, std::span<const entity> sources, id relation) {
    const std::uint32_t index = index_of(relation.as_entity());
    const auto in_order = [](std::span<const entity> all) {
        std::vector<entity> list(all.begin(), all.end());
        std::ranges::sort(list);
        return list;
    };
    if (in_order(sources) != in_order(rows_.list_of(target, index)))
        throw std::invalid_argument("the sources of a target can be put into another order: each of them "
                                    "has to be named once, and nobody else");
    rows_.place_sources(target, index, sources);
}

add_result structure::unlink(entity e, id word) {
    const entity relation = rows_.entities().at(word.relation_index());
    const id key = pair(relation, any);
    const entity target = store::linked_target(rows_.locate(e), key);
    if (!target || pair(relation, target) != word) return add_result::not_there;
    unlink_from(e, key);
    finish_remove(e, pair(relation, target));
    return add_result::removed;
}

void structure::unlink_from(entity e, id key) {
    const row_ref at = rows_.locate(e);
    const entity relation = rows_.entities().at(key.relation_index());
    table& from = *at.block->owner;
    const std::vector<id> rest = without_id(without_id(from.type(), key), relation);
    const id gone = pair(relation, store::linked_target(at, key));
    move(at, from.plan_to(table_of(rest)), [&](row_ref) noexcept {
        events_.announce_link(event::removed, e, gone);
        if (key.relation_index() == child_of.index())
            rows_.rescope_name(e, store::linked_target(at, key), {});
        rows_.leave_list(at, key, *from.column_of(key));
    });
    outdate_what_follows(e, gone);
    if (events_.has_observers()) events_.announce_match(event::matching, e, gone);
}

} // namespace ecs
