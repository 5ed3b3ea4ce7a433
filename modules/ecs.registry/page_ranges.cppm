// SPDX-License-Identifier: MIT
// Which pages of slots were ever used, as ranges: a walk uses pages one behind the other, and claims use few
// far away.
export module ecs.registry:page_ranges;
import ecs.std;

namespace ecs {

/// Disjoint ranges of pages, in ascending order, with a gap between any two. Not thread-safe.
class page_ranges {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Adds the pages first to end - 1. Throws std::bad_alloc, and has changed nothing then. Linear in the
    /// number of ranges.
    void add(std::uint32_t first, std::uint32_t end) {
        if (first >= end) return;
        const auto from = std::ranges::lower_bound(ranges_, first, {}, &range::end);
        const auto to = std::ranges::lower_bound(ranges_, end + 1, {}, &range::first);
        if (from == to) {
            ranges_.insert(from, {first, end});
            size_ += end - first;
            return;
        }
        const range whole{std::min(first, from->first), std::max(end, (to - 1)->end)};
        for (auto part = from; part != to; ++part) size_ -= part->end - part->first;
        size_ += whole.end - whole.first;
        *from = whole;
        ranges_.erase(from + 1, to);
    }

    /// How many pages there are.
    [[nodiscard]] std::size_t size() const { return size_; }

    /// The first page from that one on; none where there is none.
    [[nodiscard]] std::uint32_t next_from(std::uint32_t page) const {
        const auto in = std::ranges::lower_bound(ranges_, page + 1, {}, &range::end);
        return in == ranges_.end() ? none : std::max(page, in->first);
    }

    /// One behind the last page.
    [[nodiscard]] std::uint32_t end() const { return ranges_.empty() ? 0 : ranges_.back().end; }

  private:
    struct range {
        std::uint32_t first;
        std::uint32_t end;
    };
    std::vector<range> ranges_;
    std::size_t size_{};
};

} // namespace ecs
