// SPDX-License-Identifier: MIT
// The next row, the next chunk and the next table of a loop.
module ecs.query;
import ecs.std;

namespace ecs {

namespace {

query_core& refreshed(query_core& core) {
    core.refresh();
    return core;
}

} // namespace

row_iterator* kept_rows::begin(query_core& over) { return new row_iterator(over, true); }

void kept_rows::end(row_iterator* rows) noexcept { delete rows; }

row_iterator::row_iterator(query_core& over, bool looks)
    : over_(&refreshed(over)),
      looping_(over, looks),
      sorted_(over.is_listed() ? over.rows_on_list(looping_) : listed_rows()) {}

bool row_iterator::next() {
    if (over_->is_listed()) {
        if (match_ == sorted_.size()) return false;
        here_ = sorted_[match_++];
        return true;
    }
    while (rows_ == 0)
        if (!next_block()) return false;
    here_.row = (block_ - 1) * 64 + static_cast<std::uint32_t>(std::countr_zero(rows_));
    rows_ &= rows_ - 1;
    return true;
}

row_iterator::run row_iterator::next_rows() {
    if (over_->is_listed() || rows_ != 0) return {next(), false};
    while (!here_.block || block_ * 64 >= here_.block->count) {
        if (!next_chunk()) return {};
        block_ = 0;
        if (here_.block->count == 0 || over_->has_hidden_rows(*here_.found_in)) continue;
        block_ = (here_.block->count + 63) / 64;
        return {here_.block->count, true};
    }
    return {next(), false};
}

/// Takes the mask of the next 64 rows; block_ is then the number of the block after it.
bool row_iterator::next_block() {
    if (!here_.block || block_ * 64 >= here_.block->count) {
        if (!next_chunk()) return false;
        block_ = 0;
    }
    rows_ = over_->rows(*here_.found_in, *here_.block, block_++);
    return true;
}

bool row_iterator::next_chunk() {
    for (; match_ < over_->matches().size(); ++match_, chunk_ = 0) {
        const match& m = over_->matches()[match_];
        const std::span<chunk* const> chunks = over_->chunks_of(m);
        if (chunk_ == chunks.size()) continue;
        here_ = {&m, chunks[chunk_++], 0};
        return true;
    }
    return false;
}

void row_iterator::skip(std::size_t count) {
    if (over_->is_listed()) {
        match_ = std::min(count, sorted_.size());
        return;
    }
    while (count != 0) {
        while (rows_ == 0)
            if (!next_block()) return;
        const auto ready = static_cast<std::size_t>(std::popcount(rows_));
        if (ready > count) break;
        count -= ready;
        rows_ = 0;
    }
    for (; count != 0; --count) rows_ &= rows_ - 1;
}

} // namespace ecs
