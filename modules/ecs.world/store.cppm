// SPDX-License-Identifier: MIT
// The untyped heart of a world: entities, tables, and the operations that take an identifier decided at run
// time. The typed interface of a world adds types, not behaviour.
//
//   handle -> slot word -> chunk and row -> column -> value
//
// A structural change has two halves. The first may throw and changes nothing that could be seen: the row in
// the table to come is reserved and its new values are constructed. The second cannot fail: values move and
// places change.
module;
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
export module ecs.world:store;
import ecs.id;
import ecs.registry;
import ecs.relation;
import :chunk;
import :component;
import :entities;
import :flat_map;
import :result;
import :table;

namespace ecs {

/// The name of an entity.
export struct name {
    std::string text;
};

/// What the store knows of an identifier that is part of the type of a table.
struct id_record {
    id word;
    component_info info; ///< Of the values; size 0 for a tag.
    std::vector<table*> tables;
};

/// Parks the index of a world that ends, also of one that could not be made.
struct release_of_world {
    void operator()(entity_index* index) const noexcept;
};

/// See the head of this file. Not thread-safe, except where a function says so.
class store {
  public:
    store();
    ~store();
    store(const store&) = delete;
    store& operator=(const store&) = delete;

    // Entities.

    [[nodiscard]] inline entity_index& entities() { return *entities_; }
    [[nodiscard]] inline const entity_index& entities() const { return *entities_; }

    /// A new entity without components. Throws std::bad_alloc.
    entity spawn();

    /// Ends the entity and whatever ends with it; false when it is not alive.
    bool despawn(entity e);

    /// The row of an entity; empty when it is not alive or its components are still on their way.
    [[nodiscard]] inline row_ref locate(entity e) const {
        const location where = entities_->locate(e);
        return {directory_[where.chunk_number], where.row};
    }

    // Components.

    /// The entity of a component type that the store has met; null otherwise.
    template <class T> [[nodiscard]] entity registered() const {
        const std::uint32_t number = type_number<T>();
        return number < components_.size() ? components_[number] : entity{};
    }

    /// The index of a component type when both its number and the index are low; 0, which no column has,
    /// otherwise.
    template <class T> [[nodiscard]] std::uint8_t low_index() const {
        return low_indices_[early_type_number<T>()];
    }

    /// The entity of a component type, registered under its name first when need be.
    template <class T> [[nodiscard]] entity component_entity() {
        if (const entity known = registered<T>()) [[likely]]
            return known;
        return register_type(type_number<T>(), type_name<T>, info_of<T>);
    }

    /// A component described at run time; the one of that name when the description agrees with it. Throws
    /// std::invalid_argument when it does not, and name_error when the name is that of another entity.
    entity register_component(std::string_view name, const component_info& info);

    /// The facts of the values an identifier stands for: a component's own, a pair's relation's or else its
    /// target's.
    [[nodiscard]] component_info info_of_id(id word) const;

    /// Reads stand-ins, which are entities of world 0, as this world's.
    [[nodiscard]] inline id localize(id word) const {
        return word.is_entity() ? id(entities_->localize(word.as_entity())) : word;
    }

    // What an entity has.

    add_result add(entity e, id word);
    add_result set(entity e, id word, const void* value);
    /// Adds an identifier that the entity of the row does not have; construct makes the value.
    template <std::invocable<std::byte*> Construct>
    add_result add_with(row_ref at, id word, Construct&& construct) {
        require_still();
        const transition* along = known_adding(*at.block->owner, word);
        if (!along) [[unlikely]] {
            if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
            along = &adding(*at.block->owner, word);
        }
        const column& added = *along->added.front();
        move(at, *along, [&](row_ref to) { std::forward<Construct>(construct)(added.value(to)); });
        return add_result::added;
    }

    add_result remove(entity e, id word);
    [[nodiscard]] bool has(entity e, id word) const;

    /// The value; nullptr when the entity is not alive or has none.
    [[nodiscard]] inline std::byte* find(entity e, id word) const {
        const row_ref at = locate(e);
        return at ? value_at(at, localize(word)) : nullptr;
    }

    /// Throws the access_error that says why the entity has no such value.
    [[noreturn]] void refuse_access(entity e, id word, std::string_view component) const;

    /// The value in a row; nullptr when there is none.
    [[nodiscard]] inline static std::byte* value_at(row_ref at, id word) {
        const column* const found = at.block->owner->column_of(word);
        return found ? found->value(at) : nullptr;
    }

    add_result set_enabled(entity e, id word, bool enabled);
    [[nodiscard]] bool is_enabled(entity e, id word) const;

    // Tables.

    [[nodiscard]] inline std::span<const std::unique_ptr<table>> tables() const { return tables_; }
    [[nodiscard]] inline table& root() { return *tables_.front(); }

    /// Changes whenever a table is removed, so that whoever remembers tables knows to forget them.
    [[nodiscard]] inline std::uint64_t removals() const { return removals_; }

    /// Changes whenever the entity of a component type ends: the type will get another.
    [[nodiscard]] inline std::uint64_t forgotten_types() const { return forgotten_types_; }

    /// The table of exactly these identifiers, in the order of their words; made when there is none.
    [[nodiscard]] table& table_of(std::span<const id> type);

