// SPDX-License-Identifier: MIT
// Commands are appended to blocks, and ended with them when they are not applied.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

constexpr std::size_t first_block_bytes = std::size_t{4} * 1024;
constexpr std::size_t largest_block_bytes = std::size_t{256} * 1024;

std::byte* aligned(std::byte* at, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    return at + ((address + alignment - 1) / alignment * alignment - address);
}

} // namespace

std::byte* command_stream::begin_run(const operation& what, id word, command_shape shape) {
    const std::size_t needed = alignof(command_run) + sizeof(command_run) + shape.alignment + shape.stride;
    if (!cursor_ || !fits(needed)) next_block(needed);
    auto* const made = ::new (aligned(cursor_, alignof(command_run))) command_run{&what, word, shape};
    made->commands = aligned(reinterpret_cast<std::byte*>(made + 1), shape.alignment);
    cursor_ = made->commands;
    (last_ ? last_->next : first_) = made;
    last_ = made;
    return cursor_;
}

/// A block is as large as its place and the command ask for, whatever was recorded there before: where a run
/// is split decides how rows move, and the same recording has to move them in the same way.
void command_stream::next_block(std::size_t bytes) {
    const std::size_t usual =
        std::min(first_block_bytes << std::min<std::size_t>(next_block_, 16), largest_block_bytes);
    const std::size_t size = std::max(bytes, usual);
    if (next_block_ == blocks_.size()) {
        reserve_one(blocks_);
        blocks_.push_back(block_of(size));
    } else if (blocks_[next_block_].bytes != size) {
        blocks_[next_block_] = block_of(size);
    }
    use(blocks_[next_block_]);
    ++next_block_;
}

command_stream::block command_stream::block_of(std::size_t bytes) {
    auto* const memory = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64}));
    return {std::unique_ptr<std::byte, aligned_delete>(memory), bytes};
}

void command_stream::use(const block& from) noexcept {
    cursor_ = from.memory.get();
    end_ = cursor_ + from.bytes;
}

void command_stream::reset() noexcept {
    first_ = last_ = nullptr;
    cursor_ = end_ = nullptr;
    next_block_ = 0;
}

void command_stream::discard() noexcept {
    for (command_run* run = first_; run; run = run->next)
        if (run->what->discard) run->what->discard(*run);
    reset();
}

void command_stream::release() noexcept {
    reset();
    std::vector<block>().swap(blocks_);
}

std::size_t command_stream::memory_bytes() const {
    std::size_t bytes = 0;
    for (const block& b : blocks_) bytes += b.bytes;
    return bytes;
}

} // namespace ecs
