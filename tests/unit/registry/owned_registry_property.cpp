// SPDX-License-Identifier: MIT
// Long random sequences of all that an owned registry does, for one thread with several lanes and keys,
// compared with a reference after every step: who lives, with which payload, and who has ever lived. The
// generation of every identifier is foretold; which index it gets is the registry's affair, as long as nobody
// has it.
#include "support/any_bytes.hpp"
#include "support/sanitized.hpp"
#include "support/short_of_addresses.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <optional>
#include <rapidcheck.h>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace {

using test::operation_stream;

void require(bool holds, const char* law) {
    if (!holds) RC_FAIL(law);
}

/// The identifiers of a registry, said as simply as possible.
template <class Id, class Word> class census {
  public:
    std::map<Id, Word> living; ///< With their payloads.
    std::set<Id> issued;       ///< Ever.
    std::set<std::uint32_t> retired;

    static std::uint32_t index_of(Id i) { return static_cast<std::uint32_t>(i.index()); }
    static std::uint64_t generation_of(Id i) { return static_cast<std::uint64_t>(i.generation()); }

    /// Under which generation the index is used next.
    std::uint64_t next(std::uint32_t index) const {
        const auto known = next_.find(index);
        return known == next_.end() ? 1 : known->second;
    }
    bool is_free(std::uint32_t index) const { return !in_use_.contains(index) && !retired.contains(index); }

    void begin(Id i, Word payload) {
        require(issued.insert(i).second, "an identifier was issued twice");
        require(is_free(index_of(i)), "an index was issued that is in use or retired");
        in_use_.insert(index_of(i));
        living[i] = payload;
    }
    /// Its index is retired where there is no later generation, or none is wanted.
    void end(Id i, std::uint64_t last_generation) {
        living.erase(i);
        in_use_.erase(index_of(i));
        next_[index_of(i)] = generation_of(i) + 1;
        if (generation_of(i) >= last_generation) retired.insert(index_of(i));
    }
    /// It has never been.
    void take_back(Id i) {
        end(i, generation_of(i) + 1);
        issued.erase(i);
        next_[index_of(i)] = generation_of(i);
    }

    std::size_t count_within(const ecs::index_space& space) const {
        const auto within = [&](std::uint32_t index) { return space.contains(index); };
        return static_cast<std::size_t>(std::ranges::count_if(in_use_, within) +
                                        std::ranges::count_if(retired, within));
    }

  private:
    std::map<std::uint32_t, std::uint64_t> next_;
    std::set<std::uint32_t> in_use_;
};