    /// The way out of the table by adding an identifier, if it was taken before: then the identifier is
    /// sound, because the ways to the tables of an identifier are forgotten when it ends.
    [[nodiscard]] inline static const transition* known_adding(const table& from, id word) {
        const transition* const* const known = from.add_edges.find(word.value());
        return known ? *known : nullptr;
    }
    [[nodiscard]] inline static const transition* known_removing(const table& from, id word) {
        const transition* const* const known = from.remove_edges.find(word.value());
        return known ? *known : nullptr;
    }
    [[nodiscard]] const transition& adding(table& from, id word);
    [[nodiscard]] const transition& removing(table& from, id word);
    [[nodiscard]] const transition& between(table& from, table& to);

    /// Moves a row along the transition. Construct makes the added columns' values in the new row; when it
    /// throws, nothing has changed. Returns the new row.
    template <std::invocable<row_ref> Construct>
    row_ref move(row_ref from, const transition& along, Construct&& construct) {
        if (from.block->owner->togglable() && !along.to->togglable()) along.to->make_togglable();
        const row_ref to = along.to->reserve_row();
        construct_reserved(to, std::forward<Construct>(construct));
        finish_move(from, to, along);
        return to;
    }

    /// A new entity in the table. Construct as in move.
    template <std::invocable<row_ref> Construct> entity spawn_in(table& in, Construct&& construct) {
        entity e;
        try {
            e = entities_->create();
            const row_ref at = in.reserve_row();
            std::forward<Construct>(construct)(at);
            settle(e, at);
        } catch (...) {
            take_back(e, in);
            throw;
        }
        return e;
    }

    /// Gives an entity in limbo its first row. Construct as in move.
    template <std::invocable<row_ref> Construct>
    void materialize(entity e, table& in, Construct&& construct) {
        const row_ref at = in.reserve_row();
        construct_reserved(at, std::forward<Construct>(construct));
        settle(e, at);
    }

    // Names.

    /// Throws name_error when the text is empty, contains '/', or is the name of another entity of the same
    /// parent.
    void set_name(entity e, std::string_view text);

    /// Empty when the entity has no name or is not alive.
    [[nodiscard]] std::string_view name_of(entity e) const;

    /// The entity of a name; null when there is none.
    [[nodiscard]] entity lookup(std::string_view path) const;

    // Iteration.

    /// Counts the loops that walk over tables; while there is one, structural changes are refused.
    class walk {
      public:
        explicit walk(store& walked) : walked_(&walked) { ++walked_->walks_; }
        walk(const walk&) = delete;
        walk& operator=(const walk&) = delete;
        ~walk() { --walked_->walks_; }

      private:
        store* walked_;
    };

    /// Throws iteration_error while a loop walks over the tables.
    inline void require_still() const {
        if (walks_ != 0) [[unlikely]]
            refuse_to_change();
    }

    /// Gives back the memory no row needs.
    void shrink();
    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    /// Ends an entity that got no row, and the reservation of the row.
    void take_back(entity e, table& in) noexcept;

    template <class Construct> static void construct_reserved(row_ref at, Construct&& construct) {
        if constexpr (std::is_nothrow_invocable_v<Construct, row_ref>) {
            construct(at);
        } else {
            try {
                construct(at);
            } catch (...) {
                at.block->owner->cancel_row();
                throw;
            }
        }
    }

    inline void settle(entity e, row_ref at) noexcept {
        at.block->owner->commit_row(at, e);
        entities_->place(index_of(e), {at.block->number, at.row});
    }

    void bootstrap();
    void forget_name(row_ref at) noexcept;
    void purge(entity e);
    void remove_everywhere(id word);
    void drop_table(table& emptied);
    entity register_type(std::uint32_t number, std::string_view type_name, const component_info& info);
    template <class T> void register_own(std::uint32_t index) {
        const std::uint32_t number = type_number<T>();
        if (components_.size() <= number) components_.resize(number + 1);
        know_type(number, make_component(entities_->create_at(index), type_name<T>, info_of<T>));
    }
    entity know_type(std::uint32_t number, entity component) noexcept;
    /// The entity of a component to be: of that index if it is free, else of a low one if there is one.
    [[nodiscard]] entity component_at(std::uint32_t index);
    entity make_component(entity e, std::string_view text, const component_info& info);
    void require_still_to_register(std::string_view component) const;
    [[nodiscard]] bool is_needed(entity e) const;
    [[noreturn]] static void refuse_to_change();
    [[nodiscard]] id_record& record_of(id word);
    id_record& make_record(id word, const component_info& info);
    [[nodiscard]] table& make_table(std::span<const id> type);
    [[nodiscard]] std::unique_ptr<transition> plan(table& from, table& to) const;
    void finish_move(row_ref from, row_ref to, const transition& along) noexcept;
    void end_row(row_ref at) noexcept;
    [[nodiscard]] add_result check_addable(id word) const;
    static add_result replace_value(const column& in, std::byte* present, const void* value);
    add_result remove_matches(entity e, id pattern);

    chunk_directory directory_;
    std::unique_ptr<entity_index, release_of_world> entities_;
    std::vector<entity> components_; ///< By type number.
    std::array<std::uint8_t, 256>
        low_indices_{}; ///< By type number: index of the component where both are low.
    std::vector<std::unique_ptr<table>> tables_;
    flat_map<std::unique_ptr<id_record>> records_;
    flat_map<std::vector<table*>> tables_by_hash_;
    std::unordered_map<std::string, entity> names_;
    std::uint64_t removals_{};
    std::uint64_t forgotten_types_{};
    int walks_{};
};

} // namespace ecs
