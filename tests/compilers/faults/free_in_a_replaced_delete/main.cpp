// SPDX-License-Identifier: MIT
// A program replaces new and delete by what calls aligned_alloc and free. The compiler puts free in the place
// of a delete, and warns that it is given what new returned.
#include <cstdlib>
#include <new>

#pragma GCC diagnostic error "-Wmismatched-new-delete"

int calls;
void* operator new(std::size_t bytes) {
    ++calls;
    void* const memory = std::aligned_alloc(16, bytes);
    if (!memory) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

struct may_throw {
    may_throw();
    int number = 1;
};
may_throw::may_throw() {
    if (calls > 5) throw number;
}
may_throw* create() { return new may_throw; }

int main() {
    delete create();
    return calls == 0 ? 1 : 0;
}
