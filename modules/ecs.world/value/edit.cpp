// SPDX-License-Identifier: MIT
// Many changes to one entity are gathered, checked together, and made in one move.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

constexpr std::size_t usual_changes = 4;

/// Whether the word is a pair of a relation without rules, and the rows of the table neither inherit nor pass
/// on.
bool is_plain_pair(const store& rows, const table& in, id word) {
    return rows.is_pair_without_traits(word) && !in.inherits && !in.inherited && !rows.sparse_of(word);
}

/// Whether a change with that result may succeed after others: a target leaves its group (one_of) when the
/// pairs with it are gone, and gets such pairs when it has come to the group; and a property goes when what
/// implies it has gone.
bool may_succeed_later(add_result refusal) {
    switch (refusal) {
    case add_result::needed:
    case add_result::contradiction:
    case add_result::excluded:
    case add_result::name_taken:
    case add_result::relation_in_use:
    case add_result::target_not_allowed: return true;
    default: return false;
    }
}

} // namespace

editor::~editor() noexcept(false) {
    if (!changes_.empty() && std::uncaught_exceptions() == exceptions_) commit();
}

editor::change& editor::change_of(id word) {
    word = engine_->rows().resolve(word);
    if (changes_.empty()) changes_.reserve(usual_changes);
    change asked{word, kind::add, nullptr, false, false};
    const auto known = std::ranges::find(changes_, word, &change::word);
    if (known != changes_.end()) {
        asked = std::move(*known);
        changes_.erase(known);
    }
    return changes_.emplace_back(std::move(asked)); // The last of several targets counts.
}

editor& editor::add(id word) {
    change& c = change_of(word);
    if (c.what == kind::remove) {
        c.what = kind::add;
        c.anew = true;
    }
    return *this;
}

editor& editor::remove(id word) {
    change& asked = change_of(word);
    for (change& c : changes_)
        if (&c == &asked || matches(asked.word, c.word)) c = {c.word, kind::remove, nullptr, false, false};
    return *this;
}

editor& editor::set(id word, const void* value) {
    const component_info info = engine_->rows().info_of_id(engine_->rows().resolve(word));
    if (!value || info.size == 0) return stage(word, nullptr);
    if (!info.operations.copyable || !info.operations.movable) return stage(word, nullptr);
    return stage(word, std::make_unique<value_buffer>(info, [&](std::byte* to) {
                     if (info.operations.copy)
                         info.operations.copy(to, value);
                     else
                         std::memcpy(to, value, info.size);
                 }));
}

editor& editor::set_name(std::string_view text) {
    return stage(id(engine_->rows().registered<name>()),
                 std::make_unique<value_buffer>(info_of<name>,
                                                [&](std::byte* to) { ::new (to) name(std::string(text)); }));
}

editor& editor::stage(id word, std::unique_ptr<value_buffer> value) {
    change& c = change_of(word);
    c.anew |= c.what == kind::remove;
    c.what = kind::set;
    c.value = std::move(value);
    return *this;
}

/// Why the changes cannot be made; added when they can.
add_result editor::check() {
    const row_ref at = engine_->rows().locate(subject_);
    if (!at) return add_result::not_alive;
    if (const add_result refusal = check_removals(); !succeeded(refusal)) return refusal;
    for (const change& c : changes_) {
        if (c.what == kind::remove) continue;
        if (const add_result refusal = engine_->checks().check_addable(c.word); !succeeded(refusal))
            return refusal;
        const component_info info = engine_->rows().info_of_id(c.word);
        if (c.what == kind::set && (!c.value || info.size == 0)) {
            const bool could_be_kept = info.operations.copyable && info.operations.movable;
            return info.size == 0 || could_be_kept ? add_result::no_value : add_result::not_copyable;
        }
        const bool needs_default = c.what == kind::add && info.size != 0 && !engine_->has(subject_, c.word);
        if ((needs_default || (c.anew && info.size != 0)) && !info.operations.constructible && !c.value)
            return add_result::not_constructible;
    }
    return check_arrivals();
}

