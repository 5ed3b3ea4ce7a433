// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :slot_pages;

namespace ecs {

// calloc, because the system hands out zero memory that is not there before it is touched.
slot_pages::slot_pages() : directory_(static_cast<page**>(std::calloc(pages_max, sizeof(page*)))) {
    if (!directory_) throw std::bad_alloc();
}

slot_pages::~slot_pages() {
    // Relaxed: whoever destroys the pages has synchronised with all who used them.
    std::size_t left = pages_.load(std::memory_order_relaxed);
    for (std::uint32_t number = 0; left != 0; ++number)
        if (page* const made = directory_[number]) {
            delete made;
            --left;
        }
    std::free(static_cast<void*>(directory_));
}

void slot_pages::ensure(std::uint32_t number) {
    if (exists(number)) return;
    // Release: see read.
    entry(number).store(new page{}, std::memory_order_release);
    pages_.fetch_add(1, std::memory_order_relaxed);
}

} // namespace ecs
