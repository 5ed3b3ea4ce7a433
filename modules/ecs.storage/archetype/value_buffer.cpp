// SPDX-License-Identifier: MIT
// A value outside any row is made, moved and ended.
module ecs.storage;
import ecs.std;

namespace ecs {

std::byte* value_buffer::allocate(const component_info& info) {
    return static_cast<std::byte*>(::operator new(info.size, std::align_val_t{info.alignment}));
}

void value_buffer::release() noexcept {
    if (memory_ != small_.data())
        ::operator delete(static_cast<void*>(memory_), std::align_val_t{info_.alignment});
}

void value_buffer::move_to(std::byte* to) noexcept {
    if (info_.operations.relocate)
        info_.operations.relocate(to, memory_);
    else
        std::memcpy(to, memory_, info_.size);
    moved_ = true;
}

void value_buffer::replace(std::byte* present) noexcept {
    if (info_.operations.destroy) info_.operations.destroy(present);
    move_to(present);
}

/// Copies beside the old value first: a copy that throws leaves the old value as it was.
add_result replace_value(const column& in, std::byte* present, const void* value) {
    if (!in.operations.copyable) return add_result::not_copyable;
    if (!in.operations.copy) {
        std::memmove(present, value, in.size);
        return add_result::already_there;
    }
    value_buffer fresh({in.size, in.alignment, storage::table, in.operations},
                       [&](std::byte* to) { in.copy(to, value); });
    fresh.replace(present);
    return add_result::already_there;
}

} // namespace ecs
