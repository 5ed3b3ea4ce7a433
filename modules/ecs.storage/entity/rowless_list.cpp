// SPDX-License-Identifier: MIT
// The entities without a row, made into chunks.
module ecs.storage;
import ecs.std;

namespace ecs {

/// The slot of the entity says which generation the index has.
entity row_ref::owner_without_row() const {
    return reinterpret_cast<const rowless_chunk*>(block)->entities_of->at(row);
}

std::span<chunk* const> rowless_list::chunks(const chunk_directory& of, const entity_index& entities) {
    const std::lock_guard lock(making_);
    if (version_ != of.rowless_changes()) make(of, entities);
    return chunks_;
}

void rowless_list::make(const chunk_directory& of, const entity_index& entities) {
    const std::size_t count = of.rowless_count();
    chunks_.clear();
    version_ = 0;
    const std::size_t needed = (count + rows_max - 1) / rows_max;
    if (kept_.size() > needed) kept_.resize(needed);
    kept_.reserve(needed);
    chunks_.reserve(needed);
    while (kept_.size() != needed) kept_.push_back(make_chunk(*of[chunk_directory::rowless]->owner));
    for (const unique_chunk& block : kept_) {
        block->owner = of[chunk_directory::rowless]->owner;
        block->position = static_cast<std::uint32_t>(chunks_.size());
        block->count = 0;
        chunks_.push_back(block.get());
    }
    auto next = chunks_.begin();
    entities.for_each_rowless([&](entity e) {
        if ((*next)->count == rows_max) ++next;
        (*next)->entities()[(*next)->count++] = e;
    });
    version_ = of.rowless_changes();
}

unique_chunk rowless_list::make_chunk(table& owner) {
    unique_chunk made(allocate_chunk(sizeof(chunk) + rows_max * sizeof(entity), alignof(chunk)));
    made->owner = &owner;
    made->capacity = rows_max;
    made->set_number(chunk_directory::pending);
    return made;
}

row_ref rowless_list::row_of(entity e, const chunk_directory& of, const entity_index& entities) {
    chunk* const in =
        *std::ranges::lower_bound(chunks(of, entities), index_of(e), {}, [](const chunk* block) {
            return index_of(block->entities()[block->count - 1]);
        });
    const std::span<const entity> all(in->entities(), in->count);
    const auto found = std::ranges::lower_bound(all, index_of(e), {}, index_of);
    return {in, static_cast<std::uint32_t>(found - all.begin())};
}

std::size_t rowless_list::memory_bytes() const {
    return kept_.size() * (sizeof(chunk) + rows_max * sizeof(entity));
}

} // namespace ecs
