// SPDX-License-Identifier: MIT
// Several values for one entity, of whatever types.
module ecs.world;
import ecs.std;
import ecs.component;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

using words_to_set = std::span<const id>;
using values_to_set = std::span<const value_to_set>;

void replace_old(engine& in, row_ref at, values_to_set all) {
    for (const auto& [value, actions] : all) actions->replace_old(in, at, value);
}

/// Adds, in one move, those values that are not done, and whose components are kept in tables and have no
/// properties; then they are done. Returns whether there were any.
bool add_in_one_move(engine& in, entity e, words_to_set words, values_to_set all, std::span<bool> done) {
    const row_ref at = in.rows().locate(e);
    table& from = *at.block->owner;
    std::vector<id> type(from.type().begin(), from.type().end()), given;
    for (std::size_t n = 0; n != all.size(); ++n)
        if (!done[n] && in.reads().moves_plainly(words[n])) given.push_back(words[n]);
    type.insert(type.end(), given.begin(), given.end());
    const move_plan& along = from.plan_to(in.core().table_of_set(type.data(), type.size()));
    if (along.to == &from) return false;
    in.changes().require_open();
    const auto is_given = [&](std::size_t n) { return std::ranges::find(given, words[n]) != given.end(); };
    const auto make_values = [&](row_ref to) noexcept {
        for (std::size_t n = 0; n != all.size(); ++n)
            if (is_given(n)) all[n].actions->construct_new(in, from, to, all[n].value);
    };
    in.move(at, along, make_values, {.these = given});
    in.core().outdate_heirs(*along.to);
    for (std::size_t n = 0; n != all.size(); ++n) done[n] = done[n] || is_given(n);
    return true;
}

/// Adds those that are not done: one after the other what is not kept in tables, or brings others along.
add_result add_others(engine& in, entity e, words_to_set words, values_to_set all, std::span<bool> done) {
    add_result result = add_result::already_there;
    if (in.events().has_listeners() && add_in_one_move(in, e, words, all, done))
        result = add_result::added; // Where nobody sees the steps, short ways are faster.
    const std::vector<std::size_t> order = in.checks().order_of_coming(words);
    for (std::size_t turn = 0; turn != all.size(); ++turn) {
        const std::size_t chosen = order.empty() ? turn : order[turn];
        if (done[chosen]) continue;
        const add_result one = all[chosen].actions->set(in, e, all[chosen].value);
        if (!succeeded(one) || (one == add_result::added && succeeded(result))) result = one;
    }
    return result;
}

/// Existing values are replaced first, and told last, so that an observer that is told of one value finds all
/// of them. They are told of also when adding others throws.
add_result set_one_by_one(engine& in, entity e, words_to_set words, values_to_set all) {
    const auto is_there = [&](id word) { return in.reads().owns(e, word); };
    if (!std::ranges::all_of(words, is_there)) in.changes().require_open();
    if (const add_result refusal = in.checks().check_arrivals(e, words, {}); !succeeded(refusal))
        return refusal;
    value_write writing(in.events(), e, words);
    const auto told_earlier = writing.told_by_another();
    const std::unique_ptr<bool[]> flags(new bool[2 * all.size()]);
    const std::span there(flags.get(), all.size()), done(flags.get() + all.size(), all.size());
    for (std::size_t n = 0; n != all.size(); ++n)
        there[n] = done[n] = all[n].actions->replace_own(in, e, words[n], all[n].value);
    add_result result{};
    try {
        result = add_others(in, e, words, all, done);
    } catch (...) {
        writing.tell(there);
        throw;
    }
    writing.tell(there);
    return result;
}

/// Tells of all values that have been replaced: a tag has none.
void tell_of_values(value_write& writing, words_to_set words, values_to_set all) {
    std::vector<id> written;
    for (std::size_t n = 0; n != all.size(); ++n)
        if (!all[n].actions->is_tag) written.push_back(words[n]);
    if (!written.empty()) writing.tell_of(written);
}

/// After the row is reserved nothing can throw: the values belong to the caller and can be moved. All of them
/// are in their places before an observer is told of one.
add_result set_whole(engine& in, entity e, std::uint64_t key, words_to_set words, values_to_set all) {
    const row_ref at = in.rows().locate(e);
    if (!at) return add_result::not_alive;
    table& from = *at.block->owner;
    if (!in.reads().move_plainly(words)) return set_one_by_one(in, e, words, all);
    const move_plan& along = in.core().adding_all(from, key, words);
    value_write writing(in.events(), e, words);
    if (along.to == &from) {
        replace_old(in, at, all);
        if (in.events().has_listeners()) tell_of_values(writing, words, all);
        return add_result::already_there;
    }
    in.changes().require_open();
    const auto make_values = [&](row_ref to) noexcept {
        for (const auto& [value, actions] : all) actions->construct_new(in, from, to, value);
        replace_old(in, at, all);
    };
    const auto told = writing.told_by_another();
    in.move(at, along, make_values, {.these = words});
    in.core().outdate_heirs(*along.to);
    return add_result::added;
}

} // namespace

add_result set_in_one_move(engine& in, entity e, std::uint64_t key, std::initializer_list<id> words,
                           std::initializer_list<value_to_set> values) {
    return in.events().as_one_occasion([&] {
        return set_whole(in, e, key, {words.begin(), words.size()}, {values.begin(), values.size()});
    });
}

} // namespace ecs
