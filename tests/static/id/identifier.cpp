// SPDX-License-Identifier: MIT
// An identifier is a regular value of exactly one word.
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_set>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;

template <class Layout> consteval bool is_a_regular_word() {
    using id = ecs::basic_id<Layout>;
    static_assert(std::regular<id>);
    static_assert(std::totally_ordered<id>);
    static_assert(std::is_trivially_copyable_v<id>);
    static_assert(std::is_standard_layout_v<id>);
    static_assert(sizeof(id) == sizeof(typename Layout::word));
    static_assert(alignof(id) == alignof(typename Layout::word));
    static_assert(std::same_as<decltype(std::hash<id>{}(id{})), std::size_t>);
    return true;
}
static_assert(is_a_regular_word<byte>());
static_assert(is_a_regular_word<half>());
static_assert(is_a_regular_word<word>());
static_assert(is_a_regular_word<ecr>());

// Identifiers of different layouts do not mix.
static_assert(!std::equality_comparable_with<ecs::basic_id<ecr>, ecs::basic_id<tagged>>);
static_assert(!std::convertible_to<ecs::basic_id<ecr>, ecs::basic_id<tagged>>);
static_assert(!std::convertible_to<std::uint64_t, ecs::basic_id<ecr>>);
static_assert(!std::convertible_to<ecs::basic_id<ecr>, bool>);

// Built, read by name and by role.
inline constexpr auto id = ecs::build<ecr>().set<"key">(17).set<"version">(2).id();
static_assert(id.value() == ((std::uint64_t{2} << 20) | 17));
static_assert(id.get<"key">() == 17);
static_assert(id.get<"version">() == 2);
static_assert(id.get<"unused">() == 0);
static_assert(id.index() == 17);
static_assert(id.generation() == 2);
static_assert(id.get<ecs::field_role::generation>() == 2);
static_assert(ecs::build<ecr>().set<"key">(3).set<"key">(5).id().index() == 5); // The last one counts.
static_assert(ecs::build<tagged>().id().get<"kind">() == 0xE);
static_assert(std::same_as<decltype(ecs::build<byte>().id().index()), std::uint8_t>);

template <class Id>
concept knows_its_world = requires(Id of) { of.world(); };
static_assert(knows_its_world<ecs::entity>);
static_assert(!knows_its_world<ecs::basic_id<ecr>>);

// Every field at its edges, for identifiers as for the descriptions that the proof uses.
template <class Layout, ecs::fixed_string Name> consteval bool set_and_get_agree() {
    constexpr auto max = ecs::field_of<Layout, Name>.max();
    return ecs::build<Layout>().template set<Name>(0).id().template get<Name>() == 0 &&
           ecs::build<Layout>().template set<Name>(1).id().template get<Name>() == 1 &&
           ecs::build<Layout>().template set<Name>(max - 1).id().template get<Name>() == max - 1 &&
           ecs::build<Layout>().template set<Name>(max).id().template get<Name>() == max;
}
static_assert(set_and_get_agree<byte, "index">());
static_assert(set_and_get_agree<byte, "generation">());
static_assert(set_and_get_agree<ecr, "key">());
static_assert(set_and_get_agree<ecr, "version">());
static_assert(set_and_get_agree<whole, "all">());

// With one field changed.
static_assert(id.with<"version">(3).generation() == 3);
static_assert(id.with<"version">(3).index() == 17);
static_assert(id.with<"version">(3) > id);
static_assert(id.try_with<"key">(1'048'575)->index() == 1'048'575);
static_assert(!id.try_with<"key">(1'048'576));
static_assert(!id.try_with<"key">(-1));
static_assert(!ecs::basic_id<ecs::layout<std::uint64_t, ecs::field<"all", 63, 0>>>{}.try_with<"all">(-1));
static_assert(ecs::basic_id<tagged>{}.with<"index">(5) == ecs::build<tagged>().set<"index">(5).id());
static_assert(ecs::basic_id<tagged>{}.try_with<"index">(5) == ecs::build<tagged>().set<"index">(5).id());

// Made at run time.
static_assert(ecs::try_make<ecr, "key", "version">(17, 2U) == id);
static_assert(ecs::try_make<ecr, "version", "key">(2, 17) == id);
static_assert(!ecs::try_make<ecr, "key", "version">(1'048'576, 2));
static_assert(!ecs::try_make<ecr, "key">(-1));
static_assert(!ecs::try_make<whole, "all">(-1)); // Not even where every number of 64 bits does.
static_assert(ecs::try_make<whole, "all">(~std::uint64_t{0}));
template <class Value>
concept makes_a_key = requires(Value value) { ecs::try_make<ecr, "key">(value); };
static_assert(makes_a_key<int> && makes_a_key<std::uint8_t> && makes_a_key<bool>);
static_assert(!makes_a_key<double> && !makes_a_key<float>); // 2.5 would be 2, and 1e30 anything.
static_assert(ecs::try_make<tagged>() == ecs::build<tagged>().id());

// Null.
static_assert(ecs::entity{}.value() == 0);
static_assert(!ecs::entity{});
static_assert(bool(id));

// Order is the order of words.
static_assert(ecs::build<ecr>().set<"key">(9).set<"version">(1).id() <
              ecs::build<ecr>().set<"key">(1).set<"version">(2).id());

// Dense identifiers hash apart.
static_assert(std::hash<ecs::entity>{}(ecs::entity::assume_word(1)) !=
              std::hash<ecs::entity>{}(ecs::entity::assume_word(2)));

} // namespace