std::vector<id> editor::leaving() const {
    std::vector<id> words;
    for (const change& c : changes_)
        if (c.what == kind::remove || c.anew) words.push_back(c.word);
    return words;
}

/// What goes because something else comes in its place: other targets of exclusive relations.
std::vector<id> editor::replaced() const {
    std::vector<id> words;
    for (const change& c : changes_) {
        const bool replaces = c.what != kind::remove && c.word.has_relation() &&
                              engine_->rows().traits_of(c.word).any_of(trait::exclusive);
        if (!replaces) continue;
        for (const id other : engine_->reads().own_matches(subject_, engine_->reads().conflicts_of(c.word)))
            if (other != c.word) words.push_back(other);
    }
    return words;
}

/// The name that the change gives; nullptr when it gives none.
const name* editor::name_in(const change& c) const {
    const bool names = c.what == kind::set && c.value && c.word == id(engine_->rows().registered<name>());
    return names ? reinterpret_cast<const name*>(c.value->get()) : nullptr;
}

const name* editor::name_given() const {
    for (const change& c : changes_)
        if (const name* const given = name_in(c)) return given;
    return nullptr;
}

/// Whether the change gives a name that another entity has here; it may be free where the entity goes.
bool editor::is_name_taken(const change& c) const {
    const name* const given = name_in(c);
    if (!given) return false;
    const entity holder = engine_->rows().find_name(engine_->rows().parent_of(subject_), given->text());
    return holder && holder != subject_;
}

/// What comes may be refused because of what is there, and because of what else comes.
add_result editor::check_arrivals() const {
    const name* const given = name_given();
    if (given) require_sound_name(given->text());
    std::vector<id> coming;
    coming.reserve(changes_.size());
    for (const change& c : changes_)
        if (c.what != kind::remove) coming.push_back(c.word);
    return engine_->checks().check_arrivals(subject_, coming, leaving(), given);
}

/// Whether the change gives a need, and another takes away the `with` that comes along with that.
bool editor::loses_what_it_implies(const change& c) const {
    const store& rows = engine_->rows();
    if (!c.word.is_pair() || c.word.relation_index() != needs.index()) return false;
    const id implied = pair(rows.resolve(with).as_entity(), rows.entities().at(c.word.target_index()));
    return std::ranges::any_of(
        changes_, [&](const change& other) { return other.what == kind::remove && other.word == implied; });
}

/// Identifiers that stay or come may need what goes.
add_result editor::check_removals() const {
    const std::vector<id> leaving = this->leaving();
    for (const change& c : changes_) {
        if (c.what == kind::remove) continue;
        if (engine_->checks().needs_any(c.word, leaving)) return add_result::needed;
        if (loses_what_it_implies(c)) return add_result::contradiction;
    }
    return engine_->checks().check_departures(subject_, leaving, replaced(), name_given() != nullptr);
}

/// Puts what the entity has in the place of wildcards that are removed. What is given later begins anew.
void editor::name_what_goes() {
    const auto is_wide = [](const change& c) { return c.what == kind::remove && c.word.is_wildcard(); };
    if (!std::ranges::any_of(changes_, is_wide) || !engine_->rows().locate(subject_)) return;
    std::vector<change> all = std::exchange(changes_, {});
    for (change& c : all) {
        if (!is_wide(c)) {
            changes_.push_back(std::move(c));
            continue;
        }
        for (const id word : engine_->reads().own_matches(subject_, c.word)) {
            const auto given = std::ranges::find(all, word, &change::word);
            if (given == all.end())
                changes_.emplace_back(word, kind::remove, nullptr, false, false);
            else
                given->anew |= given->what != kind::remove;
        }
    }
}

