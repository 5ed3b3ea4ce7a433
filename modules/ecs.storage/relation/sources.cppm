// SPDX-License-Identifier: MIT
// Relations that do not fragment keep the target as a value in the source's row, and a list of sources for
// each target:
//
//   row of a child  ->  { target: parent, position: 7 }
//   list of parent  ->  5: [ child, child, child, ... ]     the child is at its position, of which the first
//                                                           is 5 here
//
// Linking appends, unlinking moves the last source into the hole: constant time, whatever the number of
// targets. An ordered list closes the hole instead: the sources before it or behind it get new positions,
// whichever are fewer, so that sources may leave one after the other from either end.
export module ecs.storage:sources;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;

export namespace ecs {

/// The value in a source's row.
struct link {
    entity target;
    std::uint32_t position{}; ///< In the target's list, counted from a number of the list's own.
};

class store;

/// The sources of one target, as a range. It stays usable when the source at which it stands is removed or
/// given another target while the loop goes on; sources added meanwhile come up if they are behind. When the
/// target ends there are no more, and when the world goes back to a snapshot, the range has the sources that
/// the target has then.
class source_range {
  public:
    class iterator;

    source_range() = default;

    [[nodiscard]] inline iterator begin() const;
    [[nodiscard]] inline std::default_sentinel_t end() const { return {}; }
    [[nodiscard]] inline std::size_t size() const { return up_to_date().known_size(); }
    [[nodiscard]] inline bool empty() const { return size() == 0; }

    /// The sources as an array, for the fastest loop. Good until a source is added or removed, or the world
    /// goes back to a snapshot.
    [[nodiscard]] inline std::span<const entity> as_span() const {
        const source_range now = up_to_date();
        return now.list_ ? std::span<const entity>(*now.list_) : std::span<const entity>();
    }

  private:
    friend class store;

    /// Whether the list may now belong to another target, be gone, or have been made.
    [[nodiscard]] inline bool is_stale() const { return retired_ && (*retired_ != seen_ || !list_); }
    [[nodiscard]] inline source_range up_to_date() const { return is_stale() ? found_again() : *this; }
    [[nodiscard]] source_range found_again() const;
    [[nodiscard]] inline std::size_t known_size() const { return list_ ? list_->size() : 0; }

    const std::vector<entity>* list_{}; ///< Null where there are none.
    const std::uint64_t* retired_{};    ///< See source_directory::retired.
    std::uint64_t seen_{};              ///< The value of that when the list was found.
    const store* in_{};
    entity target_;
    std::uint32_t relation_{};
};

class source_range::iterator {
  public:
    using value_type = entity;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    inline explicit iterator(const source_range& over) : over_(over) { read(); }

    [[nodiscard]] inline entity operator*() const { return current_; }
    inline iterator& operator++() {
        if (over_.is_stale()) [[unlikely]]
            over_ = over_.found_again();
        if (position_ < over_.known_size() && (*over_.list_)[position_] == current_) ++position_;
        read();
        return *this;
    }
    inline void operator++(int) { ++*this; }
    [[nodiscard]] friend inline bool operator==(const iterator& it, std::default_sentinel_t) {
        return !it.current_;
    }

  private:
    inline void read() { current_ = position_ < over_.known_size() ? (*over_.list_)[position_] : entity{}; }

    source_range over_;
    std::size_t position_{};
    entity current_{};
};

inline source_range::iterator source_range::begin() const { return iterator(up_to_date()); }

/// The lists of one relation, by target.
class source_lists {
  public:
    /// Counts in `retired` the lists that their targets no longer have.
    inline void count_retired_in(std::uint64_t& retired) { retired_ = &retired; }

    /// The target's list; nullptr when it has none.
    [[nodiscard]] inline const std::vector<entity>* find(std::uint32_t target) const {
        const std::uint32_t* const number = by_target_.find(target);
        return number ? &lists_[*number].sources : nullptr;
    }

