// SPDX-License-Identifier: MIT
// The chunks that a loop over a query goes to, and where in each of them the values of the terms begin. A
// loop that goes from match to table, from table to chunk and from chunk to column waits for seven lines of
// memory in a table of one row; here the addresses lie one behind the other, and what is to come can be asked
// for.
//
//   match --> table --> chunks       is gone through once, as long as no chunk of the world comes or goes
//
//   words    | chunk position velocity | chunk position velocity | ...
//   entries  | chunk, match            | chunk, match            | ...
//
// A loop reads the words alone. Behind the last chunk there are copies of it, so that a loop may ask for
// memory that is ahead of it without looking where the list ends.
export module ecs.query:chunk_list;
import ecs.std;
import ecs.storage;
import :found_row;
import :term;

export namespace ecs {

/// See the head of this file. A copy is empty: its matches would belong to another query.
class chunk_list {
  public:
    /// A chunk of the list, in a loop over the chunks of Fetched terms.
    template <std::size_t Fetched> class place {
      public:
        inline explicit place(std::byte* const* words) : words_(words) {}

        /// Null where rows may be hidden, whether or not something is disabled: chunk_list::at has the chunk.
        [[nodiscard]] inline chunk* block() const { return reinterpret_cast<chunk*>(words_[0]); }
        [[nodiscard]] inline bool may_hide_rows() const { return !block() || block()->disabled; }
        /// Where the values of the terms begin: null for terms that the chunk does not have.
        [[nodiscard]] inline std::byte* const* starts() const { return words_ + 1; }

        /// Asks for the memory of the chunks to come. The values of one chunk may fill a cache, so that only
        /// the first lines of the next ones are asked for.
        inline void look_ahead() const {
            __builtin_prefetch(words_[far_ahead * stride]);
            for (std::size_t f = 1; f < stride; ++f) __builtin_prefetch(words_[near_ahead * stride + f]);
        }

        inline place& operator++() {
            words_ += stride;
            return *this;
        }
        bool operator==(const place&) const = default;

      private:
        friend class chunk_list;
        static constexpr std::size_t stride = 1 + Fetched;

        std::byte* const* words_;
    };

    struct entry {
        chunk* block{};
        const match* found_in{};
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

    /// Makes the list of the matches' chunks, each with the values of the first `terms` fetched terms:
    /// chunks_of(m) returns the chunks, and hides(m) says whether rows of the match may be hidden. Throws
    /// std::bad_alloc, and is forgotten then.
    void make(std::span<const match> all, std::span<const fetched_term> fetched, std::size_t terms,
              std::uint64_t version, const auto& chunks_of, const auto& hides) {
        forget();
        entries_.clear();
        words_.clear();
        for (const match& m : all)
            for (chunk* const block : chunks_of(m)) {
                entries_.push_back({block, &m});
                words_.push_back(hides(m) ? nullptr : block->bytes());
                for (const fetched_term& f : fetched.subspan(m.first_fetched, terms))
                    words_.push_back(start_of(f, *block));
            }
        repeat_last(1 + terms);
        version_ = version;
    }

    template <std::size_t Fetched> [[nodiscard]] inline place<Fetched> begin() const {
        return place<Fetched>(words_.data());
    }
    template <std::size_t Fetched> [[nodiscard]] inline place<Fetched> end() const {
        return place<Fetched>(words_.data() + entries_.size() * place<Fetched>::stride);
    }
    template <std::size_t Fetched> [[nodiscard]] inline const entry& at(place<Fetched> where) const {
        return entries_[static_cast<std::size_t>(where.words_ - words_.data()) / where.stride];
    }

  private:
    /// A tag has no values: a pointer that is not null says that the tag is there.
    [[nodiscard]] static inline std::byte* start_of(const fetched_term& f, chunk& block) {
        if (f.values) return f.values->block(&block);
        return f.position != table::absent ? block.bytes() : nullptr;
    }

    /// Copies the last chunk, which has that many words, behind itself for loops that look ahead.
    void repeat_last(std::size_t words) {
        if (entries_.empty()) return;
        const std::size_t last = words_.size() - words;
        for (std::size_t i = 0; i < far_ahead * words; ++i) words_.push_back(words_[last + i]);
    }

    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::size_t far_ahead = 4;
    static constexpr std::size_t near_ahead = 2;

    std::vector<entry> entries_;
    std::vector<std::byte*> words_;
    std::uint64_t version_ = never;
};

} // namespace ecs
