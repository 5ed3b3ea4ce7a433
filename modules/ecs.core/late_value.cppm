// SPDX-License-Identifier: MIT
// A value that is made later than its owner, and perhaps anew, in the place where it stays. A std::optional
// can do that, too, but each type that one is made of costs every importer a third of what a system costs to
// compile (docs/compile-time.md): it asks how the type is copied, moved and assigned.
export module ecs.core:late_value;
import ecs.std;

export namespace ecs {

template <class T> class late_value {
  public:
    late_value() : none_() {}
    late_value(const late_value&) = delete;
    late_value& operator=(const late_value&) = delete;
    ~late_value() { end(); }

    /// Ends the value that is there, and makes another. There is none when that throws.
    template <class... Arguments> void make(Arguments&... arguments) {
        end();
        ::new (std::addressof(value_)) T(arguments...);
        has_ = true;
    }

    [[nodiscard]] inline explicit operator bool() const { return has_; }
    /// Only where there is a value.
    [[nodiscard]] inline T& operator*() { return value_; }
    [[nodiscard]] inline T* operator->() { return std::addressof(value_); }

  private:
    inline void end() {
        if (std::exchange(has_, false)) value_.~T();
    }

    union {
        char none_;
        T value_;
    };
    bool has_{};
};

} // namespace ecs
