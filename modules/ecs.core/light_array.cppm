// SPDX-License-Identifier: MIT
// Values that are only bytes, in memory that they own. A std::unique_ptr to an array says the same, but each
// type that one is made of costs every importer a third of what a component and a loop over it cost to
// compile (docs/compile-time.md): it asks how pointers to the type are copied, moved and converted, and makes
// a tuple.
export module ecs.core:light_array;
import ecs.std;

export namespace ecs {

/// Memory that ends with its owner. The same for all types.
class owned_memory {
  public:
    owned_memory() = default;
    /// Aligned for every type that asks for no more than operator new gives. Throws std::bad_alloc.
    explicit owned_memory(std::size_t bytes) : first_(::operator new(bytes)) {}
    inline owned_memory(owned_memory&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
    owned_memory& operator=(owned_memory&&) = delete;
    inline ~owned_memory() { ::operator delete(first_); }

    [[nodiscard]] inline void* get() const { return first_; }

  private:
    void* first_{};
};

/// As many values as were asked for, or none.
template <class T> class light_array {
    static_assert(__is_trivially_copyable(T), "the values are copied as bytes, and are not ended");
    static_assert(alignof(T) <= alignof(std::max_align_t), "the memory is aligned for usual types");

  public:
    light_array() = default;
    /// The caller puts a value in each place before it reads there. Throws std::bad_alloc.
    explicit light_array(std::size_t count) : memory_(count * sizeof(T)) {}

    inline void put(std::size_t n, const T& value) { ::new (data() + n) T(value); }

    [[nodiscard]] inline explicit operator bool() const { return memory_.get() != nullptr; }
    [[nodiscard]] inline T* data() const { return static_cast<T*>(memory_.get()); }

  private:
    owned_memory memory_;
};

} // namespace ecs