/// A registry beside its census. Some indices are in the space, some below it, some above it.
template <class Subject> class owned_pair {
    using registry_type = ecs::basic_owned_registry<typename Subject::layout, typename Subject::atomics,
                                                    typename Subject::geometry>;
    using id = typename registry_type::id_type;
    using word = typename registry_type::word;
    using words = typename registry_type::words;
    using lane = typename registry_type::lane_type;

    static constexpr std::uint32_t no_key = registry_type::no_key;
    static constexpr std::uint64_t last_generation = words::codec::generation_max;
    static constexpr std::size_t lanes_max = 4;
    static constexpr std::size_t few = 200; ///< So many are looked at after every step.

    /// A lane of a thread, if it has one, and the key that it is filled for.
    struct hand {
        lane* entered = nullptr;
        std::uint32_t key = no_key;
    };

  public:
    owned_pair() { ids_.open(space_); }

    void step(operation_stream& operations) {
        const std::uint64_t choice = operations.byte() % 64;
        if (choice < 28)
            step_of_owner(choice, operations);
        else if (choice < 36)
            step_outside(choice, operations);
        else if (choice < 56)
            step_of_lane(choice, operations);
        else
            exclusive_step(choice, operations);
        require(ids_.live_count() == known_.living.size(), "the living are miscounted");
        if (known_.issued.size() < few) agree();
    }

    /// Who lives is alive, and who has ended is dead.
    void agree() const {
        for (const auto& [i, payload] : known_.living) require_alive(i, payload);
        for (const id i : known_.issued)
            if (!known_.living.contains(i)) require_dead(i);
    }

    /// Without lanes every index of the space that is in no use can be created, by the owner or for a key.
    void nothing_is_lost() {
        give_back_promised();
        leave_lanes();
        const std::size_t free = size_of(space_) - known_.count_within(space_);
        std::size_t made = 0;
        while (create(0)) ++made;
        for (std::uint32_t key = 0; key < ids_.keys(); ++key) made += use_up(key);
        require(made == free, "an index was lost");
        agree();
    }

  private:
    // What the owner does.

    void step_of_owner(std::uint64_t choice, operation_stream& operations) {
        if (choice < 8)
            create(payload_from(operations));
        else if (choice == 8)
            create_many(1 + operations.below(Subject::many), payload_from(operations));
        else if (choice < 14)
            step_of_promises(choice, operations);
        else if (choice == 14)
            reserve(operations.below(Subject::many));
        else if (choice == 15)
            require_room(operations.below(Subject::many));
        else if (!known_.living.empty())
            step_of_the_living(choice, living(operations), operations);
    }
    void step_of_promises(std::uint64_t choice, operation_stream& operations) {
        if (promised_.empty())
            promise(operations);
        else if (choice < 12)
            issue_promised();
        else
            give_back_promised();
    }
    void step_of_the_living(std::uint64_t choice, id chosen, operation_stream& operations) {
        if (choice < 24)
            destroy(chosen);
        else if (choice == 24)
            retire(chosen);
        else
            set_payload(chosen, payload_from(operations), payload_from(operations));
    }

    std::optional<id> create(word payload) {
        try {
            const id made = ids_.create(payload);
            welcome(made, payload);
            return made;
        } catch (const std::length_error&) {
            require_used_up(1);
            return {};
        }
    }

    /// All, or none: nothing_is_lost finds what a refusal would have kept.
    void create_many(std::uint64_t count, word payload) {
        std::vector<id> many(count);
        try {
            ids_.create_all(many, payload);
        } catch (const std::length_error&) {
            return require_used_up(count);
        }
        for (const id i : many) welcome(i, payload);
    }

    /// Several at once, which are issued, or given back, later.
    void promise(operation_stream& operations) {
        std::vector<id> many(1 + operations.below(Subject::many));
        try {
            ids_.promise_all(many);
        } catch (const std::length_error&) {
            return require_used_up(many.size());
        }
        promised_ = many;
        for (const id i : many) require_unborn(i);
    }
    void issue_promised() {
        ids_.issue_all(promised_, 0);
        word payload = 0;
        for (const id i : std::exchange(promised_, {})) welcome(i, payload++);
    }
    void give_back_promised() {
        while (!promised_.empty()) {
            ids_.give_back(number(promised_.back()));
            promised_.pop_back();
        }
    }

    /// Room for so many, or every index of the space is used up; nothing else has changed.
    void ask_for_room(std::uint64_t more, auto ask, const char* law) {
        try {
            ask();
        } catch (const std::length_error&) {
            return require_used_up(more);
        }
        require(room() >= more, law);
    }
    void reserve(std::uint64_t more) {
        ask_for_room(more, [&] { ids_.reserve(more); }, "more is reserved than there is");
    }
    void require_room(std::uint64_t more) {
        ask_for_room(more, [&] { ids_.require(more); }, "there is said to be more than there is");
    }

    void destroy(id i) {
        ids_.destroy(i);
        known_.end(i, last_generation);
        require_dead(i);
    }
    void retire(id i) {
        ids_.retire(i);
        known_.end(i, 0);
        require_dead(i);
    }
    void set_payload(id i, word payload, word kept) {
        ids_.set_payload(number(i), payload, kept);
        word& now = known_.living[i];
        now = static_cast<word>((now & kept) | payload);
        require_alive(i, now);
    }

    // What it does with indices outside the space.

    void step_outside(std::uint64_t choice, operation_stream& operations) {
        const auto index = static_cast<std::uint32_t>(1 + operations.below(Subject::below + Subject::above));
        const word payload = payload_from(operations);
        if (choice < 30 && index <= Subject::below) return create_at(index, payload);
        if (choice < 34)
            return claim(index <= Subject::below ? index : space_.last + index - Subject::below,
                         1 + operations.below(std::min<std::uint64_t>(last_generation, 9)), payload);
        take_back_claim();
    }

    void create_at(std::uint32_t index, word payload) {
        const bool is_free = known_.is_free(index);
        const std::uint64_t generation = known_.next(index);
        const id made = ids_.create_at(index, payload);
        require(static_cast<bool>(made) == is_free, "an index outside is said to be free, or not to be");
        if (!made) return;
        require(number(made) == index && made.generation() == generation, "it was created elsewhere");
        begin(made, payload);
    }

    void claim(std::uint32_t index, std::uint64_t generation, word payload) {
        const id wanted = made_of(index, generation);
        const bool may = known_.is_free(index) && generation >= known_.next(index);
        const id got = ids_.claim(wanted, payload);
        require(got == (may ? wanted : id{}), "a claim is refused, or granted");
        if (may) begin(claimed_.emplace_back(wanted), payload);
    }
    void take_back_claim() {
        if (claimed_.empty()) return;
        const id last = claimed_.back();
        claimed_.pop_back();
        if (!known_.living.contains(last)) return;
        ids_.take_back_claim(last);
        known_.take_back(last);
        require(!ids_.alive(last), "who was taken back is alive");
    }

    // What threads do with their lanes.

    void step_of_lane(std::uint64_t choice, operation_stream& operations) {
        hand& mine = hands_[operations.below(lanes_max)];
        if (!mine.entered) enter(mine, operations);
        if (choice < 46)
            issue(mine, payload_from(operations));
        else if (choice < 50)
            issue_run(mine, operations.below(lane::capacity + 1));
        else if (choice < 53)
            put_back(mine);
        else
            leave(mine);
    }

    /// With a key, if there is one.
    void enter(hand& mine, operation_stream& operations) {
        const std::uint64_t key = operations.below(ids_.keys() + 1);
        mine = {&ids_.enter_lane(), key == 0 ? no_key : static_cast<std::uint32_t>(key - 1)};
    }
    void leave(hand& mine) {
        if (mine.entered) ids_.leave_lane(*mine.entered, mine.key);
        mine = {};
    }
    void leave_lanes() {
        for (hand& h : hands_) leave(h);
    }

    bool fill(hand& mine) {
        if (mine.entered->ready.count() != 0) return true;
        const bool filled = ids_.refill(*mine.entered, mine.key);
        require(filled == (mine.entered->ready.count() != 0), "a lane is filled with nothing");
        for (std::uint32_t n = 0; n < mine.entered->ready.count(); ++n)
            require_unborn(id::assume_word(mine.entered->ready[n]));
        return filled;
    }
    bool issue(hand& mine, word payload) {
        if (!fill(mine)) return false;
        const id made = ids_.issue_from(*mine.entered, payload);
        ids_.count_issued(1);
        welcome(made, payload);
        return true;
    }
    void issue_run(hand& mine, std::uint64_t most) {
        if (!fill(mine)) return;
        std::vector<id> taken;
        mine.entered->take_many(most, [&](std::uint32_t, word i) { taken.push_back(id::assume_word(i)); });
        ids_.issue_run(taken, 0);
        ids_.count_issued(taken.size());
        word payload = 0;
        for (const id i : taken) welcome(i, payload++);
    }
    void put_back(hand& mine) {
        if (!fill(mine)) return;
        const id taken = id::assume_word(mine.entered->take(mine.entered->ready.count()));
        ids_.put_back(*mine.entered, taken);
        require(!ids_.alive(taken), "what was put back is alive");
    }

    std::size_t use_up(std::uint32_t key) {
        hand mine{&ids_.enter_lane(), key};
        std::size_t made = 0;
        while (issue(mine, 0)) ++made;
        leave(mine);
        return made;
    }

    // What is exclusive.

    void share() { require(ids_.share() == ids_.issued_by_others(), "others have issued another number"); }

    void exclusive_step(std::uint64_t choice, operation_stream& operations) {
        if (choice < 60) return share();
        const std::uint64_t which = operations.byte() % 8;
        if (choice == 60) return make_keys(static_cast<std::uint32_t>(which));
        if (choice < 63) return deal();
        if (which == 0) begin_anew(Subject::spaces[operations.below(std::size(Subject::spaces))]);
    }

    void make_keys(std::uint32_t count) {
        const std::size_t before = ids_.keys();
        const bool may = count < registry_type::last_index / registry_type::page_size;
        bool done = true;
        try {
            ids_.make_keys(count);
        } catch (const std::length_error&) {
            done = false;
        }
        require(done == may, "keys are refused, or granted");
        require(ids_.keys() == (may ? std::max<std::size_t>(before, count) : before), "keys are miscounted");
    }
    void deal() {
        for (hand& h : hands_)
            if (h.key != no_key) leave(h);
        ids_.deal();
    }

    /// Everybody ends, and the lowest index that can be used comes first.
    void begin_anew(const ecs::index_space& space) {
        give_back_promised();
        leave_lanes();
        ids_.clear();
        while (!known_.living.empty()) known_.end(known_.living.begin()->first, last_generation);
        claimed_.clear();
        agree();
        ids_.open(space);
        space_ = space;
        require(ids_.keys() == 0, "keys outlive a clear");
        std::uint32_t lowest = space.first;
        while (lowest <= space.last && !known_.is_free(lowest)) ++lowest;
        const std::optional<id> made = create(0);
        require(!made || number(*made) == lowest, "the lowest index does not come first");
    }

    // The laws.

    /// A new identifier of the space.
    void welcome(id i, word payload) {
        require(space_.contains(number(i)), "an index outside the space was issued");
        require(i.generation() == generation_to_come(number(i)), "a generation was left out, or used again");
        begin(i, payload);
    }
    void begin(id i, word payload) {
        known_.begin(i, payload);
        require_alive(i, payload);
    }
    std::uint64_t generation_to_come(std::uint32_t index) const {
        return std::max<std::uint64_t>(known_.next(index), space_.first_generation);
    }

    /// Nobody has it, and it will be the next of its index.
    void require_unborn(id i) const {
        require(known_.is_free(number(i)), "an index is promised that is in use or retired");
        require(i.generation() == generation_to_come(number(i)), "what is promised is not the next");
        require(!ids_.alive(i), "what is promised is alive");
    }
    void require_alive(id i, word payload) const {
        require(ids_.alive(i) && ids_.at(number(i)) == i, "who lives is dead");
        require(ids_.status(i) == ecs::id_status::live, "who lives is said to be dead");
        require(words::payload_of(ids_.slot_of(i)) == payload, "a payload is lost");
    }
    void require_dead(id i) const {
        require(!ids_.alive(i) && ids_.slot_of(i) == 0 && ids_.at(number(i)) != i, "who ended is alive");
        const bool is_retired = known_.retired.contains(number(i));
        require(ids_.status(i) == (is_retired ? ecs::id_status::retired : ecs::id_status::stale),
                "who ended is said to be something else");
    }

    /// How many the owner can have: keys keep some of it, nobody else any.
    std::size_t room() const { return size_of(space_) - known_.count_within(space_) - kept(); }
    std::size_t kept() const {
        std::size_t all = promised_.size();
        for (const hand& h : hands_) all += h.entered ? h.entered->ready.count() : 0;
        return all;
    }
    /// So many more were refused.
    void require_used_up(std::size_t wanted) const {
        require(ids_.keys() != 0 || room() < wanted, "what is refused is there");
    }

    static std::size_t size_of(const ecs::index_space& space) {
        return std::size_t{space.last} - space.first + 1;
    }
    static std::uint32_t number(id i) { return census<id, word>::index_of(i); }
    static id made_of(std::uint32_t index, std::uint64_t generation) {
        return test::make_id<typename Subject::layout>(index, generation);
    }
    static word payload_from(operation_stream& operations) {
        return static_cast<word>(operations.below(0x10000)) & words::lent_mask;
    }
    id living(operation_stream& operations) const {
        const std::uint64_t n = operations.below(known_.living.size());
        return std::next(known_.living.begin(), static_cast<std::ptrdiff_t>(n))->first;
    }

    ecs::index_space space_ = Subject::spaces[0];
    registry_type ids_{0};
    census<id, word> known_;
    std::vector<id> promised_;
    std::vector<id> claimed_;
    hand hands_[lanes_max];
};

