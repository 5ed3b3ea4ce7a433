// SPDX-License-Identifier: MIT
// What the traits of a relation have to say when its pairs are added and removed. Identifiers without traits
// never come here twice: the tables keep edges for them. Whether an identifier may come is in
// add_preparation.cpp, and what comes with it in required.cpp.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Whether nothing follows when the identifiers, which the rows of the table have, are gone.
bool leave_together(const store& rows, const table& in, std::span<const id> words) {
    return std::ranges::all_of(words,
                               [&](id word) { return rows.is_pair_without_traits(word) && in.has(word); });
}

/// Whether the identifier, which the rows of the table have, goes with nothing but a move of the row.
bool leaves_plainly(const lookup& reads, const table& in, id word) {
    const bool is_plain_pair =
        reads.rows().is_pair_without_traits(word) && in.has(word) && !in.inherits && !in.inherited;
    return is_plain_pair || reads.moves_plainly(word);
}

std::vector<id> without_matches(std::span<const id> type, id pattern) {
    std::vector<id> left;
    std::ranges::copy_if(type, std::back_inserter(left), [&](id word) { return !matches(pattern, word); });
    return left;
}

} // namespace

add_result structure::add_new(entity e, id word) {
    const row_ref before = rows_.locate(e);
    if (const add_result refusal = checks_.check_addable(word); !succeeded(refusal)) return refusal;
    if (reads_.is_stored(before, word)) return complete(e, word);
    if (!reads_.has_beginning(before, word)) return add_result::not_constructible;
    const bool is_name = word.is_entity() && rows_.traits_of(word).any_of(trait::name);
    if (is_name) return add_result::not_constructible; // A name without a text is none.
    if (const add_result refusal = prepare_add(e, word); !succeeded(refusal)) return refusal;
    if (reads_.keeps_in_column(word)) return link_from_beginning(e, word);
    add_plain(e, word);
    return finish_add(e, word);
}

/// Adds an identifier that has been admitted.
void structure::add_plain(entity e, id word) {
    const row_ref at = rows_.locate(e);
    const move_plan& along = adding(*at.block->owner, word);
    if (along.to == at.block->owner) return;
    move(at, along, [&](row_ref to) { construct_added(along, at, to); }, {.all_new = adds_copy(along, at)});
}

/// Whether the entity joins or leaves a base or prefab by that pair, and pairs may lead to it: those between
/// parts are not inherited.
bool structure::is_between_parts(entity e, id word) const {
    if (!word.is_pair() || word.relation_index() != child_of.index()) return false;
    const row_ref parent = rows_.locate(rows_.entities().at(word.target_index()));
    return parent && parent.block->owner->is_pattern() && rows_.entities().is_used_as_id(e);
}

/// The entity has got or lost the identifier: what others have by it is asked for again.
void structure::outdate_what_follows(entity e, id word) {
    if (rows_.locate(e).block->owner->is_pattern() || is_between_parts(e, word))
        rows_.bump_inheritance_version();
    else if (rows_.traits_of(word).any_of(trait::transitive))
        rows_.bump_chains_version();
}

/// What follows from an identifier that has been added. When it cannot follow, the identifier goes again.
add_result structure::finish_add(entity e, id word) {
    const traits& own = rows_.traits_of(word);
    outdate_what_follows(e, word);
    if (own.bits == 0) return add_result::added;
    if (own.any_of(trait::property)) declare(e, word);
    if (own.any_of(trait::prefab)) mark_parts(e);
    if (!word.is_pair()) return add_result::added;
    if (own.any_of(trait::inheritance)) instances_.inherit(e, rows_.entities().at(word.target_index()));
    return own.any_of(trait::symmetric) ? add_image(e, word) : add_result::added;
}

add_result structure::complete(entity e, id word) {
    if (rows_.traits_of(word).any_of(trait::prefab)) mark_parts(e);
    if (!word.is_pair()) return add_result::already_there;
    const entity target = rows_.entities().at(word.target_index());
    if (word.relation_index() == child_of.index()) share_mark(e, target);
    if (!rows_.traits_of(word).any_of(trait::symmetric)) return add_result::already_there;
    const add_result result = add_image(e, word);
    return succeeded(result) ? add_result::already_there : result;
}

/// Adds the mirror image of a pair, without which the pair may not stay.
add_result structure::add_image(entity e, id word) {
    const entity target = rows_.entities().at(word.target_index());
    const id image = pair(rows_.entities().at(word.relation_index()), e);
    if (reads_.is_stored(rows_.locate(target), image)) return add_result::added;
    const add_result result = add(target, image);
    if (!succeeded(result)) remove(e, word);
    return result;
}

add_result structure::remove_known(entity e, id word) {
    if (word.is_wildcard()) return remove_matches(e, word);
    if (reads_.owns(e, word))
        if (const add_result refusal = checks_.check_departure(e, word, {}); !succeeded(refusal))
            return refusal;
    return remove_checked(e, word);
}

add_result structure::remove_checked(entity e, id word) {
    if (sparse_set* const sparse = rows_.sparse_of(word)) return remove_sparse(e, *sparse);
    const add_result result = remove_stored(e, word);
    const bool mirrored = word.is_pair() && rows_.traits_of(word).any_of(trait::symmetric);
    return mirrored && result == add_result::not_there ? remove_images(e, word, result) : result;
}

