// SPDX-License-Identifier: MIT
// Which blocks are kept, and which of them will do for another chunk.
module;
#if defined(__SANITIZE_ADDRESS__)
#define ECS_POISONS_KEPT_CHUNKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ECS_POISONS_KEPT_CHUNKS
#endif
#endif
#ifdef ECS_POISONS_KEPT_CHUNKS
#include <sanitizer/asan_interface.h>
#endif
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// Smaller blocks are left to the allocator, which keeps those itself.
constexpr std::size_t least_bytes = std::size_t{32} << 10;
/// The sizes of most full chunks differ by less, so that one block can serve as another.
constexpr std::size_t step = std::size_t{16} << 10;

constexpr std::size_t rounded(std::size_t bytes) {
    return bytes < least_bytes ? bytes : (bytes + step - 1) / step * step;
}

/// Lets AddressSanitizer report a use of memory that is kept for later.
void forbid([[maybe_unused]] const chunk* block, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef ECS_POISONS_KEPT_CHUNKS
    ASAN_POISON_MEMORY_REGION(block, bytes);
#endif
}
void allow([[maybe_unused]] const chunk* block, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef ECS_POISONS_KEPT_CHUNKS
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
#endif
}

} // namespace

chunk* chunk_pool::take(std::size_t bytes, std::uint32_t alignment) {
    if (bytes >= least_bytes && !kept_.empty())
        if (chunk* const found = find(bytes, alignment)) return found;
    return allocate_chunk(rounded(bytes), alignment);
}

chunk* chunk_pool::find(std::size_t bytes, std::uint32_t alignment) noexcept {
    const std::size_t most = bytes + bytes / 4 + step;
    std::size_t best = kept_.size();
    for (std::size_t i = kept_.size(); i-- > 0;) {
        const kept_block& one = kept_[i];
        if (one.bytes < bytes || one.bytes > most || one.alignment < alignment) continue;
        if (best == kept_.size() || one.bytes < kept_[best].bytes) best = i;
    }
    if (best == kept_.size()) return nullptr;
    const kept_block found = std::exchange(kept_[best], kept_.back());
    kept_.pop_back();
    kept_bytes_ -= found.bytes;
    allow(found.at, found.bytes);
    return chunk_in(found.at, found.bytes, found.alignment);
}

void chunk_pool::give(chunk* block) noexcept {
    const kept_block one{block->bytes_in_all, block->alignment, block};
    if (one.bytes < least_bytes || kept_bytes_ + one.bytes > bytes_kept) return free_chunk(block);
    try {
        kept_.push_back(one);
    } catch (...) {
        return free_chunk(block);
    }
    kept_bytes_ += one.bytes;
    std::destroy_at(block);
    forbid(block, one.bytes);
}

void chunk_pool::stock(chunk_pool& from, std::size_t count, std::size_t bytes,
                       std::uint32_t alignment) noexcept {
    for (; count != 0; --count) {
        chunk* const found = bytes < least_bytes ? nullptr : from.find(bytes, alignment);
        if (!found) return;
        give(found);
    }
}

void chunk_pool::clear() noexcept {
    for (const kept_block& one : kept_) {
        allow(one.at, one.bytes);
        free_chunk(chunk_in(one.at, one.bytes, one.alignment));
    }
    kept_.clear();
    kept_.shrink_to_fit();
    kept_bytes_ = 0;
}

} // namespace ecs
