// SPDX-License-Identifier: MIT
// A value in memory of its own, on its way to where it is to be: what may throw is done before anything else
// changes.
export module ecs.storage:value_buffer;
import ecs.std;
import ecs.component;
import :column;

export namespace ecs {

/// A value in memory of its own, until it moves to where it is to be.
class value_buffer {
  public:
    /// Memory for a value; construct makes it.
    template <class Construct>
    value_buffer(const component_info& info, const Construct& construct) : info_(info) {
        memory_ = fits(info) ? small_.data() : allocate(info);
        try {
            construct(memory_);
        } catch (...) {
            release();
            throw;
        }
    }
    value_buffer(const value_buffer&) = delete;
    value_buffer& operator=(const value_buffer&) = delete;
    ~value_buffer() {
        if (!moved_ && info_.operations.destroy) info_.operations.destroy(memory_);
        release();
    }

    [[nodiscard]] std::byte* get() const { return memory_; }
    void move_to(std::byte* to) noexcept;
    /// The same to the place of another value, which ends.
    void replace(std::byte* present) noexcept;

  private:
    static constexpr std::size_t small_size = 32;

    [[nodiscard]] static inline bool fits(const component_info& info) {
        return info.size <= small_size && info.alignment <= alignof(std::max_align_t);
    }
    [[nodiscard]] static std::byte* allocate(const component_info& info);
    void release() noexcept;

    component_info info_;
    std::byte* memory_{}; ///< In the object itself where the value fits.
    alignas(std::max_align_t) std::array<std::byte, small_size> small_{};
    bool moved_{};
};

/// Puts a copy in the place of a value of the column. Throws what a copy throws, and then the old value is as
/// it was.
add_result replace_value(const column& in, std::byte* present, const void* value);

} // namespace ecs