/// Whether the change is a matter of moving the row. When an earlier change may bring the identifier along,
/// its removal follows that change; and what a base has, also one that comes earlier, is copied from there.
bool editor::moves(const change& c) const {
    const row_ref at = engine_->rows().locate(subject_);
    const bool is_plain =
        engine_->reads().moves_plainly(c.word) || is_plain_pair(engine_->rows(), *at.block->owner, c.word);
    if (!is_plain || c.what == kind::set) return is_plain;
    if (c.what == kind::add && engine_->reads().find_elsewhere(at, c.word)) return false;
    const auto may_bring = [&](const change& earlier) {
        if (earlier.what == kind::remove) return false;
        const traits& own = engine_->rows().traits_of(earlier.word);
        const bool inherits = earlier.word.is_pair() && earlier.word.relation_index() == is_a.index();
        return inherits || (c.what == kind::remove && !(own.with.empty() && own.needs.empty()));
    };
    return !std::ranges::any_of(std::span(changes_.data(), &c), may_bring);
}

/// Whether the changes do nothing but write values that the entity has: a loop need not refuse that.
bool editor::moves_nothing() const {
    return std::ranges::all_of(changes_, [&](const change& c) {
        return c.what != kind::remove && !c.anew && engine_->reads().adds_nothing(subject_, {&c.word, 1});
    });
}

add_result editor::commit() {
    if (engine_->changes().is_open() || (!engine_->changes().defers() && moves_nothing())) [[likely]]
        return engine_->events().as_one_occasion([&] { return commit_now(); });
    return engine_->changes().later(subject_,
                                    [in = engine_, subject = subject_, all = std::move(changes_)]() mutable {
                                        editor again(*in, subject);
                                        again.changes_ = std::move(all);
                                        again.commit();
                                    });
}

/// Of several targets of an exclusive relation the last one counts. An instance can become a part of what it
/// is an instance of, and a part no instance of its whole.
void editor::settle_targets() {
    const auto is_of = [](const change& c, std::uint32_t relation) {
        return c.what != kind::remove && c.word.has_relation() && c.word.relation_index() == relation;
    };
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        const id word = changes_[i].word;
        if (!word.has_relation() || !engine_->rows().traits_of(word).any_of(trait::exclusive)) continue;
        const auto replaces = [&](const change& later) { return is_of(later, word.relation_index()); };
        if (replaces(changes_[i]) && std::ranges::any_of(std::span(changes_).subspan(i + 1), replaces))
            changes_.erase(changes_.begin() + static_cast<std::ptrdiff_t>(i--));
    }
    const auto of_parent =
        std::ranges::find_if(changes_, [&](const change& c) { return is_of(c, child_of.index()); });
    if (of_parent == changes_.end()) return;
    const auto is_base = [&](const change& c) { return is_of(c, is_a.index()); };
    if (!std::ranges::any_of(of_parent, changes_.end(), is_base)) return;
    change last = std::move(*of_parent);
    changes_.erase(of_parent);
    changes_.push_back(std::move(last));
}

/// The changes are gone then, however it ends: what has thrown half-way is not made again.
add_result editor::commit_now() {
    try {
        const add_result result = make_all();
        discard();
        return result;
    } catch (...) {
        discard();
        throw;
    }
}

add_result editor::make_all() {
    name_what_goes();
    settle_targets();
    if (const add_result refusal = check(); !succeeded(refusal)) return refusal;
    for (change& c : changes_) c.plain = moves(c);
    const std::vector<id> words = overwritten();
    value_write writing(engine_->events(), subject_, words);
    const auto told = writing.told_by_another();
    const add_result result = make_others(move(writing));
    show_what_began_anew();
    return result == add_result::removed ? add_result::added : result;
}

/// What has been removed and given again is not disabled.
void editor::show_what_began_anew() {
    if (!engine_->rows().locate(subject_)) return;
    for (const change& c : changes_)
        if (c.anew && engine_->reads().is_hidden(subject_, c.word))
            engine_->set_enabled(subject_, c.word, true);
}

