// SPDX-License-Identifier: MIT
// One word per index says everything the registry knows about it (the method of ECR, "Entity Identifiers"):
//
//   in use      the identifier itself           index field = the slot's own index
//   free        (anything else, generation g)   g is the generation of the next use; the index field is free
//                                               for a link, and is never the slot's own index
//   untouched   (0, 1)                          free, and the next use is the first
//   retired     (0, 0)                          generations count from 1, so that 0 means: none is left
//
// An identifier is therefore alive exactly when its slot holds the same word. A layout without a generation
// field has one generation; there a retired slot holds the index of another slot instead.
export module ecs.registry:slot;
import ecs.std;
import ecs.id;

namespace ecs {

/// Whether a registry can allocate identifiers of the layout: it needs an index, and without a generation
/// field the index needs two bits, so that a slot can say that it is spent.
export template <class Layout>
concept allocatable_layout =
    valid_layout<Layout> && has_role<Layout, field_role::index> &&
    (has_role<Layout, field_role::generation> || field_with_role<Layout, field_role::index>.width() > 1);

/// The generation field, or one of no bits.
template <class Layout> consteval field_description generation_field_of() {
    if constexpr (has_role<Layout, field_role::generation>)
        return field_with_role<Layout, field_role::generation>;
    else
        return {"no generation", 0, 1, field_role::generation, 0};
}

/// Every bit that tells one identifier of a registry from another.
template <class Layout> consteval std::uint64_t identity_mask_of() {
    std::uint64_t mask = 0;
    for (const auto& f : Layout::fields)
        if (f.role == field_role::index || f.role == field_role::generation || f.role == field_role::world)
            mask |= f.mask();
    return mask;
}

/// The encoding of slots of a layout.
template <allocatable_layout Layout> struct slot_codec {
    using word = word_of<Layout>;

    static constexpr field_description index_field = field_with_role<Layout, field_role::index>;
    static constexpr field_description generation_field = generation_field_of<Layout>();
    static constexpr bool has_generation = generation_field.width() > 0;
    static constexpr std::uint64_t index_max = index_field.max();
    static constexpr std::uint64_t generation_max = has_generation ? generation_field.max() : 1;

    [[nodiscard]] static constexpr std::uint64_t index_of(word bits) {
        return (std::uint64_t{bits} & index_field.mask()) >> index_field.low;
    }

    [[nodiscard]] static constexpr std::uint64_t generation_of(word bits) {
        if constexpr (has_generation)
            return (std::uint64_t{bits} & generation_field.mask()) >> generation_field.low;
        else
            return 1;
    }

    [[nodiscard]] static constexpr word pack(std::uint64_t index, std::uint64_t generation) {
        if constexpr (has_generation)
            return static_cast<word>((index << index_field.low) | (generation << generation_field.low));
        else
            return static_cast<word>(index << index_field.low);
    }

    static constexpr word untouched = pack(0, 1);

    /// The identifier of the next use of the index; there is a next generation. Computed by one
    /// addition, because a create that follows a destroy waits for the result.
    [[nodiscard]] static constexpr word next_use(word id) { return static_cast<word>(id + pack(0, 1)); }

    /// The identifier of the first use of the index.
    [[nodiscard]] static constexpr word first_use(word id) {
        return static_cast<word>((id & ~generation_field.mask()) | pack(0, 1));
    }

    /// The slot of an index that waits for its next use, without a link.
    [[nodiscard]] static constexpr word free_slot(word next) {
        return static_cast<word>(next & generation_field.mask());
    }

    [[nodiscard]] static constexpr word retired(std::uint64_t index) {
        if constexpr (has_generation)
            return 0;
        else
            return pack(index == 1 ? 2 : 1, 1);
    }
};

} // namespace ecs
