// SPDX-License-Identifier: MIT
// The chunks that a loop over a query goes to, and where in each of them the values of the terms begin. Who
// goes from match to table, from table to chunk and from chunk to column waits for seven lines of memory in a
// table of one row; here the addresses lie one behind the other, and what is to come can be asked for.
//
//   match --> table --> chunks       is gone through once, as long as no chunk of the world comes or goes
//
//   entries  | chunk, match | chunk, match | ...        starts  | position velocity | position velocity | ...
export module ecs.query:chunk_list;
import ecs.std;
import ecs.storage;
import :found_row;
import :term;

export namespace ecs {

/// See the head of this file. A copy is empty: matches are another query's.
class chunk_list {
  public:
    struct entry {
        chunk* block{};
        const match* found_in{};
        bool hides{}; ///< Rows may be hidden there, whatever is disabled.

        [[nodiscard]] inline bool may_hide_rows() const { return hides || block->disabled; }
    };

    chunk_list() = default;
    chunk_list(const chunk_list&) noexcept {}
    chunk_list(chunk_list&&) noexcept = default;
    chunk_list& operator=(const chunk_list&) noexcept {
        forget();
        return *this;
    }
    chunk_list& operator=(chunk_list&&) noexcept = default;
    ~chunk_list() = default;

    [[nodiscard]] inline bool is_of(std::uint64_t version) const { return version_ == version; }
    inline void forget() noexcept { version_ = never; }

    /// Becomes the list of the matches' chunks, of which each has so many fetched terms: chunks_of(m) are
    /// they, and hides(m) says whether rows of the match may be hidden. Throws std::bad_alloc, and is
    /// forgotten then.
    void make(std::span<const match> all, std::span<const fetched_term> fetched, std::size_t terms,
              std::uint64_t version, const auto& chunks_of, const auto& hides) {
        forget();
        entries_.clear();
        starts_.clear();
        terms_ = terms;
        for (const match& m : all)
            for (chunk* const block : chunks_of(m)) {
                entries_.push_back({block, &m, hides(m)});
                for (const fetched_term& f : fetched.subspan(m.first_fetched, terms))
                    starts_.push_back(start_of(f, *block));
            }
        version_ = version;
    }

    [[nodiscard]] inline std::span<const entry> entries() const { return entries_; }
    /// Of the fetched terms, in an entry of the list: null for one that the chunk does not have.
    [[nodiscard]] inline std::byte* const* starts_at(std::size_t position) const {
        return starts_.data() + position * terms_;
    }

    /// Asks for the memory of the entries to come. The values of one entry may fill a cache, so that only the
    /// first lines of the next ones are asked for.
    template <std::size_t Fetched> void look_ahead(std::size_t position) const {
        if (position + far_ahead < entries_.size()) __builtin_prefetch(entries_[position + far_ahead].block);
        if (position + near_ahead < entries_.size())
            for (std::size_t f = 0; f < Fetched; ++f) __builtin_prefetch(starts_at(position + near_ahead)[f]);
    }

  private:
    /// A tag has no values: what is not null says that it is there.
    [[nodiscard]] static inline std::byte* start_of(const fetched_term& f, chunk& block) {
        if (f.values) return f.values->block(&block);
        return f.position != table::absent ? block.bytes() : nullptr;
    }

    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::size_t far_ahead = 4;
    static constexpr std::size_t near_ahead = 2;

    std::vector<entry> entries_;
    std::vector<std::byte*> starts_;
    std::size_t terms_{};
    std::uint64_t version_ = never;
};

} // namespace ecs
