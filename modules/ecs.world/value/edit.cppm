// SPDX-License-Identifier: MIT
// Many changes to what one entity has, carried out as one move between tables.
export module ecs.world:edit;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;

namespace ecs {

/// Collects changes and makes them at the end of the statement, or at commit, in one move:
/// world.edit(e).add<A>() .set(B{}).remove<C>(). Until then nothing has happened. Of several changes of one
/// component or pair the last one counts, but what is removed and given again begins anew: shown, and with
/// its default value where none is given. A wildcard that is removed stands for what the entity has and for
/// what was added before. Pairs of relations with rules, components that have properties or are kept outside
/// tables, and those that begin with a copy of what a base has, follow one after the other: a constructor
/// that throws then leaves what came before it.
export class editor {
  public:
    editor(engine& of, entity subject) : engine_(&of), subject_(subject) {}
    editor(const editor&) = delete;
    editor& operator=(const editor&) = delete;

    /// Commits what was not committed, unless an exception ends the statement. Throws what commit throws.
    ~editor() noexcept(false);

    editor& add(id word);
    template <class T> editor& add() {
        static_assert(require_addable<T>());
        return add(id_of_type<T>(*engine_));
    }
    /// The relation to the target: add<likes>(bob).
    template <component_type R> editor& add(entity target) {
        static_assert(require_relation_for_pairs<R>());
        return add(pair_to<R>(target));
    }

    editor& remove(id word);
    template <class T> editor& remove() { return remove(id_of_type<T>(*engine_)); }
    template <component_type R> editor& remove(entity target) {
        const id word = pair_to<R>(target);
        return word ? remove(word) : *this; // Nobody has a pair with one that has ended.
    }

    /// Copies the value now.
    editor& set(id word, const void* value);
    /// Names the entity; see world::set_name. The text is copied now.
    editor& set_name(std::string_view text);

    template <class T> editor& set(T value) {
        static_assert(require_addable<T>());
        static_assert(can_be_in_tables<T>, "an editor moves values about, and this type's move may throw");
        return stage_value(id_of_type<T>(*engine_), std::move(value));
    }
    template <pair_type P> editor& set(value_of<P> value) {
        static_assert(require_pair_value<P>());
        return stage_value(id_of_type<P>(*engine_), std::move(value));
    }
    /// The relation to the target with this value.
    template <component_type R> editor& set(entity target, std::type_identity_t<R> value) {
        static_assert(require_related_value<R>());
        return stage_value(pair_to<R>(target), std::move(value));
    }

    /// Makes the changes. When one is refused, or an exception is thrown before the move, none is made: what
    /// they lead to counts, in whatever order they were named, except that an entity which is below another,
    /// or comes there first, gets no is_a of that in the same edit. The result is the first refusal; else
    /// added when something was added or removed; else already_there. In an observer it is deferred, unless
    /// the entity is not alive. The changes are gone then, however it ends. Throws name_error for a text that
    /// is no name; one that is taken is refused. Throws iteration_error inside a loop, unless all that is
    /// done is to give what the entity has.
    add_result commit();

    /// Forgets the changes.
    void discard() { changes_.clear(); }

  private:
    enum class kind : unsigned char { add, set, remove };
    struct change {
        id word;
        kind what;
        std::unique_ptr<value_buffer> value;
        bool anew = false;  ///< Removed first: an existing value does not count.
        bool plain = false; ///< A matter of moving the row; others follow one by one.
    };

    template <class R> [[nodiscard]] id pair_to(entity target) const {
        return engine_->rows().entities().pair_to(engine_->component_entity<R>(), target);
    }
    editor& stage(id word, std::unique_ptr<value_buffer> value);
    template <class T> editor& stage_value(id word, T value) {
        if constexpr (std::is_empty_v<T>)
            return add(word);
        else
            return stage(word, std::make_unique<value_buffer>(
                                   info_of<T>, [&](std::byte* to) { ::new (to) T(std::move(value)); }));
    }
    change& change_of(id word);
    void name_what_goes();
    void settle_targets();
    [[nodiscard]] add_result check();
    [[nodiscard]] add_result check_removals() const;
    [[nodiscard]] bool loses_what_it_implies(const change& c) const;
    [[nodiscard]] add_result check_arrivals() const;
    [[nodiscard]] std::vector<id> leaving() const;
    [[nodiscard]] std::vector<id> replaced() const;
    [[nodiscard]] const name* name_in(const change& c) const;
    [[nodiscard]] const name* name_given() const;
    [[nodiscard]] bool is_name_taken(const change& c) const;
    [[nodiscard]] bool begins_in(const sparse_set& sparse, const change& c) const;
    [[nodiscard]] bool moves(const change& c) const;
    [[nodiscard]] bool moves_nothing() const;
    add_result commit_now();
    add_result make_all();
    add_result move(value_write& writing);
    add_result make_one(change& c);
    add_result give(change& c);
    [[nodiscard]] bool is_of_world(id word) const;
    add_result set_sparse(sparse_set& sparse, value_buffer& value, bool is_default);
    add_result make_others(add_result result);
    void show_what_began_anew();
    void provide_defaults(const table& from);
    [[nodiscard]] std::vector<id> final_type(const table& from) const;
    [[nodiscard]] std::vector<id> overwritten() const;
    [[nodiscard]] std::vector<id> given_words() const;
    [[nodiscard]] sparse_set* sparse_of_old(const change& c) const;
    void replace_sparse() noexcept;
    void touch_sparse(std::span<const id> given) const;
    void replace_old(row_ref at) noexcept;
    void make_new(const table& from, row_ref to) noexcept;

    engine* engine_;
    entity subject_;
    int exceptions_ = std::uncaught_exceptions(); ///< Exceptions that were on their way when it began.
    std::vector<change> changes_;
};

} // namespace ecs
