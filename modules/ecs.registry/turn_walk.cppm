// SPDX-License-Identifier: MIT
// The walk of a registry with keys: what a key gets follows from that key alone, so that some pages of
// indices are for one key, and no other thread takes them.
//
//   page      | had ... | F     F+1    F+2  | F+3   F+4    F+5  | ...   | tail    with two keys
//   whose     |         | all   key 0  key 1| all   key 0  key 1| ...   | all     "all" is whoever has no key
//   turn      |         |         0         |         1         |
//
// F is the first page of the present turns. When turns begin anew, F moves behind the last page of which any
// thread has had indices. Pages of a key before F that the key did not use are listed as `passed` and are
// handed out first, so that none is lost. The tail is the page in which the run ends. Without keys, all
// pages are for all, and this is the walk of :index_walk.
//
//   place     0 ...                                    the order in which "all" is handed out, in blocks:
//   block     | pages passed over | all's turns | tail |
//
// Threads: a place is handed out by one exchange, to any thread; a page of a key goes to the thread that uses
// the key, which no other does meanwhile; everything else is exclusive.
export module ecs.registry:turn_walk;
import ecs.std;
import :index_walk;
import :pool_ground;

namespace ecs {

/// Indices one behind the other, of which the first ones can be used; and those behind them that have not
/// been looked at.
struct index_window {
    std::uint32_t first{};
    std::uint32_t end{};      ///< One behind the last index that can be used.
    std::uint32_t rest_end{}; ///< One behind the last index.

    [[nodiscard]] constexpr bool empty() const { return first == end; }
    [[nodiscard]] constexpr std::uint32_t size() const { return end - first; }
    /// An index; there is one.
    [[nodiscard]] constexpr std::uint32_t take() { return first++; }

    /// For an empty window: goes on to the next indices that can be used; false when there are none.
    [[nodiscard]] bool advance(const auto& is_usable) {
        while (end != rest_end && !is_usable(end)) ++end;
        first = end;
        while (rest_end - end >= at_once && all_are(is_usable, end)) end += at_once;
        while (end != rest_end && is_usable(end)) ++end;
        return !empty();
    }

  private:
    /// Most pages can be used as a whole, and asking for several without a branch for each is the shorter
    /// way.
    static constexpr std::uint32_t at_once = 8;
    [[nodiscard, gnu::always_inline]] static inline bool all_are(const auto& is_usable, std::uint32_t from) {
        bool all = true;
        for (std::uint32_t i = 0; i != at_once; ++i) all &= is_usable(from + i);
        return all;
    }
};

/// Where the turns of a walk stand.
struct walk_turns {
    std::uint64_t place{};             ///< The next place to be handed out.
    std::uint64_t tail_taken{};        ///< Blocks of the tail, before these turns.
    std::uint32_t first_page{};        ///< F.
    std::uint32_t keys{};              ///< The number of keys.
    std::vector<std::uint32_t> passed; ///< Pages that are handed out first.
};

template <class Parts> class turn_walk : public index_walk<Parts> {
    using base = index_walk<Parts>;
    static constexpr auto relaxed = std::memory_order_relaxed; // What is taken is a number, and nothing else.

  public:
    static constexpr std::uint32_t page_size = 1U << Parts::pages::page_bits;

    turn_walk(pool_ground<Parts>& ground, index_run indices)
        : base(ground, indices), blocks_in_page_(page_size / this->batch) {
        walk_turns turns;
        turns.first_page = page_of(indices.first);
        if (turns.first_page < whole_end()) turns.place = indices.first / this->batch % blocks_in_page_;
        set_turns(std::move(turns));
    }

    /// See index_walk::go.
    bool go(auto prepare, auto take) {
        for (;;) {
            std::uint64_t place = this->cursor().load(relaxed);
            if (place >= places_end_) return false;
            const std::uint64_t block = block_at(place);
            prepare(std::max(this->run.first, block * this->batch));
            if (this->cursor().compare_exchange_strong(place, place + 1, relaxed, relaxed) && take(block))
                return true;
        }
    }

    /// Gives the caller what is left of a page of "all", as a window in which nothing has been looked at;
    /// nothing when no page is left. Of the last page it gives a block: others need some of it, too.
    /// prepare(index) as in go. Lock-free.
    [[nodiscard]] std::optional<index_window> take_page(auto prepare) {
        for (;;) {
            std::uint64_t place = this->cursor().load(relaxed);
            if (place >= places_end_) return std::nullopt;
            const bool is_last = place_of_next_page(place) == places_end_;
            index_window page = window_of(block_at(place));
            if (is_last) page.rest_end = std::min(page.rest_end, end_of_block(page.first));
            prepare(page.first);
            const std::uint64_t next = is_last ? place + 1 : place_of_next_page(place);
            if (this->cursor().compare_exchange_strong(place, next, relaxed, relaxed)) return page;
        }
    }

    /// The page of a key's turn, as take_page; nothing when the pages of the key have all been taken.
    [[nodiscard]] std::optional<index_window> page_of_key(std::uint32_t key, std::uint32_t turn) const {
        const std::uint64_t page = turns_.first_page + std::uint64_t{turn} * stride() + key + 1;
        if (key >= turns_.keys || page >= whole_end()) return std::nullopt;
        return window_of(page * blocks_in_page_);
    }

    /// The index that comes when "all" have been handed out that many more; nothing when none is left then.
    [[nodiscard]] std::optional<std::uint64_t> index_after(std::uint64_t more) const noexcept {
        const std::uint64_t place = this->cursor().load(relaxed) + more / this->batch;
        return place < places_end_ ? std::optional(block_at(place) * this->batch) : std::nullopt;
    }

    /// How many whole pages are left for "all".
    [[nodiscard]] std::uint64_t pages_left() const noexcept {
        const std::uint64_t place = this->cursor().load(relaxed);
        return place < tail_place_ ? (tail_place_ - place) / blocks_in_page_ : 0;
    }

    /// Where the turns stand. `passed` is a copy: throws std::bad_alloc.
    [[nodiscard]] walk_turns turns() const {
        walk_turns now = turns_;
        now.place = this->cursor().load(relaxed);
        return now;
    }

    /// One behind the last page that "all" or a key has had, without the tail; turns_of(key) returns how many
    /// turns the key has had.
    [[nodiscard]] std::uint32_t turns_end(const auto& turns_of) const {
        std::uint64_t end = page_after_turns(own_turns(this->cursor().load(relaxed)), 0);
        for (std::uint32_t key = 0; key < turns_.keys; ++key)
            end = std::max(end, page_after_turns(turns_of(key), key + 1));
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(end, std::max(whole_end(), turns_.first_page)));
    }

