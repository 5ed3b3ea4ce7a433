// SPDX-License-Identifier: MIT
// A function that calls one which saves no registers, and has both an over-aligned variable and memory of a
// size that is known late, is addressed by a register of its own: the call has to leave it as it was.
#include <cstdint>
#include <cstring>

#if __has_cpp_attribute(clang::preserve_none) && defined(__x86_64__)

struct alignas(64) line {
    std::uint64_t words[8];
};

/// Writes to the register.
[[clang::preserve_none, gnu::noinline]] std::uint64_t busy(std::uint64_t seed) {
    asm volatile("xor %%ebx, %%ebx" : "+r"(seed) : : "rbx");
    return seed;
}

[[gnu::noinline]] bool is_found(std::size_t size) {
    line kept{{1, 2, 3, 4, 5, 6, 7, 8}};
    auto* const room = static_cast<unsigned char*>(__builtin_alloca(size));
    std::memset(room, 1, size);
    asm volatile("" : : "r"(&kept), "r"(room) : "memory");
    const std::uint64_t answer = busy(room[0]);
    return kept.words[7] + answer == 9;
}

int main(int arguments, char**) { return is_found(static_cast<std::size_t>(arguments) * 100) ? 0 : 1; }

#else

int main() {} // There is no such function.

#endif
