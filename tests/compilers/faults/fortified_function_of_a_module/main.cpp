// SPDX-License-Identifier: MIT
// A program calls memcpy as a module has it that was compiled with fortified functions. clang 19 calls
// memcpy.inline, which nobody defines.
import library;

struct four {
    int values[4];
};

four copy(const four* from) {
    four to;
    std::memcpy(&to, from, sizeof(to));
    return to;
}

int main(int arguments, char**) {
    const four from{{arguments, 2, 3, 4}};
    return copy(&from).values[3] == 4 ? 0 : 1;
}
