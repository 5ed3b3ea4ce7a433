// SPDX-License-Identifier: MIT
// Commands are appended to blocks, and ended with them when they are not applied.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

constexpr std::size_t first_block_bytes = std::size_t{4} * 1024;
constexpr std::size_t largest_block_bytes = std::size_t{256} * 1024;
constexpr std::uint32_t rows_worth_while = 8;
constexpr std::size_t turns_min = 2;
constexpr std::size_t singles_watched = 32;
constexpr std::size_t shortest_pause = 16;
constexpr std::size_t longest_pause = 1024;
constexpr std::size_t bytes_of_head = sizeof(command_run) + alignof(command_run);

constexpr std::uint32_t round_up(std::uint32_t bytes, std::uint32_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

std::byte* aligned(std::byte* at, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    return at + ((address + alignment - 1) / alignment * alignment - address);
}

} // namespace

/// The place of a command that is not due, or for which the block has no room: in a new run, or in the first
/// of several in turn.
std::byte* command_stream::begin(const operation& what, id word, const command_shape& shape) {
    const bool was_in_turn = due_ && due_->is_in_turn();
    if (was_in_turn && due_->what == &what && due_->word == word) { // The block is full.
        turn_to(*due_);
        return begin_in_turn();
    }
    if (was_in_turn || singles_ == singles_watched)
        watch_later(was_in_turn && due_->count >= rows_worth_while);
    if (unwatched_ != 0)
        --unwatched_;
    else if (watch(what, word, shape))
        return begin_in_turn();
    return begin_one(what, word, shape);
}

/// Notes that a run of that kind is about to begin. Returns whether turns begin here instead.
bool command_stream::watch(const operation& what, id word, const command_shape& shape) {
    if (!what.in_turn || !due_ || due_->count != 1) singles_ = 0;
    if (!what.in_turn) return false;
    if (singles_ >= 2 * turns_min && find_turns({&what, word, &shape})) return true;
    begun_[singles_++ % begun_.size()] = {&what, word, &shape};
    return false;
}

/// Turns have come to an end, or none have begun. Where they are not worth while, some runs begin without a
/// look for turns: each time more.
void command_stream::watch_later(bool were_worth_while) noexcept {
    singles_ = 0;
    pause_ = were_worth_while ? 0 : std::min(2 * pause_ + shortest_pause, longest_pause);
    unwatched_ = pause_;
}

/// Whether as many runs of one command each have been begun twice over, and the next would begin them again.
bool command_stream::is_repeated(const run_kind& kind, std::size_t turns) const {
    if (begun_before(turns) != kind) return false;
    for (std::size_t i = 1; i <= turns; ++i)
        if (begun_before(i) != begun_before(i + turns)) return false;
    return true;
}

/// Finds what is recorded in turn from now on, if that begins here.
bool command_stream::find_turns(const run_kind& kind) {
    for (std::size_t turns = turns_min; turns <= std::min(singles_ / 2, turns_max); ++turns)
        if (is_repeated(kind, turns)) {
            for (std::size_t i = 0; i < turns; ++i) turns_[i] = begun_before(turns - i);
            turn_count_ = turns;
            return true;
        }
    return false;
}

/// Lets the kinds that are recorded in turn begin with that of the run. Where it is among them twice, perhaps
/// not with the one that is due: then the turns end soon.
void command_stream::turn_to(const command_run& due) {
    const auto before = turns_;
    std::size_t from = 0;
    while (before[from] != run_kind{due.what, due.word}) ++from;
    for (std::size_t i = 0; i < turn_count_; ++i) turns_[i] = before[(from + i) % turn_count_];
}

std::byte* command_stream::begin_one(const operation& what, id word, const command_shape& shape) {
    make_room(bytes_of_head + shape.alignment + shape.stride);
    command_run& made = begin_head(what, word);
    made.commands = cursor_ = aligned(cursor_, shape.alignment);
    made.turn = due_ = &made;
    made.stride = made.step = shape.stride;
    return cursor_;
}

/// The heads come first, then row after row, until the block is full or a command comes that is not due.
std::byte* command_stream::begin_in_turn() {
    const std::span<const run_kind> kinds = kinds_in_turn();
    std::array<std::uint32_t, turns_max> offsets{};
    std::uint32_t alignment = 1;
    std::uint32_t bytes = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const command_shape& shape = *kinds[i].shape;
        offsets[i] = round_up(bytes, shape.alignment);
        bytes = offsets[i] + shape.stride;
        alignment = std::max(alignment, shape.alignment);
    }
    bytes = round_up(bytes, alignment);
    make_room(kinds.size() * bytes_of_head + alignment + bytes);
    std::array<command_run*, turns_max> heads{};
    for (std::size_t i = 0; i < kinds.size(); ++i) heads[i] = &begin_head(*kinds[i].what, kinds[i].word);
    cursor_ = aligned(cursor_, alignment);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const bool is_last = i + 1 == kinds.size();
        heads[i]->turn = heads[is_last ? 0 : i + 1];
        heads[i]->commands = cursor_ + offsets[i];
        heads[i]->stride = bytes;
        heads[i]->step = (is_last ? bytes : offsets[i + 1]) - offsets[i];
    }
    due_ = heads[0];
    return cursor_;
}

/// Makes the head of a run, for which there is room, and enters it behind those that there are.
command_run& command_stream::begin_head(const operation& what, id word) noexcept {
    auto* const made = ::new (aligned(cursor_, alignof(command_run))) command_run{&what, word};
    cursor_ = reinterpret_cast<std::byte*>(made + 1);
    (last_ ? last_->next : first_) = made;
    return *(last_ = made);
}

void command_stream::make_room(std::size_t bytes) {
    if (!cursor_ || end_ - cursor_ < static_cast<std::ptrdiff_t>(bytes)) next_block(bytes);
}

/// A block is as large as its place and the command ask for, whatever was recorded there before: where a run
/// is split decides how rows move, and the same recording has to move them in the same way.
void command_stream::next_block(std::size_t bytes) {
    if (!first_) { // For a first command that is larger than a block.
        next_block_ = 0;
        cursor_ = end_ = nullptr;
    }
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
    first_ = last_ = due_ = nullptr;
    cursor_ = end_ = nullptr;
    next_block_ = 0;
    if (!blocks_.empty() && blocks_.front().bytes == first_block_bytes) use(blocks_[next_block_++]);
    singles_ = pause_ = unwatched_ = 0;
}

void command_stream::discard() noexcept {
    for (command_run* run = first_; run; run = run->next)
        if (run->what->discard) run->what->discard(*run);
    reset();
}

void command_stream::release() noexcept {
    std::vector<block>().swap(blocks_);
    reset();
}

std::size_t command_stream::memory_bytes() const {
    std::size_t bytes = 0;
    for (const block& b : blocks_) bytes += b.bytes;
    return bytes;
}

} // namespace ecs