    /// Appends the source and returns its position. Throws std::bad_alloc.
    inline std::uint32_t append(std::uint32_t target, entity source) {
        list& to = list_of(target);
        to.sources.push_back(source);
        return to.end() - 1;
    }

    /// Takes the source at a position out of the list. `placed` learns the new position of every source that
    /// moved.
    template <class Placed>
    void remove(std::uint32_t target, std::uint32_t position, bool keep_order, Placed&& placed) {
        if (target != last_target_ && !by_target_.find(target)) return;
        list& from = list_of(target);
        if (keep_order)
            from.close_hole(position - from.first, placed);
        else
            from.fill_hole(position - from.first, placed);
        if (from.sources.empty()) retire(target);
    }

    /// Takes the source at a position out of the list if it is the last one there; false otherwise.
    [[nodiscard]] inline bool remove_last(std::uint32_t target, std::uint32_t position) {
        list& from = list_of(target);
        if (position + 1 != from.end()) return false;
        from.sources.pop_back();
        if (from.sources.empty()) retire(target);
        return true;
    }

    /// Makes room for that many more sources of the target, and returns the position of the first of them.
    /// Throws std::bad_alloc. Append or trim comes next.
    inline std::uint32_t reserve(std::uint32_t target, std::size_t count) {
        list& to = list_of(target);
        if (to.sources.capacity() - to.sources.size() < count) [[unlikely]]
            make_room(target, std::max(to.sources.size() + count, 2 * to.sources.size()));
        return to.end();
    }
    /// Appends sources for which there is room. Returns the position of the first.
    inline std::uint32_t append_reserved(std::uint32_t target, std::span<const entity> sources) noexcept {
        list& to = list_of(target);
        const std::uint32_t first = to.end();
        to.sources.insert(to.sources.end(), sources.begin(), sources.end());
        return first;
    }
    /// Puts the sources, which are those on the list, into another order. Returns the position of the first.
    inline std::uint32_t assign(std::uint32_t target, std::span<const entity> sources) noexcept {
        list& to = list_of(target);
        std::ranges::copy(sources, to.sources.begin());
        return to.first;
    }
    /// Forgets the list if it is empty.
    inline void trim(std::uint32_t target) noexcept {
        if (list_of(target).sources.empty()) retire(target);
    }

    /// A copy of the lists.
    [[nodiscard]] inline source_lists copy() const {
        source_lists made;
        made.by_target_ = by_target_;
        made.lists_ = lists_;
        made.free_.reserve(2 * lists_.size() + 8); // Retiring cannot fail.
        made.free_.insert(made.free_.end(), free_.begin(), free_.end());
        return made;
    }

    /// Calls visit(target index, sources) for each target.
    void for_each(auto&& visit) const {
        by_target_.for_each([&](std::uint64_t target, std::uint32_t number) {
            visit(static_cast<std::uint32_t>(target), lists_[number].sources);
        });
    }

    [[nodiscard]] inline std::size_t targets() const { return by_target_.size(); }

  private:
    /// Makes room in the list of the target. No list is left empty.
    void make_room(std::uint32_t target, std::size_t capacity) {
        try {
            list_of(target).sources.reserve(capacity);
        } catch (...) {
            trim(target);
            throw;
        }
    }
    struct list {
        std::vector<entity> sources;
        std::uint32_t first{}; ///< The position of the first source. Behind the last number comes 0.

        /// The position behind the last source.
        [[nodiscard]] inline std::uint32_t end() const {
            return first + static_cast<std::uint32_t>(sources.size());
        }
        /// Moves the last source to the place of a source that leaves.
        inline void fill_hole(std::uint32_t place, auto& placed) {
            sources[place] = sources.back();
            sources.pop_back();
            if (place != sources.size()) placed(sources[place], first + place);
        }
        /// Takes a source out; the other sources stay in their order.
        inline void close_hole(std::uint32_t place, auto& placed) {
            sources.erase(sources.begin() + place);
            const bool is_near_begin = place < sources.size() / 2;
            first += is_near_begin;
            const auto begin = is_near_begin ? 0 : place;
            const auto end = is_near_begin ? place : static_cast<std::uint32_t>(sources.size());
            for (std::uint32_t at = begin; at != end; ++at) placed(sources[at], first + at);
        }
    };

