// SPDX-License-Identifier: MIT
// The order in which a query hands out rows: by one of their values, or parents before children.
export module ecs.query:row_order;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import ecs.structure;
import :found_row;

export namespace ecs {

/// A match and a chunk of it, which many rows on a list have in common.
struct listed_place {
    const match* found_in{};
    chunk* block{};
};

/// A row on a list, as small as can be: a loop in an order reads all of them.
struct listed_row {
    static_assert(rows_max < (std::size_t{1} << 16), "a row of a chunk and a run of them have sixteen bits");

    std::uint32_t place{};
    std::uint16_t row{};
    std::uint16_t run{}; ///< The rows from this one on that are neighbours on the list, too.
};

/// The rows of a list, or a piece of it. Valid as long as the list.
class listed_rows {
  public:
    listed_rows() = default;
    inline listed_rows(std::span<const listed_place> places, std::span<const listed_row> rows)
        : places_(places), rows_(rows) {}

    [[nodiscard]] inline std::size_t size() const { return rows_.size(); }
    [[nodiscard]] inline bool empty() const { return rows_.empty(); }
    [[nodiscard]] inline found_row operator[](std::size_t n) const {
        const listed_row& at = rows_[n];
        return {places_[at.place].found_in, places_[at.place].block, at.row, at.place};
    }
    [[nodiscard]] inline const match& match_of(std::size_t n) const {
        return *places_[rows_[n].place].found_in;
    }
    [[nodiscard]] inline std::size_t run_of(std::size_t n) const { return rows_[n].run; }
    [[nodiscard]] inline std::span<const listed_place> places() const { return places_; }
    [[nodiscard]] inline std::span<const listed_row> rows() const { return rows_; }
    [[nodiscard]] inline listed_rows subspan(std::size_t first) const {
        return {places_, rows_.subspan(first)};
    }
    [[nodiscard]] inline listed_rows subspan(std::size_t first, std::size_t count) const {
        return {places_, rows_.subspan(first, count)};
    }

  private:
    std::span<const listed_place> places_;
    std::span<const listed_row> rows_;
};

/// Gives neighbours of one match and one chunk the same place. Returns the places. Linear.
[[nodiscard]] std::vector<listed_place> number_places(std::span<found_row> rows);

/// Rows in the order of a loop, which is kept as long as all of them are where they were. A copy knows none:
/// rows point to the matches of their query.
class row_list {
  public:
    /// Changes whenever a chunk comes or goes, and whenever an entity gets or loses something.
    struct version {
        std::uint64_t chunks{};
        std::uint64_t rows{};
        bool operator==(const version&) const = default;
    };

    row_list() = default;
    row_list(const row_list&) noexcept {}
    row_list(row_list&&) noexcept = default;
    row_list& operator=(const row_list&) noexcept {
        forget();
        return *this;
    }
    row_list& operator=(row_list&&) noexcept = default;
    ~row_list() = default;

    [[nodiscard]] inline listed_rows rows() const { return {places_, rows_}; }
    [[nodiscard]] inline bool is_of(version now) const { return version_ == now; }
    inline void forget() noexcept { version_.reset(); }
    /// The rows, with the places that were numbered before they got their order, and the version of which
    /// they are; null where they are good for one loop alone. Linear. Throws std::bad_alloc.
    void assign(std::vector<listed_place> places, std::span<const found_row> rows, std::optional<version> of);

  private:
    std::vector<listed_place> places_;
    std::vector<listed_row> rows_;
    std::optional<version> version_;
};

/// Compares two values by their addresses.
class value_comparison {
  public:
    value_comparison() = default;
    value_comparison(const value_comparison&) = delete;
    value_comparison& operator=(const value_comparison&) = delete;
    virtual ~value_comparison() = default;

