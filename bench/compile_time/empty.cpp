// SPDX-License-Identifier: MIT
// What the compiler takes for nothing at all.
int main() {}
