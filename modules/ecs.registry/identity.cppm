// SPDX-License-Identifier: MIT
// What every identifier of a registry has in common, and what a word says about itself: the tags of its
// layout and the number of its world. Both registries tell kinds, worlds and partitions apart by these
// functions, so that they cannot drift apart.
//
//   | tags | world | ... generation ... index |        stamp = tags and world, the same in all identifiers
export module ecs.registry:identity;
import ecs.std;
import ecs.id;
import :slot;
import :status;

namespace ecs {

template <class Layout> struct identity {
    using word = word_of<Layout>;
    using id_type = basic_id<Layout>;

    static constexpr bool has_world = has_role<Layout, field_role::world>;

    /// The stamp of a world that the layout can express; throws field_range_error for another world. Without
    /// a field for the world there is world 0 alone.
    [[nodiscard]] static constexpr word checked_stamp_of(std::uint64_t world) {
        if (const auto [name, last] = field_of_world(); world > last)
            throw field_range_error(name, world, last);
        return stamp_of(world);
    }

    [[nodiscard]] static constexpr word stamp_of(std::uint64_t world) {
        if constexpr (has_world) world <<= field_with_role<Layout, field_role::world>.low;
        return static_cast<word>(constant_bits<Layout> | world);
    }

    [[nodiscard]] static constexpr bool is_foreign(word bits, word stamp) {
        if constexpr (has_world)
            return ((bits ^ stamp) & field_with_role<Layout, field_role::world>.mask()) != 0;
        return false;
    }

    /// Whether the word is an identifier of the layout at all: live stands for yes.
    [[nodiscard]] static constexpr id_status kind_of(word bits) {
        if (bits == 0) return id_status::null;
        if ((bits & constant_mask<Layout>) != constant_bits<Layout>)
            return kinds_beside<Layout>::include(bits) ? id_status::not_an_entity : id_status::malformed;
        if (bits & ~(constant_mask<Layout> | identity_mask_of<Layout>())) return id_status::not_an_entity;
        return slot_codec<Layout>::generation_of(bits) == 0 ? id_status::malformed : id_status::live;
    }

    /// Whether the word is an identifier of the layout and the world: live stands for yes.
    [[nodiscard]] static constexpr id_status origin_of(word bits, word stamp) {
        if (const id_status kind = kind_of(bits); kind != id_status::live) return kind;
        return is_foreign(bits, stamp) ? id_status::foreign_world : id_status::live;
    }

    [[nodiscard]] static constexpr std::optional<id_type> to_optional(id_type id) {
        return id ? std::optional(id) : std::nullopt;
    }

  private:
    /// The name of the field of the world's number, and the greatest number that it holds.
    static constexpr std::pair<std::string_view, std::uint64_t> field_of_world() {
        if constexpr (has_world) {
            constexpr field_description field = field_with_role<Layout, field_role::world>;
            return {field.name, field.max()};
        } else {
            return {"world", 0};
        }
    }
};

} // namespace ecs