/// 62 indices of 3 generations: exhausted and retired in no time.
struct narrow_layout {
    using layout = ecs::layout<std::uint16_t, ecs::index<"index", 5, 0>, ecs::generation<"generation", 7, 6>,
                               ecs::reserved<"unused", 15, 8>>;
    static constexpr std::uint32_t below = 5, above = 14, many = 12;
    static constexpr ecs::index_space spaces[] = {{6, 48}, {6, 48, 2}, {7, 40}, {9, 9}};
};

/// Batches of four, which lanes leave in part; pages of eight.
struct batches_of_four : ecs::owned_geometry<narrow_layout::layout> {
    static constexpr std::uint32_t magazine = 4;
    static constexpr unsigned page_bits = 3;
    static constexpr unsigned chunk_bits = page_bits;
    static constexpr std::uint64_t share = 1;
};

template <class Geometry, class Atomics> struct narrow : narrow_layout {
    using geometry = Geometry;
    using atomics = Atomics;
};

/// The library's own, with some pages.
template <class Atomics> struct wide {
    using layout = ecs::layouts::entity;
    using geometry = ecs::owned_geometry<layout>;
    using atomics = Atomics;
    static constexpr std::uint32_t below = 500, above = 9000, many = 3000;
    static constexpr ecs::index_space spaces[] = {{5000, 16'000}, {4500, 12'288, 2}, {512, 20'000}};
};

using flat = ecs::std_atomics;
using paged = test::short_of_addresses<flat>;

template <class Subject> class owned_agreement : public testing::Test {};

using subjects =
    testing::Types<narrow<batches_of_four, flat>, narrow<batches_of_four, paged>,
                   narrow<ecs::owned_geometry<narrow_layout::layout>, flat>, wide<flat>, wide<paged>>;
TYPED_TEST_SUITE(owned_agreement, subjects);

constexpr int longest = test::is_sanitized ? 600 : 2000;

TYPED_TEST(owned_agreement, any_sequence_of_operations_does_what_the_reference_does) {
    EXPECT_TRUE(rc::check("the registry agrees with the reference", [] {
        const auto bytes = *test::any_bytes(longest);
        owned_pair<TypeParam> both;
        for (operation_stream operations(bytes); operations;) both.step(operations);
        both.nothing_is_lost();
    }));
}

} // namespace