/// Makes the changes that are no matter of moving the row: what is needed comes before what needs it, and
/// goes after it; what is given comes before what would bring it along; what is excluded goes before what
/// excludes it.
add_result editor::make_others(add_result result) {
    for (std::size_t left = changes_.size(); left != 0; --left) {
        std::vector<id> coming;
        for (const change& c : changes_)
            if (!c.plain && c.what != kind::remove) coming.push_back(c.word);
        for (change& c : changes_) {
            if (c.plain ||
                (left != 1 && c.what != kind::remove && engine_->checks().comes_after_any(c.word, coming)))
                continue;
            const add_result one = make_one(c);
            if (left != 1 && may_succeed_later(one)) continue;
            c.plain = true;
            const bool counts = !succeeded(one) || one == add_result::added || one == add_result::removed;
            if (succeeded(result) && counts) result = one;
        }
    }
    return result;
}

/// Moves the value to its place, without a copy. A default value does not count as set.
add_result editor::set_sparse(sparse_set& sparse, value_buffer& value, bool is_default) {
    const std::uint32_t index = index_of(subject_);
    if (!sparse.contains(index))
        return engine_->core().add_sparse(
            subject_, sparse, [&](std::byte* to) { value.move_to(to); }, !is_default);
    if (is_default) return add_result::already_there;
    value_write writing(engine_->events(), subject_, {&sparse.word, 1});
    value.replace(sparse.find(index));
    writing.tell();
    return add_result::already_there;
}

/// The set with the value that the change replaces; nullptr when the value is in a table, or there is none.
sparse_set* editor::sparse_of_old(const change& c) const {
    const bool replaces = c.value && !c.anew && c.what == kind::set;
    sparse_set* const sparse = replaces ? engine_->rows().sparse_of(c.word) : nullptr;
    return sparse && sparse->contains(index_of(subject_)) ? sparse : nullptr;
}

void editor::replace_sparse() noexcept {
    for (change& c : changes_)
        if (const sparse_set* const sparse = sparse_of_old(c)) {
            c.value->replace(sparse->find(index_of(subject_)));
            c.plain = true; // It has been made.
        }
}

add_result editor::make_one(change& c) {
    if (c.what == kind::remove) return engine_->remove(subject_, c.word);
    if (is_name_taken(c)) return add_result::name_taken;
    if (c.anew) engine_->remove(subject_, c.word);
    if (sparse_set* const sparse = c.value ? engine_->rows().sparse_of(c.word) : nullptr)
        return set_sparse(*sparse, *c.value, c.what == kind::add);
    return c.what == kind::set ? give(c) : engine_->add(subject_, c.word);
}

/// Whether the world itself lives by the value, so that it is checked before it is taken.
bool editor::is_of_world(id word) const {
    const row_ref at = engine_->rows().locate(subject_);
    return word.is_entity() && (word == id(engine_->rows().registered<name>()) ||
                                engine_->checks().says_what_a_component_is(word) ||
                                engine_->reads().is_value_of_link(*at.block->owner, word));
}

/// Sets the value by moving it, so that one that cannot be copied is set, too, and nothing can throw.
add_result editor::give(change& c) {
    const row_ref at = engine_->rows().locate(subject_);
    if (!at) return add_result::not_alive;
    if (is_of_world(c.word)) return engine_->changes().set(subject_, c.word, c.value->get());
    std::byte* const present = engine_->rows().own_value(at, c.word);
    if (!present)
        return engine_->changes().add_with(at, c.word, [&](std::byte* to) noexcept { c.value->move_to(to); });
    value_write writing(engine_->events(), subject_, {&c.word, 1});
    c.value->replace(present);
    writing.tell();
    return add_result::already_there;
}

