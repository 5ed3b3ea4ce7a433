// SPDX-License-Identifier: MIT
// Partitions in the type system: which part a name means, and identifiers that carry their partition in the
// type.
export module ecs.registry:partition_id;
import ecs.std;
import ecs.id;
import :slot;

namespace ecs {

template <class Layout> consteval std::uint64_t index_max_of() {
    if constexpr (has_role<Layout, field_role::index>)
        return field_with_role<Layout, field_role::index>.max();
    else
        return 1;
}

/// The map that does not divide: one partition without a name that holds every index.
export template <class Layout>
using whole_index_space = partitions<Layout, partition<"", 1, index_max_of<Layout>()>>;

/// Which part of the map has the name; the number of parts when none has.
template <class Map> consteval std::size_t find_part(std::string_view name) {
    std::size_t at = 0;
    while (at < Map::parts.size() && Map::parts[at].name != name) ++at;
    return at;
}

template <class Map, fixed_string Name>
inline constexpr std::size_t part_number = find_part<Map>(Name.view());

/// The name of the partition that the index belongs to; empty where there is none.
template <class Map> constexpr std::string_view part_name_of(std::uint64_t index) {
    const std::size_t part = partition_with<Map>(index);
    return part < Map::parts.size() ? Map::parts[part].name : std::string_view{};
}

/// How error texts name a part of the map.
template <class Map> std::string title_of_part(std::size_t part) {
    const std::string_view name = Map::parts[part].name;
    return name.empty() ? "the index space" : "partition \"" + std::string(name) + '"';
}

template <fixed_string... Names> struct partitions_are {};

template <class Layout, class... Parts>
consteval partitions_are<Parts::name...> names_of_parts(std::type_identity<partitions<Layout, Parts...>>);

template <class Map> using names_of_map = decltype(names_of_parts(std::type_identity<Map>{}));

/// Its arguments are the words with which a compiler says why it refuses a name.
template <fixed_string Name, class Names> inline constexpr bool is_partition_of = false;
template <fixed_string Name, fixed_string... Names>
inline constexpr bool is_partition_of<Name, partitions_are<Names...>> =
    (... || (Name.view() == Names.view()));

/// Whether the map has a partition of that name. The name "" is the partition without a name.
export template <class Map, fixed_string Name>
concept has_partition = any_partitions<Map> && is_partition_of<Name, names_of_map<Map>>;

/// Stops with an error that names the partitions of the map when it has none of that name.
template <any_partitions Map, fixed_string Name> consteval bool require_partition() {
    if constexpr (Name.view().empty())
        static_assert(is_partition_of<Name, names_of_map<Map>>,
                      "all partitions of the map have names: name the one that is meant, as in "
                      "create<\"clients\">()");
    else
        static_assert(is_partition_of<Name, names_of_map<Map>>, "the map has no partition of that name");
    return true;
}

/// An identifier of one partition: a function that takes one cannot be given the identifier of another
/// partition, and needs no check of its own. It converts to the plain identifier; the way back is checked.
export template <class Map, fixed_string Name>
    requires has_partition<Map, Name> && allocatable_layout<typename Map::layout_type>
class partition_id {
  public:
    using id_type = basic_id<typename Map::layout_type>;

    /// Null.
    constexpr partition_id() = default;

    /// The same identifier with its partition in the type; nothing when its index lies elsewhere. Says
    /// nothing about whether it is alive.
    [[nodiscard]] static constexpr std::optional<partition_id> from(id_type id) {
        constexpr auto& part = Map::parts[part_number<Map, Name>];
        const std::uint64_t index = slot_codec<typename Map::layout_type>::index_of(id.value());
        if (index < part.first || part.last < index) return std::nullopt;
        return partition_id(id);
    }

    [[nodiscard]] constexpr id_type id() const { return id_; }
    [[nodiscard]] constexpr operator id_type() const { return id_; }
    [[nodiscard]] constexpr explicit operator bool() const { return static_cast<bool>(id_); }
    [[nodiscard]] constexpr auto index() const { return id_.index(); }
    [[nodiscard]] constexpr auto generation() const
        requires requires(id_type id) { id.generation(); }
    {
        return id_.generation();
    }

    constexpr bool operator==(const partition_id&) const = default;
    constexpr auto operator<=>(const partition_id&) const = default;

  private:
    constexpr explicit partition_id(id_type id) : id_(id) {}

    id_type id_{};
};

/// The texts of the plain identifier.
export template <class Map, fixed_string Name>
[[nodiscard]] std::string to_string(partition_id<Map, Name> id) {
    return to_string(id.id());
}
export template <class Map, fixed_string Name> [[nodiscard]] std::string dump(partition_id<Map, Name> id) {
    return dump(id.id());
}
export template <class Traits, class Map, fixed_string Name>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             partition_id<Map, Name> id) {
    return out << id.id();
}

} // namespace ecs

/// The hash of the plain identifier.
export template <class Map, ecs::fixed_string Name> struct std::hash<ecs::partition_id<Map, Name>> {
    [[nodiscard]] constexpr std::size_t operator()(ecs::partition_id<Map, Name> id) const noexcept {
        return std::hash<typename ecs::partition_id<Map, Name>::id_type>{}(id.id());
    }
};