    // Exclusive.

    /// Begins the turns anew, for that many keys; turns_of(key) returns how many turns the key has had.
    /// Throws std::bad_alloc, and has changed nothing then.
    void begin_turns(std::uint32_t keys, const auto& turns_of) {
        const std::uint64_t place = this->cursor().load(relaxed);
        walk_turns next;
        next.keys = keys;
        next.tail_taken = turns_.tail_taken + past(tail_place_);
        next.first_page = turns_end(turns_of);
        if (place < tail_place_) next.place = place % blocks_in_page_;
        for (std::uint64_t p = place / blocks_in_page_; p < turns_.passed.size(); ++p)
            next.passed.push_back(turns_.passed[p]);
        if (next.passed.empty() && next.place != 0) next.passed.push_back(page_of_place(place));
        for (std::uint32_t page = turns_.first_page; page < next.first_page; ++page)
            if (!is_taken(page, own_turns(place), turns_of)) next.passed.push_back(page);
        set_turns(std::move(next));
    }

    /// Begins the first turns behind the last page that is in use; for_each_page(visit) names these pages in
    /// ascending order, and the other pages before it are handed out first. Throws std::bad_alloc, and has
    /// changed nothing then.
    void begin_behind(const auto& for_each_page) {
        walk_turns next;
        next.keys = turns_.keys;
        std::uint32_t& end = next.first_page = page_of(this->run.first);
        for_each_page([&](std::uint32_t page) {
            if (page < end || page > page_of(this->run.last)) return;
            if (page >= whole_end()) next.tail_taken = tail_blocks();
            for (; end < std::min(page, whole_end()); ++end) next.passed.push_back(end);
            if (page < whole_end()) end = page + 1;
        });
        const std::uint32_t first = next.passed.empty() ? end : next.passed.front();
        if (first == page_of(this->run.first) && first < whole_end())
            next.place = this->run.first / this->batch % blocks_in_page_;
        set_turns(std::move(next));
    }

    /// Goes on from these turns, which are those of a walk of the same run.
    void set_turns(walk_turns turns) noexcept {
        turns_ = std::move(turns);
        tail_place_ = (turns_.passed.size() + turns_in_all()) * blocks_in_page_;
        places_end_ = tail_place_ + tail_blocks() - turns_.tail_taken;
        this->cursor().store(turns_.place, relaxed);
    }

    /// One behind the last index of the page that has been handed out; turns_of as in begin_turns.
    [[nodiscard]] std::uint64_t had_until(std::uint32_t page, const auto& turns_of) const {
        const std::uint64_t first = std::uint64_t{page} * page_size;
        if (page >= whole_end())
            return (tail_first_block() + turns_.tail_taken + past(tail_place_)) * this->batch;
        if (const auto n = std::ranges::find(turns_.passed, page) - turns_.passed.begin();
            n != static_cast<std::ptrdiff_t>(turns_.passed.size()))
            return first + blocks_had(static_cast<std::uint64_t>(n)) * this->batch;
        if (page < turns_.first_page) return first + page_size;
        const std::uint64_t turn = (page - turns_.first_page) / stride();
        const auto nth = static_cast<std::uint32_t>((page - turns_.first_page) % stride());
        if (nth != 0) return turn < turns_of(nth - 1) ? first + page_size : first;
        return first + blocks_had(turns_.passed.size() + turn) * this->batch;
    }

