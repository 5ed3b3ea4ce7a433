// SPDX-License-Identifier: MIT
// The tables that ended last. A query that remembers tables forgets these alone, and need not look at all the
// others again.
export module ecs.storage:drop_log;
import ecs.std;
import :table;

export namespace ecs {

/// A table that ended, and what its end did to the order of the other tables.
struct table_drop {
    const table* gone{}; ///< A table that is gone: it must not be read.
    std::size_t place{}; ///< Where the table was,
    table* moved{};      ///< and the last table is now, if that was another one.
    std::size_t last{};  ///< Where the last table was before.
    bool inherits{};     ///< Whether the table that is gone inherited.
};

/// See the head of this file. Knows a fixed number of tables.
class drop_log {
  public:
    /// Notes that the table is about to end, and the last table to take its place.
    inline void note(const table& gone, table& last) noexcept {
        kept_[count_++ % kept_.size()] = {&gone, gone.ordinal(), &gone == &last ? nullptr : &last,
                                          last.ordinal(), gone.inherits};
    }

    /// How many tables have ended so far.
    [[nodiscard]] inline std::uint64_t count() const { return count_; }
    /// Whether all tables are known that have ended since the count was `seen`.
    [[nodiscard]] inline bool reaches_back_to(std::uint64_t seen) const {
        return count_ - seen <= kept_.size();
    }
    /// Calls visit(table_drop) for each of these tables, in the order in which they ended.
    void for_each_since(std::uint64_t seen, auto&& visit) const {
        for (std::uint64_t at = seen; at != count_; ++at) visit(kept_[at % kept_.size()]);
    }

  private:
    std::array<table_drop, 32> kept_{};
    std::uint64_t count_{};
};

} // namespace ecs
