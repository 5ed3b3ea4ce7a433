// SPDX-License-Identifier: MIT
// Identifiers that cannot be wrong: the builder runs in the compiler only, and what does not fit does not
// compile.
module;
#include <cstdint>
export module ecs.id:builder;
import :field;
import :layout;
import :proofs;
import :identifier;

namespace ecs {

/// Not constexpr on purpose: reaching it stops the compiler, which prints the field, its largest value and
/// the value.
template <fixed_string Field, std::uint64_t LargestValue> void value_does_not_fit_the_field(std::uint64_t) {}

/// Collects the fields of an identifier; see build.
export template <class Layout> class builder {
  public:
    /// The builder with one more field given.
    template <fixed_string Name>
        requires has_field<Layout, Name>
    [[nodiscard]] consteval builder set(std::uint64_t value) const {
        constexpr auto target = field_of<Layout, Name>;
        if (value > target.max()) value_does_not_fit_the_field<Name, target.max()>(value);
        builder next;
        next.word_ = (word_ & ~target.mask()) | (value << target.low);
        return next;
    }

    /// The identifier: given fields as given, tags and reserved bits as the layout says, all else zero.
    [[nodiscard]] consteval basic_id<Layout> id() const {
        return basic_id<Layout>::assume_word(static_cast<word_of<Layout>>(word_));
    }

  private:
    std::uint64_t word_ = constant_bits<Layout>;
};

/// Starts an identifier of the layout: build<L>().set<"name">(value)...id().
export template <class Layout> [[nodiscard]] consteval builder<Layout> build() { return {}; }

} // namespace ecs