  private:
    [[nodiscard]] static constexpr std::uint32_t page_of(std::uint64_t index) {
        return static_cast<std::uint32_t>(index / page_size);
    }
    [[nodiscard]] std::uint64_t stride() const noexcept { return std::uint64_t{turns_.keys} + 1; }
    /// One behind the last page that lies wholly in the run, wherever the run begins.
    [[nodiscard]] std::uint32_t whole_end() const noexcept { return page_of(this->run.last + 1); }
    [[nodiscard]] std::uint64_t turns_in_all() const noexcept {
        return turns_.first_page < whole_end() ? (whole_end() - turns_.first_page + stride() - 1) / stride()
                                               : 0;
    }
    [[nodiscard]] std::uint64_t tail_first_block() const noexcept {
        return std::max(this->run.first, std::uint64_t{whole_end()} * page_size) / this->batch;
    }
    [[nodiscard]] std::uint64_t tail_blocks() const noexcept {
        const bool is_there = std::uint64_t{whole_end()} * page_size <= this->run.last;
        return is_there ? this->run.last / this->batch - tail_first_block() + 1 : 0;
    }

    [[nodiscard]] std::uint32_t page_of_place(std::uint64_t place) const noexcept {
        const std::uint64_t n = place / blocks_in_page_;
        if (n < turns_.passed.size()) return turns_.passed[n];
        return static_cast<std::uint32_t>(turns_.first_page + (n - turns_.passed.size()) * stride());
    }
    [[nodiscard]] std::uint64_t block_at(std::uint64_t place) const noexcept {
        if (place >= tail_place_) return tail_first_block() + turns_.tail_taken + (place - tail_place_);
        return std::uint64_t{page_of_place(place)} * blocks_in_page_ + place % blocks_in_page_;
    }
    [[nodiscard]] std::uint64_t place_of_next_page(std::uint64_t place) const noexcept {
        return place >= tail_place_ ? places_end_ : place - place % blocks_in_page_ + blocks_in_page_;
    }
    /// The window from the block on to the end of its page.
    [[nodiscard]] index_window window_of(std::uint64_t block) const noexcept {
        const auto first = static_cast<std::uint32_t>(std::max(this->run.first, block * this->batch));
        const std::uint64_t page_end = (std::uint64_t{page_of(first)} + 1) * page_size;
        return {first, first, static_cast<std::uint32_t>(std::min(page_end, this->run.last + 1))};
    }

    [[nodiscard]] std::uint32_t end_of_block(std::uint32_t index) const noexcept {
        return index - index % static_cast<std::uint32_t>(this->batch) +
               static_cast<std::uint32_t>(this->batch);
    }

    /// How many places from that one on have been handed out.
    [[nodiscard]] std::uint64_t past(std::uint64_t place) const noexcept {
        const std::uint64_t now = this->cursor().load(relaxed);
        return now - std::min(now, place);
    }
    /// How many blocks of the n-th page of "all" have been handed out.
    [[nodiscard]] std::uint64_t blocks_had(std::uint64_t n) const noexcept {
        return std::min<std::uint64_t>(past(n * blocks_in_page_), blocks_in_page_);
    }

    /// How many turns "all" has had.
    [[nodiscard]] std::uint64_t own_turns(std::uint64_t place) const noexcept {
        const std::uint64_t pages = (std::min(place, tail_place_) + blocks_in_page_ - 1) / blocks_in_page_;
        return pages - std::min<std::uint64_t>(pages, turns_.passed.size());
    }
    [[nodiscard]] std::uint64_t page_after_turns(std::uint64_t turns, std::uint32_t nth) const noexcept {
        return turns == 0 ? turns_.first_page : turns_.first_page + (turns - 1) * stride() + nth + 1;
    }
    [[nodiscard]] bool is_taken(std::uint32_t page, std::uint64_t own, const auto& turns_of) const {
        const std::uint64_t turn = (page - turns_.first_page) / stride();
        const auto nth = static_cast<std::uint32_t>((page - turns_.first_page) % stride());
        return turn < (nth == 0 ? own : turns_of(nth - 1));
    }

    const std::uint32_t blocks_in_page_;
    walk_turns turns_;
    std::uint64_t tail_place_{}; ///< Where the tail begins.
    std::uint64_t places_end_{};
};

} // namespace ecs
