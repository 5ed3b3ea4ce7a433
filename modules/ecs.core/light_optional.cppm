// SPDX-License-Identifier: MIT
// A value that is only bytes, or none. A std::optional says the same, but each type that one is made of costs
// every importer a fifth of what a component and a loop over it cost to compile (docs/compile-time.md): it
// asks how the type is copied, moved, assigned and ended, before it has a member.
export module ecs.core:light_optional;
import ecs.std;

export namespace ecs {

template <class T> class light_optional {
    static_assert(__is_trivially_copyable(T), "the value is copied as bytes, and is not ended");

  public:
    light_optional() : none_() {}
    light_optional(const T& value) : none_() { emplace(value); }

    inline void emplace(const T& value) {
        ::new (std::addressof(value_)) T(value);
        has_ = true;
    }
    inline void reset() { has_ = false; }

    [[nodiscard]] inline explicit operator bool() const { return has_; }
    /// Only where there is a value.
    [[nodiscard]] inline const T& operator*() const { return value_; }

  private:
    union {
        char none_;
        T value_;
    };
    bool has_{};
};

} // namespace ecs