add_result structure::remove_stored(entity e, id word) {
    const table& in = *rows_.locate(e).block->owner;
    if (reads_.is_value_of_link(in, word)) return add_result::not_there;
    if (reads_.keeps_in_column(word)) return unlink(e, word);
    if (!in.has(word)) return add_result::not_there;
    const bool was_name = word.is_entity() && rows_.traits_of(word).any_of(trait::name);
    const row_ref at = rows_.locate(e);
    const std::uint64_t hash = was_name ? hash_of_name(rows_.parent_of(e), rows_.name_of(e)) : 0;
    move(at, removing(*at.block->owner, word), [](row_ref) noexcept {});
    if (was_name) rows_.names().erase(hash, e); // Observers who were told could still look the entity up.
    finish_remove(e, word);
    return add_result::removed;
}

void structure::finish_remove(entity e, id word) {
    const traits& own = rows_.traits_of(word);
    if (rows_.locate(e).block->owner->is_pattern() || own.any_of(trait::prefab))
        rows_.bump_inheritance_version();
    else if (own.any_of(trait::transitive, trait::inheritance))
        rows_.bump_chains_version();
    if (own.any_of(trait::property)) retract(e, word);
    if (!word.is_pair() || !own.any_of(trait::symmetric)) return;
    const entity target = rows_.entities().at(word.target_index());
    const id image = pair(rows_.entities().at(word.relation_index()), e);
    if (reads_.is_stored(rows_.locate(target), image)) remove(target, image);
}

/// Removes the images of pairs that are gone already, because a removal ran out of memory half-way.
add_result structure::remove_images(entity e, id pattern, add_result so_far) {
    const entity relation = rows_.entities().at(pattern.relation_index());
    if (!relation) return so_far;
    for (const entity source : reads_.sources_of(e, relation)) {
        if (!matches(pattern, pair(relation, source))) continue;
        so_far = remove(source, pair(relation, e));
    }
    return so_far;
}

/// Removes everything that the pattern stands for, or nothing of it. Pairs without traits go in one step.
add_result structure::remove_matches(entity e, id pattern) {
    const std::vector<id> words = reads_.own_matches(e, pattern);
    if (const add_result refusal = checks_.check_departures(e, words); !succeeded(refusal)) return refusal;
    const row_ref at = rows_.locate(e);
    if (words.size() > 1 && leave_together(rows_, *at.block->owner, words)) {
        move(at, at.block->owner->plan_to(table_of(without_matches(at.block->owner->type(), pattern))),
             [](row_ref) noexcept {});
        outdate_heirs(*rows_.locate(e).block->owner);
        return add_result::removed;
    }
    const add_result result = remove_in_turn(e, words);
    return rows_.traits_of(pattern).any_of(trait::symmetric) ? remove_images(e, pattern, result) : result;
}

/// Removes all of the identifiers, which may leave together: an identifier that others of them need or imply
/// goes after those.
add_result structure::remove_in_turn(entity e, std::vector<id> words) {
    add_result result = add_result::not_there;
    while (!words.empty()) {
        const auto next = std::ranges::find_if(words, [&](id word) {
            return succeeded(checks_.check_departure(e, word, {})) || !reads_.owns(e, word);
        });
        const id word = next == words.end() ? words.front() : *next;
        if (remove_checked(e, word) == add_result::removed) result = add_result::removed;
        std::erase(words, word);
    }
    return result;
}

add_result structure::clear(entity e) {
    if (!rows_.locate(e)) return add_result::not_alive;
    if (rows_.is_fixture(e)) return add_result::is_built_in;
    return events_.as_one_occasion([&] { return remove_everything(e); });
}

/// What a base is marked with stays: the world has added it, and the entity has instances.
add_result structure::remove_everything(entity e) {
    std::vector<id> words = reads_.ids_of(e);
    std::erase(words, rows_.resolve(base));
    put_parent_last(words); // After the name: where the parent leads to, another entity may have it.
    if (const add_result refusal = checks_.check_departures(e, words); !succeeded(refusal)) return refusal;
    const row_ref at = rows_.locate(e);
    table& from = *at.block->owner;
    const auto goes_plainly = [&](id word) { return leaves_plainly(reads_, from, word); };
    std::vector<id> rest(from.type().begin(), from.type().end());
    if (std::erase_if(rest, goes_plainly) == 0) return remove_in_turn(e, std::move(words));
    std::erase_if(words, goes_plainly);
    outdate_heirs(*move(at, from.plan_to(table_of(rest)), [](row_ref) noexcept {}).block->owner);
    remove_in_turn(e, std::move(words));
    return add_result::removed;
}

/// Takes those of the identifiers from the list which go with nothing but a move of the row, and returns
/// them.
std::vector<id> structure::take_plain(entity e, std::vector<id>& words) const {
    const table& in = *rows_.locate(e).block->owner;
    const auto is_plain = [&](id word) { return in.has(word) && leaves_plainly(reads_, in, word); };
    std::vector<id> plain;
    std::ranges::copy_if(words, std::back_inserter(plain), is_plain);
    std::erase_if(words, is_plain);
    std::ranges::sort(plain);
    return plain;
}

/// Removes identifiers that take_plain has returned in one move. Returns whether the entity had any.
bool structure::move_out(entity e, std::span<const id> plain) {
    const row_ref at = rows_.locate(e);
    if (!at || plain.empty()) return false;
    table& from = *at.block->owner;
    std::vector<id> staying(from.type().begin(), from.type().end());
    std::erase_if(staying, [&](id word) { return std::ranges::binary_search(plain, word); });
    if (staying.size() == from.type().size()) return false;
    outdate_heirs(*move(at, from.plan_to(table_of(staying)), [](row_ref) noexcept {}).block->owner);
    return true;
}

} // namespace ecs
