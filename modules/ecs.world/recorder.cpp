// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :recorder;

namespace ecs {

namespace {

/// Components under stand-in identifiers that sort as the real ones are expected to.
std::vector<typed_id> expected_type(std::span<const component_source> components, const column_order& order) {
    std::vector<typed_id> type;
    for (const std::uint32_t component : order)
        type.push_back({id::assume_word(type.size() + 1), components[component].info});
    return type;
}

} // namespace

column_order usual_order(std::span<const component_source> components) {
    column_order order(components.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t c) { return ~components[c].number(); });
    return order;
}

spawn_block::spawn_block(std::span<const component_source> components, column_order order)
    : components_(components),
      order_(std::move(order)),
      rows_(expected_type(components_, order_), directory_) {
    rows_.start_full();
}

const column* spawn_block::column_of(std::uint32_t component) const {
    const auto place = std::ranges::find(order_, component) - order_.begin();
    return rows_.column_at(static_cast<std::uint32_t>(place));
}

void spawn_batch::reset() noexcept {
    std::ranges::fill(used, nullptr);
    order.clear();
}

void recording::reset() noexcept {
    stream.reset();
    batches.resize(1);
    batches.front().reset();
    spawned = 0;
    barrier_due = false;
}

void recording::discard() noexcept {
    stream.discard();
    for (spawn_batch& batch : batches) batch = {};
    reset();
}

std::size_t recording::memory_bytes() const {
    std::size_t bytes = stream.memory_bytes();
    for (const spawn_batch& batch : batches)
        for (const std::unique_ptr<spawn_block>& block : batch.kept)
            if (block) bytes += block->rows().memory_bytes();
    return bytes;
}

} // namespace ecs
