// SPDX-License-Identifier: MIT
// A set of component types that entities are spawned with: its table and columns are found once.
export module ecs.world:bundle;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;

namespace ecs {

/// Throws std::invalid_argument when one of the components has ended, as by an observer that was told that
/// another one is registered.
void require_alive(const engine& in, std::span<const id> components);

struct any_bundle {
    any_bundle() = default;
    any_bundle(const any_bundle&) = delete;
    any_bundle& operator=(const any_bundle&) = delete;
    virtual ~any_bundle();

    table* archetype{};
    table* whole{}; ///< The same with what comes along, as far as that is plain.
    /// The version that the store had when the table was found; with another version the table may be gone.
    std::uint64_t cache_version{};
    std::vector<id> constrained_ids; ///< Components with traits that a spawn has to follow.

    /// The table of entities of these components that are children of another entity and have nothing more.
    struct children {
        table* archetype{}; ///< Null while no child was spawned.
        const column* links{};
        source_lists* lists{};
    };
    children below;

  protected:
    /// Finds the table of those of the components that are kept in tables, and the column of each in it.
    /// Throws std::invalid_argument when one of them can be added in a pair only. Takes arrays of `count`,
    /// not spans: making a span of an array costs every importer the concepts of iterators.
    void find(engine& of, std::size_t count, const id* components, const bool* sparse,
              const column** columns);
    void find_children(engine& of, table& home);
};

template <class Places, class... Components> class placed_columns;
template <std::size_t... I, class... Components>
class placed_columns<std::index_sequence<I...>, Components...> {
    template <class T, class From>
    static constexpr bool makes_nothrow = is_sparse<T> || safely_makeable<T, From>;

    template <class T, class From>
    static void make([[maybe_unused]] const column* in, row_ref at, From&& from) {
        if constexpr (!std::is_empty_v<T> && !is_sparse<T>) ::new (in->value(at)) T(std::forward<From>(from));
    }

  public:
    /// Makes the values in the row from a pack or a tuple; when one throws, those that were made end again.
    template <class Values>
    void construct(row_ref at, Values& values) const
        noexcept((makes_nothrow<Components, decltype(take<I>(values))> && ...)) {
        if constexpr ((makes_nothrow<Components, decltype(take<I>(values))> && ...)) {
            (make<Components>(columns[I], at, take<I>(values)), ...);
        } else {
            std::size_t made = 0;
            try {
                (..., (make<Components>(columns[I], at, take<I>(values)), ++made));
            } catch (...) {
                end(at, made);
                throw;
            }
        }
    }

    /// Copies the values of `count` entities from the i-th on into rows that follow each other.
    template <class Sources>
    void copy(row_ref first, const Sources& from, std::size_t i, std::uint32_t count) const {
        (copy_one<Components, I>(first, from, i, count), ...);
    }

    std::array<const column*, sizeof...(Components)> columns{};

  private:
    template <class T, std::size_t Which, class Sources>
    void copy_one(row_ref first, const Sources& from, std::size_t i, std::uint32_t count) const {
        if constexpr (!std::is_empty_v<T> && !is_sparse<T>)
            from.template copy<Which>(columns[Which]->value(first), i, count);
    }

    void end(row_ref at, std::size_t made) const noexcept {
        while (made != 0)
            if (const column* const last = columns[--made]) last->destroy(last->value(at));
    }
};

/// Where the values of these components go in the rows of some table. The caller adds components that are
/// kept outside tables.
template <class... Components>
using bundle_columns = placed_columns<std::index_sequence_for<Components...>, Components...>;

/// The table of exactly these components, and where their values go in it.
template <class... Components> struct bundle final : any_bundle, bundle_columns<Components...> {
    static_assert(are_compatible<Components...>, "two of the components exclude each other");

    explicit bundle(engine& of) {
        // One more, because there are no arrays of none.
        static constexpr bool sparse[]{is_sparse<Components>..., false};
        const id words[]{id_of_type<Components>(of)..., id{}};
        find(of, sizeof...(Components), words, sparse, this->columns.data());
    }

    /// From now on children of these components go to that table.
    void place_children(engine& of, table& home) {
        columns_below.columns = {home.column_of(of.component_entity<Components>())...};
        find_children(of, home);
    }

    bundle_columns<Components...> columns_below;
};

} // namespace ecs