    [[nodiscard]] inline list& list_of(std::uint32_t target) {
        if (target == last_target_) return *last_;
        const std::uint32_t* const number = by_target_.find(target);
        last_ = number ? &lists_[*number] : &make_list(target);
        last_target_ = target;
        return *last_;
    }

    /// A list with room for its first source, so that none is left empty.
    inline list& make_list(std::uint32_t target) {
        if (free_.empty()) {
            if (free_.capacity() <= lists_.size())
                free_.reserve(2 * lists_.size() + 8); // Retiring cannot fail.
            lists_.emplace_back();
            free_.push_back(static_cast<std::uint32_t>(lists_.size() - 1));
        }
        list& made = lists_[free_.back()];
        made.sources.reserve(1);
        by_target_[target] = free_.back();
        free_.pop_back();
        return made;
    }

    inline void retire(std::uint32_t target) noexcept {
        free_.push_back(*by_target_.find(target));
        by_target_.erase(target);
        last_target_ = 0;
        ++*retired_;
    }

    flat_map<std::uint32_t> by_target_; ///< The numbers of lists.
    std::deque<list> lists_;            ///< Where a list is does not change, so that ranges stay good.
    std::vector<std::uint32_t> free_;
    list* last_{};                ///< The list that was asked for last: sources of one target come together.
    std::uint32_t last_target_{}; ///< The target of that list; 0 when it has none.
    std::uint64_t* retired_{};
};

/// The lists of all relations that keep their targets in a column, by the index of the relation.
class source_directory {
  public:
    source_directory() = default;
    source_directory(const source_directory&) = delete;
    source_directory& operator=(const source_directory&) = delete;

    /// The lists of the relation; nullptr when it has none.
    [[nodiscard]] inline source_lists* find(std::uint32_t relation) const {
        const std::unique_ptr<source_lists>* const known = by_relation_.find(relation);
        return known ? known->get() : nullptr;
    }
    /// The lists of the relation; made when there are none. Throws std::bad_alloc.
    [[nodiscard]] inline source_lists& of(std::uint32_t relation) {
        if (source_lists* const known = find(relation)) return *known;
        return add(relation, std::make_unique<source_lists>());
    }
    /// Copies the lists to a relation that has none. Throws std::bad_alloc.
    inline void add_copy(std::uint32_t relation, const source_lists& of) {
        add(relation, std::make_unique<source_lists>(of.copy()));
    }
    /// Does nothing when the relation has no lists.
    inline void erase(std::uint32_t relation) noexcept {
        if (!find(relation)) return;
        by_relation_.erase(relation);
        ++retired_;
    }

    /// Calls visit(relation index, lists) for each relation.
    void for_each(auto&& visit) const {
        by_relation_.for_each([&](std::uint64_t relation, const std::unique_ptr<source_lists>& lists) {
            visit(static_cast<std::uint32_t>(relation), *lists);
        });
    }

    inline void swap(source_directory& other) noexcept {
        std::swap(by_relation_, other.by_relation_);
        count_own();
        other.count_own();
    }

    /// Goes up whenever a target loses its list.
    [[nodiscard]] inline const std::uint64_t& retired() const { return retired_; }

  private:
    inline source_lists& add(std::uint32_t relation, std::unique_ptr<source_lists> made) {
        made->count_retired_in(retired_);
        return *(by_relation_[relation] = std::move(made));
    }
    inline void count_own() noexcept {
        ++retired_;
        by_relation_.for_each([&](std::uint64_t, const std::unique_ptr<source_lists>& lists) {
            lists->count_retired_in(retired_);
        });
    }

    flat_map<std::unique_ptr<source_lists>> by_relation_;
    std::uint64_t retired_{};
};

} // namespace ecs
