// SPDX-License-Identifier: MIT
// Ranges that are decided at run time, and why one may be refused.
export module ecs.registry:index_range;
import ecs.std;

namespace ecs {

/// A range that a registry has taken up: the indices first to last, both included. It belongs to the registry
/// that gave it.
export class index_range {
  public:
    [[nodiscard]] constexpr std::uint64_t first() const { return first_; }
    [[nodiscard]] constexpr std::uint64_t last() const { return last_; }

    constexpr bool operator==(const index_range&) const = default;

  private:
    template <class, class, class, class> friend class partition_pools;
    template <class, class> friend class pool_map;

    constexpr index_range(std::uint64_t first, std::uint64_t last, std::size_t position)
        : first_(first), last_(last), position_(position) {}

    std::uint64_t first_;
    std::uint64_t last_;
    std::size_t position_;
};

/// How error texts name a range.
inline std::string title_of_range(std::uint64_t first, std::uint64_t last) {
    return "range " + std::to_string(first) + " to " + std::to_string(last);
}

/// Why a range is refused.
export enum class range_refusal : std::uint8_t {
    reversed,           ///< Its last index lies before its first.
    contains_null,      ///< It begins at index 0, which is no index.
    beyond_index,       ///< It leaves the index field of the layout.
    overlaps_range,     ///< Some index belongs to another range.
    overlaps_partition, ///< Some index belongs to a named partition, or only part of it to the unnamed one.
    already_used,       ///< Some index has been issued or claimed, or is quarantined.
};

/// The refusal in words.
export [[nodiscard]] constexpr std::string_view to_string(range_refusal refusal) {
    switch (refusal) {
    case range_refusal::reversed: return "the last index lies before the first";
    case range_refusal::contains_null: return "index 0 is no index";
    case range_refusal::beyond_index: return "the last index does not fit the index field";
    case range_refusal::overlaps_range: return "it collides with another range";
    case range_refusal::overlaps_partition: return "it collides with a partition";
    case range_refusal::already_used: return "some of its indices have been used";
    }
    return "unknown";
}

/// The value of a refused range was asked for.
export struct range_error : std::logic_error {
    explicit range_error(range_refusal why)
        : std::logic_error("the range is refused: " + std::string(to_string(why))), refusal(why) {}

    range_refusal refusal;
};

/// A range, or why it was refused.
export class range_result {
  public:
    constexpr range_result(index_range range) : range_(range) {}
    constexpr range_result(range_refusal refusal) : refusal_(refusal) {}

    [[nodiscard]] constexpr bool has_value() const { return range_.has_value(); }
    [[nodiscard]] constexpr explicit operator bool() const { return has_value(); }

    /// The range. Throws range_error when it was refused, in every build.
    [[nodiscard]] constexpr const index_range& value() const {
        if (!has_value()) throw range_error(error());
        return *range_;
    }
    [[nodiscard]] constexpr const index_range& operator*() const { return value(); }
    [[nodiscard]] constexpr const index_range* operator->() const { return &value(); }

    /// Why it was refused. Throws std::logic_error when it was not.
    [[nodiscard]] constexpr range_refusal error() const {
        if (has_value()) throw std::logic_error("the range is not refused");
        return refusal_;
    }

  private:
    std::optional<index_range> range_; ///< Not a std::variant: see docs/decisions/standard-library.md.
    range_refusal refusal_{};
};

} // namespace ecs