/// Makes the default values that will be needed now, while a constructor may still throw.
void editor::provide_defaults(const table& from) {
    for (change& c : changes_) {
        if (c.what != kind::add) continue;
        const sparse_set* const sparse = engine_->rows().sparse_of(c.word);
        if (sparse ? !begins_in(*sparse, c) : !c.plain || (from.has(c.word) && !c.anew)) continue;
        const component_info info = engine_->rows().info_of_id(c.word);
        if (info.size == 0) continue;
        const entity giver = sparse ? engine_->reads().sparse_base(subject_, *sparse) : entity{};
        c.value = std::make_unique<value_buffer>(info, [&](std::byte* to) {
            if (giver && info.operations.copyable)
                column_like(c.word, info).copy(to, sparse->find(index_of(giver)));
            else
                column_like(c.word, info).construct(to);
        });
    }
}

/// Whether the change begins a value in the set that can be made elsewhere and moved.
bool editor::begins_in(const sparse_set& sparse, const change& c) const {
    return sparse.info().operations.movable && (c.anew || !sparse.contains(index_of(subject_)));
}

std::vector<id> editor::final_type(const table& from) const {
    std::vector<id> type;
    type.reserve(from.type().size() + changes_.size());
    type.assign(from.type().begin(), from.type().end());
    for (const change& c : changes_) {
        if (!c.plain) continue;
        std::erase(type, c.word);
        if (c.what != kind::remove) type.push_back(c.word);
    }
    std::ranges::sort(type);
    return type;
}

/// Every value is in its place before an observer is told of one.
add_result editor::move(value_write& writing) {
    const row_ref at = engine_->rows().locate(subject_);
    table& from = *at.block->owner;
    provide_defaults(from);
    table& to = engine_->core().table_of(final_type(from));
    const move_plan* const along = &to == &from ? nullptr : &from.plan_to(to);
    const std::vector<id> given = given_words();
    if (!along) {
        replace_old(at);
        if (!given.empty()) writing.tell_of(given);
        return add_result::already_there;
    }
    const auto make_values = [&](row_ref row) noexcept {
        make_new(from, row);
        replace_old(at);
    };
    const bool is_tracked = along->tracked;
    engine_->move(at, *along, make_values, {.these = given});
    engine_->core().outdate_heirs(to);
    if (!is_tracked) touch_sparse(given);
    return add_result::added;
}

/// What is kept in sets may be tracked where the tables are not.
void editor::touch_sparse(std::span<const id> given) const {
    for (const id word : given)
        if (engine_->rows().sparse_of(word)) engine_->events().touch(subject_, word, engine_->events().now());
}

/// The identifiers whose values may be written over. What is removed first, and not in one move, begins anew.
std::vector<id> editor::overwritten() const {
    std::vector<id> words;
    if (!engine_->events().has_listeners()) return words;
    for (const change& c : changes_)
        if (c.what == kind::set ? c.plain || !c.anew : c.plain && c.anew) words.push_back(c.word);
    return words;
}

/// The identifiers that are given a value on the way, and no default one, when something is observed or
/// tracked.
std::vector<id> editor::given_words() const {
    std::vector<id> given;
    if (!engine_->events().has_listeners()) return given;
    for (const change& c : changes_) {
        const bool begins_anew = c.anew && engine_->reads().owns(subject_, c.word);
        const bool is_given = c.value && (c.what == kind::set || begins_anew);
        if (is_given && (c.plain || sparse_of_old(c))) given.push_back(c.word);
    }
    return given;
}

void editor::replace_old(row_ref at) noexcept {
    for (change& c : changes_)
        if (const column* const in = c.value && c.plain ? at.block->owner->column_of(c.word) : nullptr)
            c.value->replace(in->value(at));
    replace_sparse();
}

void editor::make_new(const table& from, row_ref to) noexcept {
    for (change& c : changes_)
        if (c.value && c.plain && !from.has(c.word)) c.value->move_to(store::value_at(to, c.word));
}

} // namespace ecs
