// SPDX-License-Identifier: MIT
// Everything that can be added to an entity, in one word: another entity, a pair, a link. The word's tag says
// which of these it is.
export module ecs.relation:id;
import ecs.std;
import ecs.id;
import :kind;
import :builtin;

namespace ecs {

/// An identifier of one of the seven kinds of id_kind. The default one is null.
export class id {
  public:
    constexpr id() = default;
    constexpr id(entity e) : word_(e.value()) {}
    /// A word of world 0, which each world reads as its own entity. To compare words with it, compare them
    /// with the builtin itself.
    constexpr id(builtin b) : word_(b.stand_in().value()) {}

    /// The identifier with exactly these bits; the caller vouches for them.
    [[nodiscard]] static constexpr id assume_word(std::uint64_t bits) {
        id result;
        result.word_ = bits;
        return result;
    }

    [[nodiscard]] constexpr std::uint64_t value() const { return word_; }
    [[nodiscard]] constexpr explicit operator bool() const { return word_ != 0; }

    [[nodiscard]] constexpr id_kind kind() const { return static_cast<id_kind>(word_ >> kind_shift); }
    [[nodiscard]] constexpr bool is_entity() const { return kind() == id_kind::entity; }
    [[nodiscard]] constexpr bool is_pair() const { return kind() == id_kind::pair || is_wildcard(); }
    [[nodiscard]] constexpr bool is_wildcard() const { return kind() == id_kind::wildcard_pair; }

    [[nodiscard]] constexpr bool is_value_pair() const { return kind() == id_kind::value_pair; }
    [[nodiscard]] constexpr bool is_link() const { return kind() == id_kind::link; }
    [[nodiscard]] constexpr bool is_flagged() const {
        return kind() == id_kind::flagged_entity || kind() == id_kind::flagged_pair;
    }

    /// Whether relation_index has a meaning: for pairs with an entity, a number, an object or a wildcard.
    [[nodiscard]] constexpr bool has_relation() const { return is_pair() || is_value_pair() || is_link(); }

    /// The number of a value pair, or the slot of a link.
    [[nodiscard]] constexpr std::uint32_t number() const {
        return static_cast<std::uint32_t>(basic_id<layouts::value_pair>::assume_word(word_).get<"value">());
    }

    /// The word as an entity; null when it is none.
    [[nodiscard]] constexpr entity as_entity() const {
        return is_entity() ? entity::assume_word(word_) : entity{};
    }

    /// The index of the relation of a pair; 0 stands for any relation.
    [[nodiscard]] constexpr std::uint32_t relation_index() const {
        return static_cast<std::uint32_t>(as_pair().get<"relation">());
    }

    /// The index of the target of a pair; 0 stands for any target.
    [[nodiscard]] constexpr std::uint32_t target_index() const {
        return static_cast<std::uint32_t>(as_pair().get<"target">());
    }

    /// The low bits of the target's generation, which a pair carries so that a stale target shows.
    [[nodiscard]] constexpr std::uint32_t target_generation() const {
        return static_cast<std::uint32_t>(as_pair().get<"target_generation">());
    }

    constexpr bool operator==(const id&) const = default;
    /// Whether the word is that entity, in whichever world.
    friend constexpr bool operator==(const id& word, const builtin& b) { return word.as_entity() == b; }
    constexpr auto operator<=>(const id&) const = default;

  private:
    static constexpr unsigned kind_shift = field_of<layouts::entity, "kind">.low;

    [[nodiscard]] constexpr basic_id<layouts::pair> as_pair() const {
        return basic_id<layouts::pair>::assume_word(word_);
    }

    std::uint64_t word_{};
};

} // namespace ecs

template <> struct std::hash<ecs::id> {
    [[nodiscard]] std::size_t operator()(ecs::id word) const noexcept {
        return std::hash<ecs::entity>{}(ecs::entity::assume_word(word.value()));
    }
};