    [[nodiscard]] virtual bool is_less(const void* a, const void* b) const = 0;
    /// How many of the values, from the second on, may follow the one before them, up to the first that may
    /// not: equal ones stand in the order of their places. One call for all, so that a loop contains the
    /// comparison.
    [[nodiscard]] virtual std::size_t count_following(std::span<const void* const> values,
                                                      std::span<const std::uint32_t> places) const = 0;
    /// The same for values that stand at equal distances, in the order of their places.
    [[nodiscard]] virtual std::size_t count_following(const void* first, std::ptrdiff_t distance,
                                                      std::size_t values) const = 0;
};
/// Size is the distance of values in a column, as far as the compiler knows it; else 0.
template <class Less, std::size_t Size = 0> class comparison_by final : public value_comparison {
  public:
    explicit comparison_by(Less less) : less_(std::move(less)) {}

    [[nodiscard]] bool is_less(const void* a, const void* b) const override { return less_(a, b); }
    [[nodiscard]] std::size_t count_following(std::span<const void* const> values,
                                              std::span<const std::uint32_t> places) const override {
        std::size_t next = 1;
        if constexpr (Size != 0) next = pass_over_blocks(values, places);
        while (next < values.size() &&
               (less_(values[next - 1], values[next]) ||
                (places[next - 1] < places[next] && !less_(values[next], values[next - 1]))))
            ++next;
        return next - 1;
    }
    [[nodiscard]] std::size_t count_following(const void* first, std::ptrdiff_t distance,
                                              std::size_t values) const override {
        const auto* const all = static_cast<const std::byte*>(first);
        std::size_t next = 1;
        if constexpr (Size != 0)
            if (distance == std::ptrdiff_t{Size}) next = pass_over_blocks(all, values);
        const std::byte* at = all + static_cast<std::ptrdiff_t>(next) * distance;
        for (; next < values && !less_(at, at - distance); ++next) at += distance;
        return next - 1;
    }

  private:
    /// Returns the first value after the blocks that are in order. A block is compared without branches: with
    /// many equal values, branches would be mispredicted.
    [[nodiscard]] std::size_t pass_over_blocks(std::span<const void* const> values,
                                               std::span<const std::uint32_t> places) const {
        constexpr std::size_t block = 8;
        std::size_t next = 1;
        for (unsigned out_of_order = 0; values.size() - next >= block; next += block) {
            for (std::size_t i = next; i != next + block; ++i) {
                const unsigned is_less = less_(values[i], values[i - 1]);
                const unsigned is_greater = less_(values[i - 1], values[i]);
                const unsigned stood_behind = places[i] < places[i - 1];
                out_of_order |= is_less | (stood_behind & (is_greater ^ 1U));
            }
            if (out_of_order != 0) break;
        }
        return next;
    }
    /// The same where a block is looked at as a whole: so its comparisons can be vector instructions.
    [[nodiscard]] std::size_t pass_over_blocks(const std::byte* all, std::size_t values) const {
        constexpr std::size_t block = 64;
        std::size_t next = 1;
        for (bool out_of_order = false; values - next >= block; next += block) {
            const std::byte* const at = all + next * Size;
            for (std::size_t i = 0; i != block; ++i)
                out_of_order |= less_(at + i * Size, at + i * Size - Size);
            if (out_of_order) break;
        }
        return next;
    }

    Less less_;
};

/// See the head of this file. Remembers the last order: sorting is linear while it still holds.
class row_order {
  public:
    using comparison = std::shared_ptr<const value_comparison>;
    using entity_comparison = std::function<bool(entity, entity)>;

    /// Sorts by values of the component, which all rows have.
    void sort_by(id component, comparison less);
    /// Sorts by what the function says of two entities.
    void sort_by(entity_comparison less);
    /// Puts parents before children, along a relation that is acyclic.
    void cascade(entity relation);

    /// The relation along which parents come before children; null when they need not.
    [[nodiscard]] inline entity descends() const { return descends_; }

    /// Whether there is an order.
    [[nodiscard]] inline explicit operator bool() const { return less_ || less_entity_ || descends_; }

    /// The rows in this order; rows of one depth stay in their order. Throws what the comparison throws.
    [[nodiscard]] std::vector<found_row> put(const engine& in, std::vector<found_row> found);

    /// Whether the rows that put returned last, which are where they were, are in this order still. Throws
    /// what the comparison throws.
    [[nodiscard]] bool holds(const listed_rows& order) const;

  private:
    void forget();
    [[nodiscard]] bool is_less(const listed_rows& order, std::size_t a, std::size_t b) const;
    [[nodiscard]] bool is_followed(const listed_rows& order, std::size_t at) const;
    [[nodiscard]] std::size_t count_following(const listed_rows& order, std::size_t first) const;
    void gather(const std::vector<found_row>& found);
    [[nodiscard]] std::vector<found_row> sorted(const engine& in, const std::vector<found_row>& found);
    [[nodiscard]] std::vector<found_row> by_depth(const engine& in,
                                                  const std::vector<found_row>& order) const;

    id sorted_by_;
    comparison less_;                        ///< Null when rows are not sorted by values.
    entity_comparison less_entity_;          ///< Used instead of that.
    entity descends_;                        ///< Null when parents need not come before children.
    std::vector<entity> gathered_;           ///< The entities of the last sorting, as the tables had them.
    std::vector<std::uint32_t> permutation_; ///< Their order.
    std::vector<const void*> values_;        ///< Their values, in that order, when all are in columns.
};

/// How many of the rows from the first on make a piece for one thread: about the number that is wanted, with
/// all rows of an entity together.
[[nodiscard]] std::size_t length_of_piece(const listed_rows& rows, std::size_t wanted);

} // namespace ecs
