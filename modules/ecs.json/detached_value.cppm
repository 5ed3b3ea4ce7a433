// SPDX-License-Identifier: MIT
// A value of a component that no entity has yet: what a text says is assigned to it before it is set in the
// world.
export module ecs.json:detached_value;
import ecs.std;
import ecs.world;

namespace ecs {

/// A value in memory of its own, with its default. It keeps the facts of its type itself: the facts in the
/// world move when the component becomes a singleton.
class detached_value {
  public:
    explicit detached_value(const component_info& info)
        : detached_value(info, [&](std::byte* to) {
              std::fill_n(to, info.size, std::byte{});
              if (info.operations.construct) info.operations.construct(to);
          }) {}
    /// A copy of a value of a component that can be copied.
    detached_value(const component_info& info, const std::byte* original)
        : detached_value(info, [&](std::byte* to) {
              if (info.operations.copy)
                  info.operations.copy(to, original);
              else
                  std::memcpy(to, original, info.size);
          }) {}
    detached_value(const detached_value&) = delete;
    detached_value& operator=(const detached_value&) = delete;
    ~detached_value() {
        if (info_.operations.destroy) info_.operations.destroy(memory_);
        ::operator delete(static_cast<void*>(memory_), alignment());
    }
    [[nodiscard]] std::byte* get() const { return memory_; }

  private:
    detached_value(const component_info& info, auto make)
        : info_(info), memory_(static_cast<std::byte*>(::operator new(info.size, alignment()))) {
        try {
            make(memory_);
        } catch (...) {
            ::operator delete(static_cast<void*>(memory_), alignment());
            throw;
        }
    }
    [[nodiscard]] std::align_val_t alignment() const { return std::align_val_t{info_.alignment}; }

    component_info info_;
    std::byte* memory_;
};

} // namespace ecs
