// SPDX-License-Identifier: MIT
// A registry that one thread owns, and in which others create: which identifiers live, and a payload of the
// owner's for each identifier, in one word for each index (see :lent_word).
//
//    owner                        shared: the pool of a concurrent registry      other threads
//   +-----------------+  share   +------------------------------------------+   +------+
//   | chain of free   | -------> | depot: nodes of ready identifiers        |-->| lane |  no key
//   | indices, window | <------- | walk: pages that nobody has had          |   +------+
//   +-----------------+  restock |   ... and pages of keys                  |-->| lane |  a key's stock
//            |                   +------------------------------------------+   +------+
//            +---- deal: each key gets as many indices as it ever used between two deals -->
//
// The owner creates and ends by plain loads and stores, and keeps what it ended in a chain through the slots,
// which takes no memory. Other threads create through lanes, one for each thread. They never destroy: they
// ask the owner to do it. An index is in exactly one of these places, live, or retired; no index is
// ever lost.
//
// Threads: functions are the owner's, but for those that say otherwise. Any thread may call alive, slot_of,
// slot_at and at, at any time: wait-free. It may call status, too, but not while the owner clears, goes back
// or writes states. Exclusive functions ask that no other thread creates meanwhile.
export module ecs.registry:owned_registry;
import ecs.std;
import ecs.id;
import :atomics;
import :depot;
import :geometry;
import :identity;
import :index_chain;
import :index_walk;
import :key_lane;
import :lane_pool;
import :lent_word;
import :owned_parts;
import :owned_state;
import :pool_ground;
import :sparse_slots;
import :status;
import :turn_walk;

namespace ecs {

// What is called once for each identifier is always inlined: a compiler that sees that a class is
// instantiated elsewhere would call it there.

/// See the head of this file. A layout must lend its index bits; payloads have no bits outside
/// lent_word<Layout>::lent_mask.
export template <lending_layout Layout, class Atomics = std_atomics,
                 registry_geometry Geometry = owned_geometry<Layout>>
class basic_owned_registry {
    static_assert(slots_are_told_apart<Layout>());

    using parts = owned_parts<Layout, Atomics, Geometry>;
    using pool_type = lane_pool<parts>;
    using self = identity<Layout>;

  public:
    using words = lent_word<Layout>;
    using word = word_of<Layout>;
    using id_type = basic_id<Layout>;
    using lane_type = typename parts::lane_type;

