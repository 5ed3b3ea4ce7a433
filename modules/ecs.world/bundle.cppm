// SPDX-License-Identifier: MIT
// A set of component types that entities are spawned with: its table and columns are found once.
export module ecs.world:bundle;
import ecs.std;
import ecs.id;
import ecs.relation;
import :chunk;
import :component;
import :entities;
import :property_list;
import :store;
import :table;
import :term;

namespace ecs {

struct any_bundle {
    any_bundle() = default;
    any_bundle(const any_bundle&) = delete;
    any_bundle& operator=(const any_bundle&) = delete;
    virtual ~any_bundle();

    table* in{};
    /// What the store had when the table was found; another number means it may be gone.
    std::uint64_t removals{};
    std::vector<id> attended; ///< Components that others come with.

  protected:
    /// Finds the table of those of the components that are not kept aside, and the column of each in it.
    /// Throws std::invalid_argument when one of them can be added in a pair only. Takes arrays of `count`,
    /// not spans: making a span of an array costs every importer the concepts of iterators.
    void find(store& of, std::size_t count, const id* components, const bool* aside, const column** columns);
};

/// Where the values of these components go in the rows of some table. Those that are kept outside tables are
/// for the caller to add.
template <class... Components> struct bundle_columns {
    template <std::size_t First, class Values, std::size_t... I>
    static constexpr bool noexcept_from(std::index_sequence<I...>) {
        return ((I < First || is_kept_aside<std::tuple_element_t<I, std::tuple<Components...>>> ||
                 std::is_nothrow_constructible_v<std::tuple_element_t<I, std::tuple<Components...>>,
                                                 std::tuple_element_t<I, Values>>) &&
                ...);
    }

    /// Constructs the values from I on in the row; those made end again when one throws.
    template <std::size_t I, class Values> void construct(row_ref at, Values& values) const {
        if constexpr (I < sizeof...(Components)) {
            using value = std::tuple_element_t<I, std::tuple<Components...>>;
            using argument = std::tuple_element_t<I, Values>;
            if constexpr (!std::is_empty_v<value> && !is_kept_aside<value>)
                ::new (columns[I]->value(at)) value(std::forward<argument>(std::get<I>(values)));
            construct_rest<I>(at, values);
        }
    }

    /// Whether constructing all of the values cannot throw.
    template <class Values>
    static constexpr bool is_nothrow = noexcept_from<0, Values>(std::index_sequence_for<Components...>{});

    std::array<const column*, sizeof...(Components)> columns{};

  private:
    template <std::size_t I, class Values> void construct_rest(row_ref at, Values& values) const {
        if constexpr (noexcept_from<I + 1, Values>(std::index_sequence_for<Components...>{})) {
            construct<I + 1>(at, values);
        } else {
            try {
                construct<I + 1>(at, values);
            } catch (...) {
                if (columns[I]) columns[I]->destroy(columns[I]->value(at));
                throw;
            }
        }
    }
};

/// The table of exactly these components, and where their values go in it.
template <class... Components> struct bundle final : any_bundle, bundle_columns<Components...> {
    static_assert(are_compatible<Components...>, "two of the components exclude each other");

    explicit bundle(store& of) {
        // One more, because there are no arrays of none.
        static constexpr bool aside[]{is_kept_aside<Components>..., false};
        const id words[]{id_of_type<Components>(of)..., id{}};
        find(of, sizeof...(Components), words, aside, this->columns.data());
    }
};

} // namespace ecs
