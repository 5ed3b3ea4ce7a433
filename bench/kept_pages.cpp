// SPDX-License-Identifier: MIT
// Memory that was given back stays with the process, so that nobody pays for pages that another has touched
// before: how much of it the heap returns to the system by itself depends on which large blocks were freed
// earlier.
#include <malloc.h>

namespace {

const bool pages_are_kept = [] {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 64 << 20);
    return true;
}();

} // namespace
