// SPDX-License-Identifier: MIT
// Slots that lend bits to the owner of the registry. In the slot of a live identifier, the index bits are not
// needed: the slot's position says the index. A registry that lends keeps the upper half of the handle, and
// the owner keeps a payload of its own where the index was, so that "is it alive?" and "where is it?" are one
// load and one comparison:
//
//   live       | upper half of the handle: generation, world, tags | payload              |
//   free       | 1 | 0 | generation of the next use                | a link to another one |
//   retired    | 1 | 0 | 0                                         | all ones              |
//   untouched  | 0 | 0 | 0                                         | 0                     |
//                ^
//                the mark: the highest bit that is 0 in every identifier of the layout
//
// What a slot says is proved for each layout: see lending_layout.
export module ecs.registry:lent_word;
import ecs.std;
import ecs.id;
import :slot;

namespace ecs {

/// The highest bit that is 0 in every identifier of the layout; 0 where there is none.
template <class Layout> consteval std::uint64_t highest_zero_bit() {
    return std::bit_floor(constant_mask<Layout> & ~constant_bits<Layout>);
}

/// The bits below the generation, which the slots of the layout lend.
template <class Layout> consteval std::uint64_t bits_below_generation() {
    return (std::uint64_t{1} << generation_field_of<Layout>().low) - 1;
}

/// Indices and, in states, generations are kept in 32 bits.
template <class Layout>
concept index_and_generation_have_at_most_32_bits =
    slot_codec<Layout>::generation_field.width() <= 32 && slot_codec<Layout>::index_field.width() <= 32;

/// Of what tells identifiers from each other, the index alone lies below the generation, from the lowest bit
/// on, and no bit that is 1 in every identifier.
template <class Layout>
concept index_alone_lies_below_the_generation =
    slot_codec<Layout>::index_field.low == 0 &&
    (identity_mask_of<Layout>() & bits_below_generation<Layout>()) ==
        slot_codec<Layout>::index_field.mask() &&
    (constant_bits<Layout> & bits_below_generation<Layout>()) == 0;

/// A bit that is 0 in every identifier marks slots that are in no use.
template <class Layout>
concept a_bit_above_the_index_is_always_zero = (highest_zero_bit<Layout>() > bits_below_generation<Layout>());

/// A layout whose registry can lend the index bits of live slots, and still tells live, free, retired and
/// untouched ones apart.
export template <class Layout>
concept lending_layout =
    allocatable_layout<Layout> && has_role<Layout, field_role::generation> &&
    index_and_generation_have_at_most_32_bits<Layout> && index_alone_lies_below_the_generation<Layout> &&
    a_bit_above_the_index_is_always_zero<Layout>;

static_assert(lending_layout<layouts::entity>);

/// What the slots of such a registry say; see the head of this file. It is the state of a :slot_pages, with
/// what owners ask.
export template <lending_layout Layout> struct lent_word : slot_codec<Layout> {
    using codec = slot_codec<Layout>;
    using word = word_of<Layout>;

    /// The bits that a live slot lends, from the lowest on; a payload has no others.
    static constexpr word lent_mask = static_cast<word>(bits_below_generation<Layout>());
    static constexpr word upper_half = static_cast<word>(~lent_mask);
    static constexpr word unused_mark = static_cast<word>(highest_zero_bit<Layout>());
    static constexpr word generation_mask = static_cast<word>(codec::generation_field.mask());
    static constexpr word generation_unit = codec::pack(0, 1);
    static constexpr word never_issued = 0;
    static constexpr word retired_word = unused_mark | lent_mask;

    /// Indices from here on are not issued, so that a link to one is not what a retired slot holds.
    static constexpr std::uint64_t index_max = std::min<std::uint64_t>(codec::index_max, lent_mask - 1);

    [[nodiscard]] static constexpr bool is_unused(word slot) { return (slot & unused_mark) != 0; }
    [[nodiscard]] static constexpr bool is_live(word slot) { return slot != 0 && !is_unused(slot); }
    [[nodiscard]] static constexpr bool is_live(word slot, std::uint64_t) { return is_live(slot); }
    /// Whether the index can be issued, now or when it is its turn.
    [[nodiscard]] static constexpr bool is_free(word slot) { return !is_live(slot) && slot != retired_word; }
    [[nodiscard]] static constexpr bool is_free(word slot, std::uint64_t) { return is_free(slot); }

    /// Whether the slot of the identifier's index says that it is alive. May be called with a word that is no
    /// identifier.
    [[nodiscard]] static constexpr bool is_of(word slot, word id) {
        return ((slot ^ id) & upper_half) == 0 && is_live(slot);
    }
    [[nodiscard]] static constexpr word payload_of(word slot) { return slot & lent_mask; }
    [[nodiscard]] static constexpr word generation_bits(word slot) { return slot & generation_mask; }

    /// The slot of an index that waits, in no list, for its use under the generation, whose bits lie where
    /// those of a handle do; 0 stands for none. One that was never used stays untouched.
    [[nodiscard]] static constexpr word waiting_for(word generation) {
        if (generation == 0) return retired_word;
        return generation == generation_unit ? never_issued : static_cast<word>(unused_mark | generation);
    }
    /// Whether the slot waits to be issued as that identifier.
    [[nodiscard]] static constexpr bool waits_as(word slot, word id) {
        return is_free(slot) && next_generation_bits(slot) <= generation_bits(id);
    }
    /// The bits of the next generation of a free slot.
    [[nodiscard]] static constexpr word next_generation_bits(word slot) {
        return std::max(generation_bits(slot), generation_unit);
    }
    [[nodiscard]] static constexpr std::uint64_t next_generation(word slot) {
        return codec::generation_of(next_generation_bits(slot));
    }
    /// The generation after that one; 0 when it is the last.
    [[nodiscard]] static constexpr word generation_after(word generation) {
        return generation == generation_mask ? word{0} : static_cast<word>(generation + generation_unit);
    }

    /// The identifier of the next index, under the same generation.
    [[nodiscard]] static constexpr word beside(word id) { return static_cast<word>(id + 1); }
};

/// For every generation there is and some payloads: what one slot says, no other says.
export template <lending_layout Layout> consteval bool slots_are_told_apart() {
    using words = lent_word<Layout>;
    using word = typename words::word;
    const auto is_one_of_a_kind = [](word slot, bool live, bool free) {
        return words::is_live(slot) == live && words::is_free(slot) == free;
    };
    bool told = is_one_of_a_kind(words::never_issued, false, true) &&
                is_one_of_a_kind(words::retired_word, false, false);
    for (word bit = words::generation_unit; (bit & words::generation_mask) != 0; bit <<= 1)
        for (const word low : {word{0}, static_cast<word>(words::index_max), words::lent_mask}) {
            const word live = static_cast<word>(constant_bits<Layout> | bit | low);
            const word free = static_cast<word>(words::unused_mark | bit | (low & words::index_max));
            told = told && is_one_of_a_kind(live, true, false) && is_one_of_a_kind(free, false, true) &&
                   words::payload_of(live) == low && words::generation_bits(free) == bit;
        }
    return told;
}

static_assert(slots_are_told_apart<layouts::entity>());

} // namespace ecs