    static constexpr std::uint32_t page_size = 1U << parts::pages::page_bits;
    /// The last index that is issued: 32 bits hold the one behind it.
    static constexpr std::uint32_t last_index =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(words::index_max, 0xFFFF'FFFF - page_size));
    static constexpr std::uint32_t no_key = ~std::uint32_t{0};

    /// Identifiers carry the number of the world, which is 0 where the layout has no field for it. Issues
    /// nothing before open. Slots in pages leave their memory to the heap when the registry ends, for the
    /// next one to use; such a registry is for copies: whatever makes a page excludes all other threads.
    /// Throws field_range_error when the field cannot hold the number, and std::bad_alloc.
    explicit basic_owned_registry(std::uint64_t world, bool in_pages = false)
        : ground_(self::checked_stamp_of(world), !in_pages) {
        ground_.pages.ensure(0);
        slots().write(0, words::never_issued); // Nobody's: a handle of index 0 has no generation there.
    }
    basic_owned_registry(const basic_owned_registry&) = delete;
    basic_owned_registry& operator=(const basic_owned_registry&) = delete;

    /// Issues identifiers of that space from now on, which lies between 1 and last_index; no identifier is
    /// alive, and there are no keys and no lanes. The lowest index comes first. Throws std::bad_alloc.
    void open(const index_space& space);
    /// The same for a copy, which issues nothing. Throws std::bad_alloc.
    void open_copy(const index_space& space);
    [[nodiscard]] inline const index_space& space() const { return space_; }

    // -- Ask. For any thread, wait-free; status: see there. ----------------------------------------------

    [[nodiscard, gnu::always_inline]] inline bool alive(id_type id) const {
        return words::is_of(slots().read(number(id)), id.value());
    }
    /// The slot of a live identifier; 0 for any other.
    [[nodiscard, gnu::always_inline]] inline word slot_of(id_type id) const {
        const word slot = slots().read(number(id));
        // A word that is no handle may have the upper half of a free slot.
        return ((slot ^ id.value()) & words::upper_half) == 0 && !words::is_unused(id.value()) ? slot
                                                                                               : word{0};
    }
    /// Reads slots that are flat without looking for them first; where they are in pages, it knows of none.
    /// It is valid as long as the registry exists.
    class flat_slots {
      public:
        [[gnu::always_inline]] inline explicit flat_slots(const basic_owned_registry& of)
            : first_(of.ground_.pages.flat_slots()) {}

        /// The slot of a live identifier; 0 for any other, or where this knows of none. It asks by branches,
        /// which processors predict: what depends on the slot need not wait for the comparison.
        [[nodiscard, gnu::always_inline]] inline word slot_of(id_type id) const {
            word slot{};
            return find(id, slot) ? slot : 0;
        }
        /// The same for a caller that goes on where there is a slot: writes it to `slot`.
        [[nodiscard, gnu::always_inline]] inline bool find(id_type id, word& slot) const {
            constexpr unsigned width = parts::state::index_field.width();
            const std::uint32_t index = number(id);
            if (!first_ || std::uint64_t{index} >> width != 0) [[unlikely]]
                return false;
            slot = first_[index].word.load(std::memory_order_relaxed); // As in lent_slots.
            if (((slot ^ id.value()) & words::upper_half) != 0) [[unlikely]]
                return false;
            return !words::is_unused(id.value());
        }
        /// Lets the slot come from memory, for who will ask for it soon. Of any word.
        [[gnu::always_inline]] inline void prefetch(id_type id) const {
            prefetch_slot<parts>(first_, std::uintptr_t{number(id)} * sizeof(*first_));
        }
        /// As basic_owned_registry::set_payload, where this knows of slots. The owner's.
        [[gnu::always_inline]] inline void set_payload(std::uint32_t index, word payload,
                                                       word kept) const noexcept {
            slots_type::write_to(first_[index], payload, words::upper_half | kept);
        }
        /// The same where the slot is known.
        [[gnu::always_inline]] inline void set_payload_of(std::uint32_t index, word slot, word payload,
                                                          word kept) const noexcept {
            slots_type::write_over(first_[index], slot, payload, words::upper_half | kept);
        }

      private:
        typename parts::pages::slot_type* first_; ///< Null where they are in pages.
    };

    /// Reads and writes the slots of indices of which most are in the page of the one before. It is valid
    /// as long as the registry exists.
    class near_slots {
      public:
        [[gnu::always_inline]] inline explicit near_slots(const basic_owned_registry& of)
            : of_(&of), slots_(of.ground_.pages) {}

        /// The slot of an index, whatever it says.
        [[nodiscard, gnu::always_inline]] inline word slot_at(std::uint32_t index) {
            return slots_.read(index);
        }
        /// The identifier of an index with a live slot.
        [[nodiscard, gnu::always_inline]] inline id_type id_in(word slot, std::uint32_t index) const {
            return of_->handle(index, words::generation_bits(slot));
        }
        /// As basic_owned_registry::set_payload, where the slot is known. The owner's.
        [[gnu::always_inline]] inline void set_payload_of(std::uint32_t index, word slot, word payload,
                                                          word kept) noexcept {
            slots_.write(index, (slot & (words::upper_half | kept)) | payload);
        }

      private:
        const basic_owned_registry* of_;
        slot_walk<parts> slots_;
    };

    /// The slot of an index, whatever it says.
    [[nodiscard, gnu::always_inline]] inline word slot_at(std::uint32_t index) const {
        return slots().read(index);
    }
    /// The bits that any of these slots has; the `count` indices from `first` on are in use.
    [[nodiscard, gnu::always_inline]] inline word bits_of_slots(std::uint32_t first,
                                                                std::uint32_t count) const {
        word bits = 0;
        for (std::uint32_t n = 0; n != count; ++n) bits |= slots().known(first + n);
        return bits;
    }
    /// The live identifier of an index; null when there is none.
    [[nodiscard, gnu::always_inline]] inline id_type at(std::uint32_t index) const {
        const word slot = slots().read(index);
        return words::is_live(slot) ? handle(index, words::generation_bits(slot)) : id_type{};
    }
    /// For any thread, but not while the owner clears, goes back or writes states.
    [[nodiscard]] id_status status(id_type id) const;

    [[nodiscard]] inline std::uint64_t world() const
        requires has_role<Layout, field_role::world>
    {
        return id_type::assume_word(ground_.stamp).world();
    }

    // -- Create and end. The owner's, constant time. --------------------------------------------------

    /// A new identifier. Throws std::bad_alloc, or std::length_error when every index of the space is taken.
    [[nodiscard, gnu::always_inline]] inline id_type create(word payload) {
        return issue_at(take_index(), payload);
    }

    /// An index for a new identifier, which is the caller's until issue_at or give_back. Throws as create.
    [[nodiscard, gnu::always_inline]] inline std::uint32_t take_index() {
        if (chain_.empty() && window_.empty()) [[unlikely]]
            restock_or_refuse();
        return take_known();
    }
    [[gnu::always_inline]] inline void give_back(std::uint32_t index) noexcept {
        chain_.give_back(slots(), index);
    }
    /// The identifier that an index from take_index will be.
    [[nodiscard, gnu::always_inline]] inline id_type promise(std::uint32_t index) const {
        return handle(index, generation_to_issue(slots().known(index)));
    }
    [[gnu::always_inline]] inline id_type issue_at(std::uint32_t index, word payload) noexcept {
        ++live_;
        auto& slot = ground_.pages.at(index).word;
        const word generation =
            generation_to_issue(slot.load(std::memory_order_relaxed)); // As in lent_slots.
        slot.store(static_cast<word>(ground_.stamp | generation | payload), std::memory_order_relaxed);
        return handle(index, generation);
    }

    /// The same for many: takes the indices and returns the identifiers to come. Throws as create, and then
    /// has taken none, and what had been filled holds null: promised ones may be given to others later.
    void promise_all(std::span<id_type> out);
    /// Makes all that were promised alive; payloads count up from the first.
    inline void issue_all(std::span<const id_type> promised, word first_payload) noexcept {
        live_ += promised.size();
        issue_run(promised, first_payload);
    }
    /// Promises and issues many that have one payload. Throws as create, and then none has been created.
    void create_all(std::span<id_type> out, word payload);

    /// Throws std::length_error: every index of the space is taken.
    [[noreturn]] void refuse() const;

    /// Makes sure that that many more can be created without asking for memory. Throws as create.
    void reserve(std::size_t more);
    /// Throws as create unless the space has that many more.
    inline void require(std::size_t more) {
        if (chain_.size() + window_.size() < more && !surely_has(more)) [[unlikely]]
            reserve(more);
    }

    /// Ends the identifier, which is alive. Its index is used again under the next generation, or retired.
    [[gnu::always_inline]] inline void destroy(id_type id) noexcept {
        if (!later_.empty()) [[unlikely]]
            return destroy_as_returned(id);
        --live_;
        free(number(id), words::generation_after(words::generation_bits(id.value())));
    }
    /// Ends all of the identifiers, which are alive and differ, as destroy does one after the other.
    void destroy_all(std::span<const id_type> all) noexcept;
    /// Ends the identifier, which is alive, and never uses its index again.
    [[gnu::always_inline]] inline void retire(id_type id) noexcept {
        slots().write(number(id), words::retired_word);
        --live_;
    }

    /// Writes the payload of a live identifier, except the bits to keep.
    [[gnu::always_inline]] inline void set_payload(std::uint32_t index, word payload,
                                                   word kept = 0) noexcept {
        slots().write(index, payload, words::upper_half | kept);
    }

    // -- Claim: identifiers outside the space. --------------------------------------------------------

    /// The identifier of an index outside the space; null when it is in use or retired, and for index 0.
    /// Throws std::bad_alloc.
    [[nodiscard]] id_type create_at(std::uint32_t index, word payload);
    /// Takes the identifier over, which is one of the layout and lies outside the space; null when its index
    /// is 0, is in use, or had that generation before. Throws std::bad_alloc.
    [[nodiscard]] id_type claim(id_type elsewhere, word payload);
    /// Takes a claim back: the identifier can be claimed again.
    void take_back_claim(id_type id) noexcept;
    /// The registry is empty: gives a claimed index, which lies outside the space, the slot that it had
    /// before.
    void unclaim(std::uint32_t index, word before) noexcept { slots().write(index, before); }

    // -- Other threads. -------------------------------------------------------------------------------

    /// A lane for a thread, which gives it back. For any thread, lock-free but for the system's memory.
    /// Throws std::bad_alloc.
    [[nodiscard]] lane_type& enter_lane() { return pool_->enter_own(); }
    /// Takes back what a lane has not used, for the key that it was filled for.
    void leave_lane(lane_type& lane, std::uint32_t key) noexcept;
    /// Gives an empty lane identifiers, of the key if there is one; false when none is left. For any thread,
    /// one at a time for each lane; lock-free but for the system's memory. Throws std::bad_alloc.
    [[nodiscard]] bool refill(lane_type& lane, std::uint32_t key);
    /// Returns identifiers to the lane they were taken from. Likewise.
    void put_back(lane_type& lane, id_type id) noexcept { pool_->put_back(lane, id.value()); }

    /// A new identifier from a lane that has one: alive at once. Likewise.
    [[gnu::always_inline]] inline id_type issue_from(lane_type& lane, word payload) noexcept {
        const id_type id = id_type::assume_word(lane.take(lane.ready.count()));
        slots().write(number(id), (id.value() & words::upper_half) | payload);
        return id;
    }
    /// Makes all identifiers that were taken from a lane alive; payloads count up from the first. For any
    /// thread, one at a time for each lane.
    inline void issue_run(std::span<const id_type> taken, word first_payload) noexcept {
        slot_walk<parts> slots(ground_.pages);
        for (const id_type id : taken)
            slots.write(number(id), (id.value() & words::upper_half) | first_payload++);
    }

    /// Notes identifiers that other threads issued.
    inline void count_issued(std::size_t ids) { live_ += ids; }

    /// Lets other threads have free indices: a page, or twice as many as they used since the last time; none
    /// where there are keys; all when nothing else is left for them. Linear in their number. Exclusive, but
    /// that lanes without a key may be left meanwhile. Returns what issued_by_others would.
    std::uint64_t share() noexcept;

    /// How many identifiers other threads have issued since the pool began. Linear in lanes. Thread-safe.
    [[nodiscard]] std::uint64_t issued_by_others() const noexcept { return pool_ ? pool_->live_count() : 0; }

    // Keys: exclusive, but for refill.

    /// Makes keys until there are that many. Throws std::bad_alloc, or std::length_error when there would be
    /// more than pages.
    void make_keys(std::uint32_t count);
    /// Throws std::length_error when make_keys would.
    static void require_keys(std::uint32_t count);
    [[nodiscard]] inline std::size_t keys() const { return keys_.size(); }
    /// Gives every key as many indices as it ever used between two deals, in their order, as far as there are
    /// any. No lane has any that was filled for a key.
    void deal() noexcept;

    // -- Everything. ----------------------------------------------------------------------------------

    /// Ends all identifiers; no handle comes back to life. Exclusive, and there are no lanes. The registry
    /// can be opened again.
    void clear() noexcept;

    [[nodiscard]] inline std::size_t live_count() const { return live_; }
    /// Bytes of the slots that were ever used.
    [[nodiscard]] std::size_t memory_bytes() const;

    /// Calls visit(index) for every index of a page that was ever used, except 0, in ascending order.
    void for_each_index(const auto& visit) const {
        for_each_page([&](std::uint32_t page) { for_each_index_of(page, visit); });
    }

    /// Calls visit(index, slot) for these indices.
    void for_each_slot(const auto& visit) const {
        for_each_page([&](std::uint32_t page) {
            const page_slots slots = slots_of(page);
            for_each_index_of(page, [&](std::uint32_t index) { visit(index, slots.read(index)); }, slots);
        });
    }

    // -- Copies, to go back to. -----------------------------------------------------------------------
    // A copy has the same identifiers alive, as far as the owner says. The registry that has gone back to it
    // hands out the same indices in the same order.

    /// Becomes a copy; nothing has been issued yet. settled(slot) says of a live slot whether its identifier
    /// is alive in the copy, under the same payload. Throws std::bad_alloc.
    void mirror(const basic_owned_registry& other, const auto& settled);
    /// Makes the identifier, whose index is free, alive in this copy. Throws std::bad_alloc.
    void adopt(id_type id, word payload);
    /// Makes the index's page exist. Throws std::bad_alloc.
    void make_page(std::uint32_t index);
    /// Calls visit(index, count, state) for the indices that for_each_index visits: for `count` of them from
    /// that index on, which are in the same state. settled(slot) says of a live slot whether its identifier
    /// counts as alive, by these bits of the payload.
    void for_each_state(word told_by, const auto& settled, const auto& visit) const {
        for_each_page([&](std::uint32_t page) {
            const page_slots slots = slots_of(page);
            const std::uint32_t end = (page + 1) * page_size;
            for (std::uint32_t index = std::max(page * page_size, std::uint32_t{1}); index != end;) {
                const std::uint32_t count = alike_from(slots, index, end, words::upper_half | told_by);
                visit(index, count, state_of(index, slots.read(index), settled));
                index += count;
            }
        });
    }
    /// Writes the states of indices of a copy, in ascending order: for_each_state the other way round.
    class state_writer {
      public:
        explicit state_writer(basic_owned_registry& to) : to_(&to), slots_(to.ground_.pages) {}
        state_writer(const state_writer&) = delete;
        state_writer& operator=(const state_writer&) = delete;
        ~state_writer() { to_->live_ += live_; }

        /// Writes the state of an index whose page exists. An identifier that lives gets the payload. Throws
        /// std::bad_alloc.
        [[gnu::always_inline]] inline void write(std::uint32_t index, index_state state, word payload) {
            const word next = words::codec::pack(0, state.next);
            if (state.live == 0) return slots_.write(index, words::waiting_for(next));
            const word live = words::codec::pack(0, state.live);
            if (next != words::generation_after(live)) [[unlikely]]
                to_->later_.set(index, next);
            slots_.write(index, word_of(state, payload));
            ++live_;
        }
        /// The same for an index and those behind it, all of one page and in this state; their identifiers
        /// live.
        void write_run(std::uint32_t first, std::uint32_t count, index_state state, word payload) {
            write(first, state, payload);
            if (to_->later_.find(first)) [[unlikely]] {
                for (std::uint32_t n = 1; n != count; ++n) write(first + n, state, payload);
                return;
            }
            const page_slots slots(to_->ground_.pages, first);
            for (std::uint32_t n = 1; n != count; ++n) slots.write(first + n, word_of(state, payload));
            live_ += count - 1;
        }

      private:
        [[nodiscard, gnu::always_inline]] inline word word_of(index_state state, word payload) const {
            return static_cast<word>(to_->ground_.stamp | words::codec::pack(0, state.live) | payload);
        }

        basic_owned_registry* to_;
        slot_walk<parts> slots_;
        std::size_t live_{}; ///< The number of live identifiers among those written.
    };

    /// For a copy whose states have been set. In pages with live identifiers the free indices go to the
    /// owner, lowest first, except the upper half, at most one page, which goes to other threads: they would
    /// begin a new page after each return otherwise. Where no other page is left, all go to other threads.
    /// The walk must not enter these pages: it would also find indices that are given back later, and issue
    /// them twice. Pages without live identifiers count as unused. Throws std::bad_alloc.
    void pass_over_used_pages();

    /// What is needed to go back to a copy.
    struct return_plan {
        generations_after_return generations{};
        allocation_state state;
        std::vector<std::uint32_t> shared; ///< The indices that other threads have from then on.
        std::unique_ptr<pool_type> pool;
        sparse_slots<word> later; ///< By index: see destroy_as_returned.
    };
    /// settled(slot) as in mirror, of slots of the copy. Throws std::bad_alloc, and then nothing has changed.
    [[nodiscard]] return_plan plan_return(const basic_owned_registry& past,
                                          generations_after_return generations, const auto& settled);
    /// The identifiers that are settled in the copy live, with their payloads, and indices are handed out as
    /// they were then. All others are dead, for ever if generations are later: an index goes on behind the
    /// latest that it ever had. Lanes end. No thread may call status meanwhile.
    void return_to(const basic_owned_registry& past, return_plan&& plan, const auto& settled) noexcept;

  private:
    using slots_type = lent_slots<parts>;

    [[nodiscard, gnu::always_inline]] inline slots_type slots() const { return slots_type(ground_.pages); }
    /// Which slot a word names, if it is an identifier; no index that is issued has more than 32 bits.
    [[nodiscard, gnu::always_inline]] static inline std::uint32_t number(id_type id) {
        const std::uint64_t index = words::payload_of(id.value());
        if constexpr (words::lent_mask > 0xFFFF'FFFF)
            return static_cast<std::uint32_t>(std::min(index, std::uint64_t{0xFFFF'FFFF}));
        return static_cast<std::uint32_t>(index);
    }
    [[nodiscard, gnu::always_inline]] inline id_type handle(std::uint32_t index, word generation) const {
        return id_type::assume_word(static_cast<word>(ground_.stamp | generation | index));
    }
    /// The generation to issue, by the slot of an index of the space.
    [[nodiscard, gnu::always_inline]] inline word generation_to_issue(word slot) const {
        return std::max(words::generation_bits(slot), least_generation_);
    }
    inline id_type issue_as(std::uint32_t index, word generation, word payload) noexcept {
        slots().write(index, static_cast<word>(ground_.stamp | generation | payload));
        return handle(index, generation);
    }
    [[gnu::always_inline]] inline void free(std::uint32_t index, word next) noexcept {
        if (next != 0 && space_.contains(index)) [[likely]]
            chain_.push(slots(), index, next);
        else
            slots().write(index,
                          next == 0 ? words::retired_word : static_cast<word>(words::unused_mark | next));
    }
    void destroy_run(id_type first, std::uint32_t count) noexcept;

    // Where the owner's indices come from.

    [[nodiscard, gnu::always_inline]] inline std::uint32_t take_known() noexcept {
        return chain_.empty() ? window_.take() : chain_.take(slots());
    }
    void draw_all(std::span<id_type> out, auto draw);
    [[nodiscard]] std::size_t draw_known(std::span<id_type> out, auto draw) noexcept;
    [[nodiscard]] bool restock();
    [[gnu::noinline]] void restock_or_refuse();
    [[nodiscard]] bool take_page();
    [[nodiscard]] bool take_shared(look how) noexcept;
    /// Makes a window's first indices usable; false when it has none.
    [[nodiscard]] bool look_into(index_window& window) const;
    [[nodiscard]] bool surely_has(std::size_t count) const;

    // Keys.

    [[nodiscard]] bool refill_from_key(lane_type& lane, std::uint32_t key);
    void make_room_for_next(const key_stock& stock, std::uint32_t count);
    [[nodiscard]] bool stock_up(key_stock& stock, std::uint32_t key);
    void top_up(key_stock& stock);
    [[nodiscard]] auto turns_of_keys() const {
        return [this](std::uint32_t key) { return keys_[key]->stock.turns; };
    }
    void begin_turns(std::uint32_t keys);
    [[nodiscard]] std::uint64_t drawn_with_key() const;
    void share_batch();

    // Pages.

    /// Calls visit(page) for the pages that were ever used, in ascending order.
    void for_each_page(const auto& visit) const { ground_.pages.for_each_page(visit); }
    using page_slots = slots_of_page<parts>;
    /// Calls visit(index) for the indices of a page, except 0; visit looks at these slots.
    static void for_each_index_of(std::uint32_t page, const auto& visit,
                                  const std::same_as<page_slots> auto&... slots) {
        const auto visit_all = [&](std::uint32_t first, std::uint32_t end) {
            for (std::uint32_t index = first; index != end; ++index) visit(index);
        };
        for_each_line_of(page, visit_all, slots...);
    }
    /// The same for runs of indices whose slots are in one line of memory: visit(first, end). Behind the last
    /// index of all, `end` is 0.
    static void for_each_line_of(std::uint32_t page, const auto& visit,
                                 const std::same_as<page_slots> auto&... slots) {
        const std::uint32_t first = page * page_size;
        constexpr std::uint32_t line = std::min(page_slots::in_a_line, page_size);
        for (std::uint32_t i = 0; i < page_size; i += line) {
            (slots.prefetch_behind(first + i), ...);
            const std::uint32_t begin = std::max(first + i, std::uint32_t{1});
            if (const std::uint32_t end = first + i + line; begin != end) visit(begin, end);
        }
    }
    /// Whether the slot's identifier is alive, and settled.
    [[nodiscard, gnu::always_inline]] static inline bool lives(word slot, const auto& settled) {
        return words::is_live(slot) && settled(slot);
    }
    /// Whether all these indices are settled. In most worlds they are, in nearly all lines, so that asking
    /// all at once and without a branch for each is the shorter way.
    [[nodiscard, gnu::always_inline]] static inline bool
    all_settled(const page_slots& slots, std::uint32_t first, std::uint32_t end, const auto& settled) {
        bool all = true;
        for (std::uint32_t index = first; index != end; ++index) {
            const word slot = slots.read(index);
            all &= words::is_live(slot);
            all &= settled(slot);
        }
        return all;
    }
    /// Whether none of these indices was ever used, by any of these slots. In most lines the last one was,
    /// and answers for all.
    [[nodiscard, gnu::always_inline]] static inline bool
    all_untouched(std::uint32_t first, std::uint32_t end, const std::same_as<page_slots> auto&... slots) {
        const auto any_of = [&](std::uint32_t index) { return static_cast<word>((... | slots.read(index))); };
        word any = any_of(end - 1);
        if (any != words::never_issued) [[likely]]
            return false;
        for (std::uint32_t index = first; index != end; ++index) any = static_cast<word>(any | any_of(index));
        return any == words::never_issued;
    }
    /// Whether all these indices are in use, under the generations of the other slots.
    [[nodiscard, gnu::always_inline]] static inline bool
    all_live_on(const page_slots& slots, const page_slots& others, std::uint32_t first, std::uint32_t end) {
        bool all = true;
        for (std::uint32_t index = first; index != end; ++index) {
            const word slot = slots.read(index);
            all &= words::is_live(slot);
            all &= words::generation_bits(slot ^ others.read(index)) == 0;
        }
        return all;
    }
    [[nodiscard]] page_slots slots_of(std::uint32_t page) const {
        return page_slots(ground_.pages, page * page_size);
    }
    /// Notes which pages of the space were used before a walk begins.
    void look_at_used_pages();

    // Copies.

    void begin(const index_space& space);
    /// The generation of the index's next identifier; 0 when there will be none.
    [[nodiscard]] word generation_after(std::uint32_t index) const {
        return generation_after(index, slots().read(index));
    }
    [[nodiscard, gnu::always_inline]] inline word generation_after(std::uint32_t index, word slot) const {
        if (!words::is_live(slot)) return slot == words::retired_word ? 0 : words::next_generation_bits(slot);
        if (!later_.empty()) [[unlikely]]
            return later_generation(index, slot);
        return words::generation_after(words::generation_bits(slot));
    }
    [[nodiscard, gnu::noinline]] word later_generation(std::uint32_t index, word slot) const {
        const word* const later = later_.find(index);
        const word now = words::generation_bits(slot);
        return later && is_behind(*later, now) ? *later : words::generation_after(now);
    }
    /// Whether the generation, or that there is none, is still to come behind that of now. What was noted of
    /// an index stays when its identifier has ended: other threads may be reading it.
    [[nodiscard]] static bool is_behind(word later, word now) { return later == 0 || later > now; }
    [[nodiscard, gnu::always_inline]] static inline std::uint32_t generation_in(word bits) {
        return static_cast<std::uint32_t>(words::codec::generation_of(bits));
    }
    /// The generation from which on the index has issued no identifier; behind all when it will issue no
    /// more.
    [[nodiscard]] word first_unissued(std::uint32_t index, word slot) const {
        const word* const later = words::is_live(slot) ? later_.find(index) : nullptr;
        const word now = words::generation_bits(slot);
        if (!later || !is_behind(*later, now)) return now;
        return *later == 0 ? std::numeric_limits<word>::max() : *later;
    }
    [[gnu::noinline]] void destroy_as_returned(id_type id) noexcept;
    [[nodiscard]] static word later_of(word one, word other) {
        return one == 0 || other == 0 ? word{0} : std::max(one, other); // None is the latest.
    }
    [[nodiscard]] index_state state_of(std::uint32_t index, word slot, const auto& settled) const {
        return {lives(slot, settled) ? generation_in(slot) : 0, generation_in(generation_after(index, slot))};
    }
    /// How many slots from that of the index on are alike in these bits, and in whether they are retired: a
    /// free slot may have no generation, as a retired one. Only the one where some have noted what their next
    /// generation is.
    [[nodiscard]] std::uint32_t alike_from(const page_slots& slots, std::uint32_t index, std::uint32_t end,
                                           word bits) const {
        if (!later_.empty()) return 1;
        const word first = slots.read(index);
        const auto is_alike = [&](word slot) {
            return ((slot ^ first) & bits) == 0 &&
                   (slot == words::retired_word) == (first == words::retired_word);
        };
        std::uint32_t next = index;
        do {
            if (next % page_slots::in_a_line == 0) slots.prefetch_behind(next);
            ++next;
        } while (next != end && is_alike(slots.read(next)));
        return next - index;
    }
    [[nodiscard]] allocation_state state() const;
    [[nodiscard]] word generation_after_return(const basic_owned_registry& past, std::uint32_t index,
                                               word then, word now,
                                               generations_after_return generations) const;
    [[nodiscard]] bool has_life(std::uint32_t page) const;
    /// Whether generations that are not the usual next ones are known of indices that may live after a
    /// return.
    [[nodiscard]] bool has_noted(const basic_owned_registry& past,
                                 generations_after_return generations) const {
        const bool minds_later = generations == generations_after_return::later;
        return !past.later_.empty() || (minds_later && !later_.empty());
    }
    void keep_free(return_plan& plan, const basic_owned_registry& past, const auto& is_free) const;
    void look_over_slots(return_plan& plan, const basic_owned_registry& past, const auto& settled) const;
    void note_later(return_plan& plan, const basic_owned_registry& past, std::uint32_t index) const;
    void share_again(return_plan& plan, const auto& next);
    void begin_turns_of_all_keys(return_plan& plan) const;
    [[nodiscard]] std::unique_ptr<pool_type> make_pool() {
        return std::make_unique<pool_type>(ground_, index_run{space_.first, space_.last});
    }

    pool_ground<parts> ground_;
    index_space space_;
    word least_generation_ = words::generation_unit;
    std::unique_ptr<pool_type> pool_; ///< Null in a copy.
    index_chain<words> chain_;
    index_window window_;
    std::size_t live_{};
    std::uint32_t unused_from_{}; ///< No page of the space from this one on was used before this walk,
    std::uint32_t pages_used_{};  ///< and that many pages were.
    std::vector<std::unique_ptr<key_lane<Atomics>>> keys_;
    std::uint64_t drawn_{}; ///< How many were drawn without a key when free indices were shared last.
    std::uint64_t given_{}; ///< That number, with those that were shared and not drawn since.
    std::uint64_t drawn_with_key_{};     ///< Drawn with a key until the last deal.
    std::unique_ptr<lane_type> carrier_; ///< Between the chain and the depot.
    /// The next generations of live identifiers to which the registry went back from later ones: not theirs
    /// + 1; 0: there is none. It changes when the registry goes back, is cleared, or gets a state from a
    /// file.
    sparse_slots<word> later_;
    allocation_state kept_; ///< In a copy: what the original would hand out.
};

} // namespace ecs
